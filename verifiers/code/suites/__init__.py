"""What is asked of a program: tests in a row's answer column, how they become jobs, and what a run is worth.

It imports the engine's protocol and the jail's codec, never an engine; the verifier imports it.
"""
