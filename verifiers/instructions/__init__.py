"""Instructions that a response is to follow: how many words, which format, which language, and the like.

One instruction is one small class, registered in `kinds.KINDS`; a family of kinds is one file. `following`
judges a response by all instructions of a row. Imports `verifiers.core`, `language` and `runtime`.
"""
