"""What a function of the user's own breaks: a run that can never work ends at once, and says where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.trl import trl_reward_func, trl_reward_funcs
from rewards import Pay, Reward, from_trl
from tests.adapters.cli.commands import cli
from verifiers import ConfigError, verifier


def broken(completions: list[str], **columns: object) -> list[float]:
    raise KeyError("missing")


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        (Pay(verifier(lambda response: 2.0)), r"returned 2.0, which is not in \[0, 1\]"),
        (Pay(verifier(lambda response: {}["missing"])), r"KeyError: 'missing', at .*test_own_faults.py:\d+"),
        (from_trl(broken), r"KeyError: 'missing', at .*test_own_faults.py:\d+ in broken"),
    ],
)
def test_a_set_up_that_never_works_ends_a_training_run(reward: Reward, said: str) -> None:
    """At the first batch, with the cause; masking has to be asked for."""
    batch = {"prompts": ["p"] * 2, "completions": ["a", "b"]}
    for function in (trl_reward_func(reward), trl_reward_funcs(reward)[0]):
        with pytest.raises(
            ConfigError, match=rf"breaks on every row of the first batch: .*{said}"
        ) as stopped:
            function(**batch)
        assert "completions[0]" in str(stopped.value)
    assert trl_reward_func(reward, on_fault="mask")(**batch) == [None, None]
    with pytest.raises(ConfigError, match="on_fault is 'stop' or 'mask', got 'no'"):
        trl_reward_func(reward, on_fault="no")  # type: ignore[arg-type]


def test_later_faults_mask_and_end_nothing() -> None:
    """Once a row was judged, a batch that breaks is masked: a run costs money."""
    reward = Pay(verifier(lambda response: len(response) / (0 if "x" in response else 10)))
    function = trl_reward_func(reward)
    assert function(prompts=["p"] * 2, completions=["a", "x"]) == [0.1, None]
    assert function(prompts=["p"] * 2, completions=["x", "xx"]) == [None, None]


CHANGING = "from verifiers import verifier\n\n\n@verifier\ndef chg(response):\n    return {value}\n"


def _rows(tmp_path: Path, count: int = 5) -> None:
    rows = [json.dumps({"completion": str(row)}) for row in range(count)]
    (tmp_path / "in.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "recipe.yaml").write_text('reward: {FunctionVerifier: "own_module:chg"}\n')


def test_a_file_is_never_scored_half_by_one_code_and_half_by_another(tmp_path: Path) -> None:
    """Functions of the current folder are found; --resume compares what they are."""
    _rows(tmp_path)
    module = tmp_path / "own_module.py"
    score = ["score", "in.jsonl", "-r", "recipe.yaml", "-o", "out.jsonl"]
    module.write_text(CHANGING.format(value=False))
    done = cli(*score, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    module.write_text("# a comment\n" + CHANGING.format(value=False))
    assert (cli(*score, "--resume", cwd=tmp_path).returncode, out.read_bytes()) == (0, whole)
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    module.write_text(CHANGING.format(value=True))
    refused = cli(*score, "--resume", cwd=tmp_path)
    assert refused.returncode == 2
    assert "was scored by" in refused.stderr
    assert "another output file" in refused.stderr
    assert len(out.read_bytes().splitlines()) == 2
    old = b"".join(
        line.replace(b"|#" + line.partition(b"|#")[2].partition(b'"')[0], b"")
        for line in whole.splitlines(keepends=True)[:2]
    )
    assert b"#" not in old
    out.write_bytes(old)
    module.write_text(CHANGING.format(value=False))
    assert cli(*score, "--resume", cwd=tmp_path).returncode == 2


def test_a_reward_that_breaks_on_every_row_ends_a_scoring(tmp_path: Path) -> None:
    """With a status of its own, the cause, its file and line, and the row; with --max-faults it may."""
    _rows(tmp_path)
    (tmp_path / "own_module.py").write_text(CHANGING.format(value='{}["missing"]'))
    score = ["score", "in.jsonl", "-r", "recipe.yaml", "-o"]
    for more in ([], ["--workers", "2"]):
        stopped = cli(*score, "out.jsonl", "--force", *more, cwd=tmp_path)
        assert stopped.returncode == 3
        assert "KeyError: 'missing', at " in stopped.stderr
        assert "own_module.py:6 in chg; in.jsonl:1" in stopped.stderr
        assert (tmp_path / "out.jsonl").read_bytes() == b""
    allowed = cli(*score, "all.jsonl", "--max-faults", "5", cwd=tmp_path)
    assert allowed.returncode == 3
    assert "broke on 5 of 5 rows" in allowed.stderr
    assert [json.loads(line)["reward"] for line in (tmp_path / "all.jsonl").read_text().splitlines()] == [
        None
    ] * 5
    few = cli(*score, "few.jsonl", "--max-faults", "4", cwd=tmp_path)
    assert few.returncode == 3
    assert "--max-faults allows 4" in few.stderr
    shown = cli("explain", "in.jsonl", "--row", "3", "-r", "recipe.yaml", cwd=tmp_path)
    assert "Traceback (most recent call last)" in shown.stdout
    assert "in.jsonl:3" in shown.stdout


def test_some_faults_are_counted_and_told(tmp_path: Path) -> None:
    _rows(tmp_path)
    (tmp_path / "own_module.py").write_text(CHANGING.format(value="1 / int(response) and True"))
    done = cli("score", "in.jsonl", "-r", "recipe.yaml", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    assert "fault: chg broke on 1 of 5 rows, first: ZeroDivisionError" in done.stderr
    assert "in.jsonl:1" in done.stderr
