"""Functions of the user's own in other processes: of a script, with kept verdicts, and with code that changes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from verifiers import Status

SCRIPT = """
from adapters.trl import trl_reward_func
from rewards import Pay
from verifiers import verifier

@verifier(isolate=True)
def ok(response):
    return response == "a"

def factory(word):
    return verifier(isolate=True)(lambda response: word in response)

if __name__ == "__main__":
    print(ok.verify("a"), "|", ok.verify("b"))
    function = trl_reward_func(Pay(ok) + Pay(factory("b")).named("b"))
    print([function(prompts=["p"] * 2, completions=["a", "bb"]) for _ in range(2)])
"""


def test_functions_of_a_script_run_in_workers(tmp_path: Path) -> None:
    """No import path leads to what stands in ``__main__``."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["ok 1.00 passed | ok 0.00 failed", "[[1.0, 1.0], [1.0, 1.0]]"]


def test_a_kept_verdict_is_that_of_the_present_code(tmp_path: Path) -> None:
    """A helper in another file counts, also in a process of its own."""
    (tmp_path / "judging.py").write_text(
        "from verifiers import verifier\nfrom helping import grade\n\n"
        "@verifier\ndef mine(response):\n    return grade(response)\n"
    )
    (tmp_path / "run.py").write_text(
        "import judging\nfrom rewards import Pay, VerdictCache\ncache = VerdictCache('kept', worth_seconds=0)\n"
        "print(Pay(judging.mine)(['a'], cache=cache), cache.hits)\n"
    )
    seen = []
    for value in ("0.25", "0.25", "0.75"):
        (tmp_path / "helping.py").write_text(f"def grade(text): return {value}\n")
        done = subprocess.run(
            [sys.executable, "-B", "run.py"], cwd=tmp_path, capture_output=True, text=True, check=True,
            env={"PYTHONPATH": str(ROOT), "PATH": ""},
        )  # fmt: skip
        seen.append(done.stdout.strip())
    assert seen == ["[0.25] 0", "[0.25] 1", "[0.75] 0"]


def test_code_that_changes_under_a_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that starts later imports other code: its verdicts must not be mixed with those before."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "own_changing.py"
    file.write_text(
        "from verifiers import verifier\n@verifier(isolate=True)\ndef ok(response): return True\n"
    )
    import own_changing  # type: ignore[import-not-found]

    file.write_text(
        "from verifiers import verifier\n@verifier(isolate=True)\ndef ok(response): return False\n"
    )
    from verifiers.runtime.pool import shared_pool

    shared_pool().close()
    verdict = own_changing.ok.verify("x")
    assert verdict.status is Status.FAULT
    assert "own_changing:ok has changed since this run started" in verdict.detail
