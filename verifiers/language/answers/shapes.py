"""What a value looks like before anything is known of it, and the signs around one."""

from __future__ import annotations

from ...runtime.patterns import lazy

LOOSE = " \t\r\n.!?~^*_。！？♪❤😊🙂😀👍✅)\"'”’」』"
"""Signs after a sentence that say nothing."""
_VALUE = lazy(
    r"[\s*_(\[{<\"'“‘$]{0,8}(?:\\[a-zA-Z(\[]|[-+−]?[\d.]|[①-⑳⓪]|[A-Za-z](?![a-z])|[가-하](?![가-힣]))"
)
_BETWEEN = lazy(r"[\s,，、:：;]{0,8}")


def is_value(text: str, place: int) -> bool:
    """Whether a number, a formula or a label stands here, and not words."""
    return _VALUE.match(text, place) is not None


def is_hangul(letter: str) -> bool:
    """Whether a letter is a Korean syllable."""
    return "가" <= letter <= "힣"


def skipped(text: str, place: int) -> int:
    """The place after the signs between two values."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place
