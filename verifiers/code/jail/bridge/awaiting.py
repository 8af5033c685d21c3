"""Coroutines of this side that the other side awaits.

The other side asks again and again whether a coroutine has ended; each time this side's loop goes one round.
So coroutines of both sides run by turns, and one may wait for another across the wall.
"""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

_LONGEST_WAIT = 0.005


class Tasks:
    """What the other side awaits, by number."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, number: int, target: Any) -> None:
        """Begin."""
        if number not in self._tasks:
            self._tasks[number] = self._own_loop().create_task(_whole(target))

    def poll(self, number: int, target: Any) -> tuple[bool, Any]:
        """Whether it has ended, and its value; raises what it raised."""
        self.start(number, target)
        task = self._tasks[number]
        if not task.done() and _running() is None:
            self._round()
        return (True, task.result()) if task.done() else (False, None)

    def cancel(self, number: int, target: Any) -> None:
        """End it early."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            if _running() is None:
                self._round()

    def forget(self, number: int) -> None:
        """It will not be asked for again."""
        self._tasks.pop(number, None)

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        running = _running()
        if running is not None:
            return running
        if self._loop is None or self._loop.is_closed():
            import asyncio  # it takes as long to load as everything else together

            self._loop = asyncio.new_event_loop()
        return self._loop

    def _round(self) -> None:
        loop = self._own_loop()
        ready, timers = getattr(loop, "_ready", ()), getattr(loop, "_scheduled", ())
        if ready:
            loop.call_soon(loop.stop)
        else:
            due = timers[0].when() - loop.time() if timers else _LONGEST_WAIT
            loop.call_later(max(0.0, min(due, _LONGEST_WAIT)), loop.stop)
        loop.run_forever()


def _running() -> asyncio.AbstractEventLoop | None:
    events = sys.modules.get("asyncio.events")
    return None if events is None else events._get_running_loop()


def _whole(target: Any) -> Coroutine[Any, Any, Any]:
    async def wait() -> Any:
        return await target

    return wait()
