"""English sentences around an answer in words: "it is even", "the statement is true", "on Tuesday"."""

from __future__ import annotations

from ..runtime.patterns import lazy

_FRAME = lazy(r"(?P<subject>(?:[a-z]+ ){1,4}?)(?:is|are|was|were|has|have|must be|would be) (?P<core>.+)")
_PREPOSITIONS = frozenset("on in at by".split())
_SUBJECTS = frozenset("it this that series sequence integral limit sum function graph".split())
"""What may converge, diverge or exist."""
_DENYING = frozenset(
    """not no never neither nor none nobody nothing false wrong incorrect untrue opposite contrary unlike except
    without hardly if whether or either""".split()
)


def core(text: str) -> str:
    """What a sentence says of its subject; any other text as it is.

    Args:
        text: Folded words: no case, articles or punctuation.

    >>> core("it is even"), core("statement is not true"), core("it is not true that it is even")
    ('even', 'not true', 'not true that it is even')
    """
    words = text.split()
    if len(words) == 2 and words[0] in _PREPOSITIONS | _SUBJECTS:
        return words[1]
    framed = _FRAME.fullmatch(text)
    if framed is None or set(framed["subject"].split()) & _DENYING:
        return text
    return framed["core"]
