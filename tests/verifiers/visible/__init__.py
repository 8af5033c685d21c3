"""Tests of what a reader sees of a text, and of where that stands in the text as it came."""
