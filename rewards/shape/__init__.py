"""What else is paid: values that are changed or combined, the form of a completion, functions of the user's.

It imports `rewards.tree`; recipes and comparisons import from it.
"""
