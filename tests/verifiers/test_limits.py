"""Limits that a text can meet exactly: what is just within is judged, and one character more is not."""

from __future__ import annotations

import pytest

from verifiers import (
    CodePassRate,
    ConfigError,
    JsonSchema,
    LanguageConsistency,
    MathEquivalence,
    MultipleChoice,
    Regex,
    Repetition,
)


def test_repetition_looks_at_the_first_200_000_characters() -> None:
    """And at words of up to 24 as one."""
    for length, seen in ((199_999, 199_999), (200_000, 200_000), (200_001, 200_000)):
        assert Repetition(1, "characters").verify("x" * length).detail == f"1 different 1-grams of {seen}"
    tokens = Repetition(1, "tokens")
    assert tokens.verify("x", completion_ids=[7] * 200_001).detail == "1 different 1-grams of 200000"
    assert tokens.verify("x", completion_ids=(1, 2, 2)).score == pytest.approx(2 / 3)
    for wrong in (None, "12", 3, ["1"], [1.5]):
        verdict = tokens.verify("x", completion_ids=wrong)
        assert (verdict.score, verdict.reason) == (None, "no_tokens"), wrong
    assert Repetition(2).verify("x" * 24).reason == "short"
    assert Repetition(2).verify("x" * 25).reason == "repeated"


def test_language_is_told_from_the_first_100_000_characters() -> None:
    """What comes later counts no more."""
    verifier = LanguageConsistency("ko")
    assert verifier.verify("가" * 100_000 + "language " * 100_000).score == 1.0
    assert verifier.verify("가" * 99_996 + "word" + "s" * 9).detail == "99,996 of 100,000 letters"


def test_json_of_200_000_characters_is_read() -> None:
    """A longer one earns nothing, and is not parsed."""
    within = '"' + "x" * 199_998 + '"'
    assert JsonSchema().verify(within).reason == "valid"
    assert (JsonSchema().verify(within + " ").score, JsonSchema().verify(within + "x").reason) == (
        1.0,
        "over_limit",
    )
    assert JsonSchema().verify("[" * 100_000 + "]" * 100_000).reason == "over_limit"


def test_a_hundred_labels_are_a_choice() -> None:
    """One more is a megabyte of them."""
    hundred = ", ".join(map(str, range(100)))
    assert MultipleChoice().verify(f"\\boxed{{{hundred}}}", hundred).reason == "right_choice"
    assert MultipleChoice().verify(f"\\boxed{{{hundred}, 00}}", "1").reason == "no_label"
    assert MultipleChoice().verify(f"\\boxed{{{hundred}}}", f"{hundred}, 00").reason == "bad_reference"


def test_a_pattern_that_backtracks_is_stopped() -> None:
    """And earns nothing; a wrong one is refused when it is made."""
    verdict = Regex("(a|aa)+$").verify("a" * 60 + "b")
    assert verdict.score == 0.0
    for pattern in ("(", "[", "*"):
        with pytest.raises(ConfigError, match="does not compile"):
            Regex(pattern)
    with pytest.raises(ConfigError, match="must be a string"):
        Regex(3)  # type: ignore[arg-type]


def test_an_answer_of_mathematics_has_a_cost() -> None:
    """Powers of powers are not worked out, whoever writes them."""
    assert MathEquivalence().verify(r"\boxed{9^{9^{9^{9}}}}", "1").score == 0.0
    assert MathEquivalence().verify("\\boxed{" + "1" * 2000 + "}", "1" * 2000).score == 1.0
    assert MathEquivalence().verify("\\boxed{" + "1" * 100_000 + "}", "1").score == 0.0
    assert MathEquivalence().verify("\\boxed{" + "(" * 5000 + "1" + ")" * 5000 + "}", "1").score == 0.0
    assert MathEquivalence().verify(r"\boxed{10^{-3}}", "0.001").score == 1.0


@pytest.mark.parametrize(
    ("name", "within", "without"),
    [
        ("timeout", (0.001, 3600.0), (0.0, -1.0, 3600.1)),
        ("memory", (16, 1 << 20), (15, (1 << 20) + 1)),
        ("tolerance", (0.0, 1.0), (-1e-9, float("nan"))),
    ],
)
def test_what_programs_may_use_has_bounds(
    name: str, within: tuple[float, ...], without: tuple[float, ...]
) -> None:
    """Seconds, MiB, and how near a float must be."""
    for value in within:
        assert getattr(CodePassRate(**{name: value}), name) == value  # type: ignore[arg-type]
    for value in without:
        with pytest.raises(ConfigError, match=name):
            CodePassRate(**{name: value})  # type: ignore[arg-type]
