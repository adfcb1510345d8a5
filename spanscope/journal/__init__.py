"""The buffer journal, format 1: reading, writing and finding the files."""
