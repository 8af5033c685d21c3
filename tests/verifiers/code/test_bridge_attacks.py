"""Programs that hand tests objects, errors and messages instead of answers: nothing is paid, nothing is masked.

Each program of the folder is asked in every way in which tests use what a function returns. A right answer passes all
of them, so that none is impossible.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import FIXTURES, first_of_each
from verifiers import CodePassRate

PROGRAMS = sorted((FIXTURES / "attacks" / "bridge").glob("*.py"))
TIERS = ("full", "unprivileged")
A, B, WANT = 3, 4, 67
ONE_OF_EACH = {
    "objects that equal everything": "201_every_method_returns_itself",
    "numbers": "209_int_with_other_rules",
    "texts": "211_text_that_starts_with_anything",
    "containers": "213_dictionary_of_everything",
    "endless iterators": "220_endless_generator",
    "classes": "224_metaclass_lies",
    "objects of libraries": "226_mock_any",
    "arrays": "229_array_protocols",
    "errors": "231_error_with_a_lying_text",
    "ends": "234_exit_quietly",
    "forged handles": "241_forged_numbers",
    "messages": "246_not_json",
    "coroutines": "257_awaitable_liar",
    "a changed bridge": "263_patches_the_bridge",
}
"""What programs hand over, and the one that stands for the others in `make test`."""
KINDS = {stem: kind for kind, stem in ONE_OF_EACH.items()}

_SETUP = f"a, b, WANT = {A}, {B}, {WANT}\nTEXT = 'the answer is 67'"
_NUMBERS = [
    "r = solve(a, b)\nassert r == WANT", "r = solve(a, b)\nassert WANT == r",
    "assert not solve(a, b) != WANT", "assert solve(a, b) in [WANT, WANT + 1]",
    "assert [solve(a, b)] == [WANT]", "assert {'x': solve(a, b)} == {'x': WANT}",
    "assert {solve(a, b)} == {WANT}", "assert {WANT: 1}[solve(a, b)] == 1",
    "assert abs(solve(a, b) - WANT) < 1e-9", "assert abs(WANT - solve(a, b)) < 1e-9",
    "assert solve(a, b) - WANT == 0", "assert not solve(a, b) ^ WANT", "assert solve(a, b) / WANT == 1",
    "assert WANT - 1 < solve(a, b) < WANT + 1", "assert round(solve(a, b), 2) == WANT",
    "import math\nassert math.isclose(solve(a, b), WANT)",
    "assert int(solve(a, b)) == WANT and float(solve(a, b)) == WANT",
    "assert str(solve(a, b)) == str(WANT)", "assert f'{solve(a, b)}' == '67'",
    "assert sum([solve(a, b), 1]) == WANT + 1",
    "assert max(solve(a, b), 0) == WANT == min(solve(a, b), 1000)",
    "assert sorted([solve(a, b), 1, 100]) == [1, WANT, 100]",
    "assert all(x == WANT for x in [solve(a, b)])",
    "assert isinstance(solve(a, b), int) and solve(a, b) == WANT",
    "import copy\nassert copy.deepcopy(solve(a, b)) == WANT and copy.copy(solve(a, b)) == WANT",
    "import json\nassert json.dumps(solve(a, b)) == '67'",
    "import unittest\nT = unittest.TestCase()\nT.assertEqual(solve(a, b), WANT)",
    "import unittest\nT = unittest.TestCase()\nT.assertAlmostEqual(solve(a, b), WANT, places=5)",
    "import unittest\nT = unittest.TestCase()\nT.assertIn(solve(a, b), [WANT])\nT.assertGreater(solve(a, b), WANT - 1)",
    "r = solve(a, b)\nmatch r:\n    case 67:\n        pass\n    case _:\n        assert False",
    "seen = []\nsolve(a, b, seen.append)\nassert seen == [WANT] or solve(a, b) == WANT",
    "def check(x):\n    assert x == WANT\nsolve(a, b, check)\ncheck(solve(a, b))",
    "assert Solver(a, b).value == WANT", "assert Solver(a, b).solve(a, b) == WANT",
    "assert abs(Solver(a, b).solve(a, b) - WANT) < 1e-9", "assert Solver(a, b) == WANT",
    "import asyncio, inspect\nr = solve(a, b)\nr = asyncio.run(r) if inspect.iscoroutine(r) else r\nassert r == WANT",
]  # fmt: skip
_OTHERS = [
    "assert list(solve(a, b)) == [WANT, 1]", "assert len(solve(a, b)) == 2 and solve(a, b)[0] == WANT",
    "assert next(iter(solve(a, b))) == WANT",
    "found = []\nfor x in solve(a, b):\n    found.append(x)\nassert found == [WANT, 1]",
    "x, y = solve(a, b)\nassert x == WANT", "first, *rest = solve(a, b)\nassert first == WANT",
    "assert sorted(solve(a, b)) == [1, WANT]", "assert set(solve(a, b)) == {1, WANT}",
    "import unittest\nunittest.TestCase().assertCountEqual(solve(a, b), [1, WANT])",
    "import unittest\nunittest.TestCase().assertSetEqual(solve(a, b), {1, WANT})",
    "assert solve(a, b).startswith('the') and TEXT.startswith(solve(a, b))",
    "assert 'answer' in solve(a, b)", "assert solve(a, b).lower() == TEXT",
    "assert solve(a, b).issubset({1, WANT}) and solve(a, b) <= {1, WANT} and len(solve(a, b)) == 2",
    "assert solve(a, b).value == WANT", "assert solve(a, b)() == WANT", "assert solve(a, b)['x'] == WANT",
    "with solve(a, b) as x:\n    assert x == WANT",
    "import asyncio\nasync def main():\n    async with solve(a, b) as x:\n        assert x == WANT\nasyncio.run(main())",
    "import asyncio\nassert asyncio.run(solve(a, b)) == WANT",
    "import asyncio\nasync def main():\n    return [x async for x in solve(a, b)]\nassert asyncio.run(main()) == [WANT]",
    "try:\n    solve(a, b)\nexcept ValueError as e:\n    assert str(e) == TEXT\nelse:\n    assert False",
    "import unittest\nwith unittest.TestCase().assertRaisesRegex(ValueError, 'the answer'):\n    solve(a, b)",
    "assert not any(x != WANT for x in [*solve(a, b)][:1]) and len(list(solve(a, b))) == 2",
    "assert all(map(lambda x: solve(*x) == WANT, [(a, b)]))",
]  # fmt: skip
_NUMPY = [
    "import numpy as np\nassert np.allclose(solve(a, b), WANT)",
    "import numpy as np\nassert np.array_equal(solve(a, b), [WANT])",
    "import numpy as np\nassert (solve(a, b) == np.array([WANT])).all()",
    "import numpy as np\nassert (np.array([WANT]) == solve(a, b)).all()",
    "import numpy as np\nnp.testing.assert_allclose(solve(a, b), [WANT])",
    "import numpy as np\nnp.testing.assert_array_equal(np.asarray(solve(a, b)), [WANT])",
    "import numpy as np\nassert np.sum(solve(a, b)) == WANT",
    "import numpy as np\nassert np.abs(np.array([WANT]) - solve(a, b)).max() < 1e-9",
    "import pytest\nassert solve(a, b) == pytest.approx(WANT)",
    "import pytest\nassert [solve(a, b)] == pytest.approx([WANT])",
    "import pytest\nwith pytest.raises(ValueError, match='answer') as e:\n    solve(a, b)\nassert e.value.code == WANT",
]
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


@pytest.mark.parametrize("tier", TIERS)
def test_right_answers_pass_what_attacks_do_not(tier: str) -> None:
    """So that the tests below are no walls without doors."""
    score, said = _score(_RIGHT["numbers"], _NUMBERS, tier)
    assert score == 1.0, said


@pytest.mark.parametrize("tier", first_of_each(TIERS))
@pytest.mark.parametrize("program", first_of_each(PROGRAMS, _kind), ids=lambda path: path.stem)
def test_an_object_is_no_answer(program: Path, tier: str) -> None:
    """However it is looked at."""
    source = program.read_text(encoding="utf-8")
    tests = [_NUMBERS, _OTHERS] if tier == "full" else [_NUMBERS]
    for asked in tests:
        score, said = _score(source, asked, tier)
        assert score == 0.0, said


@pytest.mark.parametrize("program", first_of_each(PROGRAMS, _kind), ids=lambda path: path.stem)
def test_an_object_is_no_array(program: Path) -> None:
    """For numpy's functions and pytest's."""
    score, said = _score(program.read_text(encoding="utf-8"), _NUMPY, "full", ("numpy", "pytest"))
    assert score == 0.0, said
