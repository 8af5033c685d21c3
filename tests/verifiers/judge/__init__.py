"""Judges: what they are shown, what they say, and who is to blame where they say nothing."""
