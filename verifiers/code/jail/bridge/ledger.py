"""What one end of the bridge knows: its own objects, stand-ins for the other side's, and what both hold."""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

from .containers import Registry
from .natures import Handle
from .own_objects import OwnObjects
from .stand_ins import Asker

_RECENT = 64
"""Stand-ins that stay, so that an object that comes again is the same one: ``id(f()) == id(f())``."""


class Ledger:
    """What one end knows of the other.

    Args:
        link: What stand-ins ask.
        strict: The other side is a program that must not look into objects of this side.
    """

    def __init__(self, link: Asker, *, strict: bool) -> None:
        self.link, self.strict = link, strict
        self.own = OwnObjects(guarded=strict)
        self.shared = Registry(0 if strict else 1)
        self.fresh: list[int] = []
        self.classes: dict[int, Any] = {}
        self.numbers_of_classes: dict[Any, int] = {}
        self.stand_ins: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.homes: weakref.WeakKeyDictionary[Any, Handle] = weakref.WeakKeyDictionary()
        self._received: dict[int, int] = {}
        self._living: dict[int, int] = {}
        self.recent: deque[Any] = deque(maxlen=_RECENT)
        self.withheld: dict[int, tuple[str, list[Any]]] = {}
        """Changes that this side has not taken over yet: number -> (kind, items)."""
        self.freed: list[list[int]] = []

    def receive(self, number: int, *, new: bool) -> None:
        """The other side has sent an object once more; `new` where a stand-in is made for it."""
        self._received[number] = self._received.get(number, 0) + 1
        if new:
            self._living[number] = self._living.get(number, 0) + 1

    def let_go(self, number: int) -> None:
        """A stand-in is gone; with the last one the other side hears of it."""
        left = self._living.get(number, 0) - 1
        self._living[number] = left
        if left <= 0:
            del self._living[number]
            self.freed.append([number, self._received.pop(number, 0)])
