"""Judges from outside the library: a function, a served model, the scorer of a reasoning-gym task.

They import `verifiers.core` and `verifiers.extract`; nothing imports them.
"""
