"""A verdict for a person: the extracted answer, its place, and the reading of both sides."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from rich.tree import Tree

from reward_verifiers.verifiers import Verdict, Verifier

from .console import literal

SHOWN = 300
"""Characters of a text that are shown."""
AROUND = 30
"""Characters on either side of what a span marks."""
CONTEXT = 200
"""The same where a completion is shown that is too long to be shown whole."""


def describe(tree: Tree, verdict: Verdict, verifier: Verifier | None, source: str) -> None:
    """Put a verdict below a branch.

    Args:
        tree: The branch.
        verdict: The verdict.
        verifier: The verifier, if known; it explains its reasons and readings.
        source: The completion that the verdict's span is a place in.
    """
    meaning = type(verifier).all_reasons().get(verdict.reason, "") if verifier else ""
    tree.add(literal(f"{verdict.status.value}: {verdict.reason}" + (f" ({meaning})" if meaning else "")))
    read = verifier.readings(verdict) if verifier else {}
    for name, text in (
        ("extracted", verdict.extracted),
        ("expected", verdict.expected),
        ("detail", verdict.detail),
    ):
        if text:
            branch = tree.add(literal(f"{name}: {tail(text)}"))
            if name == "extracted" and verdict.span is not None:
                branch.add(literal(_place(source, *verdict.span)))
            if name in read:
                branch.add(literal(f"read as {tail(read[name])}"))
    if verdict.trace:
        tree.add(literal(verdict.trace))
    for part in verdict.parts:
        describe(tree.add(literal(str(part))), part, None, source)


def _place(source: str, start: int, end: int) -> str:
    """Return an answer's place in the original completion, with the answer between ⟦ and ⟧."""
    before, after = source[max(0, start - AROUND) : start], source[end : end + AROUND]
    shown = f"{before}⟦{tail(source[start:end])}⟧{after}".replace("\n", "⏎")
    return f"at {start} to {end}: {shown}"


def tail(text: str) -> str:
    """Return a text, or only its end where it is too long to show."""
    text = text.strip()
    return text if len(text) <= SHOWN else "… " + text[-SHOWN:]


def marked(source: str, spans: Iterable[tuple[int, int]], most: int | None) -> Text:
    """Return a completion with its evidence between ⟦ and ⟧, free of terminal control characters.

    Args:
        source: The completion as it came.
        spans: Places of the evidence.
        most: Characters that are shown; beyond that the begin, the end and what is around evidence. None for
            all of them.
    """
    joined = _joined((max(0, start), min(len(source), end)) for start, end in spans)
    shown = [(0, len(source))]
    if most is not None and len(source) > most:
        ends = [(0, most // 4), (len(source) - most // 2, len(source))]
        around = ((max(0, start - CONTEXT), min(len(source), end + CONTEXT)) for start, end in joined)
        shown = _joined([*ends, *around])
    text, place = Text(), 0
    for start, end in shown:
        if start > place:
            text.append(f"\n… {start - place:,} characters …\n", style="dim")
        place = start
        for first, last in joined:
            if first < start or first >= end:
                continue
            text.append_text(literal(source[place:first]))
            text.append_text(literal(f"⟦{source[first:last]}⟧", "bold reverse"))
            place = last
        text.append_text(literal(source[place:end]))
        place = max(place, end)
    return text


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, with adjacent ones joined."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
