"""Running text: which letters of a text are words of a language, of another one, or no words at all.

It knows scripts and shapes, no vocabulary. `verifiers.text.language_consistency` imports from it.
"""
