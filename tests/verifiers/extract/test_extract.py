"""Where an answer is: the edges of each mark, where it stands, and linear time on hostile text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import affordable, examples
from verifiers import (
    AnswerPhrase,
    BareAnswer,
    Boxed,
    CodeBlock,
    ConfigError,
    Extractor,
    FirstOf,
    HashMarks,
    Inside,
    LastLabel,
    LastNumber,
    MathEquivalence,
    MultipleChoice,
    OnlyNumber,
    Tag,
    WholeText,
    from_spec,
)
from verifiers.extract.marked_answers import _is_closed
from verifiers.reading.prose import formula_around
from verifiers.reading.prose_quantities import quantity_around

EXTRACTORS: list[Extractor] = [
    AnswerPhrase(), BareAnswer(), Boxed(), CodeBlock(), HashMarks(), LastLabel(), LastNumber(), OnlyNumber(), Tag(), WholeText(),
    MathEquivalence().extract, MultipleChoice().extract,
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["\\boxed{" * 2_000 + "}" * 2_000, "answer: " + "(" * 10_000 + "}" * 10_000, "answer: $" + "\\a{" * 8_000 + " $"],
    ids=["closed", "wrongly closed", "not closed"],
)  # fmt: skip
def test_brackets_in_brackets_take_linear_time(text: str) -> None:
    """What else repeats is for `test_linear_verifiers`."""
    for extractor in EXTRACTORS:
        assert affordable(extractor.extract, text, 0.5), extractor


@settings(max_examples=examples(80), deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["\\boxed{", "}", "{", "<answer>", "</answer>", "#### ", "the answer is ", "5", " x", "\n", "."]
        ),
        max_size=15,
    ).map("".join)
)
def test_a_span_says_where_the_answer_stands(text: str) -> None:
    """The text of an extraction is inside its span, bold marks and currency aside; joined boxes part by part."""
    for extractor in EXTRACTORS:
        found = extractor.extract(text)
        if found is None:
            continue
        start, end = found.span
        assert 0 <= start <= end <= len(text)
        if found.text is not None:
            assert found.text
            inside = text[start:end].replace("**", "").replace("__", "").strip()
            # Boxes that belong together give their contents with commas between.
            assert inside == found.text or all(part in inside for part in found.text.split(", "))
        else:
            assert found.problem


@given(st.text(alphabet="ab{}\\ox", max_size=12), st.text(alphabet="12x+", min_size=1, max_size=6))
def test_the_last_closed_box_wins(before: str, answer: str) -> None:
    """Whatever comes before it, if that opens no box."""
    if "\\boxed" not in before and not before.endswith("\\"):
        found = Boxed().extract(f"{before} \\boxed{{{answer}}}")
        assert found is not None
        assert found.text == answer


def test_code_comes_from_the_last_block_of_its_language() -> None:
    """A block in another language, and an output block, do not count."""
    text = "```python\na = 1\n```\n```python\nb = 2\n```\n```output\n2\n```\n```js\nc\n```"
    found = CodeBlock(("python", "py")).extract(text)
    assert found is not None
    assert found.text == "b = 2\n"
    assert CodeBlock("rust").extract(text) is None
    unclosed = CodeBlock("python").extract(text + "\n```python\nwhile")
    assert unclosed is not None
    assert unclosed.problem == "the last block is not closed"
    nested = CodeBlock("markdown").extract("````markdown\n```python\nx\n```\n````")
    assert nested is not None
    assert nested.text == "```python\nx\n```\n"


@pytest.mark.parametrize("name", ["", "a b", "<a>", "1", "1a", ("a", ""), ()])
def test_tag_names_are_checked(name: object) -> None:
    """So that a typing slip does not leave a whole run unpaid."""
    with pytest.raises(ConfigError, match="Tag: a name is"):
        Tag(name)  # type: ignore[arg-type]


def test_a_chain_needs_extractors() -> None:
    """An empty one would find nothing, ever."""
    with pytest.raises(ConfigError, match="needs one or more extractors"):
        FirstOf()
    with pytest.raises(ConfigError, match="needs one or more extractors"):
        FirstOf("Boxed")  # type: ignore[arg-type]


def test_what_is_inside_decides_only_where_it_is_found() -> None:
    """A tag without a box keeps its own content; a tag with an open box has no answer."""
    inside = Inside(Tag("answer"), Boxed())
    assert inside.extract("<answer>4</answer>").text == "4"  # type: ignore[union-attr]
    assert inside.extract("<answer>\\boxed{4</answer>").text is None  # type: ignore[union-attr]


def test_a_box_inside_of_which_a_brace_closes_that_it_did_not_open_is_two() -> None:
    """Braces of its own may close."""
    assert _is_closed(r"\frac{1}{2}+{4}")
    assert not _is_closed(r"3}+\boxed{4")


BOXES = [rf"\boxed{{{number}}}" for number in range(60)]


@from_table(
    ("Boxed", " and ".join(BOXES), " and ".join(map(str, range(9, 60)))),
    *[("LastNumber", "7" + " x" * 2047, "7"), ("LastNumber", "7" + " x" * 2048, None)],
    *[("BareAnswer", "1" * 400, "1" * 400), ("BareAnswer", "1" * 401, None)],
)
def test_an_answer_is_what_its_mark_holds(spec: Any, text: str, answer: str | None) -> None:
    """And its place is given, as far as it was not written anew."""
    found = from_spec(spec).extract(text)
    assert (found.text if found else None) == answer
    if found and found.text is not None:
        start, end = found.span
        assert 0 <= start < end <= len(text)
        assert found.text in text[start:end] or text[start:end] in found.text or len(BOXES[0]) < end - start
    elif found:
        assert found.problem, "what is marked and empty says so"


def test_a_span_is_where_the_answer_stands() -> None:
    """Counted from the start of the text, however long it is."""
    for before in ("", "so ", "x " * 3000):
        for extractor, mark in (
            (Tag(), "<answer>{}</answer>"),
            (Boxed(), r"\boxed{{{}}}"),
            (Inside(Tag(), Boxed()), r"<answer>It is \boxed{{{}}}</answer>"),
            (LastNumber(), "and it is {}"),
            (AnswerPhrase(), "\nThe answer is {}"),
            (HashMarks(), "\n#### {}"),
        ):
            text = before + mark.format("1234")
            found = extractor.extract(text)
            assert found is not None
            assert text[slice(*found.span)] == found.text == "1234", (extractor, before[:5])
        for text in (
            "so that $x=1234$ holds", "that is 42 million", "답은 3만 5천 원", "it is 1 2/3", "- sqrt(42) -",
        ):  # fmt: skip
            found = LastNumber().extract(before + text)
            assert found is not None
            assert (before + text)[slice(*found.span)] == found.text, text


@pytest.mark.parametrize(
    ("extract", "response", "reason"),
    [
        (Tag("b"), "so <b>42</b>", "equal_text"),
        (Tag("b"), "<b>4<i>2</i></b> <i>7</i>", "equal_text"),
        (Boxed(), r"\boxed{\mathbf{42\ \ }}", "equal_text"),
        (Boxed(), r"\boxed{{42\ }}", "equal_text"),
        (AnswerPhrase(), "Answer: 12.\nDone.", "not_equal"),
        (AnswerPhrase(), "Answer: 3. 5", "not_equal"),
        (AnswerPhrase(), "Answer: x\n= 42", "not_equal"),
    ],
)
def test_what_is_judged_of_a_text(extract: Extractor, response: str, reason: str) -> None:
    """Tags that dress a text are left where the answer is looked for in them; a mark's line ends somewhere."""
    verifier = MathEquivalence(extract=extract)
    assert verifier.verify(response, "42").reason == reason


def test_of_two_final_answers_the_last_counts() -> None:
    assert AnswerPhrase().extract("Final answer: 12\nNo wait.\nFinal answer: 15").text == "15"


@pytest.mark.parametrize("before", range(6))
def test_what_says_below_zero_belongs_to_the_number(before: int) -> None:
    """Wherever in the text it stands."""
    text = "是" * before + "零下5度"
    start = text.index("5")
    assert text[slice(*quantity_around(text, start, start + 1))] == "零下5度"


def test_a_formula_goes_on_after_its_number() -> None:
    text = "so x = 2 or x = y holds"
    assert text[slice(*formula_around(text, 7, 8))] == "x = 2 or x = y"
