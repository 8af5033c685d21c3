"""A text as a reader sees it, and where each part of it stands in the text as it came.

It imports nothing of ours; everything of `verifiers` above `runtime` may import from it.
"""
