"""Mathematical equivalence: an answer is cleaned, read and decided, in that order.

`text` has what works on text alone, `formulas` what a formula is and what can be computed of it; `read` goes
from text to shapes, and `decide` from two shapes to a reason. Each imports those before it. The verifier is
`equivalence.MathEquivalence`; nothing else is meant for use from outside.
"""

from .equivalence import MathEquivalence

__all__ = ["MathEquivalence"]
