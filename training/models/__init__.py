"""A configured model: where it is, its tokenizer and weights, GGUF files, the memory that it holds.

Imports only the configuration; runs, stages and the command line may import from here.
"""
