"""Languages that are read by a table alone, each a file of plain words: the rest of this folder knows none of them.

`found` says which one a text is in, `judging` what its sentences say. A file is loaded when a text shows no
language that is read otherwise. Only `verifiers.extract` and `verifiers.language.refusing` ask.
"""
