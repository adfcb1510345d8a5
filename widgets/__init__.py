"""The panes: views over a history and a cursor, made of lines of cells."""
