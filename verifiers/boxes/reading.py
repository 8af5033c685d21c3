"""Boxes and points in a text: JSON, tuples in prose, tags of vision models."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

Format = Literal["xyxy", "xywh", "cxcywh"]
"""What the four numbers of a box are: corners; a corner and sizes; the centre and sizes."""
MAX_CHARS = 100_000
"""Characters of a text with boxes."""
MOST = 400
"""Boxes that are compared."""
_KEYS = (
    "bbox_2d",
    "bbox",
    "box_2d",
    "box",
    "boxes",
    "bboxes",
    "bounding_box",
    "position",
    "point_2d",
    "point",
    "points",
)
_LABELS = ("label", "class", "category", "name", "text_label")
_NUMBER = r"[-+]?\d{1,9}(?:\.\d{1,12})?"
_FOUR = re.compile(
    rf"[\[(<]\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}}[\])>]"
)
_PAIRS = re.compile(
    rf"\(\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}}\)\s{{0,4}},?\s{{0,4}}\(\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}}\)"
)
_TWO = re.compile(rf"[\[(<]\s{{0,4}}({_NUMBER})\s{{0,4}},\s{{0,4}}({_NUMBER})\s{{0,4}}[\])>]")
_FENCE = re.compile(r"```(?:json)?\s{0,4}\n?(.{0,100000}?)```", re.DOTALL)


class Box(NamedTuple):
    """A box by its corners; a point is a box without size.

    Args:
        left: The smaller x.
        top: The smaller y.
        right: The larger x.
        bottom: The larger y.
        label: What is said to be in it, in lower case; "" where nothing is.
    """

    left: float
    top: float
    right: float
    bottom: float
    label: str = ""

    @property
    def area(self) -> float:
        """Its size."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def is_point(self) -> bool:
        """Whether it has no size at all."""
        return self.left == self.right and self.top == self.bottom


class Unreadable(NamedTuple):
    """Why numbers are no box.

    Args:
        said: A sentence for a person.
    """

    said: str


def boxes_in(text: str, form: Format) -> list[Box] | Unreadable:
    """The boxes and points of a text, JSON first.

    >>> boxes_in('[{"bbox_2d": [1, 2, 3, 4], "label": "Cat"}]', "xyxy")
    [Box(left=1.0, top=2.0, right=3.0, bottom=4.0, label='cat')]
    >>> boxes_in("It is at (1, 2, 2, 2).", "xywh")
    [Box(left=1.0, top=2.0, right=3.0, bottom=4.0, label='')]
    """
    for shown in (*(found[1] for found in _FENCE.finditer(text)), text[_opening(text) :], text):
        try:
            data = json.loads(shown.strip())
        except (ValueError, RecursionError):
            continue
        found = boxes_of(data, form)
        if isinstance(found, Unreadable) or found:
            return found
    for pattern in (_FOUR, _PAIRS, _TWO):
        tuples = [found.groups() for found in pattern.finditer(text)]
        if tuples:
            return boxes_of([[float(each) for each in numbers] for numbers in tuples], form)
    return []


def _opening(text: str) -> int:
    places = [place for sign in "[{" if (place := text.find(sign)) >= 0]
    return min(places, default=0)


def boxes_of(data: Any, form: Format) -> list[Box] | Unreadable:
    """The boxes of plain data: numbers, a list of boxes, or mappings with a box and a label."""
    found: list[Box] = []
    for each in _flat(data, 0):
        box = _box(each, form)
        if isinstance(box, Unreadable):
            return box
        found.append(box)
        if len(found) > MOST:
            return Unreadable(f"more than {MOST} boxes")
    return found


def _flat(data: Any, depth: int, label: str = "") -> Iterator[tuple[list[float], str]]:
    if depth > 6:
        return
    if isinstance(data, Mapping):
        label = next((str(data[key]) for key in _LABELS if isinstance(data.get(key), str)), label)
        if all(key in data for key in ("x1", "y1", "x2", "y2")):
            yield from _flat([data[key] for key in ("x1", "y1", "x2", "y2")], depth + 1, label)
            return
        if "x" in data and "y" in data:
            yield from _flat([data["x"], data["y"]], depth + 1, label)
            return
        inner = [data[key] for key in _KEYS if key in data] or list(data.values())
        for each in inner:
            if isinstance(each, list | tuple | Mapping):
                yield from _flat(each, depth + 1, label)
    elif isinstance(data, list | tuple):
        numbers = [each for each in data if isinstance(each, int | float) and not isinstance(each, bool)]
        if data and len(numbers) == len(data):
            yield [float(each) for each in numbers], label
        else:
            for each in data:
                yield from _flat(each, depth + 1, label)


def _box(found: tuple[list[float], str], form: Format) -> Box | Unreadable:
    numbers, label = found
    if not all(map(math.isfinite, numbers)):
        return Unreadable(f"{numbers!r:.80} has a number that is not finite")
    if len(numbers) == 2:
        return Box(numbers[0], numbers[1], numbers[0], numbers[1], label.casefold())
    if len(numbers) != 4:
        return Unreadable(f"{numbers!r:.80} has {len(numbers)} numbers; a box has four, a point two")
    first, second, third, fourth = numbers
    if form == "xywh":
        third, fourth = first + third, second + fourth
    elif form == "cxcywh":
        first, second, third, fourth = (
            first - third / 2,
            second - fourth / 2,
            first + third / 2,
            second + fourth / 2,
        )
    if third <= first or fourth <= second:
        return Unreadable(f"{numbers!r:.80} as {form} is a box without size")
    return Box(first, second, third, fourth, label.casefold())
