"""Verifiers of text, one in each module: format, words, tokens, choices, patterns, lengths, JSON, language.

They import `verifiers.core`, `verifiers.language` and `verifiers.extract`. The Korean template, and rewards
that take answers apart, import them, and `verifiers.tools` what is said of schemas; nothing else does.
"""
