"""`verify-cli diff`, `show`, and the intervals and conditions of `score`, with real files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.cli import app
from rewards.select import mean_interval
from tests.adapters.cli.commands import ENVIRONMENT, cli
from tests.adapters.cli.test_score import check_refused, write
from tests.support import known

HOSTILE = "a\x1b]0;title\x07b\u202ec\rd"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Completions of three prompts, in groups of four, one of them hostile, scored by a preset."""
    folder = tmp_path_factory.mktemp("scored")
    rows: list[dict[str, Any]] = []
    for prompt, right in (("p", 4), ("q", 2), ("r", 0)):
        for number in range(4):
            answer = "7" if number < right else "8"
            text = f"<think>{prompt} {number}</think><answer>{answer}</answer>"
            rows.append({"prompt": prompt, "completion": text, "answer": "7", "dataset": prompt})
    rows[5]["completion"] += HOSTILE
    rows[6]["completion"] = "가나다 답은 8"
    done = cli("score", write(folder / "in.jsonl", rows), "-r", "r1_zero", "-o", "out.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "95 % over 3 prompts" in done.stdout
    return folder / "out.jsonl"


def test_score_prints_intervals_over_prompts(scored: Path) -> None:
    """The same rows as prompts of their own are surer; both are the interval that reports have."""
    together = cli("score", scored, "-r", "r1_zero").stdout
    assert "\n95 % over 3 prompts: reward " in together
    alone = cli("score", scored, "-r", "r1_zero", "--group-field", "completion").stdout
    expected = known(mean_interval([(1.0, 1), (0.0, 1)] * 6, bounded=True))
    assert "95 % over 12 prompts" in alone
    assert f"accuracy {expected.low:.4f} to {expected.high:.4f}" in alone
    wider = known(mean_interval([(4.0, 4), (2.0, 4), (0.0, 4)], bounded=True))
    assert f"accuracy {wider.low:.4f} to {wider.high:.4f}" in together


def test_score_fails_where_a_condition_holds(scored: Path, tmp_path: Path) -> None:
    """With status 1 and a line for each, after the rows were written; typing errors come before."""
    out = tmp_path / "out.jsonl"
    done = cli(
        "score", scored, "-r", "r1_zero", "-o", out, "--fail-on", "accuracy<0.8", "--fail-on", "fault>0"
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "failed: accuracy<0.8: accuracy is 0.5")
    assert len(out.read_text().splitlines()) == 12
    assert cli("score", scored, "-r", "r1_zero", "--fail-on", "accuracy<0.5").returncode == 0
    check_refused(
        cli("score", scored, "-r", "r1_zero", "--fail-on", "acuracy<1"), 2, "did you mean 'accuracy'"
    )
    check_refused(cli("score", scored, "-r", "r1_zero", "--fail-on", "good"), 2, "'good' is no condition")


def test_groups_prints_intervals(scored: Path) -> None:
    found = json.loads(cli("groups", scored, "--json").stdout)
    low, high = found["pass_at_k_95"]["1"]
    assert low < found["pass_at_k"]["1"] < high
    assert "95 % across prompts" in cli("groups", scored).stdout


def test_diff_of_two_files_says_what_flipped(scored: Path, tmp_path: Path) -> None:
    """A table of parts, of sources, of reasons, and the rows; the same as JSON."""
    rows = [json.loads(line) for line in scored.read_text().splitlines()]
    verdict = rows[0]["verdicts"][0]
    verdict |= {"score": 0.0, "reason": "not_equal"}
    rows[0] |= {"reward": 0.5, "reward_parts": {"accuracy": 0.0, "format": 1.0}}
    other = write(tmp_path / "other.jsonl", rows[::-1])
    done = cli("diff", scored, other, status=0)
    for said in (
        "12 pairs of rows (key: prompt)", "bootstrap over 3 prompts", "right: equal_text",
        "wrong: not_equal", f"right to wrong: {scored}:1 -> {other}:12: equal_text -> not_equal", "dataset",
    ):  # fmt: skip
        assert said in done.stdout.replace("\n", " ").replace("  ", " ") or said in done.stdout, done.stdout
    found = json.loads(cli("diff", scored, other, "--json").stdout)
    assert found["parts"]["accuracy"]["right_to_wrong"] == 1
    assert found["parts"]["accuracy"]["difference"] == pytest.approx(-1 / 12)
    failing = cli("diff", scored, other, "--fail-on", "accuracy drops by 5 points", "--json", status=1)
    assert "failed: accuracy drops by 5 points: accuracy is -0.0833333" in failing.stderr
    assert cli("diff", scored, other, "--fail-on", "accuracy drops by 5 points, p<.05").returncode == 0
    check_refused(cli("diff", scored, other, "--fail-on", "acuracy<0"), 2, "did you mean 'accuracy'")


def test_diff_of_two_recipes_reads_one_file(tmp_path: Path) -> None:
    """Lines keep their numbers where some cannot be scored; one recipe is compared with what the file holds."""
    rows = [{"completion": f"\\boxed{{{n}/2}}", "answer": str(n / 2)} for n in (1, 3, 5, 7)]
    source = write(tmp_path / "in.jsonl", ["bad", *rows])
    done = cli("diff", source, "-r", "MathEquivalence", "-r", "ExactMatch", "--json", status=0)
    assert done.stderr.count("in.jsonl:1: not JSON") == 2
    found = json.loads(done.stdout)
    part = found["parts"]["MathEquivalence"]
    assert (part["right_to_wrong"], part["wrong_to_right"]) == (4, 0)
    assert [each["first"].rpartition(":")[2] for each in found["flipped"]] == ["2", "3", "4", "5"]
    assert all(each["first"] == each["second"] for each in found["flipped"])
    out = tmp_path / "out.jsonl"
    cli("score", source, "-r", "MathEquivalence", "-o", out)
    once = json.loads(cli("diff", out, "-r", "MathEquivalence", "--json").stdout)
    assert once["parts"]["reward"]["p"] == 1.0
    assert not once["flipped"]


def _shown(*arguments: object) -> list[int]:
    # In this process: a dozen of them are a matter of milliseconds.
    done = CliRunner().invoke(app, ["show", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    return [json.loads(line)["line"] for line in done.stdout.splitlines() if line.startswith("{")]


def test_show_finds_rows(scored: Path) -> None:
    assert _shown(scored, "--reason", "missing_tag") == [7]
    assert _shown(scored, "--part", "accuracy", "--max", 0, "--limit", 2) == [7, 8]
    assert _shown(scored, "--min", 1.5) == [1, 2, 3, 4, 5, 6]
    assert _shown(scored, "--search", "가나다".encode().decode()) == [7]
    assert _shown(scored, "--search", "THINK>Q") == [5, 6, 8]
    assert (_shown(scored, "--line", 3, "--line", 9), _shown(scored, "--status", "fault")) == ([3, 9], [])
    assert _shown(scored, "--disagree") == []
    drawn = _shown(scored, "--sample", 4, "--seed", 3)
    assert (drawn, len(drawn), drawn) == (sorted(set(drawn)), 4, _shown(scored, "--sample", 4, "--seed", 3))
    assert len({tuple(_shown(scored, "--sample", 4, "--seed", seed)) for seed in range(4)}) > 1


def test_show_marks_the_evidence_and_escapes_what_is_hostile(scored: Path) -> None:
    """No escape sequence, override or carriage return reaches the terminal."""
    done = cli("show", scored, "--line", 6, text=True, status=0)
    for said in ("<answer>⟦7⟧</answer>", "a\\x1b]0;title\\x07b\\u202ec\\rd", "equal_text"):
        assert said in done.stdout
    for char in "\x1b\x07\u202e\r":
        assert char not in done.stdout


def test_show_cuts_long_texts_and_keeps_their_evidence(tmp_path: Path) -> None:
    """The place of the answer is shown, wherever it stands."""
    row = {"completion": "x " * 5000 + r"\boxed{41}" + " y" * 5000, "answer": "41"}
    cli("score", write(tmp_path / "in.jsonl", [row]), "-o", "out.jsonl", cwd=tmp_path)
    done = cli("show", tmp_path / "out.jsonl")
    assert "⟦41⟧" in done.stdout
    assert "characters …" in done.stdout
    assert len(done.stdout) < 6000
    assert len(cli("show", tmp_path / "out.jsonl", "--full").stdout) > 20000


def test_show_says_where_nothing_is_found(scored: Path, tmp_path: Path) -> None:
    """With the nearest name; lines that cannot be read end in status 1."""
    done = cli("show", scored, "--reason", "mising_tag")
    assert (done.returncode, done.stdout) == (0, "")
    assert "did you mean 'missing_tag'" in done.stderr
    check_refused(cli("show", scored, "--status", "falt"), 2, "did you mean 'fault'")
    broken = write(tmp_path / "broken.jsonl", [*scored.read_text().splitlines()[:1], "bad"])
    done = cli("show", broken, status=1)
    assert "1 lines could not be read: " in done.stderr


def test_show_disagree_finds_parts_that_contradict(tmp_path: Path) -> None:
    """Two verifiers with a reference, of which one passes."""
    verdicts = [
        {"verifier": name, "status": "scored", "score": score, "reason": "r"}
        for name, score in (("MathEquivalence", 1.0), ("ExactMatch", 0.0), ("TagFormat", 0.0))
    ]
    row = {"completion": "1", "reward": 1.0, "reward_parts": {}, "signature": "s"}
    both = [
        {**row, "verdicts": list(pair), "verdict_parts": ["a", "b"]} for pair in (verdicts[:2], verdicts[::2])
    ]
    assert _shown(write(tmp_path / "in.jsonl", both), "--disagree") == [1]


def test_show_stops_with_the_pipe(scored: Path, tmp_path: Path) -> None:
    """`show | head -1` says nothing of a broken pipe."""
    many = tmp_path / "many.jsonl"
    many.write_text(scored.read_text() * 300)
    command = f"{sys.executable} -m adapters.cli show {many} --limit 0 | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert done.stdout.startswith("── ")
    assert done.stderr == ""
