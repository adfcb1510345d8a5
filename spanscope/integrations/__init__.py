"""Recording for agents that are built with other libraries; each module needs its library."""
