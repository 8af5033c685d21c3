"""Sums and products with verifiers: ``0.5 * MathEquivalence() + TagFormat()`` is a reward."""

from __future__ import annotations

from typing import Any

from ..identity.owners import load


class Arithmetic:
    """Base of what is paid for: an operator makes a reward of it, as ``rewards.Pay`` does.

    Rewards stand above verifiers, so what makes one is found by its name.
    """

    def _paid(self) -> Any:
        return load("rewards:Pay")(self)

    def __add__(self, other: object) -> Any:
        return self._paid() + other

    def __radd__(self, other: object) -> Any:
        return other + self._paid()

    def __sub__(self, other: object) -> Any:
        return self._paid() - other

    def __rsub__(self, other: object) -> Any:
        return other - self._paid()

    def __mul__(self, other: object) -> Any:
        return self._paid() * other

    def __rmul__(self, other: object) -> Any:
        return other * self._paid()

    def __truediv__(self, other: object) -> Any:
        return self._paid() / other

    def __neg__(self) -> Any:
        return -self._paid()
