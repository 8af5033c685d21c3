"""Scored rows as a report holds them: their numbers as columns, their texts in blocks."""
