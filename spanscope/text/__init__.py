"""Text made safe, measured and compared: pure functions that know nothing of journals."""
