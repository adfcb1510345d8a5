"""The app: its screen, its keys and what they do."""
