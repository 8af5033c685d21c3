"""A scored row on the terminal: its texts with the evidence marked, and its verdicts as a tree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from reward_verifiers.adapters.files.candidates import verifier_class
from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.adapters.files.jsonl import Line
from reward_verifiers.verifiers import Verdict, Verifier, VerifierError, split_completion

from ..console import literal
from .verdict_trees import describe, marked, tail


@dataclass(frozen=True)
class ShownRows:
    """Prints a row.

    Args:
        console: Where to.
        texts: The columns of completion, prompt and reference.
        most: Characters of a completion; None for all.
    """

    console: Console
    texts: tuple[str, ...]
    most: int | None

    def print_of(self, run: str, line: Line, row: Mapping[str, Any], turn: int, first: bool) -> None:
        """One row of a run; only the first of its counterparts shows what they have in common."""
        self.print(line, row, first or turn > 0, f"{run}  ", not turn)

    def print(
        self, line: Line, row: Mapping[str, Any], first: bool, run: str = "", whole: bool = True
    ) -> None:
        """One row, below a line with its place."""
        completion, prompt, reference = (column_of(row, name) for name in self.texts)
        if not first:
            self.console.print()
        self.console.print(literal(f"── {run}{line.where}", "bold"))
        if prompt is not None and whole:
            self.console.print(Text("prompt: ", "dim") + literal(tail(_plain(prompt))))
        verdicts = [
            (name, _verdict(each)) for name, each in zip(row["verdict_parts"], row["verdicts"], strict=True)
        ]
        source = _source(completion)
        spans = [span for _, verdict in verdicts if verdict is not None for span in _spans(verdict)]
        self.console.print(Text("completion:", "dim"))
        self.console.print(marked(source, spans, self.most))
        if reference is not None and whole:
            self.console.print(Text("reference: ", "dim") + literal(tail(_plain(reference))))
        self.console.print(_tree(row, verdicts, source))


def _plain(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        value = value[-1].get("content", value)  # chat messages: the last one asks
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _source(completion: object) -> str:
    """The text that spans are places in."""
    split = split_completion(completion)
    if split is None:
        return _plain(completion)
    return split.completion if split.content is None else split.content


def _spans(verdict: Verdict) -> Iterator[tuple[int, int]]:
    if verdict.span is not None:
        yield verdict.span
    for part in verdict.parts:
        yield from _spans(part)


def _tree(row: Mapping[str, Any], verdicts: list[tuple[str, Verdict | None]], source: str) -> Tree:
    tree = Tree(literal(f"reward: {_value(row['reward'])}", "bold"))
    branches = {
        name: tree.add(literal(f"{name}: {_value(value)}", "bold"))
        for name, value in row["reward_parts"].items()
    }
    for (name, verdict), raw in zip(verdicts, row["verdicts"], strict=True):
        branch = branches.get(name)
        if branch is None:
            branch = branches[name] = tree.add(literal(f"{name}: {_value(raw.get('score'))}", "bold"))
        if verdict is None:
            branch.add(literal(json.dumps(raw, ensure_ascii=False)))
        else:
            describe(branch, verdict, _verifier(verdict.verifier), source)
    return tree


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _verdict(raw: Mapping[str, Any]) -> Verdict | None:
    """A verdict that somebody else may have written; None where it is none of ours."""
    try:
        return Verdict.from_dict(dict(raw))
    except (VerifierError, KeyError, TypeError, ValueError, AttributeError):
        return None


def _verifier(name: str) -> Verifier | None:
    kind = verifier_class(name)
    try:
        return None if kind is None else kind()
    except (VerifierError, TypeError):  # it cannot be made without arguments
        return None
