"""Steadiness of a reward when asked again, in another order, batch or process; and its side effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .certificate_findings import Found, numbers_of
from .certified_rows import DataRow
from .subject import Paid, Subject

ASKED_AGAIN = 48
"""Calls that are made once more."""
SLOW = 0.2
"""Seconds of a call from which it may be decided by its limit, and is not asked again."""
_TOLERANCE = 1e-9
_OURS = ("recipe", "server")
"""What is called by way of this library, which starts workers and asks servers itself."""
_PROBLEMS: Mapping[str, tuple[str, str, str, str]] = {
    "runs_completions": (
        *("code_evaluated", "alarm", "the completion's text is run as Python"),
        "read answers with a parser for numbers or formulas; never with eval, exec or sympify",
    ),
    "hangs": ("hangs", "alarm", "a completion makes the reward run without an end", "bound its work"),
    "crashes": (
        "crashes",
        "alarm",
        "a completion ends the process of the reward",
        "bound its work and depth",
    ),
    "exits": ("exits", "alarm", "the reward leaves Python", "return a number instead of leaving"),
    "memory": ("memory", "alarm", "a completion makes the reward use up its memory", "bound its work"),
    "not_finite": ("not_finite", "alarm", "it returns no finite number", "return a finite number, or None"),
    "raises": (
        "raises",
        "warning",
        "a completion makes the reward raise",
        "answer a completion's fault with 0",
    ),
    "no_number": ("no_number", "warning", "it returns something else than a number", "return a number"),
    "none": ("unscored", "warning", "a completion has itself left out", "answer a completion's fault with 0"),
    "writes_files": ("writes_files", "warning", "it writes files", "leave logging to the trainer"),
    "changes_arguments": ("changes_arguments", "warning", "it changes its arguments", "copy it first"),
    "starts_processes": ("starts_processes", "warning", "it starts processes", "use a sandbox for programs"),
    "connects": ("connects", "note", "it asks the network", "say so, and count its faults"),
    "prints": ("prints", "note", "it prints", "leave logging to the trainer"),
}


def problems(subject: Subject, rows: Sequence[DataRow]) -> Iterator[Found]:
    """Yield the effects of calls besides returning a reward, or instead of it."""
    hopeless = {
        row.key
        for row in rows
        if not any(key == row.key and paid.value is not None for _, key, paid in subject.known())
    }
    nothing = len(hopeless) == len(rows)
    for kind, (name, usual, what, cure) in _PROBLEMS.items():
        seen = subject.problems.get(kind, [])
        level, says = usual, what
        if kind == "none" and nothing:
            says = "it gives no row a number, whatever the completion"
        elif kind == "none":
            seen = [each for each in seen if each[1].key not in hopeless]
            level = "alarm" if subject.about["typed"] else usual
        if kind in ("starts_processes", "writes_files", "connects") and subject.about["kind"] in _OURS:
            continue  # workers, sandboxes and judges of this library
        if not seen:
            continue
        text, row, detail = min(seen, key=lambda each: len(each[0]))
        yield Found(
            "steadiness",
            name,
            level,  # type: ignore[arg-type]
            f"{says}: {detail}" if detail else says,
            numbers_of([row for _, row, _ in seen]),
            subject.counts[kind],
            subject.calls,
            text,
            row.columns["answer"],
            None,
            None,
            cure,
            columns=row.columns,
        )


def unsteady(subject: Subject, rows: Sequence[DataRow]) -> list[Found]:
    """Return rewards that differ when they are asked for again."""
    by_key = {row.key: row for row in rows}
    known = [
        (text, by_key[key], paid)
        for text, key, paid in subject.known()
        if key in by_key
        and paid.seconds < SLOW
        and paid.problem not in ("hangs", "crashes", "memory", "untried")
    ]
    chosen = _chosen(known)
    if not chosen:
        return []
    calls = [(text, row) for text, row, _ in chosen]
    before = [paid.value for _, _, paid in chosen]
    found: list[Found] = []
    backwards = _values(before, subject.pay_again(calls[::-1])[::-1])
    found += _differing(
        "order", "asked again, in another order, it pays something else", chosen, before, backwards
    )
    if not found:
        fresh = _values(before, subject.pay_again(calls, fresh=True))
        found += _differing("process", "in another process it pays something else", chosen, before, fresh)
    together = subject.pay_batch(calls) if not found else None
    if together is not None:
        found += _differing("batch", "in a batch it pays something else", chosen, before, together)
        turned = subject.pay_batch(calls[::-1])
        if turned is not None and not found:
            said = "in a batch of another order it pays something else"
            found += _differing("batch", said, chosen, before, turned[::-1])
    elif not found and subject.about["kind"] in ("trl", "verl") and set(before) != {None}:
        said = "a batch breaks it, or it returns another number of values than it was given completions"
        found.append(_found("batch", said, chosen, [0], before, [None] * len(chosen)))
    return found


def _chosen(known: Sequence[tuple[str, DataRow, Paid]]) -> list[tuple[str, DataRow, Paid]]:
    """Return some rewarded and some unrewarded calls, from the whole run."""
    paid = [each for each in known if each[2].value]
    unpaid = [each for each in known if not each[2].value]
    half = ASKED_AGAIN // 2
    return _spread(paid, half) + _spread(unpaid, half)


def _values(before: Sequence[float | None], after: Sequence[Paid]) -> list[float | None]:
    """Return the new rewards, or the earlier ones where the budget left no call."""
    return [old if paid.problem == "untried" else paid.value for old, paid in zip(before, after, strict=True)]


def _spread(some: Sequence[tuple[str, DataRow, Paid]], most: int) -> list[tuple[str, DataRow, Paid]]:
    step = max(1, len(some) // most)
    return list(some[::step][:most])


def _differing(
    name: str,
    says: str,
    chosen: Sequence[tuple[str, DataRow, Paid]],
    before: Sequence[float | None],
    after: Sequence[float | None],
) -> list[Found]:
    if len(after) != len(before):
        return [_found(name, f"{says}: {len(after)} values for {len(before)}", chosen, [0], before, after)]
    places = [
        place
        for place, (one, other) in enumerate(zip(before, after, strict=True))
        if (one is None) != (other is None)
        or (one is not None and other is not None and abs(one - other) > _TOLERANCE * max(1.0, abs(one)))
    ]
    return [_found(name, says, chosen, places, before, after)] if places else []


def _found(
    name: str,
    says: str,
    chosen: Sequence[tuple[str, DataRow, Paid]],
    places: Sequence[int],
    before: Sequence[float | None],
    after: Sequence[float | None],
) -> Found:
    place = places[0]
    text, row, _ = chosen[place]
    shown = after[place] if place < len(after) else None
    return Found(
        "steadiness",
        f"unsteady_{name}",
        "alarm",
        f"{says}: {before[place]} and then {shown}",
        numbers_of([chosen[each][1] for each in places]),
        len(places),
        len(chosen),
        text,
        row.columns["answer"],
        before[place],
        None,
        "make it a function of the completion and the row alone, without state, chance or neighbours",
        columns=row.columns,
    )
