"""Which program a completion puts forward: the rules of docs/code.md, one after the other."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from verifiers import CodePassRate
from verifiers.code.engine.program_languages import LANGUAGES
from verifiers.code.programs import Wanted, program_in

FENCES = LANGUAGES["python"].fences
ADD = "def add(a, b):\n    return a + b\n"
SUBTRACT = "def add(a, b):\n    return a - b\n"
MAIN = "n = int(input())\nprint(n * 2)\n"
STRING = 'def doc():\n    """\n```text\nx\n```\n    """\n    return 1\n'


def _fence(code: str, name: str = "python") -> str:
    return f"```{name}\n{code}```\n"


def _found(text: str, defines: str = "add", *, bare: bool = False) -> str | None:
    found = program_in(text, Wanted(FENCES, True, frozenset(defines.split()), bare))
    return None if found is None else found.text


@from_table()
def test_where_tests_call_a_function(text: str, program: str) -> None:
    """The last block that defines it; what shows its use is no other program."""
    assert _found(text) == program


@from_table()
def test_where_a_program_reads_standard_input(text: str, program: str | None) -> None:
    """The last block that can stand alone."""
    wanted = program or "def solve():\n    print(int(input()) * 2)\nsolve()\n"
    assert _found(text, "") == wanted


@from_table()
def test_a_fence_inside_a_string_closes_nothing(text: str, program: str) -> None:
    """If what stands up to the next one is Python, and what stands up to it is not."""
    assert _found(text, "add doc") == program


@pytest.mark.parametrize(
    "text",
    [
        "```python\n" + ADD, _fence(ADD) + "Better:\n```python\ndef add(a, b):\n    retu", "[PYTHON]\n" + ADD, "<answer>\n" + ADD,
        ADD, "> ```python\n> def add(a, b):\n",
    ],
)  # fmt: skip
def test_what_is_truncated_is_no_program(text: str) -> None:
    """A completion that was cut off has not put forward what it was about to write."""
    assert _found(text) is None


def test_a_bare_program_where_the_tests_say_so() -> None:
    """And only where there is no block at all: one of them would be a second program."""
    assert _found("\n" + ADD, bare=True) == ADD
    assert _found("    return a + b", bare=True) == "    return a + b\n"
    assert _found(_fence(ADD) + "text", bare=True) == ADD
    assert _found("```cpp\nint main() {}\n```", bare=True) is None
    assert _found("  \n", bare=True) is None
    judge = CodePassRate()
    tests = {"asserts": ["assert add(1, 2) == 3"], "bare": True}
    assert judge.verify(ADD, tests).score == 1.0
    assert judge.verify(ADD, {**tests, "bare": False}).reason == "no_code"
    assert judge.verify(ADD, {"mbpp": {"test_list": tests["asserts"]}, "bare": True}).score == 1.0


def test_other_languages_have_their_last_block() -> None:
    """Their programs are not read here."""
    cpp = Wanted(LANGUAGES["cpp"].fences)
    found = program_in(_fence("int main() {}\n", "cpp") + _fence("main();\n", "cpp"), cpp)
    assert found is not None
    assert found.text == "main();\n"
    found = program_in("[CPP]\nint main() {}\n[/CPP]", cpp)
    assert found is not None
    assert found.text == "int main() {}\n"


_MARKS = [
    "```", "```python\n", "\n", "> ", "~~~", '"""', "'''", "'", "#", "[PYTHON]", "[/PYTHON]", "<answer>",
]  # fmt: skip
_PIECES = st.sampled_from([*_MARKS, "</answer>", ADD, "add(1, 2)\n", ">>> ", "\\", "x"])


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=30).map("".join), st.sampled_from(["", "add"]), st.booleans())
def test_any_text_has_at_most_one_program(text: str, names: str, bare: bool) -> None:
    """Which is the same each time, and stands in the text where its span says, its clothing aside."""
    wanted = Wanted(FENCES, True, frozenset(names.split()), bare)
    found = program_in(text, wanted)
    assert found == program_in(text, wanted)
    if found is not None and found.text is not None:
        start, end = found.span
        assert "".join(found.text.split()) in "".join(text[start:end].replace(">", "").split()) or all(
            line.strip(" \t>") in text[start:end] for line in found.text.splitlines()
        )


@pytest.mark.parametrize(
    "piece", ["```python\n'''\n```\n", "> " * 20, '"""\n```\n', "[PYTHON]", "<answer>", "```\n", "'\\"]
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    """Twenty times as much text takes no hundred times as long."""

    def seconds(count: int) -> float:
        started = time.process_time()
        _found(piece * count, "add")
        return time.process_time() - started

    assert seconds(20_000) < 100 * max(seconds(1000), 0.002)


def test_the_span_says_where_the_program_stands() -> None:
    """In the completion as it came, thinking included."""
    use = _fence("print(add(1, 2))\n")
    completion = f"<think>{_fence(SUBTRACT)}</think>Here:\n{_fence(ADD)}Use:\n{use}"
    verdict = CodePassRate().verify(completion, {"asserts": ["assert add(1, 2) == 3"]})
    assert verdict.span is not None
    assert completion[slice(*verdict.span)] == verdict.extracted == ADD
