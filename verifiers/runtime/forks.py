"""Locks and state that stay usable in a child of `os.fork`, which has one thread: the one that forked.

What another thread was in the middle of stays so in the child for ever: a lock that it held, a module that it
was importing, a pipe that it was making. Data loaders and trainers fork beside threads, so

* values that are worked out once are kept without a lock (`cached_property`);
* own locks are made here and are made anew in the child (`new_lock`), those of libraries that a verdict takes
  likewise (`LIBRARY_LOCKS`), and what stands for other processes or threads forgets them (`forgets`);
* a fork waits for what must not be cut in two: imports and the start of processes (`whole`), which no
  interrupt cuts in two either (`uninterrupted`).
"""

from __future__ import annotations

import _imp
import _thread
import contextlib
import logging  # noqa: F401  (before our hooks: they run, and wait, while no lock of the logging is held)
import os
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import _bootstrap
from operator import attrgetter
from typing import Any, Generic, Protocol, Self, TypeVar, overload

T = TypeVar("T")

MOST_WAITING = 10.0
"""Seconds for which a fork waits at most for other threads: one of them might wait for the one that forks."""
_PAUSE = 0.001
LIBRARY_LOCKS = {
    "asyncio.events": ("_lock",),
    "asyncio.mixins": ("_global_lock",),
    "pydantic._internal._namespace_utils": (
        "LazyLocalNamespace.data.lock",
        "NsResolver.types_namespace.lock",
    ),
    "pydantic._internal._utils": ("LazyClassAttribute.value.lock",),
    "pydantic.main": ("_rebuild_lock",),
    "regex._main": ("_cache_lock",),
    "regex.regex": ("_cache_lock",),  # where older versions have it
    "sysconfig": ("_CONFIG_VARS_LOCK",),
    "tempfile": ("_once_lock",),
    "_strptime": ("_cache_lock",),
}
"""Locks of modules that a verdict or a recipe takes and that no fork makes anew; a test looks for others."""


class cached_property(Generic[T]):  # noqa: N801  (its namesake's name: it is used in its place)
    """A value that an object works out once and keeps; `functools.cached_property` without a lock.

    Up to Python 3.11 that one has a lock for all objects of the class, which a thread that works out a value
    holds. Here two threads that meet may both work it out, and both get what is kept first: for values that
    depend on nothing but the object.

    Args:
        function: Works the value out, from an object that has a ``__dict__``.

    >>> class Circle:
    ...     @cached_property
    ...     def area(self):
    ...         return print("once") or 3.14
    >>> circle = Circle()
    >>> circle.area, circle.area
    once
    (3.14, 3.14)
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        # Python asks here only for what the instance has not kept yet.
        if instance is None:
            return self
        try:
            kept = vars(instance)
        except TypeError:
            raise TypeError(
                f"{type(instance).__name__} has no __dict__ in which {self.name!r} could be kept; "
                "leave out `slots`, or use a property"
            ) from None
        found: T = kept.setdefault(self.name, self.function(instance))
        return found


class Forgets(Protocol):
    """Holder of processes or threads that a forked child does not have."""

    def after_fork(self) -> None:
        """In the child: let go of them, and begin anew. It must not wait, as a buffer does for its lock."""
        ...


_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_forgetting: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> threading.Lock:
    """A lock that is free in a forked child, whoever held it."""
    lock = threading.Lock()
    _locks.add(lock)
    return lock


def new_rlock() -> Any:
    """The same for one that its holder may take again."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def forgets(thing: Forgets) -> None:
    """Have `after_fork` called in every child, as long as the thing lives."""
    _forgetting.add(thing)


# What must not be cut in two ----------------------------------------------------------------------

_gate = threading.Lock()
_inside: Counter[int] = Counter()
_endless: set[tuple[str, int]] = set()
"""Waits that were in vain, such as for a module that runs a whole program when it is imported."""


@contextlib.contextmanager
def whole() -> Iterator[None]:
    """A forked child finds what is done in here done, or not begun; another thread's fork waits for it.

    For the start of processes: a child that has one end of its pipes keeps the other end's reader waiting.
    """
    me = threading.get_ident()
    with _gate:
        _inside[me] += 1
    try:
        yield
    finally:
        with _gate:
            _inside[me] -= 1
            if not _inside[me]:
                del _inside[me]


def uninterrupted(step: Callable[[], None]) -> None:
    """Call a function that an interrupt finds done, or not begun: in a thread signals raise nothing.

    For the start of processes: one that is cut in two leaves a child that nobody knows.

    Args:
        step: Keeps what it makes where the caller finds it after an interrupt.

    Raises:
        BaseException: The function raised it, or a signal handler did meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        return step()
    lock, done = threading.Lock(), threading.Lock()
    state = {"begun": False, "ended": False, "given_up": False}
    raised: list[BaseException] = []

    def run() -> None:
        with lock:
            if state["given_up"]:
                return
            state["begun"] = True
        try:
            step()
        except BaseException as error:  # the caller raises it
            raised.append(error)
        finally:
            state["ended"] = True
            done.release()

    done.acquire()
    try:
        try:
            _thread.start_new_thread(run, ())
        except RuntimeError:  # no more threads can be started
            return step()
        done.acquire()
    except BaseException:
        with lock:
            state["given_up"] = True
        while state["begun"] and not state["ended"]:  # the lock may have been taken just before
            time.sleep(_PAUSE)
        raise
    while raised:
        raise raised.pop()  # with nothing left behind that refers to its own frame
    return None


def _in_the_middle() -> set[tuple[str, int]]:
    """Return what other threads are amid, with the thread: modules, or "" for what must stay whole."""
    me = threading.get_ident()
    found = {("", thread) for thread in _inside if thread != me}
    for module, reference in list(getattr(_bootstrap, "_module_locks", {}).items()):
        owner = getattr(reference(), "owner", None)
        if owner not in (None, me):
            found.add((str(module), owner))
    return found


def _before() -> None:
    """Wait for other threads, and hold what they would need to begin anything new."""
    until = time.monotonic() + MOST_WAITING
    while True:
        _imp.acquire_lock()
        _gate.acquire()
        others = _in_the_middle()
        if others <= _endless:
            return
        if time.monotonic() > until:
            _endless.update(others)
            return
        _gate.release()
        _imp.release_lock()
        time.sleep(_PAUSE)


def _in_parent() -> None:
    _gate.release()
    _imp.release_lock()


def _in_child() -> None:
    global _inside  # noqa: PLW0603
    _gate._at_fork_reinit()  # type: ignore[attr-defined]
    _imp.release_lock()
    me = threading.get_ident()
    _inside = Counter({me: _inside[me]} if me in _inside else {})
    for lock in list(_locks):
        lock._at_fork_reinit()
    for module, names in LIBRARY_LOCKS.items():
        for name in names if module in sys.modules else ():
            with contextlib.suppress(AttributeError):  # another version may have none
                attrgetter(name)(sys.modules[module])._at_fork_reinit()
    for thing in list(_forgetting):
        thing.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
