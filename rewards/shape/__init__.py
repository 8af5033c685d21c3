"""Values that are changed or come from the form of a completion: limits, lines, penalties, lengths, tags.

It imports `rewards.tree`; recipes and comparisons import from it.
"""
