"""Actors at work: a call goes to whichever is free, and losing an actor costs nothing but time.

Ray's own retries are not used. An actor that it restarts may wait for a core for ever, when a machine has
left, and a task that belongs to it would wait as long; here the other actors take over.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Any

from reward_verifiers.verifiers.runtime.forks import new_lock

from ..files.scored_output import RunError

IN_FLIGHT = 2
"""Calls that an actor has at a time: it works on one, and the next one is there when that is done."""
TRIES = 3
"""For a call in whose course its actor is lost, before the call is said to be the reason."""
STARTS = 3
"""Of an actor, one after another, that fail while no other is at work, before none can be started."""
START_SECONDS = 900.0
"""Until an actor must be at work: clusters that grow on demand take minutes to add a machine."""
_LOOK_SECONDS = 1.0


class LostError(Exception):
    """Each actor that had this call was lost."""


class _Call:
    def __init__(self, arguments: tuple[Any, ...]) -> None:
        self.arguments = arguments
        self.losses = 0
        self.future: Future[Any] = Future()
        self.future.set_running_or_notify_cancel()


class Crew:
    """Some actors of one kind.

    Usable from any thread.

    Args:
        ray: The package, initialised.
        start: Starts an actor, with methods ``ready`` (called first) and ``work``.
        count: Number of them.
        alive: Seconds until one must be at work.
    """

    def __init__(
        self, ray: Any, start: Callable[[], Any], count: int, *, alive: float = START_SECONDS
    ) -> None:
        self.count = count
        self._ray, self._start, self._patience = ray, start, alive
        self._changed = threading.Condition()
        self._calls: deque[_Call] = deque()
        self._open = 0
        self._closed = False
        self._failed: Exception | None = None
        self._at_work: dict[int, Any] = {}
        self._starting: dict[int, Any] = {}
        self._since = time.monotonic()
        self._threads = [
            threading.Thread(target=self._serve, args=(place,), name="ray-actor", daemon=True)
            for place in range(count)
            for _ in range(IN_FLIGHT)
        ]
        self._places = [new_lock() for _ in range(count)]
        self._lines: list[list[_Call]] = [[] for _ in range(count)]
        for thread in self._threads:
            thread.start()

    @property
    def idle(self) -> bool:
        """Whether another call would be worked on at once."""
        return self._open < IN_FLIGHT * self.count

    def call(self, *arguments: Any) -> Future[Any]:
        """Ask for ``work(*arguments)``; `result` waits for it."""
        call = _Call(arguments)
        with self._changed:
            if self._failed is not None:
                call.future.set_exception(self._failed)
                return call.future
            self._open += 1
            self._calls.append(call)
            self._changed.notify()
        return call.future

    def result(self, future: Future[Any]) -> Any:
        """Return the result of a call.

        Raises:
            LostError: Actors are lost wherever the call goes.
            RunError: No actor can be started.
            Exception: ``work`` raised it.
        """
        while True:
            try:
                return future.result(_LOOK_SECONDS)
            except NotYet:
                if future.done():  # it is what `work` raised
                    raise
                with self._changed:
                    late = not self._at_work and time.monotonic() - self._since > self._patience
                if late:
                    self._fail(
                        RunError(
                            f"no actor is at work after {self._patience:,.0f} s: the cluster has no core "
                            "free for one; free some, or ask for another cluster"
                        )
                    )

    def close(self) -> None:
        """End all actors; calls that are not done are given up."""
        with self._changed:
            self._closed = True
            actors = [*self._at_work.values(), *self._starting.values()]
            self._changed.notify_all()
        for actor in actors:
            self._kill(actor)
        for thread in self._threads:
            thread.join()

    # ------------------------------------------------------------------------------------------

    def _serve(self, place: int) -> None:
        """Hand calls to the actor of a place, until the end."""
        while (actor := self._actor(place)) is not None and (call := self._next()) is not None:
            line = self._lines[place]
            try:
                with self._changed:
                    line.append(call)
                    reference = actor.work.remote(*call.arguments)
                value = self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:
                self._settle(call, error=_cause(error))
            except Exception as error:
                # Whatever Ray raises beside what `work` raises: actor, machine or result are gone.
                self._lost(place, actor)
                # Those after the first had not begun.
                call.losses += call is line[0]
                if call.losses == TRIES:
                    self._settle(call, error=LostError(_first_line(error)))
                else:
                    with self._changed:
                        self._calls.appendleft(call)
                        self._changed.notify()
            else:
                self._settle(call, value)
            finally:
                with self._changed:
                    line.remove(call)

    def _actor(self, place: int) -> Any:
        """Return the actor of a place, starting it if needed; None at the end."""
        with self._places[place]:
            failures = 0
            while not self._closed and self._failed is None:
                actor = self._at_work.get(place)
                try:
                    return actor if actor is not None else self._started(place)
                except self._ray.exceptions.RayTaskError as error:
                    self._fail(_cause(error))
                except Exception as error:
                    failures += 1
                    if failures >= STARTS and not self._at_work:
                        self._fail(RunError(f"no actor can be started: {_first_line(error)}"))
                    with self._changed:
                        self._changed.wait(_LOOK_SECONDS)
            return None

    def _started(self, place: int) -> Any:
        actor = self._start()
        with self._changed:
            self._starting[place] = actor
        try:
            ready = actor.ready.remote()
            while not self._closed and not self._ray.wait([ready], timeout=_LOOK_SECONDS)[0]:
                pass
            if self._closed:
                self._kill(actor)
                return None
            self._ray.get(ready)
            with self._changed:
                self._at_work[place] = actor
            return actor
        finally:
            with self._changed:
                del self._starting[place]

    def _next(self) -> _Call | None:
        with self._changed:
            while not self._calls and not self._closed:
                self._changed.wait()
            return None if self._closed else self._calls.popleft()

    def _lost(self, place: int, actor: Any) -> None:
        with self._changed:
            if self._at_work.get(place) is actor:
                del self._at_work[place]
            if not self._at_work:
                self._since = time.monotonic()
        self._kill(actor)

    def _settle(self, call: _Call, value: Any = None, error: BaseException | None = None) -> None:
        with self._changed:
            self._open -= 1
        if error is None:
            call.future.set_result(value)
        else:
            call.future.set_exception(error)

    def _fail(self, error: Exception) -> None:
        """Fail every call: nothing can be worked on any more."""
        with self._changed:
            self._failed = self._failed or error
            calls = list(self._calls)
            self._calls.clear()
        for call in calls:
            self._settle(call, error=self._failed)

    def _kill(self, actor: Any) -> None:
        with contextlib.suppress(Exception):  # it is gone, or Ray itself is
            self._ray.kill(actor)


def _cause(error: Any) -> Exception:
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, Exception) else RunError(_first_line(error))


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
