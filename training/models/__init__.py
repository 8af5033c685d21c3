"""A configured model: where it is, its tokenizer and weights, GGUF files, the memory that it holds.

Imports the configuration alone; runs, stages and the command line may import from here.
"""
