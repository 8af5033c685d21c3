"""Tools and environments of a run: found, checked, given their rows, and used outside the trainer.

Stages and what measures models import from here.
"""
