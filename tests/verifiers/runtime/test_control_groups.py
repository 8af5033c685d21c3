"""Control groups: where one may be made, and what is written to it. The kernel's part is played by files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from verifiers import CodePassRate
from verifiers.code.engine import launcher_process, local_engine
from verifiers.code.engine.launcher_process import PREFIX, ControlGroup, delegated, new_group
from verifiers.code.jail.resources import Group

FILES = {"cgroup.procs": "", "memory.max": "max", "memory.events": "oom_kill 0\n", "memory.oom.group": "0"}


@pytest.fixture
def mount(tmp_path: Path) -> Path:
    """A hierarchy in which `user/apps` limits the memory of what is in it."""
    for name, controllers in (
        ("", "memory"),
        ("user", "cpu"),
        ("user/apps", "cpu memory pids"),
        ("user/apps/one", ""),
    ):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "cgroup.subtree_control").write_text(controllers + "\n")
        (folder / "cgroup.procs").write_text("")
    return tmp_path


def _made(folder: Path) -> Path:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def test_the_nearest_that_limits_memory_and_may_be_written_to(
    mount: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher_process, "_SYSTEMD", mount / "nowhere")
    assert delegated(mount, "/user/apps/one") == mount / "user/apps"
    assert delegated(mount, "/user") == mount
    assert delegated(mount, "/gone") is None
    assert delegated(mount, "/../user/apps") is None, "outside of what is mounted"
    assert delegated(mount / "nowhere", "/") is None
    monkeypatch.setattr(os, "access", lambda path, _mode: "apps" not in str(path))
    assert delegated(mount, "/user/apps/one") == mount


def test_root_takes_nothing_from_systemd(mount: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may write everywhere, and uses only what is marked as delegated."""
    monkeypatch.setattr(launcher_process, "_SYSTEMD", mount)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    marks: dict[tuple[str, str], bytes] = {}

    def mark(path: Path, name: str) -> bytes:
        try:
            return marks[str(path), name]
        except KeyError:
            raise OSError("no mark") from None

    monkeypatch.setattr(os, "getxattr", mark)
    assert delegated(mount, "/user/apps/one") is None
    marks[str(mount / "user/apps"), "trusted.delegate"] = b"1"
    assert delegated(mount, "/user/apps/one") == mount / "user/apps"


def test_none_is_used_that_does_not_limit_memory(mount: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a hierarchy of version 2 without controllers; nothing is left there."""
    monkeypatch.setattr(launcher_process, "delegated", lambda: mount)
    before = sorted(mount.iterdir())
    stale = mount / f"{PREFIX}{2**22 + 1}-0"
    stale.mkdir()
    assert new_group() is None
    assert sorted(mount.iterdir()) == before, "and what a dead process left is gone"


def test_programs_are_counted_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program's limit is set and the program joins before it begins; tests beside it are not counted."""
    made: list[Path] = []

    def group() -> ControlGroup:
        made.append(_made(tmp_path / str(len(made))))
        return ControlGroup(made[-1])

    monkeypatch.setattr(launcher_process, "new_group", group)
    monkeypatch.setattr(launcher_process, "_TRIES", 1)
    monkeypatch.setattr(local_engine, "_shared", {})
    tests = {"asserts": ["found = f(1)\nassert found == 1"]}
    for tier in ("full", "unprivileged"):
        judge = CodePassRate(isolation=tier, memory=128)
        assert judge.verify("```python\ndef f(n):\n    return n\n```", tests).score == 1.0
    used = [folder for folder in made if (folder / "cgroup.procs").read_text() == "0"]
    assert used
    assert {(folder / "memory.oom.group").read_text() for folder in used} == {"1"}
    limits = {(folder / "memory.max").read_text() for folder in used}
    assert any((128 + 96) << 20 <= int(limit) < (256 + 96) << 20 for limit in limits), limits


def test_what_the_kernel_ended_is_seen_once(tmp_path: Path) -> None:
    folder = _made(tmp_path / "group")
    group = Group(ControlGroup(folder).descriptors)
    assert not group.burst()
    (folder / "memory.events").write_text("oom 3\noom_kill 1\n")
    assert [group.burst(), group.burst()] == [True, False]
