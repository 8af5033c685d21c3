"""Watching a run while it trains, and reporting on it: alarms, progress, the log's names, the page.

Imports the configuration and what runs keep. Stages, the command line and the demonstration import from here;
the trainer's callbacks load transformers only when one is made.
"""
