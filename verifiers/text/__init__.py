"""Verifiers of text: format, exact match, token overlap, choices, keywords, patterns, lengths, JSON, language,
repetition. One verifier in each module.

They import `verifiers.core`, `verifiers.language` and `verifiers.extract`; nothing but the Korean template and
rewards for splitting imports them.
"""
