"""Evaluators that call scorers and metrics, a module each; none is imported before it is asked for.

`evaluator_rows` is what they share: from a recipe's name or a reward to payments, row by row.
"""
