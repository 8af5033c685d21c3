"""Groups of lines and candidates of scored rows, without a command around them: each condition by itself."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.files.gathering import gathered
from adapters.files.jsonl import Line, Overlong
from adapters.files.line_groups import whole_groups
from adapters.files.scored_candidates import Reader, equality
from rewards.select import Candidate
from tests.support import known
from verifiers import ConfigError

LONG = Overlong("f", 9, lambda write: None)


def _lines(*rows: Any) -> list[Line]:
    """Lines that hold a prompt each; what is no text is written as it is."""
    return [
        Line("f", number, json.dumps({"prompt": row}).encode() if isinstance(row, str) else row)
        for number, row in enumerate(rows, 1)
    ]


def _grouped(chunks: Iterable[list[Line] | Overlong]) -> list[Any]:
    """Prompts, or the raw line where there is none, of each group; "long" for what is too long."""
    return [
        "long" if isinstance(group, Overlong) else [_prompt(line.raw) for line in group]
        for group in whole_groups(iter(chunks), "prompt")
    ]


def _prompt(raw: bytes) -> Any:
    try:
        return json.loads(raw)["prompt"]
    except (ValueError, TypeError):
        return raw


def test_groups_are_whole_wherever_chunks_end() -> None:
    """Between groups, within one, after one that filled several; a line that is no row stays where it was."""
    assert _grouped([_lines("a", "a", "b"), _lines("b", "c")]) == [["a", "a"], ["b", "b"], ["c"]]
    assert _grouped([_lines("a"), _lines("a"), _lines("b")]) == [["a", "a"], ["b"]]
    assert _grouped([_lines("a", "b", "c")]) == [["a"], ["b"], ["c"]]
    assert _grouped([_lines("a", b"{", "a", "b"), _lines(b"[]")]) == [["a", b"{", "a"], ["b", b"[]"]]
    assert (_grouped([_lines(b"{", "a", "b")]), _grouped([])) == ([[b"{"], ["a"], ["b"]], [])


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", b"{"]), max_size=6), max_size=4))
@settings(deadline=None)
def test_rows_of_a_group_are_brought_together(chunks: list[list[Any]]) -> None:
    """Each line once, as it was, in the order of the groups' first rows; and they need it no second time."""
    numbered = iter(range(1, 100))
    lines = [[replace(line, number=next(numbered)) for line in _lines(*chunk)] for chunk in chunks]
    found = list(gathered(iter([*lines, LONG]), "prompt"))
    assert found[0] is LONG
    chunked = [chunk for chunk in found[1:] if isinstance(chunk, list)]
    together = [line for chunk in chunked for line in chunk]
    assert sorted(line.number for line in together) == [line.number for chunk in lines for line in chunk]
    assert {(line.number, line.raw) for line in together} == {
        (each.number, each.raw) for chunk in lines for each in chunk
    }
    groups = [group for group in whole_groups(iter(chunked), "prompt") if isinstance(group, list)]
    firsts = [group[0].number for group in groups]
    assert firsts == sorted(firsts)
    for group in groups:
        assert [line.number for line in group] == sorted(line.number for line in group)
    whole = list(whole_groups(iter(groups), "prompt"))
    prompts = [_prompt(line.raw) for group in whole for line in group]
    assert [each for each in prompts if each != b"{"] == sorted(
        (each for each in prompts if each != b"{"), key=lambda each: prompts.index(each)
    )


def test_what_follows_a_line_that_is_too_long_is_grouped() -> None:
    """Such a line is handed on, and splits no group."""
    assert _grouped([LONG, _lines("a"), LONG, _lines("a", "b")]) == ["long", "long", ["a", "a"], ["b"]]


def test_a_group_that_comes_back_is_refused() -> None:
    """Whatever column it is told by; rows without it are of one group."""
    with pytest.raises(ConfigError, match="f:3: the rows of one 'prompt' must follow one another"):
        _grouped([_lines("a", "b", "a")])
    assert _grouped([_lines("a", "b"), _lines("b")]) == [["a"], ["b", "b"]]
    chunk = [Line("f", number, b"{}") for number in range(3)]
    assert [len(group) for group in whole_groups(iter([chunk]), "prompt") if isinstance(group, list)] == [3]


def _row(**given: Any) -> dict[str, Any]:
    row = {
        "prompt": "p",
        "completion": "four",
        "reward": 1.0,
        "reward_parts": {"right": 1.0},
        "verdict_parts": ["right"],
        "verdicts": [{"verifier": "ExactMatch", "score": 0.5, "extracted": "4"}],
    }
    return {**row, **given}


def _candidate(row: dict[str, Any], **options: Any) -> Any:
    return Reader(**options).candidate(Line("rows.jsonl", 7, json.dumps(row).encode()))


def test_a_scored_row_is_a_candidate() -> None:
    """Its outcome, its reward, its length in tokens or else in characters, and what it was judged by."""
    found = _candidate(_row())
    assert (found.outcome, found.reward, found.length, found.answer) == (0.5, 1.0, 4, "4")
    assert (found.judge, found.accepted, found.hinted) == ("ExactMatch", True, False)
    assert _candidate(_row(completion_tokens=9)).length == 9
    for unknown in (True, None, "9", 2.5):
        assert _candidate(_row(completion_tokens=unknown)).length == 4
    assert _candidate(_row(completion=None)).length == 0
    assert _candidate(_row(completion=[{"role": "assistant", "content": "12345"}])).length == 5
    assert _candidate(_row(hinted=True)).hinted
    assert _candidate(_row(), require=("right",)).accepted
    assert not _candidate(_row(reward_parts={"right": 0.99}), require=("right",)).accepted
    with pytest.raises(ConfigError, match=r"rows.jsonl:7: has no part 'rihgt'.*right"):
        _candidate(_row(), require=("rihgt",))
    for column, flag in (("prompt", "--group-field"), ("completion", "--completion-field")):
        row = _row()
        del row[column]
        with pytest.raises(ConfigError, match=f"rows.jsonl:7 has no column '{column}'.*{flag}"):
            _candidate(row)
    with pytest.raises(ConfigError, match=r"rows.jsonl:7: not a JSON object"):
        Reader().candidate(Line("rows.jsonl", 7, b"[]"))


@pytest.mark.parametrize(
    "given",
    [
        {"verdicts": None}, {"verdicts": {"verifier": "ExactMatch", "score": 1.0}}, {"verdict_parts": None},
        {"verdict_parts": "r"}, {"verdict_parts": {"right": 1}}, {"verdict_parts": []},
        {"verdict_parts": ["right", "more"]}, {"verdict_parts": [1]}, {"verdicts": ["ExactMatch"]},
        {"verdicts": [{"score": 1.0}]}, {"verdicts": [{"verifier": 1, "score": 1.0}]},
        {"verdicts": [{"verifier": "ExactMatch"}]}, {"verdicts": [{"verifier": "ExactMatch", "score": "1"}]},
        {"verdicts": [{"verifier": "ExactMatch", "score": True}]}, {"reward_parts": None},
        {"reward_parts": [1.0]}, {"reward_parts": {"right": "1"}}, {"reward_parts": {"right": True}},
        {"reward": "1"}, {"reward": True},
    ],
)  # fmt: skip
def test_a_row_that_is_not_scored_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"rows.jsonl:7: is not a scored row"):
        _candidate(_row(**given))
    row = _row()
    del row[next(iter(given))]
    with pytest.raises(ConfigError, match=r"rows.jsonl:7: is not a scored row"):
        _candidate(row)


def _judged(*kinds: str) -> dict[str, Any]:
    """A row with parts that are judged by these verifiers, the first scored 0, the next 0.1 and so on."""
    verdicts = [{"verifier": kind, "score": place / 10} for place, kind in enumerate(kinds)]
    names = [f"part{place}" for place in range(len(kinds))]
    return _row(verdicts=verdicts, verdict_parts=names, reward_parts=dict.fromkeys([*names, "sum"], 0.75))


@pytest.mark.parametrize(
    ("kinds", "outcome"),
    [
        (["ExactMatch"], 0.0), (["TagFormat", "ExactMatch"], 0.1), (["ExactMatch", "TokenF1"], 0.0),
        (["TagFormat"], 0.0), (["made_up"], 0.0), (["TagFormat", "made_up"], 0.1),
        (["ExactMatch", "made_up"], None), (["made_up", "another"], None), (["TagFormat", "Length"], None),
        (["FunctionVerifier", "ExactMatch"], None),
    ],
)  # fmt: skip
def test_what_says_whether_an_answer_is_right_is_certain_or_asked_for(
    kinds: list[str], outcome: float | None
) -> None:
    """The first part that compares with the reference, unless a verifier that is not known here may."""
    row = _judged(*kinds)
    if outcome is None:
        with pytest.raises(ConfigError, match="which of the parts part0, part1, sum says"):
            _candidate(row)
    else:
        assert _candidate(row).outcome == outcome
    assert (_candidate(row, outcome="part0").outcome, _candidate(row, outcome="sum").outcome) == (0.0, 0.75)
    with pytest.raises(ConfigError, match="has no part 'part7'"):
        _candidate(row, outcome="part7")


def _answered(judge: str, answer: str | None) -> Candidate:
    return Candidate(
        completion="c", outcome=1.0, reward=1.0, length=1, answer=answer, judge=judge, accepted=True, hinted=False, row={}
    )  # fmt: skip


def test_answers_are_compared_by_the_verifier_that_took_them() -> None:
    """Strictly; as text where it is not known here, and not at all where nobody took any."""
    same = known(equality([_answered("ExactMatch", None), _answered("MathEquivalence", "0.5")]))
    assert same("0.5", r"\frac{1}{2}")
    assert not same("50", r"50\%")
    for judge in ("made_up", "Length", "FunctionVerifier"):
        as_text = known(equality([_answered(judge, "0.5")]))
        assert as_text("0.5", "0.5") is True
        assert as_text("0.5", r"\frac{1}{2}") is False
    assert equality([_answered("MathEquivalence", None)]) is None
    assert equality([]) is None
