"""What a verdict says is text for people and files, whatever a program sent."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifiers.code.scripted_engine import ENGINE
from verifiers import CodePassRate
from verifiers.code import pass_rate
from verifiers.code.engine.protocol import Cause, Run
from verifiers.code.rows.code_references import read_tests
from verifiers.code.suites.run_verdicts import why

_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
_ODD = ["\x1b[31m", "\ud800", "\u202e", "a\nb\r", "\x00\x07", "\x9b", "\u2028", "가\ufeff나", "𝒳\udfff"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT | st.sampled_from(_ODD),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(_TEXT | st.sampled_from("mvtdixo"), inner, max_size=3)
    ),
    max_leaves=8,
)
_PROGRAM = "```python\ndef f(x):\n    return x\n```"


def _is_clean(detail: str) -> None:
    assert detail.isprintable(), ascii(detail)
    assert detail.encode("utf-8").decode() == detail
    print(detail, file=io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))


def _details(tests: Any, run: Run) -> None:
    ENGINE.runs, ENGINE.jobs = [run], []
    verdict = CodePassRate(engine="tests.verifiers.code.scripted_engine:ENGINE").verify(_PROGRAM, tests)
    for each in (verdict, *verdict.parts):
        _is_clean(each.detail)


_STDIO = {"stdio": [{"output": "a"}]}
_CALL = {"calls": [{"function": "f", "args": [1], "expected": 1}]}
_SCRIPT = {"asserts": ["assert f(1) > 0"]}


@given(answer=_JSON, said=_TEXT | st.sampled_from(_ODD), cause=st.sampled_from(list(Cause)))
def test_details_can_be_printed(answer: Any, said: str, cause: Cause) -> None:
    """By a terminal that they must not steer, and by a table that takes valid text only."""
    errors, output = said.encode("utf-8", "surrogatepass"), f"{said}\n{said}".encode("utf-8", "surrogatepass")
    line = answer if isinstance(answer, dict) else {"v": answer, "u": said, "m": said, "x": "AssertionError"}
    if cause is Cause.BAD_TESTS:
        cause = Cause.RUNTIME_ERROR
    _details(_STDIO, Run(cause, output, errors, None, said))
    _details(_CALL, Run(cause, b"", errors, line, said))
    _details(_CALL, Run(cause, b"", errors, {"u": said}, said))
    _details(_SCRIPT, Run(cause, b"", errors, line, said))
    _details(_SCRIPT, Run(Cause.RUNTIME_ERROR, b"", errors, {"x": "AssertionError", "m": said}, said))


@pytest.mark.parametrize("odd", _ODD, ids=ascii)
def test_details_of_a_real_run_can_be_printed(odd: str) -> None:
    """From an exception, an answer, the standard error and a name."""
    for body in (
        f"raise ValueError({odd!a})",
        f"assert False, {odd!a}",
        f"return {odd!a}",
        f"return type({odd.replace(chr(0), '')!a}, (), {{}})()",
        f"import sys\n    sys.stderr.buffer.write({odd!a}.encode('utf-8', 'surrogatepass'))\n    exit({odd!a})",
    ):
        for tests in ({"asserts": ["x = 1\nassert f(x) == 2"]}, _CALL):
            verdict = CodePassRate().verify(f"```python\ndef f(x):\n    {body}\n```", tests)
            assert verdict.score == 0.0
            for each in (verdict, *verdict.parts):
                _is_clean(each.detail)


def test_a_detail_says_the_last_line_of_python_and_the_first_trouble_of_others() -> None:
    """A traceback's first line says nothing; a compiler's last one neither."""
    python = b'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: odd\n'
    assert (
        why(Run(Cause.RUNTIME_ERROR, errors=python, detail="exit status 1"))
        == "exit status 1: ValueError: odd"
    )
    compiler = b"x.c: In function 'main':\nx.c:1:2: error: expected ';'\n    1 | int\n      |    ^\n"
    assert "expected ';'" in why(Run(Cause.COMPILE_ERROR, errors=compiler))
    assert "^" not in why(Run(Cause.COMPILE_ERROR, errors=compiler))


def test_tests_of_plain_data_are_read_once_for_all_completions(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no two that differ are taken for one another, though they compare equal or look alike as JSON."""
    read: list[Any] = []

    def noted(given: Any) -> Any:
        read.append(given)
        return read_tests(given)

    monkeypatch.setattr(pass_rate, "read_tests", noted)
    for expected, passes in ((7, True), (7.0, True), (True, False), ((7,), False), ([7], False)):
        tests = {"calls": [{"function": "own_seven", "args": [], "expected": expected}]}
        for _ in range(2):
            found = CodePassRate().verify("```python\ndef own_seven():\n    return 7\n```", tests)
            assert found.passed is passes, found
    assert len([each for each in read if isinstance(each["calls"][0]["expected"], int)]) == 2
    assert len(read) == 6, "a tuple is no JSON, and is read each time"
