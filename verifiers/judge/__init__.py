"""Judges from outside the library: a served model, a function, the scorer of a reasoning-gym task.

They import `verifiers.core` and `verifiers.extract`; nothing imports them.
"""
