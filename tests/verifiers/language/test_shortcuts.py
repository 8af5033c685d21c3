"""What is told in one look is what the languages' own words would tell: the conditions that spare a search."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import random
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import rows
from tests.timing import examples
from verifiers import MathEquivalence, Sample, TagFormat, Verdict
from verifiers.core.verdicts import Status
from verifiers.extract import MARKED_OR_NUMBER, Boxed
from verifiers.extract.answers_and_references import only_box
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.formula_tree import Number
from verifiers.language.language_patterns import (
    _IN_ASCII,
    _begins,
    ahead,
    behind,
    behind_in_ascii,
    fragments,
    is_silent,
    may_be_numeral,
    numerals,
    silent_in_ascii,
)
from verifiers.language.numerals.spoken_formulas import in_signs, may_be_aloud
from verifiers.language.sentences.marks import _keyword
from verifiers.language.sentences.number_words import _closes, _closing_ends
from verifiers.language.sentences.said_values import (
    _FIELDS,
    _NEAR,
    _denied_aside,
    _is_elaborate,
    _points,
    aside,
    is_contradicted,
    other_value,
    reason,
    remark,
    restated,
)
from verifiers.language.sentences.words_before import _LEADS, _SUPPOSING
from verifiers.language.spoken_languages import LANGUAGES
from verifiers.language.stance import _AFTER_FIELDS, _BEFORE_FIELDS, _DENYING, _WINDOW
from verifiers.reading import prose
from verifiers.reading.plain_numbers import read_number
from verifiers.reading.prose_quantities import _BEGINNING, _starts, is_spelled
from verifiers.text.tag_format import _COUNTED
from verifiers.units.dates_and_times import may_be_clock_time, may_be_date, read_clock_time, read_date
from verifiers.units.expressions import lead, may_be_sum, may_lead, total

CASES = Path(__file__).parents[3] / "fixtures" / "cases"
WORDS = (
    "so", "so far", "therefore", "not", "is", "is not", "isn't", "maybe", "or so", "wrong", "but", "that is",
    "rather than", "no", "wait", "actually", "too high", "at least", "or more", "correct", "the answer", "if",
    "could be", "which is", "cannot be", "as follows", "dollars", "5", "$", ")", ",", ".", "**", "}", "?", "(",
)  # fmt: skip
# What stands around words, or is no word at all.
NO_WORDS = {
    "name", "script", "blank", "edges", "keywords", "marks", "labels", "final", "nouns", "numerals", "prose", "choices",
    "stem",
}  # fmt: skip


def _texts() -> list[str]:
    chance = random.Random(5)
    made = [
        "".join(chance.choice(WORDS) + chance.choice((" ", "", ", ")) for _ in range(12)) for _ in range(400)
    ]
    with open(CASES / "math_equivalence.jsonl", encoding="utf-8") as file:
        cases = [json.loads(line)["completion"] for line in file]
    return made + [each[-300:] for each in cases if isinstance(each, str)][::4]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_no_word_is_silent(language: object) -> None:
    """No fragment matches anything in a stretch without words, not even the empty text."""
    chance = random.Random(3)
    signs = ["".join(chance.choices("0123456789 $%.,/+-−\n", k=chance.randrange(24))) for _ in range(300)]
    assert all(map(is_silent, signs))
    for field in {each.name for each in dataclasses.fields(language)} - NO_WORDS:  # type: ignore[arg-type]
        for each in fragments(language, field):  # type: ignore[arg-type]
            pattern = re.compile(each, re.IGNORECASE)
            assert not any(pattern.search(text) for text in signs), (field, each)


def test_what_speaks_behind_a_value_is_not_passed_by() -> None:
    """The one pattern for all that may stand after a value matches wherever one of them does."""
    gate = behind_in_ascii(_AFTER_FIELDS)
    said = 0
    for text in _texts():
        for place in range(0, len(text), 3):
            window = text[place - 1 if place else 0 : place + _WINDOW]
            if not window.isascii():
                continue
            speaks = any(
                behind(language, field).match(text, place, place + _WINDOW)
                for language in _IN_ASCII
                for field in _AFTER_FIELDS
            )
            said += speaks
            assert not speaks or gate.match(window.lower(), min(place, 1)), text[place:]
    assert said > 200


@pytest.mark.parametrize("fields", [_FIELDS, _BEFORE_FIELDS, _DENYING, _SUPPOSING], ids=lambda each: each[0])
def test_what_speaks_anywhere_is_not_passed_by(fields: tuple[str, ...]) -> None:
    """Where a text is told to have none of some words, no pattern of these finds any, before or after."""
    silent = 0
    for text in _texts()[::6]:
        for place in range(0, len(text), 9):
            said = text[place : place + 90]
            if not silent_in_ascii(said, 1, fields):
                continue
            silent += 1
            for language, field in itertools.product(_IN_ASCII, fields):
                assert behind(language, field).search(said, 1) is None
                if silent_in_ascii(said, 0, fields):
                    for end in range(1, len(said) + 1, 7):
                        part = said[:end]
                        found = ahead(language, field).search(part)
                        assert found is None or not silent_in_ascii(part, 0, fields)
    assert silent > 50


def test_what_points_on_begins_near() -> None:
    """A sentence that only says where the answer is has a letter of its language among its first ones."""
    for language in LANGUAGES:
        for each in fragments(language, "points_on"):
            assert re.match(rf"(?:{language.script}|\(\?:)", each), each
        assert _points(language).pattern.startswith(r"[\s*_]{0,4}")
        assert len("    ") < _NEAR


PIECES = (
    *"2 3 12 30 200 2023 두 한 세 열두 스물 삼십 이백 십 2. 1,000 one twelve thirty a half quarter 两 三十 半".split(),
    *"시 분 시간 초 년 월 일 유월 시월 반 정각 오후 새벽 정오 개 명 다스 하루 사흘 동안 주 m cm ft in L mL hours minutes days".split(),
    *"点 刻 小时 分钟 月 日 年 下午 정도 쯤 약 총 만 영하 마이너스 제 첫째 절반 제로 삼분의 할 푼 점".split(),
    *"루트 근호 根号 파이 의 제곱 세제곱 승 대 比 次方 시속 섭씨 매분 每小时 USD US$ May June jan to past at noon pm o'clock".split(),
    *(" ", " ", " ", "-", "/", ":", ",", ".", "'", '"', " and ", "와 ", "하고 ", "x", "이다", "므로", "\\text{", "}"),
)  # fmt: skip


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
def test_no_value_is_passed_by(text: str) -> None:
    """Where one look at a text tells that no value of a kind begins it, no beginning of it is one."""
    text = text.lstrip()
    for end in range(1, len(text) + 1):
        said = text[:end]
        assert read_date(said) is None or may_be_date(text)
        assert read_clock_time(said) is None or may_be_clock_time(text)
        assert total(said) is None or may_be_sum(text)
        assert in_signs(said) == said or may_be_aloud(text)
        found = lead(said)
        assert found is None or found.kind == "noun" or may_lead(text, 0)
        numeral = numerals().search(said)
        assert numeral is None or may_be_numeral()(text)
        if "가" <= text[0] <= "힣" and is_spelled(said):
            assert _BEGINNING.match(text) is not None
    if "\\" not in text:
        few = set(_starts(text, 0, len(text), few=True))
        every = _starts(text, 0, len(text), few=False)
        assert few.issuperset(each for each in every if may_lead(text, each) or may_be_sum(text[each:]))


@pytest.mark.parametrize(
    "said",
    ["두 시간 삼십 분", "오후 세 시", "유월 십오일", "루트 2", "2의 10제곱", "시속 80km", "열두 명", "보름"],
)
def test_values_are_seen(said: str) -> None:
    """Otherwise nothing would be passed by because nothing is a value."""
    seen = (
        may_be_date(said), may_be_clock_time(said), may_be_sum(said), may_be_aloud(said), may_lead(said, 0),
    )  # fmt: skip
    assert any(seen) or _BEGINNING.match(said)
    assert not any(
        (may_be_date("그래서"), may_be_clock_time("그래서"), may_be_sum("그래서"), may_be_aloud("그래서"))
    )
    assert _BEGINNING.match("그래서") is None


def test_no_ending_that_closes_a_text_is_passed_by() -> None:
    """They are found by one search, and tried as everywhere."""
    values = ["36", "x²", "열두", "서울", "\\frac{1}{2}", "12%"]
    units = ["", "명", " kg", "개", "cm", "가지 경우"]
    endings = ["입니다.", "이다", "예요!", "이 됩니다", "이고 더 없다.", "이었다 "]
    made = ["그래서 모두 " + "".join(each) for each in itertools.product(values, units, endings)]
    found = 0
    for text in made + [each.rstrip()[-40:] for each in _texts()[::4]]:
        ends = [end for end in range(1, len(text)) if _closes(text, end)]
        assert _closing_ends(text, 1) == ends
        found += len(ends)
    assert found > 100


@settings(max_examples=examples(300))
@given(st.text("12.,/ -−+$∞½\\frac{}%aΩ가\n", max_size=16))
def test_no_number_begins_with_another_sign(text: str) -> None:
    """What a number of prose may begin with is looked at first."""
    slow = re.compile(re.sub(r"^\(\?=\[.*?\]\)", "", prose._NUMBER.pattern, count=1))
    assert slow.pattern != prose._NUMBER.pattern
    assert [each.span() for each in slow.finditer(text)] == [each.span() for each in prose.numbers(text)]


SHORT, LONG = MathEquivalence(), MathEquivalence(extract=copy.copy(MARKED_OR_NUMBER))
"""The same verifier; only its own extractor has a short way."""
BEFORE = (
    "", "So ", "It’s ", "not ", "<think>", "</think>", "\\boxed{4} or ", "-", "−", "\\", "<answer>", "<b>", "~~", "](x) ",
    "&amp;", "Wrong: ", "\\fbox{3}", "[1]: ", "\\(", "$x = ", "\n\n", "<think>\\boxed{4}", "\u200b", "12", "The answer is ", "<<2+2=4>>", "a < b ", "< answer>", "<br>", "word " * 20,
)  # fmt: skip
AFTER = (
    "", ".", "$", "\\)", "\n", " cm", " is wrong.", "~~", "</answer>", "</think>", "**", "?", "!", " $.", ")", "]", "<|im_end|>", "}", "</b>",
    " or 5", " No, \\boxed{5}.", "\\]", " (42)", "\n\n\n", " 。", "\u200b", ", 4",
)  # fmt: skip
INSIDE = (
    "4", "42", " 42", "42.", "42 ", "x", "1/2", "\\frac12", "", "4, 5", "a.b", "{4}", "3 4", "12\n", "½", "no",
)  # fmt: skip


@settings(max_examples=examples(600), deadline=None)
@given(
    st.lists(st.sampled_from(BEFORE), max_size=3).map("".join),
    st.sampled_from(INSIDE),
    st.lists(st.sampled_from(AFTER), max_size=3).map("".join),
    st.sampled_from(INSIDE),
)
def test_the_short_way_to_a_box_says_what_the_long_one_does(
    before: str, inside: str, after: str, reference: str
) -> None:
    """Where it is taken: score, reason, answer and its place."""
    for text in (f"{before}\\boxed{{{inside}}}{after}", f"{before}{after}\\boxed{{{inside}}}"):
        for expected in (reference, inside):
            assert SHORT.verify(text, expected) == LONG.verify(text, expected), (text, expected)


def test_the_short_way_says_the_same_of_every_row() -> None:
    """All cases and completions of this project."""
    taken = 0
    files = [*sorted(CASES.glob("*.jsonl")), *sorted((CASES.parent / "own_rows").glob("*.jsonl"))]
    for row in [row for path in files for row in rows(path)]:
        text, reference = row["completion"], row.get("reference", row.get("answer"))
        sample = SHORT._sample(text, "4", {}) if isinstance(text, str) else None
        if not isinstance(reference, str) or not isinstance(sample, Sample) or only_box(sample) is None:
            continue
        taken += 1
        for expected in (reference, str(only_box(sample))):
            assert SHORT.verify(text, expected) == LONG.verify(text, expected)
    assert taken > 100


def test_a_timed_verdict_is_a_copy() -> None:
    verdict = Verdict(
        verifier="Demo", status=Status.SCORED, score=0.5, reason="some", detail="a", raw=2.0, extracted="x",
        expected="y", span=(1, 2), trace="t",
    )  # fmt: skip
    timed = verdict.timed(3.0)
    assert timed is not verdict
    assert (timed.seconds, verdict.seconds) == (3.0, 0.0)
    assert dataclasses.asdict(timed) == dataclasses.asdict(dataclasses.replace(verdict, seconds=3.0))


@pytest.mark.parametrize("before", ["", "{", "}} ", r"\{ ", "$", r"\frac{1}{", "so \\\\", "\\text{x} = "])
@pytest.mark.parametrize(
    "box", [r"\boxed{\frac{1}{2}}", r"\boxed{4}", r"\fbox{a{b}c}", r"\boxed 7", r"\boxed{4"]
)
def test_what_stands_around_the_only_box_is_not_in_it(before: str, box: str) -> None:
    alone, found = Boxed().extract(box), Boxed().extract(before + box + " } {x} $")
    assert alone is not None
    assert found is not None
    if alone.text is not None:
        assert found.text == alone.text
        assert found.span == tuple(place + len(before) for place in alone.span)


NUMBERS = (
    *(
        "3", "12", "1,234", ".5", "1/2", " ", "½", "-", "−", "$", "%", "가", "다.", "\n", "3.", "million ", "third",
    ),
    *("e5", "(3)", "^2", "[", "∞", "x", "\\frac{1}{2}"),
)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(NUMBERS), max_size=40).map("".join), st.sampled_from([3, 9, 240]))
def test_numbers_from_the_end_are_the_numbers(text: str, stretch: int) -> None:
    """However little of a text is searched at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prose, "_STRETCH", stretch)
        backwards = [found.span() for found in prose.numbers_backwards(text)]
    assert backwards[::-1] == [found.span() for found in prose.numbers(text)]


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.sampled_from((*NUMBERS, "두 수의 합은 ", "값은", "x", " = ", ", ", " ~ ", " to ", "  ")),
        max_size=16,
    )
)
def test_words_of_hangul_are_one_gap_between_formulas(parts: list[str]) -> None:
    """However many blanks are in them: a formula is what it is beside one syllable without any."""
    line = "".join(parts).replace("\n", " ")
    solid = re.sub(r"(?<=[가-힣])[ \t]{1,4}(?=[가-힣])", lambda blanks: "다" * len(blanks.group()), line)
    assert prose._pieces(line) == prose._pieces(solid)


@pytest.mark.parametrize("field", ["so", *(field for _, field in _LEADS)])
def test_no_word_before_a_value_begins_with_a_digit(field: str) -> None:
    """So nothing is looked for where a value begins with one."""
    for language, digit in itertools.product(LANGUAGES, "0123456789"):
        assert not _begins(language, field).match(digit) or _begins(language, field).match("")


def test_what_elaborates_on_a_value_is_not_passed_by() -> None:
    """Where one look tells that only an ending may follow, none of the readers of more finds anything."""
    plain = 0
    for text in _texts():
        for start in range(0, len(text), 7):
            end = min(len(text), start + 60)
            if _is_elaborate(text[start:end]):
                continue
            plain += 1
            found = (restated, other_value, _denied_aside, reason, remark, aside)
            assert not any(each(text, start, end) for each in found), text[start:end]
            assert not is_contradicted(text, start, end)
    assert plain > 200


def test_every_keyword_is_a_place_to_look_at() -> None:
    words = {word for language in LANGUAGES for word in language.keywords}
    for one, other in itertools.product(words, words):
        text = f"{one}{other}".lower()
        starts = {place for word in words for place in range(len(text)) if text.startswith(word, place)}
        assert {found.start() for found in _keyword().finditer(text)} == starts


SHAPES = [
    TagFormat(),
    TagFormat(("think",), min_chars=3),
    TagFormat(("a", "answer"), min_chars=(1, 2), partial=True),
]


@settings(max_examples=examples(300), deadline=None)
@given(
    st.sampled_from(SHAPES),
    st.lists(
        st.sampled_from(("think", "answer", "a", "/think", "/answer", "/a", "Think", "think ", "")),
        max_size=7,
    ),
    st.lists(st.sampled_from(("", " ", "4", "it is", "<", ">", "é.", "__")), min_size=8, max_size=8),
)
def test_a_plain_form_is_right_the_long_way_too(shape: TagFormat, tags: list[str], texts: list[str]) -> None:
    """Strings alone tell that each block is there once, in order, and filled."""
    text = "".join(f"{said}<{tag}>" for tag, said in zip(tags, texts, strict=False)) + texts[-1]
    slow = dataclasses.replace(shape)
    slow.__dict__["_marks"] = ()
    for each in (text, "".join(f"<{tag}>{texts[0]}</{tag}>" for tag in shape.tags) + texts[1]):
        assert shape.verify(each) == slow.verify(each)


def test_what_counts_as_a_letter_or_digit_is_what_python_says() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert _COUNTED.findall(every) == [each for each in every if each.isalnum()]


@given(st.from_regex(r"[0-9]{1,18}", fullmatch=True))
def test_a_whole_number_read_in_one_step_is_the_same(digits: str) -> None:
    """As one with a blank point, which the pattern of numbers reads."""
    assert read_number(digits) == read_number(f"{digits}.0") == Value(Number(Fraction(int(digits))))
