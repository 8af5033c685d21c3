"""Finding the answer in the visible part of a completion."""

from ..core.extraction import Extraction, Extractor
from .chain import (
    MARKED_OR_NUMBER,
    MARKED_OR_WHOLE,
    PASSAGE,
    BareAnswer,
    FirstOf,
    Inside,
    UntilNextQuestion,
    WholeText,
)
from .code_block import CodeBlock
from .marked_answers import Boxed, HashMarks, JsonAnswer, Tag
from .numbers import LastNumber, OnlyNumber
from .phrases import AnswerPhrase, AnswerSubject, OtherLanguage

__all__ = [
    "MARKED_OR_NUMBER",
    "MARKED_OR_WHOLE",
    "PASSAGE",
    "AnswerPhrase",
    "AnswerSubject",
    "BareAnswer",
    "Boxed",
    "CodeBlock",
    "Extraction",
    "Extractor",
    "FirstOf",
    "HashMarks",
    "Inside",
    "JsonAnswer",
    "LastNumber",
    "OnlyNumber",
    "OtherLanguage",
    "Tag",
    "UntilNextQuestion",
    "WholeText",
]
