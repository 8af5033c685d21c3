"""Extraction: what the cases do not say, and linear time on hostile text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import SOAK, affordable, examples
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
    TagFormat,
    WholeText,
)
from verifiers.core.completions import split_thinking
from verifiers.extract.boxed import _is_closed

EXTRACTORS: list[Extractor] = [
    AnswerPhrase(),
    BareAnswer(),
    Boxed(),
    CodeBlock(),
    HashMarks(),
    LastLabel(),
    LastNumber(),
    OnlyNumber(),
    Tag(),
    WholeText(),
    MathEquivalence().extract,
    MultipleChoice().extract,
]

# A quadratic scan of a 32nd of a megabyte takes half a second, too; `make soak` takes the whole one.
SHARE = 1 if SOAK else 32

HOSTILE = {
    "open braces": "{" * (1_000_000 // SHARE),
    "open boxes": "\\boxed{" * (140_000 // SHARE),
    "closed boxes": "\\boxed{" * (70_000 // SHARE) + "}" * (70_000 // SHARE),
    "box words": "\\boxed " * (140_000 // SHARE),
    "open tags": "<answer>" * (125_000 // SHARE),
    "tag pairs": "<answer>x</answer>" * (55_000 // SHARE),
    "think tags": "<think>" * (140_000 // SHARE),
    "think pairs": "<think></think>" * (65_000 // SHARE),
    "angle brackets": "<" * (1_000_000 // SHARE),
    "hashes": "#" * (1_000_000 // SHARE),
    "hash marks": "#### x\n" * (140_000 // SHARE),
    "phrases": "the answer is " * (70_000 // SHARE),
    "phrase and spaces": "answer" + " " * (1_000_000 // SHARE),
    "the the the": "the " * (250_000 // SHARE),
    "boxes that belong together": "\\boxed{42}," * (90_000 // SHARE),
    "answer and brackets": "answer: " + "([{" * (330_000 // SHARE),
    "answer and wrong brackets": "answer: " + "(" * (330_000 // SHARE) + "}" * (330_000 // SHARE),
    "answer and dollars": "answer: " + "$a( " * (200_000 // SHARE),
    "answer and commands": "answer: $" + "\\a{" * (250_000 // SHARE) + " $",
    "answer and stops": "answer: (" + "sq. a " * (160_000 // SHARE),
    "answer and spaced stops": "answer: " + ("!" + " " * 50) * (20_000 // SHARE) + "+",
    "answer and environments": "answer: " + "\\begin{a}\n" * (100_000 // SHARE),
    "Korean phrases": "정답은 " * (250_000 // SHARE),
    "backslashes": "\\" * (1_000_000 // SHARE),
    "dollars": "$" * (1_000_000 // SHARE),
    "dollar words": "$a " * (330_000 // SHARE),
    "digits": "7" * (1_000_000 // SHARE),
    "spaced digits": "7 " * (500_000 // SHARE),
    "commas": "1,234" * (200_000 // SHARE),
    "dots": "1." * (500_000 // SHARE),
    "slashes": "1/" * (500_000 // SHARE),
    "fences": "```\n" * (250_000 // SHARE),
    "backticks": "`" * (1_000_000 // SHARE),
    "stars": "*" * (1_000_000 // SHARE),
    "letters": "A " * (500_000 // SHARE),
    "brackets": "(A)" * (330_000 // SHARE),
    "spaces": " " * (1_000_000 // SHARE),
    "newlines": "\n" * (1_000_000 // SHARE),
    "jamo": "ㄱ, " * (330_000 // SHARE),
    "one long line": "x" * (1_000_000 // SHARE),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_long_text_takes_linear_time(text: str) -> None:
    """Every scan ends in well under the processor time that a quadratic one would take."""
    most = 4.0 if SOAK else 0.5
    for extractor in EXTRACTORS:
        assert affordable(extractor.extract, text, most), extractor
    assert affordable(split_thinking, text, most)
    tags = TagFormat(("think", "answer"), partial=True, allow_outside=False)
    assert affordable(tags.verify, text, most)

    def judged(text: str) -> None:
        for completion in (text, f"\\boxed{{{text}}}", f"<answer>{text}</answer>", f"Answer: {text}"):
            assert MathEquivalence().verify(completion, "no such answer").score == 0.0
            MultipleChoice().verify(completion, "E")

    assert affordable(judged, text, 4 * most)


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


@pytest.mark.parametrize(
    ("text", "answer", "thinking", "is_open"),
    [
        ("4", "4", "", False),
        ("<think>2+2</think>4", "4", "2+2", False),
        ("2+2</think>4", "4", "2+2", False),
        ("<think>2+2", "", "2+2", True),
        ("<think>a</think>b<think>c</think>d", "bd", "ac", False),
        ("<think>a<think>b</think>c", "c", "a<think>b", False),
        ("a</think>b</think>c", "c", "ab", False),
        ("<THINKING>a</THINKING>b", "b", "a", False),
        ("<reasoning>a</reasoning>b", "b", "a", False),
        ("a <b> c", "a <b> c", "", False),
        ("<think>a</think>b<think>c", "", "abc", True),
    ],
)
def test_thinking_is_split_off(text: str, answer: str, thinking: str, is_open: bool) -> None:
    """Open blocks, lone closes, blocks in blocks."""
    split = split_thinking(text)
    assert (split.response, split.open_thinking) == (answer, is_open)
    if not is_open:
        assert split.thinking == thinking


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


@pytest.mark.parametrize("name", ["", "a b", "<a>", "1a", ("a", ""), ()])
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
