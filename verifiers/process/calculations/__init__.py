"""Calculations in running text: found, read, worked out and judged.

Knows nothing of questions and answers. Only `verifiers.process` imports from here.
"""
