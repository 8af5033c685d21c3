"""Files and trainers: limits met exactly, counts that summaries show, and values that are handed over."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.files.chunk_scorer import Scored, Scorer, dumps
from adapters.files.formats import lines as jsonl
from adapters.files.jsonl import CHUNK_BYTES, CHUNK_ROWS, MAX_LINE, Line, Overlong, Source
from adapters.files.tallies import MAX_REASONS, Tally
from adapters.trl import trl_reward_func, trl_reward_funcs, trl_reward_weights
from rewards import LengthTarget, Linear, Pay, Reward, SoftOverlong
from verifiers import ConfigError, ExactMatch, Keywords, Length, Status, TagFormat

HALF = Pay(Keywords(("a", "b"), mode="fraction"))


def _read(path: Path) -> list[Any]:
    """Chunks as lists of (line number, bytes); what is too long as ("long", number, bytes)."""
    found: list[Any] = []
    for chunk in Source([str(path)]).chunks():
        if isinstance(chunk, Overlong):
            pieces: list[bytes] = []
            chunk.copy_to(pieces.append)
            found.append(("long", chunk.number, b"".join(pieces)))
        else:
            found.append([(line.number, line.raw) for line in chunk])
    return found


def test_the_longest_line_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    """16 MiB is the limit, its line break aside; what is too long can be copied whole, and reading continues."""
    assert MAX_LINE == 16 * 1024 * 1024
    path = tmp_path / "rows.jsonl"
    for ending in (b"\n", b""):
        fits = b"x" * (MAX_LINE - len(ending)) + ending
        path.write_bytes(fits)
        assert _read(path) == [[(1, fits.rstrip())]]
    exactly = b"x" * MAX_LINE + b"\n"
    path.write_bytes(exactly + b"{}\n")
    assert _read(path) == [[(1, b"x" * MAX_LINE)], [(2, b"{}")]]
    over = b"x" * (MAX_LINE + 1)
    path.write_bytes(b"{}\n" + over + b"\n{}")
    assert _read(path) == [[(1, b"{}")], ("long", 2, over + b"\n"), [(3, b"{}")]]
    path.write_bytes(over)
    assert _read(path) == [("long", 1, over + b"\n")]
    path.write_bytes(over * 2 + b"\n" + over + b"\n{}\n")
    # Whoever does not copy a line that is too long has skipped it.
    skipped = list(Source([str(path)]).chunks())
    assert [type(each) for each in skipped] == [Overlong, Overlong, list]
    assert skipped[2] == [Line(str(path), 3, b"{}")]


def test_chunks_are_small_in_rows_and_in_bytes(tmp_path: Path) -> None:
    """So that memory stays small with short rows and with long ones, and no row is in two of them."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"1\n" * (2 * CHUNK_ROWS + 1))
    chunks = _read(path)
    assert [len(chunk) for chunk in chunks] == [CHUNK_ROWS, CHUNK_ROWS, 1]
    assert [number for chunk in chunks for number, _ in chunk] == list(range(1, 2 * CHUNK_ROWS + 2))
    third = CHUNK_BYTES // 3 + 1
    path.write_bytes((b"x" * third + b"\n") * 7)
    assert [len(chunk) for chunk in _read(path)] == [3, 3, 1]
    path.write_bytes((b"x" * (CHUNK_BYTES // 2) + b"\n") * 2 + b"y\n")
    assert [len(chunk) for chunk in _read(path)] == [2, 1], "a chunk that is just full is handed on"
    path.write_bytes(b"\n \n\t\r\n")
    assert _read(path) == []


def test_a_byte_order_mark_counts_at_the_start_of_a_file_only(tmp_path: Path) -> None:
    """In a later line it is part of the row, which is then no JSON."""
    mark = b"\xef\xbb\xbf"
    path = tmp_path / "rows.jsonl"
    path.write_bytes(mark + b"{}\r\n" + mark + b"{}\n\n[]\n")
    assert _read(path) == [[(1, b"{}"), (2, mark + b"{}"), (4, b"[]")]]
    packed = tmp_path / "rows.gz"
    packed.write_bytes(gzip.compress(mark + b"{}"))
    assert _read(packed) == [[(1, b"{}")]]


def test_sources_say_how_far_they_are(tmp_path: Path) -> None:
    """In bytes as they lie on disk, over all files; unknown with standard input."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"{}\n")
    two.write_bytes(gzip.compress(b"{}\n{}\n"))
    source = Source([str(one), str(two)])
    size = one.stat().st_size + two.stat().st_size
    assert (source.total_bytes, source.position()) == (size, 0)
    assert sum(len(chunk) for chunk in source.chunks() if isinstance(chunk, list)) == 3
    assert source.position() == size
    assert Source([str(one), "-"]).total_bytes is None
    assert Source(["-", str(one)]).total_bytes is None
    two.write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    with pytest.raises(ConfigError, match="cannot be read to its end"):
        list(Source([str(two)]).chunks())
    for path, message in ((tmp_path / "three", "no such file"), (tmp_path, "is a folder")):
        with pytest.raises(ConfigError, match=message):
            Source([str(path)])
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    with pytest.raises(ConfigError, match="is a binary file"):
        Source([str(tmp_path / "binary")])
    (tmp_path / "rows.csv").write_text('\ufeff{"a": 1}\n')
    assert sum(map(len, Source([str(tmp_path / "rows.csv")]).chunks())) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "head", "said"),
    [
        ("a.jsonl", "{}".encode("utf-16"), "is UTF-16, not UTF-8; .*iconv -f UTF-16"),
        ("a.jsonl", "{}".encode("utf-32"), "is UTF-32, not UTF-8; .*iconv -f UTF-32"),
        ("a.xlsx", b"PK\x03\x04", "is a zip archive or a workbook"),
        ("a.jsonl.xz", b"\xfd7zXZ", "is compressed by xz, not JSON Lines; unpack it: xz -d "),
        ("a.feather", b"FEA1", "is of Feather's first version"),
    ],
)
def test_another_format_is_named_once_with_its_cure(
    tmp_path: Path, name: str, head: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(head)
    with pytest.raises(ConfigError, match=said):
        Source([str(path)])


def test_only_what_is_entirely_right_has_passed() -> None:
    """A partial score is scored and has not passed; a fault is told from a row that cannot be judged."""
    tally = Tally()
    for status, value in (
        (Status.SCORED, 1.0), (Status.SCORED, 0.999), (Status.SCORED, 0.5), (Status.SCORED, 0.0),
        (Status.UNSCORED, None), (Status.FAULT, None), (Status.SCORED, 1.5),
    ):  # fmt: skip
        tally.add(status, value, "why")
    assert (tally.rows, tally.scored, tally.passed, tally.faults) == (7, 5, 2, 1)
    assert (tally.total, tally.reasons) == (pytest.approx(3.999), {"why": 7})
    tally.merge(tally)
    assert (tally.rows, tally.scored, tally.passed, tally.faults) == (14, 10, 4, 2)
    assert (tally.total, tally.reasons) == (pytest.approx(7.998), {"why": 14})


def test_reasons_that_a_plug_in_makes_up_do_not_fill_the_memory() -> None:
    """The first thousand are counted, and continue to be counted."""
    tally = Tally()
    for number in range(MAX_REASONS + 5):
        tally.add(Status.SCORED, 0.0, f"reason_{number}")
    tally.add(Status.SCORED, 0.0, "reason_0")
    tally.add(Status.SCORED, 0.0, "")
    assert len(tally.reasons) == MAX_REASONS == 1000
    assert tally.reasons["reason_0"] == 2
    assert "" not in tally.reasons


@pytest.mark.parametrize(
    ("raw", "start"),
    [
        (b'{"completion": "a", "x": 1.0e5}', b'{"completion": "a", "x": 1.0e5, "reward": '),
        (b' { "completion" : "a" } ', b'{ "completion" : "a", "reward": '),
    ],
)
def test_a_scored_line_is_the_line_with_more_in_it(raw: bytes, start: bytes) -> None:
    """Its own bytes, a comma where something comes before, and one line break."""
    scored = Scorer(HALF).score([raw])
    assert scored.output.startswith(start)
    assert scored.output.endswith(b"}\n")
    assert scored.output.count(b"\n") == 1
    row = json.loads(scored.output)
    assert (row["reward"], row["reward_parts"]) == (0.5, {"Keywords": 0.5})
    assert (row["verdict_parts"], row["verdicts"][0]["reason"]) == (["Keywords"], "partly_found")


def test_a_summary_tells_verdicts_from_payments() -> None:
    """What the reward pays, each verifier under its part's name, and parts that no verdict is behind."""
    reward = HALF.named("words") + 0.5 * Pay(TagFormat()) + LengthTarget(1, 1.0)
    lines = [b'{"completion": "a"}', b'{"completion": "a b"}', b"[]", b'{"completion": 3}', b"{}"]
    scored = Scorer(reward).score(lines)
    assert list(scored.problems) == [2, 3, 4]
    assert scored.problems[3] == "'completion' is neither text nor chat messages but int"
    assert scored.problems[4] == "no column 'completion'"
    tallies = scored.tallies
    assert set(tallies) == {"reward", "words", "TagFormat", "LengthTarget"}
    assert (tallies["words"].rows, tallies["words"].passed, tallies["words"].total) == (2, 1, 1.5)
    assert (tallies["TagFormat"].scored, tallies["TagFormat"].passed) == (2, 0)
    assert tallies["TagFormat"].reasons == {"missing_tag": 2}
    assert [name for name, tally in tallies.items() if not tally.judged] == ["LengthTarget"]
    assert (tallies["reward"].rows, tallies["reward"].total) == (2, -0.5)
    assert (Scored.from_bytes(scored.to_bytes()), Scorer(reward).score([])) == (scored, Scored())


def test_columns_have_the_names_that_the_caller_gives() -> None:
    """The reference, the number of tokens and the prompt; a wrong one is told with its flag."""
    scorer = Scorer(
        Pay(ExactMatch()) + SoftOverlong(4, 2), completion_field="out", reference_field="gold",
        tokens_field="count",
    )  # fmt: skip
    assert scorer.columns == ["out", "gold", "count"]
    row = json.loads(scorer.score([b'{"out": "4", "gold": "4", "count": 3}']).output)
    assert row["reward"] == 0.5
    scorer.check_columns({"out": "4", "gold": "4", "count": 3}, "rows.jsonl")
    for column, flag in (
        ("out", "--completion-field"), ("gold", "--reference-field"), ("count", "--tokens-field"),
    ):  # fmt: skip
        given = {"out": "4", "gold": "4", "count": 3}
        del given[column]
        with pytest.raises(ConfigError, match=f"rows.jsonl has no column '{column}'.*{flag}"):
            scorer.check_columns(given, "rows.jsonl")
    ids = Scorer(SoftOverlong(4, 2))
    ids.check_columns({"completion": "4", "completion_ids": [1]}, "rows.jsonl")
    assert (
        json.loads(ids.score([b'{"completion": "4", "completion_ids": [1, 2, 3]}']).output)["reward"] == -0.5
    )


def test_a_signature_names_progress_where_something_moves() -> None:
    """Two points of one schedule are two rewards, and a fixed reward is one."""
    moving = Linear(1.0, 0.0) * HALF
    assert Scorer(moving, progress=0.5).signature == moving.signature() + "|progress:0.5"
    assert Scorer(HALF, progress=0.5).signature == HALF.signature()
    assert json.loads(Scorer(moving, progress=0.25).score([b'{"completion": "a"}']).output)["reward"] == 0.375


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert (dumps({"a": "정답"}), dumps("\ud800")) == ('{"a": "정답"}'.encode(), b'"\\ud800"')


# TRL --------------------------------------------------------------------------------------------


def _logged(
    function: Any, completions: list[Any], **given: Any
) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """What a trainer gets: values, extra columns, metrics."""
    extra: dict[str, Any] = {}
    metrics: dict[str, Any] = {}
    values = function(
        completions, log_extra=extra.__setitem__, log_metric=metrics.__setitem__, trainer_state=None, **given
    )
    return values, extra, metrics


def test_a_row_without_a_total_is_blank_in_every_function() -> None:
    """TRL masks a row only if each function says None; parts of the others are their own values."""
    reward = Pay(ExactMatch()) + 0.5 * Pay(Length(1, 1))
    functions = trl_reward_funcs(reward)
    assert [function.__name__ for function in functions] == ["reward", "ExactMatch", "Length"]
    assert trl_reward_weights(reward) == [1.0, 0.0, 0.0]
    given = {"answer": ["4", "4", ""]}
    assert [function(["4", "44", "4"], **given) for function in functions] == [
        [1.5, 0.0, None], [1.0, 0.0, None], [1.0, 0.0, None],
    ]  # fmt: skip


def test_values_are_handed_over_within_what_a_trainer_can_hold() -> None:
    """32-bit floats turn larger ones, and their squares, into infinity."""
    for weight, held in ((1e7, -1e6), (-1e7, 1e6), (1e6, -1e6), (-1e6, 1e6), (1e3, -1e3)):
        assert trl_reward_func(weight * LengthTarget(0, 1.0))(["x"]) == [held]


def test_logs_say_how_many_rows_were_left_out_and_why() -> None:
    """One function of a reward reports: shares, reasons, what was extracted."""
    reward: Reward = Pay(ExactMatch())
    [total, *_] = trl_reward_funcs(reward + 0.0 * Pay(Length()).named("length"))
    values, extra, metrics = _logged(total, ["4", "5", "4", "4"], answer=["4", "4", "", None])
    assert (values, metrics) == ([1.0, 0.0, None, None], {"reward/unscored": 0.5, "reward/fault": 0.0})
    assert extra["reward.extracted"] == ["4", "5", "", ""]
    assert extra["reward.reason"][:2] == [
        "ExactMatch:equal, length:in_band",
        "ExactMatch:not_equal, length:in_band",
    ]
    assert "reward.completion_tokens" not in extra
    assert _logged(total, [], answer=[])[2] == {}


def test_a_function_that_stands_alone_logs_the_means_of_its_parts() -> None:
    """Over the rows that have a value, under the name that it is given."""
    reward = Pay(ExactMatch()) + Linear(1.0, 0.5) * SoftOverlong(4, 2)
    function = trl_reward_func(reward, "mine")
    given = {"answer": ["4", "4", ""], "completion_ids": [[1, 2, 3], [1], [1]]}
    values, extra, metrics = _logged(function, ["4", "5", "4"], **given)
    assert function.__name__ == "mine"
    assert values[2] is None
    assert (metrics["mine/ExactMatch"], metrics["mine/SoftOverlong"]) == (0.5, pytest.approx(-0.5 / 3))
    assert metrics["mine/unscored"] == pytest.approx(1 / 3)
    assert "mine/SoftOverlong.weight" in metrics
    assert extra["mine.completion_tokens"] == [3, 1, 1]
    state = SimpleNamespace(global_step=5, max_steps=10)
    metrics.clear()
    function(["4"] * 3, log_metric=metrics.__setitem__, trainer_state=state, **given)
    assert metrics["mine/SoftOverlong.weight"] == pytest.approx(0.75)


def test_a_weighted_sum_is_handed_over_in_its_terms() -> None:
    """Where it is one: gates, steps and schedules do not split."""
    reward = Pay(ExactMatch()) + 0.5 * Pay(Length(1, 1)) - 2 * Pay(TagFormat()).named("tags")
    functions = trl_reward_funcs(reward, weighted=True)
    assert [function.__name__ for function in functions] == ["ExactMatch", "Length", "tags"]
    assert [function.reports for function in functions] == [True, False, False]
    assert trl_reward_weights(reward, weighted=True) == [1.0, 0.5, -2.0]
    assert trl_reward_weights(3 * Pay(ExactMatch()), weighted=True) == [3.0]
    for wrong in (
        Pay(ExactMatch()) + Pay(Length()).clip(low=0.5),
        Linear(1.0, 0.0) * Pay(ExactMatch()),
        Pay(ExactMatch()).when(Pay(TagFormat())),
    ):
        with pytest.raises(ConfigError, match="cannot be exported as weighted parts"):
            trl_reward_funcs(wrong, weighted=True)


def test_pieces_of_a_long_line_stay_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 10)
    monkeypatch.setattr(jsonl, "PIECE", 4)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"0123456789abcdefghij\n{}\n")
    [chunk, rest] = _pieces(path)
    assert (chunk, rest) == ([b"0123456789a", b"bcde", b"fghi", b"j\n"], [b"{}"])


def _pieces(path: Path) -> list[list[bytes]]:
    found: list[list[bytes]] = []
    for chunk in Source([str(path)]).chunks():
        pieces: list[bytes] = []
        if isinstance(chunk, Overlong):
            chunk.copy_to(pieces.append)
        else:
            pieces += [line.raw for line in chunk]
        found.append(pieces)
    return found
