"""Parts of pytest that test files use, and the call of tests: source for the tester, never imported.

Names begin with an underscore, so that none of them is taken for a function of the program.
"""

from __future__ import annotations

import contextlib as _contextlib
import inspect as _inspect
import re as _re
from typing import Any

_pytest_fixtures: dict[str, Any] = {}


def _demand(_holds: Any, _message: str) -> None:
    if not _holds:
        raise AssertionError(_message)


class _PytestApprox:
    """A number, or numbers, that are met within a tolerance: by default 1e-6 of the value, at least 1e-12."""

    def __init__(self, expected: Any, rel: Any = None, abs: Any = None, nan_ok: bool = False) -> None:
        self._expected, self._rel, self._abs, self._nan_ok = expected, rel, abs, nan_ok

    def _same(self, _said: Any, _wanted: Any) -> bool:
        if isinstance(_wanted, dict):
            return (
                isinstance(_said, dict)
                and _said.keys() == _wanted.keys()
                and all(self._same(_said[_key], _wanted[_key]) for _key in _wanted)
            )
        if isinstance(_wanted, (list, tuple)):
            return (
                isinstance(_said, (list, tuple))
                and len(_said) == len(_wanted)
                and all(self._same(_one, _other) for _one, _other in zip(_said, _wanted, strict=True))
            )
        if _said == _wanted:
            return True
        if not _is_number(_wanted):
            return False
        if _is_nan(_wanted):
            return bool(self._nan_ok and _is_nan(_said))
        if not _is_number(_said) or _infinite(_wanted):
            return False
        _least = 1e-12 if self._abs is None else self._abs
        if self._rel is None and self._abs is not None:
            return bool(_size(_said - _wanted) <= _least)
        _share = (1e-6 if self._rel is None else self._rel) * _size(_wanted)
        return bool(_size(_said - _wanted) <= max(_least, _share))

    def __eq__(self, _said: Any) -> bool:
        return self._same(_said, self._expected)

    def __ne__(self, _said: Any) -> bool:
        return not self._same(_said, self._expected)

    __hash__ = None  # type: ignore[assignment]


def _is_number(_value: Any) -> bool:
    # By its type, and not by what it says: an object of the program's could subtract as it likes.
    return type(_value) in (int, float, complex) or type(_value).__module__ in (
        "decimal",
        "fractions",
        "numpy",
    )


def _size(_value: Any) -> Any:
    return _value.__abs__()


def _is_nan(_value: Any) -> bool:
    return bool(_value != _value)  # noqa: PLR0124  (which is how it is known)


def _infinite(_value: Any) -> bool:
    return bool(_value in (float("inf"), float("-inf")))


class _PytestRaised:
    """Exception that `raises` caught."""

    value: Any = None
    type: Any = None

    def match(self, _pattern: str) -> bool:
        _demand(_re.search(_pattern, str(self.value)), "the message of the exception is another one")
        return True


@_contextlib.contextmanager
def _pytest_raises_in(_expected: Any, _pattern: Any) -> Any:
    _caught = _PytestRaised()
    try:
        yield _caught
    except _expected as _error:
        _caught.value, _caught.type = _error, type(_error)
        if _pattern is not None:
            _caught.match(_pattern)
        return
    raise AssertionError(f"DID NOT RAISE {_expected}")


def _pytest_raises(_expected: Any, *_called: Any, match: Any = None, **_named: Any) -> Any:
    if not _called:
        return _pytest_raises_in(_expected, match)
    with _pytest_raises_in(_expected, match) as _caught:
        _called[0](*_called[1:], **_named)
    return _caught


class _PytestMark:
    """``pytest.mark``: parametrize counts, other marks say how a test is run."""

    def __getattr__(self, _name: str) -> Any:
        def _marked(*_given: Any, **_named: Any) -> Any:
            if len(_given) == 1 and not _named and callable(_given[0]):
                return _given[0]
            return lambda _test: _test

        return _marked

    @staticmethod
    def parametrize(argnames: Any, argvalues: Any, **_named: Any) -> Any:
        _names = (
            [_each.strip() for _each in argnames.split(",") if _each.strip()]
            if isinstance(argnames, str)
            else [*argnames]
        )
        _rows = []
        for _row in argvalues:
            _row = (
                _row._values
                if isinstance(_row, _PytestParam)
                else ((_row,) if len(_names) == 1 else tuple(_row))
            )
            _demand(len(_row) == len(_names), "parametrize: as many values as names")
            _rows.append(dict(zip(_names, _row, strict=True)))

        def _with_rows(_test: Any) -> Any:
            _test._pytest_rows = [
                {**_inner, **_outer} for _outer in _rows for _inner in getattr(_test, "_pytest_rows", [{}])
            ]
            return _test

        return _with_rows


class _PytestParam:
    """One row of parametrize."""

    def __init__(self, *_values: Any, **_named: Any) -> None:
        self._values = _values


class _PytestStandIn:
    approx = _PytestApprox
    raises = staticmethod(_pytest_raises)
    mark = _PytestMark()
    param = _PytestParam

    @staticmethod
    def fail(_message: str = "", **_named: Any) -> None:
        raise AssertionError(_message)

    @staticmethod
    def fixture(*_given: Any, **_named: Any) -> Any:
        def _registered(_made: Any) -> Any:
            _pytest_fixtures[_named.get("name") or _made.__name__] = _made
            return _made

        return _registered(_given[0]) if _given and callable(_given[0]) else _registered

    @staticmethod
    def main(*_given: Any, **_named: Any) -> int:
        return 0


def _pytest_value(_name: str, _made: dict[str, Any], _open: list[Any], _self: Any) -> Any:
    """A fixture's value, made once for a test."""
    if _name not in _made:
        _fixture: Any = _pytest_fixtures.get(_name) or getattr(type(_self), _name, None)
        _demand(_fixture is not None, f"fixture {_name!r} not found")
        _needed = list(_inspect.signature(_fixture).parameters)
        _first = [_self] if _needed[:1] == ["self"] else []
        _value = _fixture(
            *_first, **{_each: _pytest_value(_each, _made, _open, _self) for _each in _needed[len(_first) :]}
        )
        if _inspect.isgenerator(_value):
            _open.append(_value)
            _value = next(_value)
        _made[_name] = _value
    return _made[_name]


def _pytest_once(_test: Any, _row: dict[str, Any], _self: Any = None) -> None:
    _made = dict(_row)
    _open: list[Any] = []
    # A parameter with a default is no fixture; what `patch` gives, it gives by itself.
    _needed = [
        _each.name
        for _each in _inspect.signature(_test, follow_wrapped=False).parameters.values()
        if _each.kind in (_each.POSITIONAL_OR_KEYWORD, _each.KEYWORD_ONLY)
        and (_each.default is _each.empty or _each.name in _row)
    ]
    try:
        _done = _test(**{_each: _pytest_value(_each, _made, _open, _self) for _each in _needed})
        if _inspect.iscoroutine(_done):
            _done = __import__("asyncio").run(_done)
        _demand(not _inspect.isgenerator(_done), "a test that yields tests nothing")
    finally:
        for _each in reversed(_open):
            next(_each, None)


def _pytest_function(_test: Any) -> None:
    """Run a test function, with each of its rows."""
    _rows = getattr(_test, "_pytest_rows", [{}])
    _demand(_rows, "parametrize without rows tests nothing")
    for _row in _rows:
        _pytest_once(_test, _row)


def _pytest_method(_kind: Any, _name: str) -> None:
    """Run a method of a test class, with each of its rows, in a fresh instance."""
    _rows = [
        {**_row, **_outer}
        for _outer in getattr(_kind, "_pytest_rows", [{}])
        for _row in getattr(getattr(_kind, _name), "_pytest_rows", [{}])
    ]
    _demand(_rows, "parametrize without rows tests nothing")
    for _row in _rows:
        _instance = _kind(_name) if hasattr(_kind, "assertEqual") else _kind()
        for _step in ("setUpClass", "setup_class", "asyncSetUp", "setUp", "setup_method"):
            _pytest_step(_instance, _step)
        try:
            _pytest_once(getattr(_instance, _name), _row, _instance)
        finally:
            for _step in (
                "teardown_method",
                "tearDown",
                "asyncTearDown",
                "doCleanups",
                "teardown_class",
                "tearDownClass",
            ):
                _pytest_step(_instance, _step)


def _pytest_step(_instance: Any, _step: str) -> None:
    _found = getattr(_instance, _step, None)
    if _found is not None:
        _given = [None] * len(
            [
                _each
                for _each in _inspect.signature(_found).parameters.values()
                if _each.default is _each.empty
            ]
        )
        _done = _found(*_given)
        if _inspect.iscoroutine(_done):
            __import__("asyncio").run(_done)
