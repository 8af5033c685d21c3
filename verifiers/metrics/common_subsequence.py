"""The longest common subsequence with its places, by bit vectors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence


def token_places(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """The places of each token, as the bits of an integer.

    >>> token_places("aba")
    {'a': 5, 'b': 2}
    """
    found: dict[Hashable, list[int]] = {}
    for place, token in enumerate(tokens):
        found.setdefault(token, []).append(place)
    bits = {}
    for token, places in found.items():
        row = bytearray(len(tokens) // 8 + 1)
        for place in places:
            row[place >> 3] |= 1 << (place & 7)
        bits[token] = int.from_bytes(row, "little")
    return bits


def common_places(
    one: Sequence[Hashable], other: Sequence[Hashable], places: Mapping[Hashable, int] | None = None
) -> Iterator[int]:
    """The places in `one` of a longest common subsequence of both, last first.

    Of several it is the one that the published ROUGE scorers take: from the end, equal tokens are taken,
    else `other` is shortened if that leaves more, and otherwise `one`. One row of the table is one integer
    (Hyyrö, 2004), so a table costs ``len(one) * len(other) / 64`` steps. `places` are the `token_places` of
    `other`, for those who have them.

    >>> list(common_places("abcd", "axcd"))
    [3, 2, 0]
    """
    places = token_places(other) if places is None else places
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
