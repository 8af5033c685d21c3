"""Finding the answer in the visible part of a completion."""

from ._base import Extraction, Extractor
from .boxed import Boxed
from .chain import MARKED_OR_NUMBER, MARKED_OR_WHOLE, PASSAGE, BareAnswer, FirstOf, Inside, WholeText
from .code import CodeBlock
from .marks import HashMarks
from .numbers import LastNumber, OnlyNumber
from .phrases import AnswerPhrase
from .tags import Tag

__all__ = [
    "MARKED_OR_NUMBER",
    "MARKED_OR_WHOLE",
    "PASSAGE",
    "AnswerPhrase",
    "BareAnswer",
    "Boxed",
    "CodeBlock",
    "Extraction",
    "Extractor",
    "FirstOf",
    "HashMarks",
    "Inside",
    "LastNumber",
    "OnlyNumber",
    "Tag",
    "WholeText",
]
