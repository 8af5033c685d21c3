"""Verifiers: judge one completion, and say how it is known."""

from __future__ import annotations

__distribution__ = "reward-verifiers"
__version__ = "0.1.0"
from .maths import MathEquivalence
