"""What a value must be to fit its field, what a function is handed, what a registry knows: each by itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from tests.support import from_table
from verifiers import (
    ConfigError,
    ExactMatch,
    KoreanAnswerTemplate,
    MathEquivalence,
    MultipleChoice,
    Status,
    TokenF1,
    Verifier,
)
from verifiers.core import Registry, function_parameters, registry
from verifiers.core.checks import MisfitError, OneOf, Range, describe_type, fit
from verifiers.core.extraction import trimmed
from verifiers.core.verdicts import Sample


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (int, "a whole number"),
        (tuple[str, ...], "strings"),
        (tuple[int, ...], "whole numbers"),
        (tuple[float, ...], "numbers"),
        (tuple[bool, ...], "a tuple of True or False"),
        (tuple[int, int], "a tuple (a whole number, a whole number)"),
        (tuple[str, float], "a tuple (a string, a number)"),
        (tuple[tuple[float, float], ...], "a tuple of a tuple (a number, a number)"),
        (list[int], "a list"),
        (Literal["any", "all"] | None, "'any' or 'all' or None"),
        (int | float | str, "a whole number, a number or a string"),
        (Annotated[int, Range(1, 16)], "a whole number from 1 to 16"),
        (Annotated[int, Range(least=1)], "a whole number of at least 1"),
        (Annotated[float, Range(above=0, most=2.5)], "a number above 0 and of at most 2.5"),
        (Annotated[int, Range(1, 16, unit="tokens")], "a whole number from 1 to 16 tokens"),
        (Annotated[int, Range(most=1000, unit="rows")], "a whole number of at most 1,000 rows"),
        (Annotated[str, OneOf({"a": 1, "b": 2})], "'a' or 'b'"),
        (Annotated[str, "a note"], "a string"),
        (Verifier, "a Verifier"),
        (ExactMatch, "an ExactMatch"),
        ("int", "int"),
    ],
)
def test_a_type_is_named_in_words(hint: Any, text: str) -> None:
    """As messages have it."""
    assert describe_type(hint) == text


@pytest.mark.parametrize(
    ("value", "hint", "held"),
    [
        (1, float, 1),
        (1.5, float, 1.5),
        (1, int, 1),
        ("a", str, "a"),
        (True, bool, True),
        (1, int | float, 1),
        ("a", tuple[str, ...], ("a",)),
        (["a", "b"], tuple[str, ...], ("a", "b")),
        ((), tuple[str, ...], ()),
        (3, tuple[int, ...], (3,)),
        ([1, "a"], tuple[int, str], (1, "a")),
        (1, Literal[1, 2], 1),
        (None, int | None, None),
        (16, Annotated[int, Range(1, 16)], 16),
        (1, Annotated[int, Range(1, 16)], 1),
        ("a", Annotated[str, OneOf({"a": 1})], "a"),
        ([1], list[int], [1]),
        ({"a": 1}, dict[str, int], {"a": 1}),
    ],
)
def test_a_value_fits_its_field(value: Any, hint: Any, held: Any) -> None:
    """As it is, but for tuples."""
    found = fit(value, hint)
    assert found == held
    assert type(found) is type(held)


@pytest.mark.parametrize(
    ("value", "hint", "said"),
    [
        ("1", float, "a number"),
        (True, float, "a number"),
        (None, float, "a number"),
        (float("inf"), float, "a number"),
        (1.0, int, "a whole number"),
        (True, int, "a whole number"),
        (1, bool, "True or False"),
        (1, str, "a string"),
        (True, Literal[1, 2], "1 or 2"),
        (1.0, Literal[1, 2], "1 or 2"),
        ([1, "a"], tuple[str, ...], "strings"),
        (1, tuple[str, ...], "strings"),
        ([1], tuple[int, int], "a tuple (a whole number, a whole number)"),
        ([1, 2, 3], tuple[int, int], "a tuple (a whole number, a whole number)"),
        (1, tuple[int, int], "a tuple (a whole number, a whole number)"),
        ("ab", tuple[str, str], "a tuple (a string, a string)"),
        (0, Annotated[int, Range(1, 16)], "a whole number from 1 to 16"),
        (17, Annotated[int, Range(1, 16)], "a whole number from 1 to 16"),
        (0, Annotated[float, Range(above=0)], "a number above 0"),
        ("1", Annotated[float, Range(above=0)], "a number above 0"),
        ("c", Annotated[str, OneOf({"a": 1, "b": 2})], "'a' or 'b'"),
        ((1,), list[int], "a list"),
        (1, dict[str, int], "a dict"),
        (1, int | None, None),
        ("1", int | None, "a whole number or None"),
    ],
)
def test_a_value_that_does_not_fit_is_told_what_would(value: Any, hint: Any, said: str | None) -> None:
    """A text is no number, True is no 1, and a limit counts from its own value on."""
    if said is None:
        assert fit(value, hint) == value
        return
    with pytest.raises(MisfitError) as refused:
        fit(value, hint)
    assert refused.value.wanted == said
    assert refused.value.hint == ("; it must be finite" if value == float("inf") else "")


def test_a_function_gets_what_it_names() -> None:
    """What `Sample` has under that name, before columns; nothing in place of a column that is not there."""
    columns = {"weight": 3, "thinking": "own", "response": "own", "messages": 7, "reference": "own"}
    whole = "<think>2</think>4"
    sample = Sample(whole, "4", "2", False, False, "gold", columns)
    plain = Sample(whole, "4", "2", False, False, "gold", {"a": 1, "b": 2})
    for name in ("completion", "response", "thinking", "messages", "reference"):
        assert function_parameters._argument(name, sample) == getattr(sample, name) == getattr(plain, name)
        assert function_parameters._argument(name, sample) != columns.get(name)
    assert function_parameters._argument("sample", sample) is sample
    assert function_parameters._argument("weight", sample) == 3
    for missing in ("aaa", "row", "answer", "prompt", "thinkin", "thinkings", "zzz"):
        with pytest.raises(ConfigError, match=f"the row has no column '{missing}'; it has: a, b"):
            function_parameters._argument(missing, plain)


def test_plug_ins_are_those_of_the_registrys_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry without a group has none."""
    groups: list[str] = []

    class Entry:
        name, value = "Added", "added:Added"

        def load(self) -> type[Verifier]:
            return ExactMatch

    def found(group: str) -> dict[str, Any]:
        groups.append(group)
        return {"Added": Entry()}

    monkeypatch.setattr(registry, "_plugins", found)
    closed: Registry[Verifier] = Registry("NONE_OF_THESE", Verifier, "verifiers")
    opened: Registry[Verifier] = Registry("NONE_OF_THESE", Verifier, "verifiers", "some.group")
    assert closed.names() == []
    assert "Added" not in closed
    assert groups == []
    assert opened.names() == ["Added"]
    assert "Added" in opened
    assert opened.get("Added") is ExactMatch
    assert set(groups) == {"some.group"}
    with pytest.raises(ConfigError, match="there is no verifier 'Addes'; did you mean 'Added'"):
        opened.get("Addes")


@from_table()
def test_one_closing_stop_is_no_part_of_an_answer(text: str, kept: str | None, plain: str | None) -> None:
    """Unless it is asked for, belongs to an ellipsis, or is all there is."""
    around = f"is {text}\n"
    for keep_stop, wanted in ((True, kept), (False, plain)):
        found = trimmed(around, 3, 3 + len(text), "m", "nothing", keep_stop=keep_stop)
        assert found.text == wanted
        if wanted is not None:
            assert around[slice(*found.span)] == wanted


SENTENCES = [
    '"할 수 있다."가 옳다. 의존 명사는 띄어 쓰는 것이 원칙이다.',
    '"할 만하다."가 옳다. 보조 용언은 띄어 쓴다.',
]


@pytest.mark.parametrize(
    ("verifier", "wrong", "accepted", "expected"),
    [
        (ExactMatch(ignore_case=True), "Busan", ["  Seoul", "SEOUL CITY"], "  Seoul"),
        (MultipleChoice(), "C", ["(b)", "D"], "(b)"),
        (MultipleChoice(), r"\boxed{none of these}", ["(b)", "D"], "(b)"),
        (MathEquivalence(), "7", [r"\frac{8}{2}", "5"], r"\frac{8}{2}"),
        (TokenF1(), "Busan", ["Seoul", "Tokyo"], "Seoul"),
        (KoreanAnswerTemplate(), '"할수 있다."가 옳다. 의존 명사이다.', SENTENCES, "할 수 있다."),
        (KoreanAnswerTemplate(mode="official"), "할수 있다.", SENTENCES, "할 수 있다.가 옳다"),
    ],
)
def test_what_was_expected_is_the_first_accepted_answer_as_it_is_written(
    verifier: Verifier, wrong: str, accepted: list[str], expected: str
) -> None:
    """Of a wrong answer; a right one is shown with the answer that it equals."""
    verdict = verifier.verify(wrong, accepted)
    assert (verdict.status, verdict.score) == (Status.SCORED, 0.0), verdict
    assert verdict.expected == expected
    for reference in accepted:
        right = verifier.verify(reference, accepted)
        assert right.score == 1.0
        assert (right.expected == expected) == (reference == accepted[0]) or isinstance(
            verifier, KoreanAnswerTemplate
        )
