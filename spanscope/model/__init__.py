"""Spans, artifacts, inverses and diffs, and what an event does to them."""
