"""Rows that hold several completions, as one row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..formats.lines import Line, Overlong, chunked, dumps, parse, unreadable
from .paths import column_of

COMPLETION = "completion"
INDEX = "completion_index"
"""The columns of a row that was one of several: its own completion, and which it is, from 0."""


def is_completion(value: object) -> bool:
    """Whether a column's value is one completion: a text, or messages that say whose they are.

    >>> [is_completion(each) for each in ("4", [{"role": "assistant", "content": "4"}], [{"text": "4"}])]
    [True, True, False]
    """
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, Mapping) and "role" in each for each in value)
    return isinstance(value, str)


def is_list_of_completions(value: object) -> bool:
    """Whether a column's value is several completions, and not the messages of one.

    >>> is_list_of_completions(["4", "5"]), is_list_of_completions([{"role": "assistant", "content": "4"}])
    (True, False)
    """
    if not isinstance(value, list) or not value or is_completion(value):
        return False
    return all(is_completion(one_of(item)) for item in value)


def one_of(item: object) -> Any:
    """A completion as it stands among others: a text, messages, or what servers put around them.

    >>> one_of({"message": {"role": "assistant", "content": "4"}}), one_of(["4"]), one_of({"text": "4"})
    ([{'role': 'assistant', 'content': '4'}], '4', '4')
    """
    if isinstance(item, Mapping):
        if isinstance(item.get("message"), Mapping):
            return [item["message"]]
        if isinstance(item.get("content"), str) and isinstance(item.get("role"), str):
            return [item]
        for name in ("text", "completion", "response", "output", "generated_text"):
            if isinstance(item.get(name), str):
                return item[name]
    if isinstance(item, list) and len(item) == 1 and isinstance(item[0], str):
        return item[0]
    return item


@dataclass(frozen=True)
class Spread:
    """Makes a row for each completion of a row.

    Args:
        column: Where the list is; a dot goes into a column.
    """

    column: str

    def chunks(self, chunks: Iterator[list[Line] | Overlong]) -> Iterator[list[Line] | Overlong]:
        """The lines, each completion in one of its own."""
        for chunk in chunks:
            if isinstance(chunk, Overlong):
                yield chunk
            else:
                yield from chunked(each for line in chunk for each in self.lines(line))

    def lines(self, line: Line) -> Iterator[Line]:
        """A line for each completion of a row; what is no row, or has no list, stays one that is refused."""
        try:
            row = parse(line.raw)
        except ValueError:
            yield line
            return
        found = column_of(row, self.column)
        if is_completion(found):
            found = [found]  # a single one stands by itself
        if not isinstance(found, list) or not found:
            problem = f"{self.column!r} is no list of completions" + (
                ", but an empty one" if found == [] else ""
            )
            yield Line(line.file, line.number, unreadable(problem, row))
            return
        rest = _without(row, self.column)
        if COMPLETION in rest or INDEX in rest:
            problem = (
                f"there is a column {COMPLETION if COMPLETION in rest else INDEX!r} beside {self.column!r}"
            )
            yield Line(line.file, line.number, unreadable(problem, row))
            return
        for place, item in enumerate(found):
            raw = dumps({**rest, COMPLETION: one_of(item), INDEX: place})
            yield Line(line.file, line.number, raw, place)


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    if name in row:
        return {key: value for key, value in row.items() if key != name}
    place = name.find(".")
    while place >= 0:
        outer = name[:place]
        if isinstance(row.get(outer), Mapping) and column_of(row[outer], name[place + 1 :]) is not None:
            return {**row, outer: _without(row[outer], name[place + 1 :])}
        place = name.find(".", place + 1)
    return dict(row)
