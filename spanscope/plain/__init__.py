"""A second opinion: the rules once more, written plainly and slowly, to hold the engine to."""
