"""Environments that reward completions; no module imports its program before it is used."""
