"""Instructions: what a row lists is judged in its order, whatever the response, at a bounded cost."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import FIXTURES, from_table, in_groups, rows
from tests.timing import SOAK, examples, timed
from verifiers import ConfigError, InstructionFollowing, Status, from_spec
from verifiers.instructions.counted_texts import MAX_CHARS, Text
from verifiers.instructions.following import TULU, asked_of
from verifiers.instructions.kinds import KINDS, kinds_by_id

KOREAN = rows(FIXTURES / "instructions" / "ko.jsonl")
CASES = rows(FIXTURES / "cases" / "instruction_following.jsonl")
VALUES: dict[str, Any] = {
    **dict.fromkeys(("keyword", "word", "first_word", "end_phrase", "section_spliter", "letter", "sep"), "a"),
    **dict.fromkeys(("prompt_to_repeat", "reference_text", "sentence", "options"), "a b c"),
    **{f"keyword{place}": "a" for place in range(1, 6)},
    "keywords": ["a"],
    "forbidden_words": ["z"],
    "particles": ["은/는"],
    "particle": "을/를",
    "language": "de",
    "forbidden_char": "ç",
    "word_to_accentuate": {"ete": "été"},
    "ending": "다",
    "postscript_marker": "P.S.",
    "level": "해요체",
    "initial": "ㄱ",
    "person": "할머니",
    "percentage": 30,
}
"""A value for each parameter that is no number."""
IDS = sorted(kinds_by_id())


def parameters_of(name: str) -> dict[str, Any]:
    """A value for each parameter without a default."""
    kind = KINDS.get(kinds_by_id()[name])
    wanted = [field.name for field in dataclasses.fields(kind) if field.default is None]
    return {name: VALUES.get(name, 2) for name in wanted}


def judged(name: str, completion: str, **options: Any) -> Any:
    """The one part of a response to one instruction."""
    reference = {"instruction_id_list": [name], "kwargs": [parameters_of(name)]}
    [part] = InstructionFollowing(**options).verify(completion, reference).parts
    return part


@in_groups(KOREAN, lambda row: str(row["id"]))
def test_a_korean_row_is_judged_as_it_was_written(row: dict[str, Any]) -> None:
    """Before the code."""
    reference = {"instruction_id_list": [row["instruction"]], "kwargs": [row["kwargs"]]}
    verdict = InstructionFollowing().verify(row["completion"], reference)
    assert verdict.score == float(row["followed"]), (verdict, verdict.detail)


def test_every_korean_kind_is_followed_and_not() -> None:
    """At least twice each, in three hundred rows and more."""
    assert len(KOREAN) >= 300
    for name in {row["instruction"] for row in KOREAN}:
        found = [row["followed"] for row in KOREAN if row["instruction"] == name]
        assert found.count(True) >= 2, name
        assert found.count(False) >= 2, name
    own = {each for each in IDS if each.startswith("ko:")}
    assert own <= {row["instruction"] for row in KOREAN}


def test_every_kind_is_followed_and_not_in_some_case() -> None:
    """A kind without cases would be one that nobody has seen fail."""
    table = kinds_by_id()
    seen: dict[str, set[float]] = {}
    for row in CASES:
        if isinstance(row["reference"], dict) and "instruction_id_list" in row["reference"]:
            for name in row["reference"]["instruction_id_list"]:
                kind = table.get(name) or table.get(name.partition(":")[2])
                if kind and row["score"] is not None and len(row["reference"]["instruction_id_list"]) == 1:
                    seen.setdefault(kind, set()).add(row["score"])
    for row in KOREAN:
        kind = table.get(row["instruction"]) or table[row["instruction"].partition(":")[2]]
        seen.setdefault(kind, set()).add(float(row["followed"]))
    assert {kind for kind in table.values() if seen.get(kind) != {0.0, 1.0}} == set()


def test_the_kinds_of_the_public_sets_are_there() -> None:
    """All 25 of IFEval, 58 of IFBench, and those of M-IFEval that belong to a language."""
    groups = {}
    for name in IDS:
        groups.setdefault(name.partition(":")[0], []).append(name)
    ifbench = [*groups["count"], *groups["ratio"], *groups["words"], *groups["sentence"], *groups["format"]]
    assert len([*ifbench, *groups["custom"], *groups["repeat"]]) == 58
    assert {TULU[name][0] for name in TULU} <= set(IDS)
    assert len(TULU) == 25


def test_no_two_kinds_have_one_id() -> None:
    """So that a row means one thing."""
    listed = [each for name in KINDS.names() for each in KINDS.get(name).ids]
    assert len(listed) == len(set(listed))
    assert all(KINDS.get(name).ids for name in KINDS.names())


TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="aA1 .,!?\"'*#-<>[](){}_\n\t「」。漢カひ가다요éñ🙂`~:", max_size=200),
    st.lists(st.sampled_from(["* a", "- b", "1. c", "***", "Section 1", "P.S. x", "<<t>>", "안녕해요.", ""]), max_size=8).map("\n".join),
)  # fmt: skip


@settings(max_examples=examples(30))
@given(
    text=TEXTS, counting=st.sampled_from(["right", "official"]), reading=st.sampled_from(["strict", "loose"])
)
def test_any_text_is_judged_by_every_kind(text: str, counting: Any, reading: Any) -> None:
    """One part for each instruction in order, 0.0, 1.0 or None, the same each time, with a place in the text."""
    reference = {"instruction_id_list": IDS, "kwargs": [parameters_of(name) for name in IDS]}
    halves = [(IDS[:75], reference["kwargs"][:75]), (IDS[75:], reference["kwargs"][75:])]
    for names, kwargs in halves:
        judge = InstructionFollowing(counting=counting, reading=reading)
        row = {"instruction_id_list": names, "kwargs": kwargs}
        verdict = judge.verify(text, row)
        assert verdict.status is not Status.FAULT, verdict
        assert [part.verifier for part in verdict.parts] == names
        assert {part.score for part in verdict.parts} <= {0.0, 1.0, None}
        assert judge.verify(text, row) == verdict
        for part in verdict.parts:
            assert part.reason in judge.all_reasons()
            if part.span is not None:
                assert 0 <= part.span[0] <= part.span[1] <= len(text), part


@settings(max_examples=examples(30))
@given(text=TEXTS)
def test_a_loose_reading_pays_no_less(text: str) -> None:
    """The response as it is is one of its readings."""
    names = IDS[:90]
    row = {"instruction_id_list": names, "kwargs": [parameters_of(name) for name in names]}
    for counting in ("right", "official"):
        strict = InstructionFollowing(counting=counting).verify(text, row)
        loose = InstructionFollowing(counting=counting, reading="loose").verify(text, row)
        for one, other in zip(strict.parts, loose.parts, strict=True):
            assert other.score is None or one.score is None or other.score >= one.score, one.verifier


SIGNS = [
    "a", " ", "\n", ".", "a. ", "*", "*a", "[", "<<", "(", '"a ', "한", "漢", "漢（か）", "\n- a", "1. ", "🙂",
    "a-", "_", "\t", "{",
]  # fmt: skip


@pytest.mark.parametrize("counting", ["right", "official"])
@pytest.mark.parametrize("sign", ["a", "*a", "[", "漢", '"a ', "한국은 좋다. "])
def test_a_megabyte_is_bounded(counting: str, sign: str) -> None:
    """It is longer than any instruction asks for, and not looked at; what is within the limit takes seconds at most."""
    row = {"instruction_id_list": IDS[:90], "kwargs": [parameters_of(name) for name in IDS[:90]]}
    verdict, seconds = timed(
        InstructionFollowing(counting=counting).verify, sign * (1_000_000 // len(sign)), row
    )  # type: ignore[arg-type]
    assert {part.score for part in verdict.parts} <= {0.0, None}
    assert seconds < 5


@in_groups(SIGNS, repr, 4)
def test_the_time_of_a_kind_grows_with_the_text(sign: str) -> None:
    """Not with its square: four times the text takes no more than ten times as long, or next to nothing.

    A kind meets every other sign, and counts in one way for every other of these; ``make soak`` takes both for all.
    """
    texts = [sign * (size // len(sign)) for size in (4_000, 16_000)]
    for place, name in enumerate(IDS, SIGNS.index(sign)):
        one = (("right",), (), ("official",), ())[place % 4]
        for counting in ("right", "official") if SOAK else one:
            work = functools.partial(judged, name, counting=counting)
            if timed(work, texts[1])[1] > 10 * 0.05:
                few, many = (timed(work, text)[1] for text in texts)
                assert many <= 10 * max(few, 0.05), (name, counting, few, many)


def test_a_response_on_the_limit_is_judged() -> None:
    """One character more is not."""
    row = {"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    assert InstructionFollowing().verify("a" * MAX_CHARS, row).score == 1.0
    assert InstructionFollowing().verify("a" * (MAX_CHARS + 1), row).reason == "over_limit"
    long = {"instruction_id_list": ["punctuation:no_coma"], "kwargs": [{}]}
    assert InstructionFollowing().verify("a" * (MAX_CHARS + 1), long).reason == "unknown_kind"


def test_an_unknown_kind_is_named_and_never_paid() -> None:
    """With the nearest name; the other parts stand beside it."""
    row = {
        "instruction_id_list": ["punctuation:no_comma", "length_constraints:number_word"],
        "kwargs": [{}, {}],
    }
    verdict = InstructionFollowing().verify("Hi.", row)
    assert (verdict.score, verdict.reason) == (None, "unknown_kind")
    assert "did you mean 'length_constraints:number_words'?" in verdict.detail
    assert [part.score for part in verdict.parts] == [1.0, None]


@settings(max_examples=examples(20))
@given(text=TEXTS)
def test_whether_a_row_is_scored_does_not_depend_on_the_response(text: str) -> None:
    """For each kind by itself."""
    for name in IDS:
        for counting in ("right", "official"):
            assert (judged(name, text, counting=counting).score is None) == (
                judged(name, "x", counting=counting).score is None
            ), name


def test_instructions_of_a_recipe_need_no_reference() -> None:
    """By id, by class, with parameters or without; a wrong one is refused when it is made."""
    spec = {
        "InstructionFollowing": {"instructions": ["NoComma", {"ko:style:speech_level": {"level": "해요체"}}]}
    }
    judge = from_spec(spec)
    assert judge.verify("좋아요. 그래요.").score == 1.0
    assert judge.verify("좋아요, 그렇다.").score == 0.0
    assert from_spec(judge.to_spec()) == judge
    assert not judge.needs_reference
    assert InstructionFollowing().needs_reference
    for wrong, said in (
        ("punctuation:no_coma", "did you mean 'punctuation:no_comma'"),
        ({"length_constraints:number_words": {"relation": "at least"}}, "needs num_words"),
        ({"length_constraints:number_words": {"num_words": "ten"}}, "num_words must be a whole number"),
        ({"length_constraints:number_words": 3}, "no mapping"),
    ):
        with pytest.raises(ConfigError, match=said):
            InstructionFollowing(instructions=(wrong,))  # type: ignore[arg-type]


def test_a_place_is_one_of_the_completion_as_it_came() -> None:
    """Thinking in front of it and invisible characters in it moved nothing."""
    completion = "<think>a, b</think>One\u200b two, three."
    row = {"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    [part] = InstructionFollowing().verify(completion, row).parts
    assert part.span is not None
    assert completion[slice(*part.span)] == ","
    assert part.span[0] > completion.index("</think>")


def test_references_come_as_the_sets_write_them() -> None:
    """IFEval, IFBench with nulls, M-IFEval with a language, Tulu, open-instruct."""
    plain = asked_of({"instruction_id_list": ["en:punctuation:no_comma"], "kwargs": [None]})
    assert [(each.id, each.parameters) for each in plain] == [("en:punctuation:no_comma", {})]
    text = json.dumps({"instruction_id_list": ["count:numbers"], "kwargs": [{"N": 3.0, "m": None}]})
    assert asked_of(text)[0].parameters == {"N": 3.0}
    instruct = "[{'instruction_id': ['a:b', 'c:d'], 'kwargs': [None, {'x': 1}]}]"
    assert [each.id for each in asked_of(instruct)] == ["a:b", "c:d"]
    tulu = asked_of({"func_name": "verify_keyword_frequency", "word": "sun", "N": 2})
    assert tulu[0] == ("keywords:frequency", {"keyword": "sun", "frequency": 2, "relation": "exactly"})
    for unusable in (
        3,
        [],
        "text",
        {"kwargs": []},
        {"instruction_id_list": [1]},
        {"instruction_id_list": ["a"], "kwargs": [1]},
    ):
        assert InstructionFollowing().verify("a", unusable).reason == "bad_reference", unusable


@from_table()
def test_sentences_are_counted_as_a_reader_would(text: str, count: int) -> None:
    """Abbreviations, initials, numbers of a list, headings and dividers end none and are none."""
    assert len(Text(text).sentences) == count, Text(text).sentence_texts
