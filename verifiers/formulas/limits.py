"""What an answer may cost: every limit is far above any answer that a person would write."""


class UnreadableError(Exception):
    """The text is not an expression of the grammar, or larger than what it reads."""


MAX_ANSWER_CHARS = 4_000
"""Longest text that is read as mathematics. The longest gold answer of the MATH test set has 159."""
MAX_DIGITS = 4_000
"""Longest digit run that becomes an integer; CPython itself refuses 4,300. Equal text needs no integer."""
MAX_SYMBOLIC_CHARS = 1_000
"""Longest text for the LaTeX parser, whose time grows faster than linearly."""
MAX_SYMBOLIC_DIGITS = 300
"""Longest digit run there."""
MAX_NESTING = 30
"""Deepest brackets there: 40 nested fractions already take its parser 5 s."""
MAX_EXPONENT = 10_000
"""Largest numeric exponent: 2024^{4046} is a contest answer, 10^{100000000} is an attack."""
MAX_FACTORIAL = 3_000
"""Largest argument of a factorial or a binomial: 1/2004! is a contest answer."""
MAX_RANGE = 1_000
"""Largest bound of a sum or product there."""
MAX_CELLS = 100
"""Most cells of a matrix."""
MAX_LIST = 200
"""Most elements of a list or set."""
MAX_TREE_TOKENS = 1_000
"""Tokens of the longest formula that the grammar reads."""
MAX_TREE_DEPTH = 100
"""Deepest nesting that the grammar reads, brackets and powers counted; Python's own recursion bears several
times that."""
MAX_WRITTEN_OUT = 4_000
"""Nodes of the largest sum or product that is written out term by term."""
MAX_BITS = 200_000
"""Size of the largest exact number that is built: 2024^{4046} has 44,000 bits."""
MAX_TERMS = 2_000
"""Terms of the largest polynomial that is expanded."""
MAX_DEGREE = 400
"""Highest degree of a polynomial that is expanded."""
