"""Environments that pay a reward for what a model wrote; no module imports its program before it is used."""
