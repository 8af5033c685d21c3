"""Korean numerals and what is counted with them."""

from __future__ import annotations

from .numerals import parse_number as parse_number

__all__ = ["parse_number"]
