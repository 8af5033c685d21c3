"""Korean numerals and what is counted with them, and particles."""

from __future__ import annotations

from ..language.numerals.korean_numerals import parse_number as parse_number
from .particles import josa as josa

__all__ = ["josa", "parse_number"]
