"""Constitutional AI (Bai et al., arXiv:2212.08073): answers that the model itself criticises and rewrites.

`constitution` reads the principles, and `critique_rows` answers, criticises, revises and writes. They import
`training.generation` and the packages below; the command line imports them.
"""
