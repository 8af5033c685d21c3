"""Whether the words that tie a value to its sentence are in a language that somebody here reads.

What nobody reads is no consent: "La respuesta no es 42" says of 42 what no table knows. A language shows itself
by its own words; a script alone shows nothing but for those that one language of the tables writes.
"""

from __future__ import annotations

import re

from ..runtime.patterns import lazy
from .languages import LANGUAGES
from .patterns import spoken

_BEFORE = 600
"""Characters before a sentence that show which language a text is in."""
_ENOUGH = 3
"""Different words of a language that show it for a sentence without one."""
_SHORTEST_PLURAL = 3
_STOP = lazy(r"[\n。！？]|[.!?](?=\s)")
_FORMULA = lazy(r"\\[a-zA-Z]+|\$[^$\n]{1,300}\$|\b[a-zA-Z]\b")
_LATIN = lazy(r"[^\W\d_一-鿿가-힣ぁ-ヿ\u0370-\u03ff\u0400-\u1cff]{2,}")
_FOREIGN = lazy(r"[\u0400-\u1cffぁ-ヺ\ua800-\uabff]{2,}")
"""Letters that no table has: from Cyrillic to Vedic signs, kana, further Indic scripts. Greek is of formulas."""
_TITLE = lazy(r"[\s*_#]{0,6}[^\W\d_]{2,20}[\s*_]{0,4}[:：][\s*_$]{0,6}\Z")
_COMMON = frozenset(word for language in LANGUAGES for word in language.common if " " not in word)
_PHRASES = lazy(
    "|".join(rf"\b{word}\b" for language in LANGUAGES for word in language.common if " " in word) or "(?!)",
    re.IGNORECASE,
)


def is_recognised(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a value that nothing marks is in a language of the tables.

    One word that follows the value, as what is counted, or a title before a colon may be of any language.

    >>> text = "La respuesta no es 42."
    >>> is_recognised(text, 19, 21), is_recognised("She sells 42 eggs a day.", 10, 12), is_recognised("42 ovos", 0, 2)
    (False, True, True)
    """
    low = 0
    for stop in _STOP.finditer(text, max(0, start - _BEFORE), start):
        low = stop.end()
    stop_after = _STOP.search(text, end)
    high = min(stop_after.start() if stop_after else len(text), end + _BEFORE)
    before, after = text[low:start], text[end:high]
    if _FOREIGN.search(before) or _FOREIGN.search(after):
        return _TITLE.match(before) is not None and not after.strip(" *_$.!")
    words = [each.casefold() for each in _LATIN.findall(_FORMULA.sub(" ", before + " " + after))]
    if not words or not _COMMON.isdisjoint(words) or _PHRASES.search(before) or _PHRASES.search(after):
        return True
    if any(not language.common for language in spoken(before + after)):
        return True  # a script shows it
    titled = before.rstrip(" *_$").endswith((":", "：", "=")) or not _LATIN.search(before)
    # What is counted stands after its number, or in the plural before it.
    counted = not before.strip() or (len(words[0]) > _SHORTEST_PLURAL and words[0].endswith("s"))
    alone = not text[:low].strip() and words[0].isascii() and counted
    if (titled or alone) and len(words) <= 1:
        return True
    if any(not word.isascii() for word in words):
        return False
    around = {each.casefold() for each in _LATIN.findall(text[max(0, low - _BEFORE) : low])}
    return len(_COMMON & around) >= _ENOUGH
