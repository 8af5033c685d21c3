"""What stands before every request: who may ask, by which name, with what body; and what refusals look like.

The application, what starts it, and its client import from here.
"""
