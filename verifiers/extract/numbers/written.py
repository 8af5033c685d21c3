"""What a number looks like in running text, and how far around one anything is looked at."""

from __future__ import annotations

import re

_DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|\\!,|,\\!)\d{3})+(?!\d)|\d+)"

_DECIMAL = rf"(?:{_DIGITS}(?:\.\d+)?|\.\d+)"

# Chinese and Korean write words right before a number; letters of formulas do not end there.
_LETTER = "A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff"

# A minus belongs to the number unless it follows something that it could be subtracted from.
NUMBER = re.compile(
    rf"(?:(?<![{_LETTER})\]}}%])(?:[-−+]\s?\$?|\$[-−]))?(?<![{_LETTER}.])"
    rf"(?:{_DECIMAL}(?:[eE][-+]?\d+)?(?:\s?/\s?\d+(?![\d.]))?|\\[dt]?frac\s*(?:\{{[^{{}}]{{1,64}}\}}|\d)\s*(?:\{{[^{{}}]{{1,64}}\}}|\d))"
    r"(?:\s?\\?%)?"
)

SAID = re.compile(r"[^\W\d_a-zA-Z]{2}|[a-zA-Z]{3}\s++[a-zA-Z]{2}")

AROUND = 40
"""Characters before and after a number in which the rest of a Korean numeral is looked for."""

WINDOW = 4096
"""Characters at the end of a text that are searched: answers are found there, and this bounds the work."""
