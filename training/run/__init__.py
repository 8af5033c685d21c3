"""A run's inputs and outputs outside the trainer: rows, rewards, its folder, completions, exams.

Imports the configuration, data, models and generation. Everything that runs or checks something (watch,
stages, the dry run, the command line) may import from here.
"""
