"""Trainers that call reward functions. They are not imported: they call us."""
