"""Requests to a program: tests in a row's answer column, their jobs, and the worth of a run.

It imports the engine's protocol and the jail's codec, never an engine; the verifier imports it.
"""
