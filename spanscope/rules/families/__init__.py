"""The rules, a module a family."""
