"""Mathematical equivalence."""

from .equivalence import MathEquivalence

__all__ = ["MathEquivalence"]
