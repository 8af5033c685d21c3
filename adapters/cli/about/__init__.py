"""Verbs about what is installed: ``doctor`` and ``list``.

Only the console script of the folder above imports from here.
"""
