"""Verifiers of text, one in each module: format, words, tokens, choices, patterns, lengths, JSON, language.

They import `verifiers.core`, `verifiers.language` and `verifiers.extract`. The Korean template, and rewards
that take answers apart, import them; nothing else does.
"""
