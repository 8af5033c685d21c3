"""Shapes of data sets' rows, and the parsing of their columns, calls and solutions.

A row judges others only if its own solution passes its tests. What the official graders put before a program,
so that solutions may take it for granted, is a row of star imports there. Here the names stand where builtins
stand: a program's own come first, ``pow``, ``abs`` and ``open`` stay Python's, and no function of a module
passes for one that the program should have defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import ConfigError
from ...extract.code_block import CodeBlock
from ...runtime.bounds import ExpansionError, from_json, from_literal, from_source
from ..suites.spec import CodeTests, validated

Row = Mapping[str, Any]
SOLUTIONS = ("canonical_solution", "gold_standard_solution", "solution", "solutions", "accepted_solutions")
"""Columns of any data set that hold solutions; ``code`` is one in some of them, and a model's in others."""


@dataclass(frozen=True)
class Shape:
    """A data set's rows.

    Args:
        name: The key under which the answer column may hold such a row.
        source: The data set's card, or the official grader.
        needs: Sets of columns; a row that has all of one of them is of this shape.
        reads: The columns that say something about tests; they decide verdicts.
        read: Turns a row into tests.
        fits: Test that tells it from other shapes with these columns.
        solutions: The columns in which the row may bring solutions of its own.
        passes_over: Columns that look as if they were about tests, and are not: the module says why.
    """

    name: str
    source: str
    needs: tuple[frozenset[str], ...]
    reads: frozenset[str]
    read: Callable[[Row], CodeTests]
    fits: Callable[[Row], bool] = lambda row: True
    passes_over: frozenset[str] = frozenset()
    solutions: tuple[str, ...] = SOLUTIONS

    def recognises(self, row: Row) -> bool:
        """Return whether a row is of this shape, by its columns."""
        return any(needed <= row.keys() for needed in self.needs) and self.fits(row)


def columns(*names: str) -> frozenset[str]:
    """A set of column names."""
    return frozenset(names)


def tests_of(fields: dict[str, Any], column: str) -> CodeTests:
    """Tests of these fields.

    Raises:
        ConfigError: A field is wrong, or there is no test in the column.
    """
    tests = validated(fields)
    if not tests.count:
        raise ConfigError(f"tests: {column} is empty")
    return tests


def text(row: Row, key: str, name: str) -> str:
    """A column that holds a text, and not an empty one.

    Raises:
        ConfigError: It holds something else.
    """
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"tests: {name}.{key} is a text, got {value!r:.60}")
    return value


def optional_text(row: Row, key: str, name: str) -> str:
    """A column that holds a text, an empty one, or nothing.

    Raises:
        ConfigError: It holds something else.
    """
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"tests: {name}.{key} is a text, got {value!r:.60}")
    return value or ""


def listed(value: Any, field: str, kind: str = "a list") -> list[Any]:
    """A column that holds a list.

    Raises:
        ConfigError: It holds something else.
    """
    if not isinstance(value, list | tuple):
        raise ConfigError(f"tests: {field} is {kind}, got {value!r:.60}")
    return list(value)


def unpacked(value: Any, field: str) -> Any:
    """A column that holds data, or a text of it: JSON, or as Python writes it.

    Raises:
        ConfigError: The text is neither.
    """
    if not isinstance(value, str):
        return value
    try:
        return from_json(value)
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except (ValueError, RecursionError) as error:
        problem = str(error)
    try:
        return from_literal(value)
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ConfigError(f"tests: {field} is not JSON: {problem}") from None


def mapping(value: Any, field: str) -> Row:
    """A column that holds an object, or a text of it.

    Raises:
        ConfigError: It holds something else.
    """
    data = unpacked(value, field)
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests: {field} is a JSON object, got {value!r:.60}")
    return data


def only(row: Row, known: frozenset[str], field: str) -> None:
    """Refuse keys that nobody would read.

    Raises:
        ConfigError: There is one; the message names it.
    """
    for key in row:
        if key not in known and row[key] is not None:
            raise ConfigError(f"tests: {field}.{key} would be ignored; known: {', '.join(sorted(known))}")


_SOURCE = """
def _take_for_granted(_starred, _modules):
    import builtins, importlib, sys
    sys.setrecursionlimit(max(50_000, sys.getrecursionlimit()))
    _found = {{}}
    for _name in _starred + _modules:
        _module = importlib.import_module(_name)
        if _name in _starred:
            _names = getattr(_module, "__all__", None) or [_one for _one in vars(_module) if _one[0] != "_"]
            _found.update((_one, getattr(_module, _one)) for _one in _names)
    _found.update((_name, sys.modules[_name]) for _name in _modules)
    for _name, _value in _found.items():
        if not hasattr(builtins, _name):
            setattr(builtins, _name, _value)
_take_for_granted({starred!r}, {modules!r})
del _take_for_granted
"""


def _prelude(starred: str, modules: str) -> str:
    # On one line, so that the program's own lines are but one further down in what it is told of its errors.
    return f"exec({_SOURCE.format(starred=starred.split(), modules=modules.split())!r})\n"


_WIDE = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io "
    "sys json"
)
LIVECODEBENCH_PRELUDE = _prelude(f"{_WIDE} typing", _WIDE)
"""Source: ``import_string`` in lcb_runner/evaluation/testing_util.py of LiveCodeBench/LiveCodeBench."""

APPS_PRELUDE = _prelude(
    "itertools collections functools heapq bisect math string typing",
    "sys time itertools collections functools math fractions random heapq bisect string re operator copy "
    "datetime",
)
"""Imports of APPS's and TACO's ``testing_util.py``, with the modules in full, and a recursion limit, which
TACO's raises as well. numpy, which theirs import too, is for those who name it in ``modules``."""

BUILTINS_PRELUDE = "from builtins import *\n"
"""After a prelude of a data set's own, whose star imports hide some."""


MOST = 3
"""Solutions of a row that are tried: one that passes is enough, as some rows bring dozens of mixed origin."""
_PYTHON = CodeBlock(("python", "python3", "py", "py3"))
_LANGUAGES = {1: False, 2: False, 3: True, 4: False}
"""Languages of DeepMind's CodeContests by their numbers; 3 is Python 3."""


def solutions_of(row: Row, columns: tuple[str, ...], before: str = "") -> list[str]:
    """The programs in Python that a row gives as its solutions; none if what it gives is no program.

    Args:
        row: The row.
        columns: Its columns that may hold some.
        before: Beginning that each continues, such as HumanEval's prompt.
    """
    found: list[str] = []
    for column in columns:
        for text in _texts(row.get(column)):
            code = f"{before}{text}" if before and not _is_program(text, before) else _code_in(text)
            if code.strip() and _is_program(code) and code not in found:
                found.append(code)
    return found[:MOST]


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        languages, texts = value.get("language"), value.get("solution")
        if not isinstance(languages, list) or not isinstance(texts, list):
            return []
        return [text for language, text in zip(languages, texts, strict=False) if _LANGUAGES.get(language)]
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = unpacked(value, "solutions")
        except ConfigError:
            return [str(value)]
    each = value if isinstance(value, list | tuple) else [value]
    return [text for text in each if isinstance(text, str) and text.strip()][:MOST]


def _code_in(text: str) -> str:
    """The block of a text that has one, and otherwise all of it."""
    found = _PYTHON.extract(text)
    return found.text if found is not None and found.text else text


def _is_program(code: str, before: str = "") -> bool:
    """Return whether a text is Python that does something, or, if it may continue another, defines it."""
    try:
        body = from_source(code).body
    except ExpansionError:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if before:
        return any(f"def {name}(" in before for name in (getattr(node, "name", "") for node in body) if name)
    return bool(body)


def call(given: Any, wanted: Any, field: str) -> dict[str, Any]:
    """The arguments of a call and the value that it must return, as fields of a `CallTest`.

    Where the arguments are a text, each line of it is one of them, and the value is such a text, too: JSON,
    or as Python writes it. Where they are data, a list or a mapping by name, the value is data as well.

    Args:
        given: The arguments.
        wanted: The value.
        field: Place of the tests, for messages.

    Raises:
        ConfigError: A text is neither.

    >>> call("1\\n[2]", '"3"', "inputs"), call(["1"], '"3"', "inputs")
    ({'args': [1, [2]], 'expected': '3'}, {'args': ['1'], 'expected': '"3"'})
    """
    if isinstance(given, str):
        expected = unpacked(wanted, f"{field} (a value)")
        return {"args": arguments(given, field), "expected": expected}
    if isinstance(given, Mapping):
        return {"kwargs": dict(given), "expected": wanted}
    return {"args": arguments(given, field), "expected": wanted}


def arguments(given: Any, field: str = "inputs") -> Any:
    """The arguments of a call: a list, or a text with one of them on each line, or one on several."""
    if not isinstance(given, str):
        return _int_keys(list(given) if isinstance(given, tuple) else given)
    try:
        return _int_keys([unpacked(line, field) for line in given.split("\n") if line.strip()])
    except ConfigError:
        if "\n" not in given.strip():
            raise
        return _int_keys([unpacked(given, field)])


def _int_keys(given: Any) -> Any:
    """Arguments whose first, where it is a mapping, has its integer keys back: JSON made them text."""
    first = given[0] if isinstance(given, list) and given else None
    if isinstance(first, Mapping) and all(str(key).removeprefix("-").isdecimal() for key in first):
        return [{int(key): value for key, value in first.items()}, *given[1:]]
    return given
