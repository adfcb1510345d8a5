"""The commands: what is typed in a shell."""
