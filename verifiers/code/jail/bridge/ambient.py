"""State that functions in one process share implicitly, kept alike at both ends of the bridge.

Each message takes along what has changed since the last one. Most of it the tests set and the program finds:
random states, streams, filters of warnings, what `unittest.mock.patch` put into modules. Only the working
folder, the environment and the levels of loggers come back as well, and what the program logged and warned
of: tests may look at these. What tests compute from anything else is not the program's to change.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_getcwd, _chdir = os.getcwd, os.chdir  # tests may patch these
_MOST_EVENTS = 10_000
_MOST_LOGGERS = 1_000
_STREAMS = ("stdin", "stdout", "stderr")
_OWN = ("solution", "__main__")


@dataclass(frozen=True)
class Shared:
    """One thing that a process has once.

    Args:
        words: Tests that have none of these in their text do not touch it; none for what is always looked at.
        read: Its state.
        write: Makes it so.
        back: The program may change it for the tests, too.
    """

    words: tuple[str, ...]
    read: Callable[[], Any]
    write: Callable[[Any], None]
    back: bool = False


def _folder() -> str | None:
    try:
        return _getcwd()
    except OSError:
        return None


def _enter(folder: Any) -> None:
    if isinstance(folder, str):
        _chdir(folder)


def _set_environment(wanted: Any) -> None:
    for name in os.environ.keys() - wanted.keys():
        del os.environ[name]
    os.environ.update({str(name): str(value) for name, value in wanted.items()})


_seeded = [0]
"""Number of times that tests have set a random state: to the same one again is a change, too."""


def _count_seeding(module: Any, *names: str) -> None:
    for name in names:
        original = getattr(module, name)

        def seeding(*arguments: Any, _original: Any = original, **keywords: Any) -> Any:
            _seeded[0] += 1
            return _original(*arguments, **keywords)

        setattr(module, name, seeding)


def _random_state() -> Any:
    import random

    return _seeded[0], random.getstate()


def _set_random_state(state: Any) -> None:
    import random

    random.setstate(state[1])


def _numpy_state() -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    kind, keys, position, has_gauss, gauss = numpy.random.get_state()
    return _seeded[0], kind, keys.tolist(), position, has_gauss, gauss


def _set_numpy_state(state: Any) -> None:
    if state is not None:
        importlib.import_module("numpy").random.set_state(tuple(state[1:]))


def _decimals() -> Any:
    import decimal

    made = decimal.getcontext()
    traps = [signal.__name__ for signal, on in made.traps.items() if on]
    return made.prec, made.rounding, made.Emin, made.Emax, made.capitals, made.clamp, traps


def _set_decimals(state: Any) -> None:
    import decimal

    traps = [getattr(decimal, name) for name in state[-1]]
    prec, rounding, least, most, capitals, clamp, _ = state
    made = decimal.Context(prec, rounding, least, most, capitals, clamp, traps=traps)
    decimal.setcontext(made)


def _filters() -> Any:
    import warnings

    return list(warnings.filters)


def _set_filters(filters: Any) -> None:
    import warnings

    warnings.filters[:] = filters  # type: ignore[index]
    warnings._filters_mutated()  # type: ignore[attr-defined]


def _zone() -> Any:
    import time

    return time.tzname, time.timezone, time.altzone


def _set_zone(_: Any) -> None:
    import time

    time.tzset()  # the environment is alike already


def _locale() -> Any:
    import locale

    return locale.setlocale(locale.LC_ALL)


def _set_locale(state: Any) -> None:
    import locale

    locale.setlocale(locale.LC_ALL, state)


def _streams() -> Any:
    """Return the tests' substitutes for the standard streams; None for each that has none."""
    found = [getattr(sys, name) for name in _STREAMS]
    return [
        None if stream is getattr(sys, f"__{name}__") else stream
        for name, stream in zip(_STREAMS, found, strict=True)
    ]


def _set_streams(streams: Any) -> None:
    for name, stream in zip(_STREAMS, streams, strict=True):
        setattr(sys, name, getattr(sys, f"__{name}__") if stream is None else stream)


def _levels() -> Any:
    import logging

    known = {"": logging.root, **logging.root.manager.loggerDict}
    found = {
        name: [logger.level, logger.propagate, logger.disabled]
        for name, logger in list(known.items())[:_MOST_LOGGERS]
        if isinstance(logger, logging.Logger)
    }
    return {"levels": found, "disabled": logging.root.manager.disable}


def _set_levels(state: Any) -> None:
    import logging

    for name, (level, propagate, disabled) in list(state["levels"].items())[:_MOST_LOGGERS]:
        logger = logging.getLogger(name) if name else logging.root
        logger.setLevel(level)
        logger.propagate, logger.disabled = bool(propagate), bool(disabled)
    logging.disable(state["disabled"])


_patched: dict[tuple[str, str], Any] = {}
_originals: dict[tuple[str, str], tuple[Any, str, Any]] = {}


def _follow_patches() -> None:
    """Note what `unittest.mock.patch` puts into modules and their classes, as long as it is there."""
    from unittest import mock

    kind: Any = mock._patch
    enter, leave = kind.__enter__, kind.__exit__

    def entering(self: Any) -> Any:
        made = enter(self)
        if (place := _place_of(self)) is not None:
            _patched[place] = getattr(self.target, self.attribute, None)
        return made

    def leaving(self: Any, *about: Any) -> Any:
        place = _place_of(self)
        if place is not None:
            _patched.pop(place, None)
        return leave(self, *about)

    kind.__enter__, kind.__exit__ = entering, leaving


def _place_of(patch: Any) -> tuple[str, str] | None:
    target = getattr(patch, "target", None)
    if isinstance(target, type(sys)):
        module, path = target.__name__, patch.attribute
    elif isinstance(target, type):
        module, path = target.__module__, f"{target.__qualname__}.{patch.attribute}"
    else:
        return None
    # Streams and the like are kept alike by themselves.
    return None if module in (*_OWN, "sys") else (module, path)


def _patches() -> Any:
    return [[*place, value] for place, value in _patched.items()]


def _set_patches(wanted: Any) -> None:
    places = {(module, path): value for module, path, value in wanted}
    owner: Any
    for place in [each for each in _originals if each not in places]:
        owner, name, original = _originals.pop(place)
        setattr(owner, name, original)
    for (module, path), value in places.items():
        owner = importlib.import_module(module)
        *way, name = path.split(".")
        for part in way:
            owner = getattr(owner, part)
        if (module, path) not in _originals:
            _originals[module, path] = owner, name, getattr(owner, name, None)
        setattr(owner, name, value)


def _set_arguments(arguments: Any) -> None:
    sys.argv[:] = arguments


SHARED: dict[str, Shared] = {
    "environment": Shared((), lambda: dict(os.environ), _set_environment, back=True),
    "folder": Shared((), _folder, _enter, back=True),
    "zone": Shared(("tzset",), _zone, _set_zone),
    "random": Shared(("random",), _random_state, _set_random_state),
    "numpy": Shared(("np.random", "numpy.random", "numpy import random"), _numpy_state, _set_numpy_state),
    "recursion": Shared(("setrecursionlimit",), sys.getrecursionlimit, sys.setrecursionlimit),
    "arguments": Shared(("argv",), lambda: list(sys.argv), _set_arguments),
    "decimals": Shared(("decimal",), _decimals, _set_decimals),
    "locale": Shared(("locale",), _locale, _set_locale),
    "filters": Shared(("warn", "Warn"), _filters, _set_filters),
    "levels": Shared(("logging", "Logs"), _levels, _set_levels, back=True),
    "streams": Shared(("std", "redirect"), _streams, _set_streams),
    "patches": Shared(("patch",), _patches, _set_patches),
}
"""In the order in which it is made alike."""


class Ambient:
    """Keeps one end alike with the other.

    Args:
        text: The tests; None at the program's end.
    """

    def __init__(self, text: str | None = None) -> None:
        self._tests = text is not None
        self._watched = {
            name: shared
            for name, shared in SHARED.items()
            if not shared.words or (text is not None and any(word in text for word in shared.words))
        }
        self._told = False
        self._events: list[Any] = []
        if self._tests:
            self._prepare()
        self._said = {name: shared.read() for name, shared in self._watched.items()}

    def _prepare(self) -> None:
        if "random" in self._watched:
            import random

            _count_seeding(random, "seed", "setstate")
        if "numpy" in self._watched and "numpy" in sys.modules:
            _count_seeding(sys.modules["numpy"].random, "seed", "set_state")
        if "patches" in self._watched:
            _follow_patches()

    def changes(self) -> dict[str, Any]:
        """Return the changes here since the last report."""
        found: dict[str, Any] = {}
        for name, shared in self._watched.items():
            now = shared.read()
            if now != self._said[name]:
                # Read anew: what this side holds would be taken for a container that both sides hold.
                self._said[name], found[name] = now, shared.read()
        if self._tests and not self._told:
            self._told = True
            more = [name for name, shared in self._watched.items() if shared.words]
            found |= {"watch": more} if more else {}
        if self._events:
            found["events"], self._events = self._events, []
        return found

    def take(self, changes: dict[str, Any]) -> None:
        """Apply the changes of the other end."""
        if not self._tests and "watch" in changes:
            self._watch(changes["watch"])
        for name, shared in SHARED.items():
            if name in changes and (not self._tests or (shared.back and name in self._watched)):
                with contextlib.suppress(Exception):
                    shared.write(changes[name])
                if name in self._watched:
                    self._said[name] = shared.read()
        for event in changes.get("events", ()) if self._tests else ():
            with contextlib.suppress(Exception):
                self._replay(*event)

    # At the program's end ---------------------------------------------------------------------

    def _watch(self, names: list[str]) -> None:
        for name in names:
            if SHARED[name].back:
                self._watched[name] = SHARED[name]
                self._said[name] = SHARED[name].read()
        if "filters" in names:
            self._note_warnings()
        if "levels" in names:
            self._note_records()

    def _note(self, *event: Any) -> None:
        if len(self._events) < _MOST_EVENTS:
            self._events.append(event)

    def _note_warnings(self) -> None:
        import warnings

        def show(said: Any) -> None:
            self._note("warned", said.message, str(said.filename), int(said.lineno))

        warnings._showwarnmsg_impl = show  # type: ignore[attr-defined]

    def _note_records(self) -> None:
        import logging

        handle = logging.Logger.callHandlers

        def handling(logger: Any, record: Any) -> None:
            where = str(record.pathname), int(record.lineno), str(record.funcName)
            self._note("logged", record.name, record.levelno, record.getMessage(), *where)
            handle(logger, record)

        logging.Logger.callHandlers = handling  # type: ignore[assignment, method-assign]

    # At the tests' end ------------------------------------------------------------------------

    def _replay(self, kind: str, *about: Any) -> None:
        if kind == "warned" and "filters" in self._watched:
            import warnings

            message, filename, line = about
            said = warnings.WarningMessage(message, type(message), filename, line)
            warnings._showwarnmsg(said)  # type: ignore[attr-defined]
        elif kind == "logged" and "levels" in self._watched:
            import logging

            name, level, message, path, line, function = about
            logger = logging.getLogger(name)
            record = logger.makeRecord(name, level, path, line, message, (), None, function)
            logger.callHandlers(record)
