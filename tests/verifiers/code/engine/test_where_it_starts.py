"""Wherever the library starts: right programs are paid, wrong ones are not, or the error says what to do."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests import forks
from tests.support import first_of_each
from tests.verifiers.code.engine import situations
from verifiers import CodePassRate, SandboxError
from verifiers.code import Limits
from verifiers.code.engine import isolation_tiers
from verifiers.code.engine.isolation_tiers import TIERS
from verifiers.code.engine.launcher_process import LauncherError
from verifiers.code.engine.program_languages import toolchain
from verifiers.code.engine.program_watch import cause_of_end
from verifiers.code.jail import kernel, world

MISSING = ["c"] if toolchain("c").missing else []
EARNED = [None if language in MISSING else score for language, *_, score in situations.ROWS]
NO_COMPILED = [None if language == "c" else score for language, *_, score in situations.ROWS]
BOTH = {"auto": "full", "full": "full", "unprivileged": "unprivileged"}
ONE = {"auto": "unprivileged", "full": "Operation not permitted", "unprivileged": "unprivileged"}
MOUNT_IT = dict.fromkeys(BOTH, r"there is no /proc.* mount -t proc proc /proc")
PLACES = {
    "ordinary": BOTH,
    "single_user_namespace": BOTH,
    "apptainer_fakeroot": BOTH,
    "no_capabilities": ONE,
    "docker": ONE,
    "docker_user": ONE,
    "docker_bare": ONE,
    "chroot": ONE,
    "old_docker": dict.fromkeys(BOTH, "seccomp profile refuses Landlock: allow landlock_create_ruleset"),
    "read_only": BOTH,
    "nothing_to_write": {
        "auto": "full",
        "full": "full",
        "unprivileged": "Set TMPDIR to a folder that can be written",
    },
    "not_executable": BOTH,
    "no_proc": BOTH if os.geteuid() == 0 else MOUNT_IT,
    "no_proc_and_no_rights": MOUNT_IT,
}


NOT_EXECUTABLE = ("read_only", "not_executable")
"""Where what the unprivileged tier compiles cannot be run."""


@pytest.mark.parametrize("place", first_of_each(PLACES, lambda place: str(PLACES[place])))
def test_right_programs_are_paid_or_the_error_has_the_cure(place: str) -> None:
    """In no place is a right program worth 0: neither in the tier that is chosen, nor in one that is asked for."""
    done = forks.run("tests.verifiers.code.engine.situations", place, *BOTH)
    assert done.returncode == 0, done.stderr
    for isolation, found in json.loads(done.stdout).items():
        wanted = PLACES[place][isolation]
        if wanted in TIERS:
            unscored = wanted == "unprivileged" and place in NOT_EXECUTABLE
            assert found["tier"] == wanted, isolation
            assert found["scores"] == (NO_COMPILED if unscored else EARNED), found["said"]
        else:
            assert re.search(wanted, found.get("error", "no error")), found


@pytest.mark.parametrize(("place", "status"), first_of_each([("old_docker", 1), ("docker_bare", 0)]))
def test_doctor_and_sandbox_end_as_programs_can_be_run(place: str, status: int) -> None:
    """With 1, and what to do about it, where no tier works."""
    for command in ("doctor", "sandbox"):
        done = forks.run("tests.verifiers.code.engine.situations", place, "-m", "adapters.cli", command)
        assert done.returncode == status, done.stdout + done.stderr
        said = " ".join((done.stdout + done.stderr).split())
        assert ("allow landlock_create_ruleset" in said) == bool(status), said


@pytest.mark.parametrize("tier", first_of_each(TIERS))
def test_modules_that_start_threads(tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pyarrow does, which pandas loads; more of them than a program may have itself."""
    (tmp_path / "many_threads.py").write_text(
        "import threading, time\n"
        "threads = [threading.Thread(target=time.sleep, args=(1e6,), daemon=True) for _ in range(80)]\n"
        "for each in threads: each.start()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    verifier = CodePassRate(isolation=tier, modules=("many_threads",))
    program = "import many_threads\nassert len(many_threads.threads) == 80\n"
    for language, text, tests, score in situations.ROWS[:-1]:
        verdict = verifier.verify(f"```{language}\n{program}{text}\n```", tests)
        assert verdict.score == score, f"{text}: {verdict.detail}"


def test_what_ends_before_its_walls_are_up_is_no_verdict() -> None:
    """However it ends: it is nothing that a program did."""
    limits, ended = Limits(), {"cpu": 0.0, "memory": 0, "burst": False}
    for status in (0, 1 << 8, 113 << 8, signal.SIGSEGV, signal.SIGSYS, signal.SIGKILL):
        with pytest.raises(LauncherError, match="could not be set up"):
            cause_of_end({**ended, "status": status, "begun": False}, b"", limits)
        cause_of_end({**ended, "status": status, "begun": True}, b"", limits)


def test_without_isolation_something_must_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter whose forks crash, say, scores nothing."""
    monkeypatch.setattr(isolation_tiers, "_fails_without_walls", lambda: "ended with -11")
    with pytest.raises(SandboxError, match="programs do not run here: ended with -11"):
        CodePassRate(isolation="none").verify("```python\nprint(2)\n```", situations.STDIO)


def test_trying_changes_nothing() -> None:
    """It is done by a child; what fails there is an answer."""
    before = os.geteuid(), os.listdir("/proc/self/fd"), os.readlink("/proc/self/ns/user")
    assert not world.tried(lambda: 1 / 0)
    assert not world.tried(lambda: os._exit(3))
    assert world.tried(lambda: kernel.unshare(kernel.NEW_USER))
    assert (os.geteuid(), os.listdir("/proc/self/fd"), os.readlink("/proc/self/ns/user")) == before


def test_a_fork_into_namespaces_is_a_fork() -> None:
    """Threads, locks, hooks and the collector are as after `os.fork`, in parent and child."""
    seen: list[str] = []
    for moment in ("before", "after_in_parent", "after_in_child"):
        os.register_at_fork(**{moment: lambda moment=moment: seen.append(moment)})
    for flags in (0, kernel.NEW_UTS):
        seen.clear()
        pid = kernel.clone(flags)
        if pid == 0:
            import threading

            thread = threading.Thread(target=seen.append, args=("thread",))
            thread.start()
            thread.join()
            os._exit(seen != ["before", "after_in_child", "thread"])
        assert os.waitpid(pid, 0)[1] == 0
        assert seen == ["before", "after_in_parent"]
        assert gc.isenabled()
