"""Trainers that call reward functions. None of them is imported: a reward is a function of their making."""
