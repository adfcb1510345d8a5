"""The judgements, and the rules that name what they say."""
