"""Recorded agent sessions that ship with Spanscope, and the scripts that write them."""
