"""Any step of a session, and every finding: the audit and its index."""
