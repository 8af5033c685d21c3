"""Finding the answer in the visible part of a completion."""

from ..core.extraction import Extraction, Extractor
from .boxed import Boxed
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
from .hash_marks import HashMarks
from .json_answer import JsonAnswer
from .numbers import LastNumber, OnlyNumber
from .other_languages import OtherLanguage
from .phrases import AnswerPhrase, AnswerSubject
from .tags import Tag

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
