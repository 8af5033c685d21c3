"""`verify-cli score`: order, bad lines, resuming, memory, and every way to use it wrongly."""

from __future__ import annotations

import gzip
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from adapters.files.jsonl import MAX_LINE
from tests import forks
from tests.adapters.cli.commands import ENVIRONMENT, cli
from tests.support import FIXTURES, peak_memory, rows

FIXTURE = FIXTURES / "completions" / "math_mixed.jsonl"


def write(path: Path, lines: list[Any]) -> Path:
    """A JSONL file: rows are dumped, strings stand as they are."""
    text = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("".join(line + "\n" for line in text), encoding="utf-8", errors="surrogatepass")
    return path


def row(number: int, right: bool = True) -> dict[str, Any]:
    return {"id": number, "completion": f"It is \\boxed{{{number}}}.", "answer": str(number if right else -1)}


def check_refused(done: subprocess.CompletedProcess[str], status: int, *parts: str) -> None:
    """One clear sentence on standard error, no traceback."""
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert len(errors) == 1, done.stderr


# What it writes -------------------------------------------------------------------------------


def test_the_fixture_is_judged_as_its_labels_say(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = cli("score", FIXTURE, "-o", out, status=0)
    scored = rows(out)
    assert len(scored) == len(rows(FIXTURE))
    for before, after in zip(rows(FIXTURE), scored, strict=True):
        assert {key: after[key] for key in before} == before
        assert (after["reward"] == 1.0) == before["label"], before["note"]
        [verdict] = after["verdicts"]
        assert verdict["verifier"] == "MathEquivalence"
        assert after["signature"].startswith("MathEquivalence|reward-verifiers:")
    assert "MathEquivalence" in done.stdout
    assert "rows/s" in done.stdout
    assert done.stderr == ""


def test_processes_change_nothing_but_the_speed(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [row(number, number % 3 > 0) for number in range(3000)])
    for workers in (1, 2, 4):
        assert cli("score", source, "-o", tmp_path / f"{workers}.jsonl", "--workers", workers).returncode == 0
    one = (tmp_path / "1.jsonl").read_bytes()
    assert one == (tmp_path / "2.jsonl").read_bytes() == (tmp_path / "4.jsonl").read_bytes()
    assert [each["id"] for each in rows(tmp_path / "1.jsonl")] == list(range(3000))


def test_a_rows_own_bytes_are_kept(tmp_path: Path) -> None:
    """Numbers, escapes and spacing are not rewritten; fields of an earlier scoring are replaced."""
    raw = '{ "completion":"\\u0034", "answer": "4","x":1.0e5, "y":12345678901234567890.10 ,"z":NaN }'
    source = write(tmp_path / "in.jsonl", [raw, {**row(1), "reward": 9, "verdicts": [], "signature": "old"}])
    assert cli("score", source, "-o", tmp_path / "out.jsonl").returncode == 0
    first, second = (tmp_path / "out.jsonl").read_text().splitlines()
    assert first.startswith(raw[:-2])
    assert (second.count('"reward"'), json.loads(second)["reward"]) == (1, 1.0)


def test_columns_are_mapped_and_chats_are_read(tmp_path: Path) -> None:
    """With --completion-field and --reference-field; a column may have any name, those of our own arguments too."""
    chat = [{"role": "assistant", "content": "\\boxed{4}"}]
    source = write(tmp_path / "in.jsonl", [{"out": chat, "gold": "4"}, {"out": "5", "gold": 5}])
    done = cli("score", source, "-o", "-", "--completion-field", "out", "--reference-field", "gold")
    assert [json.loads(line)["reward"] for line in done.stdout.splitlines()] == [1.0, 1.0]
    assert "MathEquivalence" in done.stderr, "the summary leaves standard output to the rows"
    source = write(
        tmp_path / "in.jsonl", [{"completion": "4", "references": "4", "self": 1, "completions": 2}]
    )
    done = cli("score", source, "-o", "-", "--reference-field", "references")
    assert json.loads(done.stdout)["reward"] == 1.0


def test_it_reads_gzip_standard_input_and_several_files(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", [row(1), row(2)])
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(row(3)).encode()))
    done = cli("score", plain, "-", packed, "-o", "-", input=json.dumps(row(9)) + "\n\n")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2, 9, 3]
    packed_input = cli("score", "-", "-o", "-", input=packed.read_bytes(), text=False)
    assert (packed_input.returncode, json.loads(packed_input.stdout)["id"]) == (0, 3)


def test_a_recipe_with_several_verifiers(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("reward: {sum: [MathEquivalence, {pay: TagFormat, weight: 0.5}]}")
    source = write(
        tmp_path / "in.jsonl", [{"completion": "<think>a</think><answer>4</answer>", "answer": "4"}]
    )
    done = cli("score", source, "--recipe", recipe, "-o", "-")
    scored = json.loads(done.stdout)
    assert scored["reward"] == 1.5
    assert [verdict["verifier"] for verdict in scored["verdicts"]] == ["MathEquivalence", "TagFormat"]


def test_columns_that_scoring_writes_over_are_named(tmp_path: Path) -> None:
    """A reward of somebody else's is kept under another name; an earlier scoring is meant to be replaced."""
    (tmp_path / "in.jsonl").write_text(
        '{"completion": "4", "answer": "4", "reward": "mine", "signature": 7}\n'
    )
    done = cli("score", "in.jsonl", "-r", "ExactMatch", "-o", "out.jsonl", cwd=tmp_path, status=0)
    for name in ("reward", "signature"):
        told = f"in.jsonl:1: scoring writes a column {name!r}; the file's own is kept as 'input_{name}'"
        assert told in done.stderr
    assert json.loads((tmp_path / "out.jsonl").read_text())["input_reward"] == "mine"
    again = cli("score", "out.jsonl", "-r", "ExactMatch", "-o", "again.jsonl", cwd=tmp_path)
    assert again.stderr == ""
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_a_recipe_comes_through_a_pipe(tmp_path: Path) -> None:
    """As ``-r <(...)`` gives one: it has no suffix."""
    (tmp_path / "in.jsonl").write_text('{"completion": "4", "answer": "4"}\n')
    for text, status in (("reward: {pay: ExactMatch, weight: 2}", 0), ("reward: ExactMatsch", 2)):
        pipe = tmp_path / f"pipe{status}"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(text,))
        writer.start()
        done = cli("score", "in.jsonl", "-r", pipe, "-o", "out.jsonl", cwd=tmp_path)
        writer.join()
        assert done.returncode == status
    assert json.loads((tmp_path / "out.jsonl").read_text())["reward"] == 2.0
    assert f"{pipe}:1: reward: there is no verifier" in done.stderr


def test_a_verifier_without_references_needs_no_column(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [{"completion": "<think>a</think><answer>4</answer>"}])
    assert json.loads(cli("score", source, "-r", "TagFormat", "-o", "-").stdout)["reward"] == 1.0
    source = write(
        tmp_path / "in.jsonl", [{"completion": "4", "answer": None}, {"completion": "4", "answer": ""}]
    )
    done = cli("score", source, "-o", "-")
    assert [json.loads(line)["reward"] for line in done.stdout.splitlines()] == [None, None]
    assert "100.0 %" in done.stderr


# Lines that cannot be scored ------------------------------------------------------------------


def test_bad_lines_are_named_and_kept(tmp_path: Path) -> None:
    bad = ["{not json", "[1, 2]", '"text"', "17", '{"answer": "x"}', '{"completion": "x"}', "{" * 5000]
    bad += ['{"completion": 17, "answer": "x"}', '{"completion": null, "answer": "x"}']
    bad += ['{"completion": "1", "answer": "x", "n": ' + "9" * 5000 + "}"]
    lines: list[Any] = [row(0)]
    for number, each in enumerate(bad, 1):
        lines += [each, row(number)]
    source = write(tmp_path / "in.jsonl", lines)
    with source.open("ab") as file:
        file.write(b'{"completion": "\xff", "answer": "x"}\n\n   \n')
    out = tmp_path / "out.jsonl"
    done = cli("score", source, "-o", out, status=1)
    assert "Traceback" not in done.stderr
    assert [each["id"] for each in rows(out)] == list(range(len(bad) + 1))
    rejected = (tmp_path / "out.rejected.jsonl").read_bytes().splitlines()
    assert rejected == [each.encode() for each in bad] + [b'{"completion": "\xff", "answer": "x"}']
    for number in range(len(bad)):
        assert f"{source}:{2 * number + 2}: " in done.stderr
    for said in (
        "not JSON", "not a JSON object but an array", "no column 'completion'", "no column 'answer'",
    ):  # fmt: skip
        assert said in done.stderr
    assert "not UTF-8" in done.stderr
    assert f"{len(bad) + 1} lines could not be scored" in done.stderr


def test_a_50_mb_line_is_rejected_in_bounded_memory(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    long_line = b'{"completion": "' + b"x" * (50 << 20) + b'", "answer": "1"}'
    with source.open("wb") as file:
        file.write(
            json.dumps(row(1)).encode() + b"\n" + long_line + b"\n" + json.dumps(row(2)).encode() + b"\n"
        )
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "adapters.cli", "score", str(source), "-o", str(out), "--workers", "1"]
    done, peak = peak_memory(command, env=ENVIRONMENT)
    assert done.returncode == 1, done.stderr
    assert f"{source}:2: longer than 16 MB" in done.stderr
    assert [each["id"] for each in rows(out)] == [1, 2]
    assert (tmp_path / "out.rejected.jsonl").read_bytes() == long_line + b"\n"
    assert peak < (45 << 20) + 3 * MAX_LINE


def test_lone_surrogates_and_control_characters_pass(tmp_path: Path) -> None:
    """As escapes in the output; the terminal is never steered by data."""
    source = tmp_path / "in.jsonl"
    source.write_text(
        '{"completion": "\\ud800 \\\\boxed{\\ud800}", "answer": "\\udfff"}\n'
        '{"completion": "\\u001b[31m\\u0000", "answer": "4"}\n{\x1b[31m\n'
    )
    done = cli("score", source, "-o", "-", status=1)
    scored = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["reward"] for each in scored] == [0.0, 0.0]
    assert "\x1b" not in done.stderr
    explained = cli("explain", source, "--row", 2, status=0)
    assert "\x1b" not in explained.stdout
    assert cli("explain", source, "--row", 1).returncode == 0


# Going on after a kill ------------------------------------------------------------------------


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    """Kill -9 in the middle, twice, with bad lines among the rows."""
    lines: list[Any] = [
        row(number, number % 2 > 0) if number % 97 else f"bad {number}" for number in range(5_000)
    ]
    source = write(tmp_path / "in.jsonl", lines)
    whole = tmp_path / "whole.jsonl"
    assert cli("score", source, "-o", whole).returncode == 1
    out = tmp_path / "out.jsonl"
    sizes = []
    for _ in range(2):
        before = out.stat().st_size if out.exists() else 0
        with forks.start("adapters.cli", "score", source, "-o", out, "--workers", 2, "--resume") as run:
            while not out.exists() or out.stat().st_size < before + 300_000:
                assert run.poll() is None
                time.sleep(0.002)
            run.kill()
            assert run.wait() == -signal.SIGKILL
        sizes.append(out.stat().st_size)
    assert 0 < sizes[0] < sizes[1] < whole.stat().st_size
    done = cli("score", source, "-o", out, "--resume")
    assert out.read_bytes() == whole.read_bytes()
    rejected = (tmp_path / "out.rejected.jsonl").read_bytes()
    assert rejected == (tmp_path / "whole.rejected.jsonl").read_bytes()
    assert "4,948 " in done.stdout, "the summary is that of the whole run"
    cli("score", source, "-o", out, "--resume", status=1)
    refused = cli("score", source, "-o", out, "--resume", "-r", "ExactMatch")
    check_refused(refused, 2, "use the same recipe, code and versions")
    assert out.read_bytes() == whole.read_bytes()


def test_a_full_disk_keeps_what_is_written_and_resumes(tmp_path: Path) -> None:
    """A limit on the file's size stands in for the disk; --resume continues after room was made."""
    source = write(tmp_path / "in.jsonl", [row(number) for number in range(2000)])
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    cli("score", source, "-o", whole)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [sys.executable, "-m", "adapters.cli", "score", str(source), "-o", str(out)]
    # A coverage tool in the process could not write its own file under this limit.
    own = {name: value for name, value in ENVIRONMENT.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False, preexec_fn=limited)
    check_refused(done, 1, "run again with --resume")
    check_refused(cli("score", source, "-o", "/dev/full"), 1, "No space left on device")
    assert 0 < out.stat().st_size <= 100_000
    assert cli("score", source, "-o", out, "--resume").returncode == 0
    assert out.read_bytes() == whole.read_bytes()


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    import fcntl

    source = write(tmp_path / "in.jsonl", [row(1)])
    out = tmp_path / "out.jsonl"
    with out.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        check_refused(cli("score", source, "-o", out, "--resume"), 2, "another run is writing it")


def test_a_reader_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [row(number) for number in range(5000)])
    run = subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "score", str(source), "-o", "-", "--workers", "1"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.readline()
    run.stdout.close()
    said = run.stderr.read().decode()
    run.stderr.close()
    run.wait()
    assert "Traceback" not in said


def test_a_terminal_gets_a_progress_bar_and_a_pipe_none(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [row(number) for number in range(1500)])
    assert "scoring" not in cli("score", source).stderr
    terminal, end = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "score", str(source)],
        env={**ENVIRONMENT, "TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=end,
    )
    os.close(end)
    seen = b""
    try:
        while chunk := os.read(terminal, 65536):
            seen += chunk
    except OSError:
        pass
    os.close(terminal)
    assert run.wait() == 0
    assert b"scoring" in seen
    assert b"rows" in seen


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Twenty times the rows take the same peak memory; benchmarks/scale.py does it with a million."""
    peaks = []
    for count in (1_000, 20_000):
        source = write(tmp_path / f"{count}.jsonl", [row(number) for number in range(count)])
        command = ["-m", "adapters.cli", "score", str(source), "-o", f"{source}.out", "--workers", "1"]
        done, peak = peak_memory([sys.executable, *command], env=ENVIRONMENT)
        assert done.returncode == 0, done.stderr
        peaks.append(peak)
    assert peaks[1] < 1.2 * peaks[0]
