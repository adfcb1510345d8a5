"""Other tools' sessions as journals."""
