"""Styles of tests: what a program of a data set is asked for, asked in the ways that people write tests.

A style adds something to the program that hands out its function's answers in some form (a generator, a class, a
closure, a coroutine ...), and has tests that ask for the same values in that form.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verifiers.code.tests.asserts import check_body, static_calls


@dataclass(frozen=True)
class Problem:
    """A function and some of its values.

    Args:
        name: Of the problem.
        function: Its name in the program.
        program: A solution.
        cases: (arguments, value), as source.
    """

    name: str
    function: str
    program: str
    cases: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Style:
    """A way to write tests.

    Args:
        more: What the program gets besides; ``F`` is its function.
        tests: Python source; ``CASES`` is a list of tuples of arguments and ``WANT`` a list of values.
        modules: Packages that the tests import.
    """

    more: str
    tests: str
    modules: tuple[str, ...] = ()


_STREAM = "def stream(cases):\n    for case in cases:\n        yield F(*case)"
_SOLVER = """
class Solver:
    made = 0

    def __init__(self):
        self.calls = 0
        Solver.made += 1

    def solve(self, *case):
        self.calls += 1
        return F(*case)

    @property
    def busy(self):
        return self.calls > 0

    @classmethod
    def fresh(cls):
        return cls()

    @staticmethod
    def once(*case):
        return F(*case)

    def __call__(self, *case):
        return self.solve(*case)

    def __len__(self):
        return self.calls

    def __repr__(self):
        return f"Solver({self.calls})"
"""
_RESULT = """
import dataclasses

@dataclasses.dataclass
class Result:
    value: object
    kind: str = "answer"

    def map(self, function):
        return Result(function(self.value), self.kind)

def result(*case):
    return Result(F(*case))
"""
_TABLE = """
class Table:
    def __init__(self, cases):
        self.cases = list(cases)

    def __len__(self):
        return len(self.cases)

    def __getitem__(self, index):
        if index >= len(self.cases):
            raise IndexError(index)
        return F(*self.cases[index])

    def __iter__(self):
        return Walk(self)

    def __reversed__(self):
        return (self[i] for i in range(len(self) - 1, -1, -1))

    def __contains__(self, case):
        return case in self.cases

    def __add__(self, other):
        return Table(self.cases + other.cases)

    def __eq__(self, other):
        return isinstance(other, Table) and list(self) == list(other)

class Walk:
    def __init__(self, table):
        self.table, self.at = table, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.table):
            raise StopIteration
        self.at += 1
        return self.table[self.at - 1]
"""
_ERRORS = """
class Failure(ValueError):
    def __init__(self, message, value):
        super().__init__(message)
        self.value = value

class WorseFailure(Failure):
    pass

def fail(*case):
    raise WorseFailure("it failed", F(*case))

def checked(kind, *case):
    value = F(*case)
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} is not {kind.__name__}")
    return value
"""
_ASYNC = """
import asyncio

async def solve(*case):
    await asyncio.sleep(0)
    return F(*case)

async def walk(cases):
    for case in cases:
        await asyncio.sleep(0)
        yield F(*case)

class Session:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        self.closed = True

    async def ask(self, *case):
        return await solve(*case)

async def relay(function, *case):
    return await function(F(*case))
"""
_CONTEXT = """
import contextlib

@contextlib.contextmanager
def session(log):
    log.append("open")
    try:
        yield F
    finally:
        log.append("closed")

class Quiet:
    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, kind, error, trace):
        self.open = False
        return kind is not None and issubclass(kind, KeyError)

    def ask(self, *case):
        return F(*case)
"""
_SHAPES = """
import abc

class Asked(abc.ABC):
    def __init__(self, *case):
        self.case = case

    @abc.abstractmethod
    def answer(self):
        ...

    def both(self):
        return self.answer(), self.answer()

class Plain(Asked):
    def answer(self):
        return F(*self.case)

class Boxed(Plain):
    def answer(self):
        return [super().answer()]

def make(kind, *case):
    return {"plain": Plain, "boxed": Boxed}[kind](*case)
"""
_CHAIN = """
class Chain:
    def __init__(self):
        self.values = []

    def ask(self, *case):
        self.values.append(F(*case))
        return self

    def done(self):
        return self.values

class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

def linked(cases):
    head = None
    for case in reversed(cases):
        head = Node(F(*case), head)
    return head
"""
_VALUES = """
from collections import Counter, OrderedDict, defaultdict, deque
from fractions import Fraction

def tally(cases):
    return Counter(repr(F(*case)) for case in cases)

def recent(cases):
    return deque((F(*case) for case in cases), maxlen=50)

def groups(cases):
    found = defaultdict(list)
    for case in cases:
        found[type(F(*case)).__name__].append(F(*case))
    return found

def ordered(cases):
    return OrderedDict((index, F(*case)) for index, case in enumerate(cases))

def written(*case):
    return repr(F(*case)).encode()

def exact(*case):
    value = F(*case)
    return Fraction(value) if type(value) in (int, bool) else value
"""
_ENUM = """
import enum

class Truth(enum.Enum):
    YES = 1
    NO = 0

    def word(self):
        return self.name.lower()

class Sign(enum.IntEnum):
    MINUS = -1
    ZERO = 0
    PLUS = 1

def judge(*case):
    return Truth.YES if F(*case) else Truth.NO

def sign(*case):
    value = F(*case)
    value = value if isinstance(value, (int, float)) else len(repr(value))
    return Sign((value > 0) - (value < 0))
"""
_TUPLES = """
import collections
import typing

Answer = collections.namedtuple("Answer", "value kind")

class Typed(typing.NamedTuple):
    value: object
    case: tuple = ()

    def again(self):
        return F(*self.case)

def answer(*case):
    value = F(*case)
    return Answer(value, type(value).__name__)

def typed(*case):
    return Typed(F(*case), case)
"""
_IN_PLACE = """
def fill(out, cases):
    for case in cases:
        out.append(F(*case))
    return out

def note(found, cases):
    for index, case in enumerate(cases):
        found[index] = F(*case)

class Keeper:
    def __init__(self, kept):
        self.kept = kept

    def ask(self, *case):
        self.kept.append(F(*case))

    def all(self):
        return self.kept
"""
_CALLS = """
import functools

def apply(function, *case):
    return function(F(*case))

def closure(*case):
    def later(extra=None):
        return F(*case) if extra is None else (F(*case), extra)
    return later

def each(cases):
    return [F(*case) for case in cases]

def counted(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        wrapper.calls += 1
        return function(*arguments, **keywords)
    wrapper.calls = 0
    return wrapper

def into(box, *case):
    box.value = F(*case)
    return box

def register(listeners, *case):
    for listener in listeners:
        listener(F(*case))
"""

STYLES: dict[str, Style] = {
    "loop over a generator": Style(
        _STREAM, "for got, want in zip(stream(CASES), WANT):\n    assert got == want"
    ),
    "list of a generator": Style(_STREAM, "assert list(stream(CASES)) == WANT"),
    "all of a map": Style(_STREAM, "assert all(map(lambda got, want: got == want, stream(CASES), WANT))"),
    "any in a generator": Style(
        _STREAM, "assert not any(got != want for got, want in zip(stream(CASES), WANT))"
    ),
    "next and the end": Style(
        _STREAM,
        "import types\ng = stream(CASES)\nassert isinstance(g, types.GeneratorType)\nfor want in WANT:\n"
        "    assert next(g) == want\ntry:\n    next(g)\nexcept StopIteration:\n    pass\nelse:\n    assert False",
    ),
    "endless iterator": Style(
        "import itertools\ndef again(cases):\n    return map(lambda case: F(*case), itertools.cycle(cases))",
        "import itertools\nassert list(itertools.islice(again(CASES), 2 * len(CASES))) == WANT + WANT",
    ),
    "class with state": Style(
        _SOLVER,
        "s = Solver()\nassert not s.busy\nfor case, want in zip(CASES, WANT):\n    assert s.solve(*case) == want\n"
        "assert s.calls == len(s) == len(CASES) and s.busy\nassert repr(s) == f'Solver({len(CASES)})'\n"
        "assert isinstance(s, Solver) and type(s).__name__ == 'Solver'",
    ),
    "class methods": Style(
        _SOLVER,
        "s = Solver.fresh()\nassert callable(s)\nfor case, want in zip(CASES, WANT):\n    assert s(*case) == want\n"
        "    assert Solver.once(*case) == want\nassert Solver.made == 1",
    ),
    "dataclass": Style(
        _RESULT,
        "import dataclasses\nfor case, want in zip(CASES, WANT):\n    r = result(*case)\n    assert r == Result(want)\n"
        "    assert r.value == want\n    assert dataclasses.asdict(r) == {'value': want, 'kind': 'answer'}\n"
        "    assert r.map(lambda v: [v]).value == [want]\n    assert r != Result([want, 1])",
    ),
    "sequence class": Style(
        _TABLE,
        "t = Table(CASES)\nassert len(t) == len(CASES)\nassert list(t) == WANT\nassert list(reversed(t)) == WANT[::-1]\n"
        "assert CASES[0] in t\nassert t[0] == WANT[0]\nassert list(t + t) == WANT + WANT\nassert t == Table(CASES)",
    ),
    "exception with a value": Style(
        _ERRORS,
        "for case, want in zip(CASES, WANT):\n    try:\n        fail(*case)\n    except Failure as e:\n"
        "        assert e.value == want\n        assert isinstance(e, WorseFailure) and isinstance(e, ValueError)\n"
        "        assert str(e) == 'it failed' and e.args == ('it failed',)\n    else:\n        assert False",
    ),
    "raises": Style(
        _ERRORS,
        "import unittest\nT = unittest.TestCase()\nfor case, want in zip(CASES, WANT):\n"
        "    assert checked(type(want), *case) == want\n    with T.assertRaisesRegex(TypeError, 'is not ellipsis'):\n"
        "        checked(type(...), *case)\n    with T.assertRaises(Failure):\n        fail(*case)",
    ),
    "approximately": Style(
        "",
        "import math\nfor case, want in zip(CASES, WANT):\n    got = F(*case)\n"
        "    if isinstance(want, float):\n        assert abs(got - want) < 1e-9 or math.isclose(got, want)\n"
        "    else:\n        assert got == want",
    ),
    "pytest approx": Style(
        "",
        "import pytest\nfor case, want in zip(CASES, WANT):\n"
        "    number = type(want) in (int, float)\n    assert F(*case) == (pytest.approx(want) if number else want)",
        ("pytest",),
    ),
    "pytest parametrize": Style(
        "",
        "import pytest\n@pytest.mark.parametrize('case, want', list(zip(CASES, WANT)))\n"
        "def check(case, want):\n    assert F(*case) == want\n"
        "for mark in check.pytestmark:\n    for row in mark.args[1]:\n        check(*row)",
        ("pytest",),
    ),
    "pytest raises": Style(
        _ERRORS,
        "import pytest\nfor case, want in zip(CASES, WANT):\n    with pytest.raises(Failure, match='it f') as caught:\n"
        "        fail(*case)\n    assert caught.value.value == want\n    assert caught.type is WorseFailure",
        ("pytest",),
    ),
    "unittest class": Style(
        "",
        "import unittest\nclass Cases(unittest.TestCase):\n    def setUp(self):\n        self.pairs = list(zip(CASES, WANT))\n"
        "    def test_values(self):\n        for case, want in self.pairs:\n            with self.subTest(case=case):\n"
        "                self.assertEqual(F(*case), want)\n    def test_again(self):\n"
        "        self.assertListEqual([F(*case) for case, _ in self.pairs], WANT)\n"
        "r = unittest.TestResult()\nunittest.defaultTestLoader.loadTestsFromTestCase(Cases).run(r)\n"
        "assert r.wasSuccessful() and r.testsRun == 2",
    ),
    "coroutines": Style(
        _ASYNC,
        "import asyncio\nfor case, want in zip(CASES, WANT):\n    assert asyncio.run(solve(*case)) == want\n"
        "async def main():\n    return await asyncio.gather(*(solve(*case) for case in CASES))\n"
        "assert asyncio.run(main()) == WANT",
    ),
    "asynchronous generator": Style(
        _ASYNC,
        "import asyncio\nasync def main():\n    got = [x async for x in walk(CASES)]\n    async with Session() as s:\n"
        "        got.append(await s.ask(*CASES[0]))\n    assert s.closed\n    return got\n"
        "assert asyncio.run(main()) == WANT + WANT[:1]",
    ),
    "callback that waits": Style(
        _ASYNC,
        "import asyncio\nasync def double(x):\n    await asyncio.sleep(0)\n    return [x, x]\n"
        "for case, want in zip(CASES, WANT):\n    assert asyncio.run(relay(double, *case)) == [want, want]",
    ),
    "context manager": Style(
        _CONTEXT,
        "log = []\nwith session(log) as ask:\n    for case, want in zip(CASES, WANT):\n        assert ask(*case) == want\n"
        "assert log == ['open', 'closed']\nwith Quiet() as q:\n    assert q.open and q.ask(*CASES[0]) == WANT[0]\n"
        "    raise KeyError(1)\nassert not q.open",
    ),
    "abstract classes": Style(
        _SHAPES,
        "try:\n    Asked(1)\nexcept TypeError:\n    pass\nelse:\n    assert False\nfor case, want in zip(CASES, WANT):\n"
        "    p, b = make('plain', *case), make('boxed', *case)\n    assert p.answer() == want and b.answer() == [want]\n"
        "    assert p.both() == (want, want)\n    assert isinstance(b, Plain) and isinstance(p, Asked)\n"
        "    assert not isinstance(p, Boxed) and issubclass(Boxed, Asked)",
    ),
    "chained calls": Style(
        _CHAIN,
        "c = Chain()\nfor case in CASES:\n    assert c.ask(*case) is c\nassert c.done() == WANT\n"
        "n, got = linked(CASES), []\nwhile n is not None:\n    got.append(n.value)\n    n = n.next\nassert got == WANT",
    ),
    "counters and queues": Style(
        _VALUES,
        "from collections import Counter, OrderedDict, defaultdict, deque\n"
        "assert tally(CASES) == Counter(map(repr, WANT))\nassert tally(CASES).most_common() == Counter(map(repr, WANT)).most_common()\n"
        "q = recent(CASES)\nassert isinstance(q, deque) and q.maxlen == 50 and list(q) == WANT\nassert q == deque(WANT)\n"
        "g = groups(CASES)\ng['new'].append(1)\nassert g['new'] == [1] and g.pop('new')\n"
        "w = defaultdict(list)\nfor want in WANT:\n    w[type(want).__name__].append(want)\nassert g == w",
    ),
    "ordered and exact": Style(
        _VALUES,
        "from collections import OrderedDict\nfrom fractions import Fraction\no = ordered(CASES)\n"
        "assert type(o) is OrderedDict and list(o.values()) == WANT\no.move_to_end(0)\nassert list(o)[-1] == 0\n"
        "for case, want in zip(CASES, WANT):\n    assert written(*case) == repr(want).encode()\n"
        "    assert exact(*case) == want\n    if type(want) in (int, bool):\n        assert type(exact(*case)) is Fraction",
    ),
    "enumerations": Style(
        _ENUM,
        "for case, want in zip(CASES, WANT):\n    t = Truth.YES if want else Truth.NO\n    assert judge(*case) is t\n"
        "    assert judge(*case).word() in ('yes', 'no') and judge(*case).value == bool(want)\n"
        "    n = want if isinstance(want, (int, float)) else len(repr(want))\n    assert sign(*case) == (n > 0) - (n < 0)\n"
        "assert [t.name for t in Truth] == ['YES', 'NO'] and Truth(1) is Truth['YES']",
    ),
    "named tuples": Style(
        _TUPLES,
        "for case, want in zip(CASES, WANT):\n    a = answer(*case)\n    assert a == (want, type(want).__name__)\n"
        "    value, kind = a\n    assert a.value == value == want and a._replace(kind='x').kind == 'x'\n"
        "    t = typed(*case)\n    assert t.again() == t.value == t[0] == want\n    assert isinstance(t, tuple) and len(t) == 2",
    ),
    "changes in place": Style(
        _IN_PLACE,
        "out = []\nassert fill(out, CASES) is out\nassert out == WANT\nfound = {}\nnote(found, CASES)\n"
        "assert found == dict(enumerate(WANT))\nk = Keeper(mine := [])\nfor case in CASES:\n    k.ask(*case)\n"
        "assert mine == WANT\nmine.append('end')\nassert k.all()[-1] == 'end'\nassert k.all() is mine",
    ),
    "arguments as they were": Style(
        "",
        "import copy\nfor case, want in zip(CASES, WANT):\n    before = copy.deepcopy(case)\n    assert F(*case) == want\n"
        "    assert case == before",
    ),
    "callbacks and closures": Style(
        _CALLS,
        "seen = []\nfor case, want in zip(CASES, WANT):\n    assert apply(lambda v: (v, v), *case) == (want, want)\n"
        "    assert closure(*case)() == want\n    assert closure(*case)(extra=1) == (want, 1)\n"
        "    register([seen.append, lambda v: None], *case)\nassert seen == WANT\nassert each(c for c in CASES) == WANT",
    ),
    "decorator": Style(
        _CALLS,
        "@counted\ndef ask(*case):\n    'Ask.'\n    return F(*case)\nfor case, want in zip(CASES, WANT):\n"
        "    assert ask(*case) == want\nassert ask.calls == len(CASES) and ask.__name__ == 'ask' and ask.__doc__ == 'Ask.'",
    ),
    "objects of the tests": Style(
        _CALLS,
        "class Box:\n    def __init__(self):\n        self.value = None\nfor case, want in zip(CASES, WANT):\n    b = Box()\n"
        "    assert into(b, *case) is b\n    assert b.value == want",
    ),
    "function as a key": Style(
        "",
        "order = sorted(range(len(CASES)), key=lambda i: repr(F(*CASES[i])))\n"
        "assert [repr(WANT[i]) for i in order] == sorted(map(repr, WANT))\nassert dict(enumerate(F(*c) for c in CASES)) == dict(enumerate(WANT))",
    ),
}
"""What it is called -> how it is done."""


def problem(name: str, program: str, tests: list[ast.stmt], function: str | None = None) -> Problem | None:
    """A problem whose tests are all of the form ``assert f(literals) == literal``; None for another."""
    calls = static_calls(tests, function)
    if (
        not calls
        or any(call.truth or call.keywords for call in calls)
        or len({call.function for call in calls}) > 1
    ):
        return None
    cases = tuple((repr(call.arguments), repr(call.expected)) for call in calls)
    # Some values have no source of their own, such as an infinite float.
    if (
        any(not _literal(text) for case in cases for text in case)
        or sum(len(a) + len(b) for a, b in cases) > 20_000
    ):
        return None
    return Problem(name, calls[0].function, program, cases)


def humaneval(row: dict[str, Any]) -> Problem | None:
    """A row of HumanEval."""
    found = problem(
        row["task_id"],
        row["prompt"] + row["canonical_solution"],
        check_body(ast.parse(row["test"])),
        "candidate",
    )
    return found and Problem(found.name, row["entry_point"], found.program, found.cases)


def mbpp(row: dict[str, Any]) -> Problem | None:
    """A row of MBPP."""
    if row.get("test_setup_code"):
        return None
    return problem(f"MBPP/{row['task_id']}", row["code"], ast.parse("\n".join(row["test_list"])).body)


def dressed(given: Problem, style: Style, program: str | None = None) -> tuple[str, str]:
    """The program and the tests of a problem in a style.

    Args:
        given: The problem.
        style: The style.
        program: Another program for it; None for its own.
    """
    cases = f"CASES = [{', '.join(case for case, _ in given.cases)}]\n"
    cases += f"WANT = [{', '.join(want for _, want in given.cases)}]\n"
    name: Callable[[str], str] = lambda text: text.replace("F(", f"{given.function}(").replace(  # noqa: E731
        "yield F", f"yield {given.function}"
    )
    source = given.program if program is None else program
    return f"{source.rstrip()}\n\n\n{name(style.more.strip())}\n", cases + name(style.tests)


def _literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
