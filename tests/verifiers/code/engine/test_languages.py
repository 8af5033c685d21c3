"""Each language passes and fails a real test, in both tiers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import first_of_each, from_table, tables
from tests.timing import SOAK
from verifiers import CodePassRate, Status
from verifiers.code.engine import program_languages
from verifiers.code.engine.builds import main_class
from verifiers.code.engine.local_engine import LocalEngine
from verifiers.code.engine.program_languages import LANGUAGES, Toolchain, toolchain
from verifiers.code.engine.protocol import Job, Limits
from verifiers.code.suites import prepared

PROGRAMS = dict(tables(__file__)["programs"])
GREEDY = dict(tables(__file__)["greedy"])
"""Takes time or memory without end, as its input says."""
BROKEN = dict(tables(__file__)["broken"])
TESTS = {"stdio": [{"input": "21\n", "output": "42\n"}, {"input": "-4\n", "output": "-8\n"}]}
TRIPLES = {"stdio": [{"input": "21\n", "output": "63\n"}]}


def _present(name: str) -> None:
    if missing := toolchain(name).missing:
        pytest.skip(missing)


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_passes_and_a_wrong_one_fails(name: str, tier: str) -> None:
    """Wrong is what the same program is for other tests: it is compiled once."""
    _present(name)
    verifier = CodePassRate(name, isolation=tier)
    completion = f"```{LANGUAGES[name].fences[-1]}\n{PROGRAMS[name]}\n```"
    right = verifier.verify(completion, TESTS)
    assert right.passed, right.detail
    verdict = verifier.verify(completion, TRIPLES)
    assert (verdict.score, verdict.reason) == (0.0, "wrong_output")
    assert "expected '63', got '42'" in verdict.detail


@pytest.mark.slow
def test_the_precompiled_header_is_kept_and_none_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first start leaves it in the cache folder; where nothing can be kept, programs compile without it."""
    _present("cpp")
    for cache, kept in ((tmp_path, 1), (tmp_path / "file" / "below", 0)):
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        engine = LocalEngine(size=1)
        try:
            [report] = engine.run([Job("cpp", PROGRAMS["cpp"], Limits(), stdins=(b"21\n",))])
        finally:
            engine.close()
        assert report.runs[0].output == b"42\n", report
        assert len(list(cache.glob("reward-verifiers/*/bits/stdc++.h.gch"))) == kept


@pytest.mark.parametrize("name", first_of_each(BROKEN))
def test_what_does_not_compile_earns_nothing(name: str) -> None:
    """And the compiler's message is passed on."""
    _present(name)
    verdict = CodePassRate(name).verify(f"```{name}\n{BROKEN[name]}\n```", TESTS)
    assert (verdict.score, verdict.reason) == (0.0, "compile_error")
    assert "0 of 2 tests passed; test 1: " in verdict.detail
    assert len(verdict.detail.split("test 1: ")[1]) > 20, "the compiler's own words"


LIMITED = [
    (name, tier)
    for number, name in enumerate(["c", "cpp", "rust", "java", "javascript", "bash"])
    for place, tier in enumerate(["full", "unprivileged"])
    if SOAK or name == "c" or number % 2 == place
]
"""In `make soak` each language in each tier; else C, which has no runtime of its own, in both, and each other in one."""


@pytest.mark.parametrize(("name", "tier"), first_of_each(LIMITED))
def test_limits_hold(name: str, tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processor time and memory, for programs that are not Python; the same one, compiled once, takes either."""
    _present(name)
    monkeypatch.setattr(prepared, "WALL_FACTOR", 100.0)  # a busy machine would reach that limit first
    verdict = CodePassRate(name, isolation=tier, timeout=0.5, memory=128).verify(
        f"```{name}\n{GREEDY[name]}\n```", {"stdio": [{"input": "time\n", "output": "1"}]}
    )
    assert (verdict.score, verdict.reason) == (0.0, "cpu_time"), verdict.detail
    verdict = CodePassRate(name, isolation=tier, memory=128).verify(
        f"```{name}\n{GREEDY[name]}\n```", {"stdio": [{"input": "memory\n", "output": "1"}]}
    )
    assert verdict.score == 0.0
    assert verdict.reason in ("memory", "runtime_error"), verdict.detail


@pytest.mark.parametrize("memory", first_of_each([128, 256, 1024]))
def test_java_has_the_memory_that_it_is_given(memory: int) -> None:
    """On top of what its runtime needs."""
    _present("java")
    hold = memory * 6 // 10
    program = (
        f"public class Main {{ public static void main(String[] a) {{ byte[][] held = new byte[{hold}][];"
        " for (int i = 0; i < held.length; i++) { held[i] = new byte[1 << 20]; held[i][5] = 1; }"
        " System.out.println(held.length); } }"
    )
    verdict = CodePassRate("java", memory=memory).verify(
        f"```java\n{program}\n```", {"stdio": [{"output": str(hold)}]}
    )
    assert verdict.passed, verdict.detail


@from_table()
def test_what_a_program_says_at_its_end_is_passed_on(name: str, program: str, said: str) -> None:
    """The line with the trouble, not the last one."""
    _present(name)
    verdict = CodePassRate(name).verify(f"```{name}\n{program}\n```", TESTS)
    assert verdict.score == 0.0
    assert said in verdict.detail


def test_a_missing_compiler_is_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is unscored, with the command that installs it."""
    monkeypatch.setattr(program_languages.shutil, "which", lambda _name: None)
    toolchain.cache_clear()
    try:
        verdict = CodePassRate("rust").verify(f"```rust\n{PROGRAMS['rust']}\n```", TESTS)
        empty = CodePassRate("rust").verify("no program", TESTS)
    finally:
        monkeypatch.undo()
        toolchain.cache_clear()
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "unavailable")
    assert "rustc is not installed" in verdict.detail
    assert "apt install rustc" in verdict.detail
    assert empty.status is Status.UNSCORED, "writing a program must not be what masks a row"


@from_table()
def test_the_class_that_java_runs(code: str, name: list[str]) -> None:
    """And the name that its file must have, whatever its text, modifiers and annotations are."""
    assert main_class(code) == tuple(name)


def test_toolchains_say_where_they_are() -> None:
    found = toolchain("bash")
    assert isinstance(found, Toolchain)
    assert found.executable.endswith("bash")


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
@pytest.mark.parametrize(
    "program",
    [
        "for i in 1 2 3 4; do (x=$(head -c 120000000 /dev/zero | tr '\\0' a); sleep 99) & done; wait; echo 1",
        "for i in 1 2 3 4; do ( perl -e '$x = \"a\" x (90 << 20); sleep 99' & ) ; done; sleep 99; echo 1",
    ],
    ids=["children", "orphans"],
)
def test_memory_of_a_family_is_added_up(program: str, tier: str) -> None:
    """The kernel's limits are for each process."""
    verdict = CodePassRate("bash", isolation=tier, memory=256).verify(
        f"```bash\n{program}\n```", {"stdio": [{"output": "1"}]}
    )
    assert (verdict.score, verdict.reason) == (0.0, "memory"), verdict.detail


@pytest.mark.parametrize("tier", first_of_each(["full", "unprivileged"]))
def test_a_fork_bomb_in_a_shell_is_cleared_away(tier: str) -> None:
    """And the next program runs."""
    verifier = CodePassRate("bash", isolation=tier, timeout=1)
    tests = {"stdio": [{"input": "4\n", "output": "8"}]}
    assert verifier.verify("```bash\n:() { : | : & }; :\nwait\n```", tests).score == 0.0
    assert verifier.verify(f"```bash\n{PROGRAMS['bash']}\n```", tests).passed


def test_a_huge_binary_is_refused() -> None:
    """A compiler writes what it is told to."""
    _present("c")
    code = "char a[200 << 20] = {1};\nint main(void) { return 0; }"
    verdict = CodePassRate("c").verify(f"```c\n{code}\n```", TESTS)
    assert (verdict.score, verdict.reason) == (0.0, "compile_error")
    assert "File too large" in verdict.detail
