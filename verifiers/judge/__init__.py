"""Judges from outside the library: a served model, a function, the scorer of a reasoning-gym task.

`opinions` gives one completion a score; `pairwise_judge` says which of several is better. They import
`verifiers.core`, `verifiers.language` and `verifiers.extract`; nothing of `verifiers` imports them.
"""
