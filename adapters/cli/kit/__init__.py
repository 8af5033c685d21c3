"""Verbs for people who write verifiers: ``new``, ``test`` and ``check-verifier``.

Only the console script of the folder above imports from here.
"""
