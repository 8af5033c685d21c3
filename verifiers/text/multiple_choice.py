"""The chosen option is the right one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from ..core.extraction import EXTRACTORS
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract import (
    AnswerPhrase,
    Boxed,
    Extraction,
    Extractor,
    FirstOf,
    HashMarks,
    Inside,
    Tag,
)
from ..extract.answers import accepted_texts, find_answer
from ..language.normalization import clean, fold_jamo, fold_width

_SYLLABLES = "가나다라마바사아자차카타파하"
_JAMO = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_CIRCLED = {chr(ord("①") + index): str(index + 1) for index in range(20)}
_FOLD = str.maketrans(_CIRCLED)
_ORDINALS = {
    "첫": "1", "두": "2", "세": "3", "네": "4", "다섯": "5", "여섯": "6", "일곱": "7", "여덟": "8",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
}  # fmt: skip

_OPEN = r"[(\[<{*_`\"'“‘「\s]*"
_CLOSE = r"[)\]>}*_`\"'”’」]*"
_KOREAN_END = r"(?:번|항)?\s*(?=입니다|이다|임\b|이에요|예요|이며|이고|가\s|이\s|은\s|는\s|을\s|를\s)"
# What shows that a letter or number is a label: a bracket or mark after it, the end of the text, a
# Korean ending, or a word that continues about it. "A cat" and "3 apples" and "3.5" are not labels.
_AFTER_LABEL = (
    rf"(?:{_CLOSE}\s*(?:(?:번|항)(?![가-힣])|[:)\]](?!\d)|\.(?=\s|\Z)|,(?!\d\d)|(?=[/·ㆍ・&|]|[와과](?![가-힣]))|(?=\s*\Z)|{_KOREAN_END})"
    rf"|[)\]>}}*_`\"'”’」]+|(?=\s+(?:is|because|since|and|or|와|과|및|또는|혹은)\b))"
)
_LABEL = re.compile(
    rf"{_OPEN}(?:(?:the\s+)?(?:option|choice|answer|보기|선택지)\s*{_OPEN})?"
    rf"(?P<label>(?-i:[A-Ja-j])|\d{{1,2}}|[{_SYLLABLES}]|[{_JAMO}](?=[{_JAMO}])|[{_JAMO}]){_AFTER_LABEL}?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:[,/·ㆍ・&|]|or\b|and\b|또는|혹은|와|과|및)?\s*(?:or\b|and\b)?\s*", re.IGNORECASE
)
_ORDINAL = re.compile(
    rf"{_OPEN}(?:the\s+)?(?P<ordinal>{'|'.join(_ORDINALS)})\s*(?:option|choice|one|answer"
    r"|번째(?:\s*(?:보기|선택지|선지|항목|것|답|번호|옵션))?\s*(?=입니다|이다|임|이에요|예요|이고|이며|이\s|가\s|을|를|[.,)]|\Z))",
    re.IGNORECASE,
)
# What follows a label and takes it back, or adds another: "③번이 아니라", "C or maybe A".
_TAKEN_BACK = re.compile(
    r"[)\]*.,:\s]*(?:번|번째|보기)?\s*(?:(?:이|가|은|는|을|를|도)?\s*"
    r"(?:아니|아닌|아닙|아님|될 수 없|틀리|틀렸|틀림|오답|제외|빼고|말고|대신|외에"
    r"|(?:옳|맞|정답|답)[^.,]{0,20}?(?:없|않|아니|아닌|아닙|쉽|틀|일까))|[=(]\s*(?:[XＸ]\b|틀|오답|아님)|[XＸ](?![A-Za-z가-힣])"
    r"|일\s?(?:수도|까|지|리)|인가|인지|(?:이?라고)\s?(?:할 수 없|보기|생각했)"
    r"|(?:이)?거나|이나\b|[~∼-]\s*[\d①-⑮A-J]|(?:문단|문제|문장|단계|줄|페이지|쪽)(?:[을를이가은는에와과의]|\s)|보기[를에의]"
    r"|is\s+(?:not|in|wrong|false|never)|isn't|and\s+a\s+half|(?:then|or|and|alternatively|maybe)\b|그리고|또는|혹은)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"{_OPEN}(?:[A-Ja-j]|\d{{1,2}}|[{_SYLLABLES}{_JAMO}])[)\]]?\s*(?:번|항)?\s*(?:이|가)?\s*(?:아니(?:라|고)|아닌|말고|대신),?\s*"
)
# A second label with its bracket: "C) Paris or A) Rome".
_ANOTHER = re.compile(
    r"\b(?:or|and)\s+\(?(?:[A-Ja-j]|\d{1,2})\)|(?:또는|혹은|나)\s*\(?(?:(?:[A-J]|\d{1,2})\)|\d{1,2}\s*번)"
    r"|(?:하지만|그러나|아니다|아니면|아니)[,.]?\s*\(?(?:[A-J](?![A-Za-z])|\d{1,2})|\(\s*\d{1,2}\s*번|\d{1,2}\s*번\s*도",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:\b(?:option|choice|answer|choose|select|pick|therefore,?|thus,?|hence,?)\s*(?:is|:)?|정답)\s*"
    rf"[(\[*\"'“‘]*(?P<label>[A-J]|\d{{1,2}}|[①-⑮]){_CLOSE}(?=[\s.,!]|\Z)"
    r"|(?P<named>[A-J①-⑮]|\b\d{1,2}(?=번))(?:번)?\s*(?:이|가)\s*"
    r"(?:(?:정답|답)(?:이다|입니다|이에요|예요|임|이므로)?|(?:옳|맞)(?:다|습니다|아요|음))(?=\s*[.!,]|\s*\Z)",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}")
_TAIL = 400
# "ㄱ은 자료와 다르다" is about an option, and under "1. ... 2. ..." a third item is not a choice.
_TOPIC = re.compile(rf"{_OPEN}(?:[A-J①-⑮{_JAMO}]|\d{{1,2}}번?)[)\]]?(?:은|는)\s")
_LISTED = re.compile(r"(?m:^)\s*(?:\d{1,2}|[A-Ja-j])[.)]\s")


class Choice(NamedTuple):
    """The options that a text names: their kind ("letter", "number", "syllable", "jamo") and labels."""

    kind: str
    labels: frozenset[str]


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class LastLabel(Extractor):
    """For prose without a mark: "so option (D)." on the last line, or a last line that is a label.

    >>> LastLabel().extract("Paris is the capital.\\nSo our selection is option D.").text
    'D'
    """

    def extract(self, text: str) -> Extraction | None:
        end = len(text.rstrip())
        start = max(text.rfind("\n", 0, end) + 1, end - _TAIL)
        named = list(_NAMED.finditer(text, start, end))
        if named:
            group = "label" if named[-1]["label"] else "named"
            return Extraction(named[-1][group], named[-1].span(group), "last_label")
        line = text[start:end]
        if (
            _TOPIC.match(line)
            or _LISTED.search(text, max(0, start - _TAIL), start)
            or read_choice(line) is None
        ):
            return None
        return Extraction(line, (start, end), "last_label")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class MultipleChoice(Verifier):
    """The answer names the right option, and only that one.

    Labels: A-J, numbers (3, ③, 3번, 세 번째), 가-하, and ㄱ-ㅎ with their combinations ("ㄱ, ㄷ"). What
    follows a label, such as the option's text, is not judged.

    Args:
        extract: Where the answer is: a mark, or a label on the last line.
        by_position: Whether labels of different kinds agree when they have the same position, as in
            KMMLU, whose references are numbers and whose prompts show letters.

    >>> print(MultipleChoice().verify("정답은 ③번입니다.", "3"))
    MultipleChoice 1.00 right_choice  '③번' for '3'
    >>> MultipleChoice().verify("Answer: A, B, C, D", "B").reason
    'several_answers'
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "right_choice": "the reference's option, and no other",
        "wrong_choice": "another option",
        "several_answers": "more options than the reference has",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "no_label": "the answer names no option",
    }

    extract: Extractor = field(
        default=FirstOf(
            Inside(Tag(), FirstOf(Boxed(), AnswerPhrase())), Boxed(), HashMarks(), AnswerPhrase(), LastLabel()
        )
    )
    by_position: bool = False

    def check(self, sample: Sample) -> Verdict:
        try:
            texts = accepted_texts(sample.reference)
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        accepted = [(text, read_choice(text)) for text in texts]
        usable = [(text, choice) for text, choice in accepted if choice is not None]
        if not usable:
            return self.unscored("bad_reference", f"no option such as C, 3, ③ or 다 in {texts!r:.80}")
        answer = find_answer(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        given = read_choice(answer)
        if given is None:
            return self.scored(0.0, "no_label", extracted=answer, expected=usable[0][0])
        for text, choice in usable:
            if self._placed(given) == self._placed(choice):
                return self.scored(1.0, "right_choice", extracted=answer, expected=text)
        several = len(given.labels) > max(len(choice.labels) for _, choice in usable)
        reason = "several_answers" if several else "wrong_choice"
        return self.scored(0.0, reason, extracted=answer, expected=usable[0][0])

    def _placed(self, choice: Choice) -> Choice:
        if not self.by_position or choice.kind == "number":
            return choice
        order = {"letter": "ABCDEFGHIJ", "syllable": _SYLLABLES, "jamo": _JAMO}[choice.kind]
        assert all(label in order for label in choice.labels)  # noqa: S101  (the pattern knows no others)
        return Choice("number", frozenset(str(order.index(label) + 1) for label in choice.labels))


_MAY_MARK = re.compile(r"\s+\(|\s+(?:두|세|네|둘|셋|모두)\b")
_FRACTION = re.compile(r"\d+/\d")
MAX_LABELS = 100
"""Labels that an answer may list; a megabyte of them names no option."""


def read_choice(text: str) -> Choice | None:
    """The options that a text begins with; None when it does not begin with one.

    >>> sorted(read_choice("ㄱ·ㄷ").labels), read_choice("(B) 입니다").labels, read_choice("A cat")
    (['ㄱ', 'ㄷ'], frozenset({'B'}), None)
    """
    # Circled digits become "③번"-like numbers, so that what follows them is read the same way.
    text = _LATEX.sub(r"\1", clean(text))
    text = re.sub(f"([{''.join(_CIRCLED)}])번?+(?=[가-힣])", r"\1번", text)  # ③이 and ③번이 are 3번이
    text = re.sub(f"([{''.join(_CIRCLED)}])번?+(?![가-힣])", r"\1번 ", text)
    text = fold_jamo(fold_width(text)).translate(_FOLD).strip()
    # "④가 아니라 ②" names ②.
    if (instead := _INSTEAD.match(text)) is not None:
        text = text[instead.end() :]
    ordinal = _ORDINAL.match(text)
    if ordinal and not _TAKEN_BACK.match(text, ordinal.end()):
        return Choice("number", frozenset({_ORDINALS[ordinal["ordinal"].casefold()]}))
    if _FRACTION.match(text):
        return None
    labels: list[str] = []
    kind, position, end = "", 0, 0
    while found := _LABEL.match(text, position):
        label = found["label"].upper()
        marked = found.end() > found.end("label") or _shown(text, found.end("label"))
        this = _kind(label)
        if label in labels:
            if this in ("syllable", "jamo"):
                return None  # ㅋㅋ, 하하
            break  # the option's own text: "② 2 또는 3"
        if labels and not marked and position > end and _MAY_MARK.match(text, found.end("label")):
            marked = True  # A, C (둘 다)
        if not marked or (kind and this != kind):
            break
        if this == "syllable" and not _is_syllable_label(text, found):
            break
        kind, end = this, found.end()
        labels.append(label)
        if len(labels) > MAX_LABELS:
            return None
        separator = _SEPARATOR.match(text, end)
        position = separator.end() if separator else end
        if position >= len(text):
            break
    if not labels or _TAKEN_BACK.match(text, end) or _ANOTHER.search(text, end):
        return None
    return Choice(kind, frozenset(labels))


_SHOWN = re.compile(_AFTER_LABEL, re.IGNORECASE)


def _shown(text: str, position: int) -> bool:
    """Whether what follows shows a label without taking any text, as the end of the text does."""
    return _SHOWN.match(text, position) is not None or text[position : position + 1] in _JAMO


def _is_syllable_label(text: str, found: re.Match[str]) -> bool:
    """Whether 가, 나 ... stand for an option: in brackets, before 입니다, at the end, or in a list of such.

    나는, 사과 and 아, begin that way, too.
    """
    before, end = text[found.start() : found.start("label")], found.end("label")
    return bool(before.strip("\"'*_` ")) or _SYLLABLE_END.match(text, end) is not None


_SYLLABLE_END = re.compile(
    rf"[)\]*_`\"'”’」]*\s*(?:번|항)?\s*(?:입니다|이다|임\b|이에요|예요|이고|이며|(?:이|가)\s*(?:정답|답|옳|맞)|[.]?\s*\Z|[.:)]"
    rf"|(?:[,/·ㆍ・&]|와|과|및|또는|혹은)\s*[{_SYLLABLES}](?![가-힣]))"
)


def _kind(label: str) -> str:
    if label.isdigit():
        return "number"
    if label.isascii():
        return "letter"
    return "jamo" if label in _JAMO else "syllable"
