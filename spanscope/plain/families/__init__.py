"""The rules, a module a family: each says from the moments of a journal what it finds."""
