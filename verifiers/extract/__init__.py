"""Finding the answer in the visible part of a completion."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.extraction import EXTRACTORS, Extraction, Extractor

if TYPE_CHECKING:
    from .chain import MARKED_OR_WHOLE as MARKED_OR_WHOLE
    from .chain import PASSAGE as PASSAGE
    from .chain import FirstOf as FirstOf
    from .chain import Inside as Inside
    from .chain import WholeText as WholeText
    from .code_block import CodeBlock as CodeBlock
    from .marked_answers import Boxed as Boxed
    from .marked_answers import HashMarks as HashMarks
    from .marked_answers import JsonAnswer as JsonAnswer
    from .marked_answers import Tag as Tag
    from .maths_answers import MARKED_OR_NUMBER as MARKED_OR_NUMBER
    from .maths_answers import BareAnswer as BareAnswer
    from .maths_answers import OnlyNumber as OnlyNumber
    from .maths_answers import UntilNextQuestion as UntilNextQuestion
    from .numbers import LastNumber as LastNumber
    from .phrases import AnswerPhrase as AnswerPhrase
    from .phrases import AnswerSubject as AnswerSubject
    from .phrases import OtherLanguage as OtherLanguage

__all__ = ["Extraction", "Extractor"]
_ORDERS = {"MARKED_OR_NUMBER": ".maths_answers", "MARKED_OR_WHOLE": ".chain", "PASSAGE": ".chain"}


def __getattr__(name: str) -> Any:
    if name in _ORDERS:
        return getattr(import_module(_ORDERS[name], __name__), name)
    if name not in EXTRACTORS.homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return EXTRACTORS.get(name)
