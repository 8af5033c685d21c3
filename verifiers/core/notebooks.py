"""What notebooks show of verdicts: what a model or a row wrote stays text, and nothing of it is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from ..visible.characters import INVISIBLE

MOST = 2000
"""Characters of a text that are shown."""
_OTHERS = "[\ud800-\udfff\u2028\u2029\ue000-\uf8ff]"
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def text_html(value: object) -> str:
    r"""A text as HTML that shows it as it is: no markup, a code for each character that nobody sees.

    >>> text_html("<b>4\u202e2")
    '&lt;b&gt;4<small>[U+202E]</small>2'
    """
    text = "" if value is None else str(value)
    cut = f" … ({len(text):,} characters)" if len(text) > MOST else ""
    shown = text[:MOST].translate(_MARKUP)
    return _unseen().sub(lambda found: f"<small>[U+{ord(found[0]):04X}]</small>", shown) + cut


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts.

    Args:
        heads: Of the columns.
        rows: A cell for each column; None is an empty one.
    """
    line = "".join(f'<th style="text-align:left">{text_html(head)}</th>' for head in heads)
    style = 'style="text-align:left;vertical-align:top;white-space:pre-wrap;unicode-bidi:isolate"'
    body = "".join(
        f"<tr>{''.join(f'<td {style}>{text_html(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{line}</tr></thead><tbody>{body}</tbody></table>"


@cache
def _unseen() -> re.Pattern[str]:
    """What a reader does not see, but for joiners and variation selectors, which belong to signs."""
    others = "[\ud800-\udfff\u2028\u2029\ue000-\uf8ff]"
    return re.compile(f"(?![\u200c\u200d\ufe00-\ufe0f])(?:{INVISIBLE.pattern[:-1]}|{others})")
