"""Which rows of two sides belong together."""

from __future__ import annotations

from dataclasses import dataclass

from .sides import Column
from .spill import Rows


@dataclass(frozen=True, slots=True)
class Matched:
    """The rows of a partition side by side. A unit is the rows of one key: those of a prompt, or one row.

    Args:
        sides: Of each side an array of the places of paired rows; the same length.
        unit: Of each row of each side, the number of its unit.
        rows: Of each unit the number of rows, on each side.
        paired: Of each unit the number of pairs.
        heads: Of each unit the place of its first row, on each side; wrong where it has none.
        prompt: Of each unit what an interval counts: the prompt, where rows have one, else the key.
        other: Of each unit, whether rows may be the same with another completion.
    """

    sides: tuple[Column, Column]
    unit: tuple[Column, Column]
    rows: tuple[Column, Column]
    paired: Column
    heads: tuple[Column, Column]
    prompt: Column
    other: Column

    @property
    def shared(self) -> Column:
        """Of each unit, whether both sides have it."""
        return (self.rows[0] > 0) & (self.rows[1] > 0)


def matched(first: Rows, second: Rows) -> Matched:
    """Pair rows of one key by their completions, in the order of lines; else the only two that there are.

    Args:
        first: Those of one side of a partition.
        second: Those of the other.
    """
    import numpy

    both = (first.fields, second.fields)
    keys, unit = numpy.unique(numpy.concatenate([each["key"] for each in both]), return_inverse=True)
    units = numpy.split(unit, [len(both[0])])
    count = [numpy.bincount(each, minlength=len(keys)) for each in units]
    heads = []
    for each in units:
        head = numpy.zeros(len(keys), numpy.intp)
        found, places = numpy.unique(each, return_index=True)
        head[found] = places
        heads.append(head)
    alone = (count[0] == 1) & (count[1] == 1)
    pairs = _equal(both, units)
    pairs = [each[~alone[units[0][pairs[0]]]] for each in pairs]
    of_unit = numpy.bincount(units[0][pairs[0]], minlength=len(keys))
    only = [head[alone] for head in heads]
    pairs = [numpy.concatenate(each) for each in zip(pairs, only, strict=True)]
    other = (count[0] > of_unit) & (count[1] > of_unit) & ~alone
    completions = [fields["completion"][place] for fields, place in zip(both, only, strict=True)]
    other[alone] = completions[0] != completions[1]
    prompt = keys.copy()
    for side in (1, 0):  # the first side's, where it has rows
        has = count[side] > 0
        own = both[side]["prompt"][heads[side][has]]
        prompt[has] = numpy.where(own > 0, own, keys[has])
    return Matched(
        (pairs[0], pairs[1]),
        (units[0], units[1]),
        (count[0], count[1]),
        of_unit + alone,
        (heads[0], heads[1]),
        prompt,
        other,
    )


def _equal(both: tuple[Column, Column], units: list[Column]) -> list[Column]:
    """Places of rows with the same unit and completion: the first of one side with the first of the other."""
    import numpy

    orders, ranks = [], []
    for fields, unit in zip(both, units, strict=True):
        order = numpy.lexsort((fields["completion"], unit))
        named = numpy.stack([unit[order].astype("<u8"), fields["completion"][order]])
        new = numpy.ones(len(order), bool)
        new[1:] = (named[:, 1:] != named[:, :-1]).any(axis=0)
        places = numpy.arange(len(order))
        orders.append(order)
        ranks.append((*named, places - numpy.maximum.accumulate(numpy.where(new, places, 0))))
    columns = [numpy.concatenate(each) for each in zip(*ranks, strict=True)]
    rows = numpy.concatenate(orders)
    joined = numpy.lexsort(columns[::-1])  # stable: of equal ones that of the first side stands first
    same = numpy.ones(max(len(joined) - 1, 0), bool)
    for column in columns:
        same &= column[joined][1:] == column[joined][:-1]
    return [rows[joined[:-1][same]], rows[joined[1:][same]]]
