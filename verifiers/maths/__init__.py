"""Mathematical equivalence: what `reading` makes of an answer beside what it makes of the reference.

`decide` goes from two readings to a reason, and `explanation` says what a person is told. The verifier is
`equivalence.MathEquivalence`; nothing else is meant for use from outside.
"""

from .equivalence import MathEquivalence

__all__ = ["MathEquivalence"]
