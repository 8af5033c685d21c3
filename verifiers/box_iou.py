"""Accuracy of the boxes or points that a text states, against those of the row."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from .core.checks import Range
from .core.extraction import Extractor
from .core.verdicts import Sample, Verdict
from .core.verifier_base import VERIFIERS, Verifier
from .extract.answers_and_references import find_answer
from .extract.chain import FirstOf, WholeText
from .extract.marked_answers import Tag

Format = Literal["xyxy", "xywh", "cxcywh"]
"""Meaning of a box's four numbers: corners; a corner and sizes; the centre and sizes."""
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
        label: Label of the box, in lower case; "" if it has none.
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


Space = Literal["pixels", "unit", "thousand"]
"""In what coordinates are given: pixels, 0 to 1, or 0 to 1000 of the image's width and height."""
_FULL: Mapping[str, float] = {"unit": 1.0, "thousand": 1000.0}


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class BoxIoU(Verifier):
    """Intersection over union (IoU) of the answer's boxes with those of the row, matched one to one.

    Boxes come from JSON (``[{"bbox_2d": [x1, y1, x2, y2], "label": ...}]``) or from tuples in prose. You
    declare what the numbers mean; nothing is guessed. Each box of the row is matched with at most one box of
    the answer, the best pairs first. A box without a match counts against the answer, so neither many boxes
    nor a large one helps. A point is right inside its box.

    Args:
        format: Meaning of four numbers in a completion: ``xyxy``, ``xywh`` or ``cxcywh``.
        reference_format: The same for the row.
        space: Coordinates in a completion: ``pixels``, ``unit`` (0 to 1) or ``thousand`` (0 to 1000).
        reference_space: The same for the row. If the two differ, the row needs `width` and `height`.
        threshold: Least IoU of a match, which then earns 1. None: a match earns its IoU.
        labels: Whether a match needs the same label.
        width: Column with the image's width in pixels.
        height: Column with the image's height in pixels.
        extract: Finds the boxes.

    >>> BoxIoU().verify("[0, 0, 10, 10]", [0, 0, 10, 5]).score
    0.5
    >>> BoxIoU().verify("(2, 2)", [0, 0, 10, 5]).reason
    'all_matched'
    >>> BoxIoU().verify("[900, 0, 950, 50]", [0, 0, 10, 5]).reason
    'apart'
    """

    reference_first: ClassVar[bool] = True
    graded: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "all_matched": "every box of the row is matched, and nothing else is stated",
        "partly_matched": "some boxes are matched, or more are stated",
        "apart": "no stated box overlaps with one of the row",
        "below_threshold": "boxes overlap, and no pair reaches the threshold",
        "other_labels": "boxes overlap, and none has the label of its match",
        "other_space": "no overlap, and the numbers look like those of another coordinate space",
        "other_format": "no overlap, and another format of the numbers would overlap",
        "bad_box": "the numbers are no box",
        "no_boxes": "no box and no point is stated",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "no_size": "the spaces differ, and the row does not say how large the image is",
        "over_limit": f"the text is longer than {MAX_CHARS:,} characters",
    }

    format: Format = "xyxy"
    reference_format: Format = "xyxy"
    space: Space = "pixels"
    reference_space: Space = "pixels"
    threshold: Annotated[float, Range(0, 1)] | None = None
    labels: bool = False
    width: str = "width"
    height: str = "height"
    extract: Extractor = field(default=FirstOf(Tag(), WholeText()))

    def check(self, sample: Sample) -> Verdict:
        due = self._due(sample.reference)
        if isinstance(due, Unreadable):
            return self.unscored("bad_reference", due.said)
        scale = self._scale(sample.fields)
        if scale is None:
            return self.unscored(
                "no_size", f"columns {self.width!r} and {self.height!r} must be numbers above 0"
            )
        if len(sample.response) > MAX_CHARS:
            return self.scored(0.0, "over_limit", f"{len(sample.response):,} characters")
        answer = find_answer(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        stated = boxes_in(answer, self.format)
        if isinstance(stated, Unreadable):
            return self.scored(0.0, "bad_box", stated.said, extracted=answer[:200])
        if not stated:
            return self.scored(0.0, "no_boxes", extracted=answer[:200])
        return self._compared([_scaled(box, *scale) for box in stated], due, answer, scale)

    def _due(self, reference: Any) -> list[Box] | Unreadable:
        found = (
            boxes_in(reference, self.reference_format)
            if isinstance(reference, str)
            else boxes_of(reference, self.reference_format)
        )
        return found if isinstance(found, Unreadable) or found else Unreadable(f"no box in {reference!r:.80}")

    def _scale(self, fields: Mapping[str, Any]) -> tuple[float, float] | None:
        """By what a completion's coordinates are multiplied to be in the row's space."""
        if self.space == self.reference_space:
            return 1.0, 1.0
        if "pixels" not in (self.space, self.reference_space):
            factor = _FULL[self.reference_space] / _FULL[self.space]
            return factor, factor
        sizes = [fields.get(self.width), fields.get(self.height)]
        if not all(
            isinstance(each, int | float) and not isinstance(each, bool) and each > 0 for each in sizes
        ):
            return None
        if self.space == "pixels":
            full = _FULL[self.reference_space]
            return full / sizes[0], full / sizes[1]  # type: ignore[operator]
        return sizes[0] / _FULL[self.space], sizes[1] / _FULL[self.space]  # type: ignore[operator]

    def _compared(
        self, stated: Sequence[Box], due: Sequence[Box], answer: str, scale: tuple[float, float]
    ) -> Verdict:
        pairs = [(overlap(one, other), i, j) for i, one in enumerate(stated) for j, other in enumerate(due)]
        over = [each for each in pairs if each[0] > 0]
        fitting = [each for each in over if not self.labels or stated[each[1]].label == due[each[2]].label]
        matched, taken, used = [], set(), set()
        for value, i, j in sorted(fitting, key=lambda each: (-each[0], each[1], each[2])):
            if i not in used and j not in taken and value >= (self.threshold or 0.0):
                used.add(i)
                taken.add(j)
                matched.append(1.0 if self.threshold is not None else value)
        score = min(1.0, sum(matched) / max(len(stated), len(due)))
        detail = f"{len(matched)} of {len(due)} matched, {len(stated)} stated"
        if matched:
            reason = "all_matched" if len(matched) == len(due) == len(stated) else "partly_matched"
        elif over:
            reason = "other_labels" if not fitting else "below_threshold"
        else:
            reason = self._why_apart(stated, due, answer, scale)
        best = max((each[0] for each in pairs), default=0.0)
        return self.scored(score, reason, f"{detail}; best IoU {best:.3f}", extracted=answer[:200])

    def _why_apart(
        self, stated: Sequence[Box], due: Sequence[Box], answer: str, scale: tuple[float, float]
    ) -> str:
        """Return a possible cause of no overlap, for a person; it never earns reward."""
        largest = max(max(box.right, box.bottom) for box in stated)
        most = max(max(box.right, box.bottom) for box in due)
        if (largest <= 1.0 < most / 2) or (most <= 1.0 < largest / 2):
            return "other_space"
        others: tuple[Format, ...] = ("xyxy", "xywh", "cxcywh")
        for form in others:
            read = boxes_in(answer, form) if form != self.format else []
            if isinstance(read, list) and any(
                overlap(_scaled(one, *scale), box) > 0 for one in read for box in due
            ):
                return "other_format"
        return "apart"

    def fields_read(self) -> tuple[str, ...] | None:
        return (self.width, self.height)


def overlap(one: Box, other: Box) -> float:
    """The intersection over union of two boxes; of a point and a box 1 where the point lies in it.

    >>> overlap(Box(0, 0, 2, 2), Box(1, 0, 3, 2)), overlap(Box(1, 1, 1, 1), Box(0, 0, 2, 2))
    (0.3333333333333333, 1.0)
    """
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    if one.is_point or other.is_point:
        return float(across >= 0 and down >= 0)
    if across <= 0 or down <= 0:
        return 0.0
    shared = across * down
    return shared / (one.area + other.area - shared)


def _scaled(box: Box, across: float, down: float) -> Box:
    return Box(box.left * across, box.top * down, box.right * across, box.bottom * down, box.label)
