"""Answers in sentences: the phrases before them, the value that a sentence gives, numbers said in words.

It asks the languages next door; extraction imports from it.
"""
