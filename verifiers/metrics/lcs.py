"""The longest common subsequence with its places, by bit vectors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence


def common_places(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[int]:
    """The places in `one` of a longest common subsequence of both, last first.

    Of several it is the one that the published ROUGE scorers take: from the end, equal tokens are taken,
    else `other` is shortened if that leaves more, and otherwise `one`. One row of the table is one integer
    (Hyyrö, 2004), so a table costs ``len(one) * len(other) / 64`` steps.

    >>> list(common_places("abcd", "axcd"))
    [3, 2, 0]
    """
    places: dict[Hashable, int] = {}
    for place, token in enumerate(other):
        places[token] = places.get(token, 0) | (1 << place)
    full = (1 << len(other)) - 1
    row, rows = full, [full]
    for token in one:
        shared = row & places.get(token, 0)
        row = ((row + shared) | (row - shared)) & full
        rows.append(row)
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            yield i
        # The length for the first i and j tokens is the number of zeros among the j lowest bits of row i.
        elif (
            j - 1 - (rows[i] & ((1 << (j - 1)) - 1)).bit_count()
            > j - (rows[i - 1] & ((1 << j) - 1)).bit_count()
        ):
            j -= 1
        else:
            i -= 1
