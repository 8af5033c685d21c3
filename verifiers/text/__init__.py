"""Verifiers of text: exact match, token overlap, choices, constraints."""
