"""Programs that hand tests objects, errors and messages instead of answers: nothing is paid, nothing is masked.

Each program of the folder is asked in every way in which tests use what a function returns. A right answer passes all
of them, so that none is impossible.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import FIXTURES, first_of_each, tables
from verifiers import CodePassRate

PROGRAMS = sorted((FIXTURES / "attacks" / "bridge").glob("*.py"))
TIERS = ("full", "unprivileged")
A, B, WANT = 3, 4, 67
ONE_OF_EACH = dict(tables(__file__)["one_of_each"])
"""What programs hand over, and the one that stands for the others in `make test`."""
KINDS = {stem: kind for kind, stem in ONE_OF_EACH.items()}

_SETUP = f"a, b, WANT = {A}, {B}, {WANT}\nTEXT = 'the answer is 67'"
_NUMBERS = [text for [text] in tables(__file__)["numbers"]]
_OTHERS = [text for [text] in tables(__file__)["others"]]
_NUMPY = [text for [text] in tables(__file__)["numpy"]]
_RIGHT = {
    "numbers": "def solve(a, b, *more):\n    for each in more:\n        each(67)\n    return 67\nclass Solver(int):\n    def __new__(cls, *given):\n        return int.__new__(cls, 67)\n    value = 67\n    def solve(self, *given):\n        return 67",
}


def _kind(program: Path) -> str | None:
    return KINDS.get(program.stem)


def _score(
    program: str, tests: list[str], tier: str, modules: tuple[str, ...] = ()
) -> tuple[float | None, str]:
    verifier = CodePassRate(isolation=tier, timeout=0.3, memory=512 if modules else 256, modules=modules)
    verdict = verifier.verify(f"```python\n{program}\n```", {"asserts": tests, "setup": _SETUP})
    failed = [part.verifier for part in verdict.parts if part.passed]
    return verdict.score, f"{verdict} {verdict.detail} passed: {failed}"


def test_the_folder_is_there() -> None:
    assert len(PROGRAMS) >= 60
    assert {path.stem for path in PROGRAMS} >= {*KINDS}


@pytest.mark.parametrize("tier", first_of_each(TIERS))
def test_right_answers_pass_what_attacks_do_not(tier: str) -> None:
    """So that the tests below are no walls without doors."""
    score, said = _score(_RIGHT["numbers"], _NUMBERS, tier)
    assert score == 1.0, said


@pytest.mark.parametrize("tier", first_of_each(TIERS))
@pytest.mark.parametrize("program", first_of_each(PROGRAMS, _kind), ids=lambda path: path.stem)
def test_an_object_is_no_answer(program: Path, tier: str) -> None:
    """However it is looked at."""
    source = program.read_text(encoding="utf-8")
    tests = [_NUMBERS] if tier == "full" else [_NUMBERS, _OTHERS]
    for asked in tests:
        score, said = _score(source, asked, tier)
        assert score == 0.0, said


@pytest.mark.parametrize("program", first_of_each(PROGRAMS, _kind), ids=lambda path: path.stem)
def test_an_object_is_no_array(program: Path) -> None:
    """For numpy's functions and pytest's."""
    score, said = _score(program.read_text(encoding="utf-8"), _NUMPY, "full", ("numpy", "pytest"))
    assert score == 0.0, said
