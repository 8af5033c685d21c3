"""What meets a completion in the calling process, before a program starts and after it ended, is linear.

The functions of `verifiers.code` as wholes, on beginnings that nearly match followed by one piece again and
again. Patterns one by one have a law of their own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, cast

import pytest

from tests.timing import SOAK, slowness, timed, within
from verifiers import CodePassRate, ConfigError
from verifiers.code.engine.builds import main_class
from verifiers.code.engine.program_languages import LANGUAGES
from verifiers.code.engine.program_runs import _Lines
from verifiers.code.engine.program_watch import Watch
from verifiers.code.engine.protocol import Call, Cause, Job, Run
from verifiers.code.programs import Wanted, defines, program_in, why_none
from verifiers.code.suites.job_plan import Plan
from verifiers.code.suites.run_verdicts import MODES, difference, same_output, same_value, shown, why
from verifiers.core.verdicts import Sample
from verifiers.runtime.bounds import from_pickled_text

HEADS = (
    "", "```{}\n", "```{}\nx = '''", "<answer>", "[PYTHON]", "> ```{}\n", "public class A {{ /*",
    'class A {{ "',
)  # fmt: skip
PIECES = (
    "a ", "a\n", "\n", " ", "\t", "\u00a0", "\\", "\\\"", "'", '"', "'''", '"""', "`", "```\n", "```{}\n", "~~~\n",
    "```{}\na\n```\n", "```{}\n'''\n```\n", "> ", "> ```\n", "[PYTHON]\n", "[/PYTHON]\n", "<answer>", "</answer>",
    "public ", "class ", "class a ", "enum a{{", "{{", "}}", "main(", "package a.", "package a ;", "/*", "*/", "//",
    "@A ", "record ", "; ", "#", "(", "[", "x=", "def f():\n", "if a:\n ", "lambda:", "not ", "-", "1,", "f'{{",
    ">>> a\n", "from __future__ import a\n", "f:", "1e9 ", "error: ", "\u2028", "가", "\x00",
)  # fmt: skip
LENGTH = 16_000
WORTH_A_LOOK = 0.06
"""Seconds: what takes less is not slow, and too short to be compared."""


def _plan(code: str) -> str:
    return Plan((), (), (), "import math\ndef f(a):\n", "f").program(code)


def _why(text: str) -> str:
    return why(Run(Cause.RUNTIME_ERROR, errors=text.encode("utf-8", "surrogatepass")))


def _forged(text: str) -> bool:
    answer: Any = {"o": "Decimal", "is": [text]}
    return same_value(answer, 1, json_types=False, tolerance=0.0) or not shown(answer)


def _compared(mode: str, text: str) -> bool:
    return same_output(text.encode(), f"{text}1", mode, 1e-6)


def _first_difference(text: str) -> str:
    return difference(text.encode(), f"{text}1")


def _row(name: str, column: str, text: str) -> None:
    fields: dict[str, Any] = {column: [text] if column in ("asserts", "test_list") else text}
    row = {**_BESIDE.get(name, {}), **fields}
    with contextlib.suppress(ConfigError):
        CodePassRate()._asked(Sample("", "", reference={name: row} if name else row))


_BESIDE: dict[str, dict[str, Any]] = {
    "humaneval": {"prompt": "def f(a):\n", "entry_point": "f", "test": "def check(c):\n    assert c(1) == 1"},
    "kodcode": {"question": "q"},
    "leetcode": {"prompt": "", "entry_point": "Solution().f"},
    "": {"asserts": ["assert f(1) == 1"], "functions": ["f"]},
}
COLUMNS = (
    ("", "asserts"), ("", "setup"), ("", "prompt"), ("", "solution"), ("mbpp", "test_list"), ("kodcode", "test"),
    ("humaneval", "test"), ("humaneval", "prompt"), ("leetcode", "test"), ("apps", "input_output"),
    ("livecodebench", "private_test_cases"), ("deepcoder", "tests"),
)  # fmt: skip


def _pickled(text: str) -> None:
    with pytest.raises(ValueError, match="pickle"):
        from_pickled_text(text.encode())


READERS: dict[str, Callable[[str], Any]] = {
    **{
        f"the program in {name}": partial(
            program_in, wanted=Wanted(row.fences, name == "python", frozenset({"f", "solve"}), bare=True)
        )
        for name, row in LANGUAGES.items()
    },
    "why there is none": partial(why_none, language="python"),
    "what is defined": partial(defines, names=frozenset({"f", "solve"})),
    "Java's main class": main_class,
    "what precedes it": _plan,
    "what it says of its end": _why,
    "a forged number": _forged,
    "the first difference": _first_difference,
    "pickled text": _pickled,
    **{f"a row's {name} {column}": partial(_row, name, column) for name, column in COLUMNS},
    **{f"outputs by {mode}": partial(_compared, mode) for mode in MODES},
}


SHAPES = tuple(product(HEADS, PIECES))
STEP = 1 if SOAK else 7
"""One of so many shapes is tried: every piece at some head, since this divides their number as little as ours do."""
assert len(PIECES) % STEP or SOAK


def _text(shape: tuple[str, str], length: int, name: str) -> str:
    fence = next((lang for lang in LANGUAGES if name == f"the program in {lang}"), "python")
    head, piece = (part.format(fence) for part in shape)
    return head + (piece * (length // len(piece) + 1))[:length]


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_four_times_as_long(name: str) -> None:
    """Below six: what is quadratic takes sixteen times as long.

    At each of two scales: where a text outgrows a cache that others fill as well, the ratio jumps once.
    """
    read = READERS[name]
    for shape in SHAPES[::STEP]:
        length = LENGTH * (4 if SOAK else 1)
        if timed(read, _text(shape, length, name))[1] < WORTH_A_LOOK:
            continue
        ratios = [_growth(read, shape, length, name)]
        if ratios[0] >= 6:
            ratios.append(_growth(read, shape, 4 * length, name))
        assert min(ratios) < 6, f"{name}: {shape}: {ratios}"


def _growth(read: Callable[[str], Any], shape: tuple[str, str], length: int, name: str) -> float:
    """How many times as long as for a quarter of it a text takes: the least of three tries."""
    longer, text = _text(shape, length, name), _text(shape, length // 4, name)
    return min(timed(read, longer)[1] / max(timed(read, text)[1], 1e-3) for _ in range(3))


@pytest.mark.parametrize("name", READERS)
def test_a_megabyte_of_anything_is_read(name: str) -> None:
    """One piece for each function, another one for each, so that all of them get their turn."""
    read = READERS[name]
    step = 10 if SOAK else len(SHAPES)
    for shape in SHAPES[31 * list(READERS).index(name) % step :: step]:
        spent = timed(read, _text(shape, 1 << 20, name))[1]
        assert within(spent, 3.0), f"{name}: {shape}: {spent:.2f} s"


MAIN_HEADS = ("", "/*", '"', "package a", "public class M { ")
MAIN_PIECES = ("a ", "public ", "class a ", "{", "main(", "/*", '\\"', "package a ", "\n", "'", "a")


@pytest.mark.parametrize(("head", "piece"), list(product(MAIN_HEADS, MAIN_PIECES))[:: 1 if SOAK else 3])
def test_the_main_class_of_a_mebibyte_is_found_within_a_second(head: str, piece: str) -> None:
    text = (head + piece * (1 << 20))[: 1 << 20]
    assert any(within(timed(main_class, text)[1], 1.0) for _ in range(2))


def test_a_java_program_is_searched_once_and_not_for_each_test(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifiers.code.engine import builds

    if not LANGUAGES["java"].build or builds.toolchain("java").missing:
        pytest.skip("no javac")
    seen: list[str] = []

    def noted(code: str) -> tuple[str, str]:
        seen.append(code)
        return main_class(code)

    monkeypatch.setattr(builds, "main_class", noted)
    program = "class P { public static void main(String[] a) { System.out.println(7); } } // once"
    tests = {"stdio": [{"output": "7"}] * 5}
    assert CodePassRate("java").verify(f"```java\n{program}\n```", tests).score == 1.0
    assert sum("// once" in code for code in seen) == 1


def test_bytes_that_come_one_by_one_are_looked_at_once() -> None:
    """A program may write its answers so: with each byte all that came before it would be searched again."""
    watch = cast(Watch, None)  # it is asked for a mark where a line ends, and none does

    def drip(count: int) -> None:
        lines, content = _Lines(Job("python", "", calls=(Call("f"),)), 0, 1, watch), bytearray()
        for _ in range(count):
            content += b"x"
            assert lines.take(0, content)

    drip(1000)
    small, large = (min(timed(drip, count)[1] for _ in range(3)) for count in (100_000, 400_000))
    assert large < 6 * max(small, 0.01) * slowness()
