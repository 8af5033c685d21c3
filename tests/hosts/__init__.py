"""Tests that run the own code of foreign trainers and evaluators, a folder and a locked environment for each.

`python -m tests.hosts` makes the environments and runs them; the library's own suite leaves these folders out.
"""
