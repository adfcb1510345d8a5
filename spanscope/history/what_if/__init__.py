"""What would happen if something were done at a step: worked out on drafts, nothing is written.

The judgements are those of the model and the rules; here they are asked of a buffer that never
was.
"""
