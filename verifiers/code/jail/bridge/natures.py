"""Iterators, generators, coroutines and functions of the other side."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterator
from typing import Any

from .stand_ins import Asker


class Handle:
    """Handle on a generator, an iterator, a coroutine or a function of the other side."""

    def __init__(self, link: Asker, number: int) -> None:
        self._at = (link, number)

    def __del__(self) -> None:
        self._at[0].let_go(self._at[1])


class RemoteIterator:
    """An iterator of the other side."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle

    def __iter__(self) -> RemoteIterator:
        return self

    def __next__(self) -> Any:
        return self.handle._at[0].ask("next", self)


def like_built_in(iterator: RemoteIterator, name: Any) -> Any:
    """An iterator of the type that the other side's has, where that can be made."""
    if name == "map":
        return map(lambda item: item, iterator)  # noqa: C417
    return filter(lambda item: True, iterator) if name == "filter" else iterator


def generator(handle: Handle) -> Iterator[Any]:
    """A generator of this side that draws from one of the other side."""
    itself: list[weakref.ref[Any]] = []
    made = _drawing(handle, itself)
    itself.append(weakref.ref(made))
    return made


def _drawing(handle: Handle, itself: list[weakref.ref[Any]]) -> Generator[Any, Any, Any]:
    ask = handle._at[0].ask
    operation, arguments = "next", ()  # type: tuple[str, tuple[Any, ...]]
    while True:
        try:
            item = ask(operation, handle, *arguments)
        except StopIteration as end:
            return end.value
        try:
            given = yield item
            operation, arguments = ("next", ()) if given is None else ("send", (given,))
        except GeneratorExit:
            if itself[0]() is not None:  # closed, and not merely forgotten here
                ask("close", handle)
            raise
        except BaseException as error:
            operation, arguments = "throw", (error,)


async def coroutine(handle: Handle) -> Any:
    """A coroutine of this side that waits for one of the other side."""
    import asyncio

    ask = handle._at[0].ask
    ask("start", handle)
    ended = False
    try:
        while True:
            done, value = ask("poll", handle)
            if done:
                ended = True
                return value
            await asyncio.sleep(0)
    except Exception:
        ended = True
        raise
    finally:
        if not ended:
            ask("cancel", handle)


async def async_generator(handle: Handle) -> Any:
    """An asynchronous generator of this side that draws from one of the other side."""
    while True:
        try:
            item = await handle._at[0].ask("special", handle, "__anext__")
        except StopAsyncIteration:
            return
        yield item


def function(handle: Handle, names: dict[str, Any]) -> Callable[..., Any]:
    """A function of the program's side that calls one of the tests."""
    ask = handle._at[0].ask
    if names.get("a"):

        async def waits(*arguments: Any, **keywords: Any) -> Any:
            return await ask("call", handle, *arguments, **keywords)

        made: Any = waits
    else:

        def calls(*arguments: Any, **keywords: Any) -> Any:
            return ask("call", handle, *arguments, **keywords)

        made = calls
    made.__name__ = made.__qualname__ = str(names.get("n", "function"))
    made.__doc__ = names.get("d")
    return made  # type: ignore[no-any-return]
