"""``verify-cli select``: training data and answers from scored completions."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.files.candidates import Reader
from reward_verifiers.adapters.files.chunk_scorer import dumps
from reward_verifiers.adapters.files.scored_output import Output
from reward_verifiers.rewards.select import Candidate
from reward_verifiers.rewards.select.candidates import Measure, pass_rate
from reward_verifiers.verifiers import ConfigError

from ..columns import Options, common_naming, with_columns
from ..console import failing_clearly, literal, stderr, stdout
from .groups import Outcome, Sort
from .selected_rows import Choice, Maker, Purpose, Tally

BLOCK = 1 << 20
"""Bytes that are copied at once."""


class Preference(StrEnum):
    """Which of several right completions."""

    shortest = "shortest"
    best = "best"
    first = "first"
    random = "random"


class Pairing(StrEnum):
    """Which pairs of right and wrong completions."""

    length = "length"
    reward = "reward"


Files = Annotated[list[str], typer.Argument(help="Scored files of JSON Lines; - for standard input.")]
For = Annotated[
    Purpose,
    typer.Option(
        "--for",
        help="sft: right completions. star: the same, with hinted rows where nothing else is right. "
        "dpo: chosen and rejected. best: the best of each prompt. majority: the answer of most.",
    ),
]


@with_columns
def select(
    options: Options,
    files: Files,
    purpose: For = Purpose.sft,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Selected rows; - for standard output.")
    ] = "-",
    outcome: Outcome = None,
    require: Annotated[str, typer.Option(help="Parts that must pass as well, separated by commas.")] = "",
    per_prompt: Annotated[int, typer.Option(help="At most this many for each prompt.", min=1)] = 1,
    prefer: Annotated[Preference, typer.Option(help="Which right completions first.")] = Preference.shortest,
    dedupe: Annotated[bool, typer.Option(help="Drop duplicate texts of a prompt.")] = True,
    pairing: Annotated[Pairing, typer.Option(help="For dpo: closest in length, or furthest in reward.")] = (
        Pairing.length
    ),
    margin: Annotated[
        float,
        typer.Option(help="For dpo: least difference in reward; in --outcome where it is given.", min=0.0),
    ] = 0.0,
    pass_at: Annotated[
        float | None,
        typer.Option(
            help="The lowest outcome that counts as right (default: 1, if the outcome is no grade)."
        ),
    ] = None,
    hardest_first: Annotated[bool, typer.Option(help="Order by pass rate, lowest first.")] = False,
    max_pass_rate: Annotated[
        float, typer.Option(help="Leave out prompts with a higher pass rate.", min=0.0, max=1.0)
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="For --prefer random.")] = 0,
    sort: Sort = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Select completions for training, or one answer for each prompt.

    Rows of one prompt must follow one another, or be gathered by --sort. Unscored rows are neither right nor
    wrong, and rows with a true `hinted` column never count as passes. Of grades (a judge's, a metric's) the
    higher one is better.
    """
    with failing_clearly():
        names = tuple(name.strip() for name in require.split(",") if name.strip())
        source, columns = common_naming(files, options)
        reader = Reader(outcome, names, columns.completion, columns.group, sort, pass_at)
        by: Measure = "reward" if outcome is None else "outcome"
        choice = Choice(purpose, per_prompt, prefer.value, dedupe, pairing.value, margin, seed, by)
        Output(output, force=force).check_apart_from(files)
        tally = Tally(purpose, choice.margin, max_pass_rate)
        _write(reader.groups(source), Maker(choice, columns.group), tally, output, hardest_first)
        if not tally.prompts:
            raise ConfigError(f"{', '.join(files)}: no rows")
        console = stderr() if output == "-" else stdout()
        console.print(tally.counts(), style="dim")
        if said := tally.why_so_few():
            stderr().print(literal(said))


def _write(
    groups: Iterator[list[Candidate]], maker: Maker, tally: Tally, output: str, hardest_first: bool
) -> None:
    """Write the selected rows of all groups, or nothing at all."""
    with contextlib.ExitStack() as opened:
        # What was there is replaced, and what reads a pipe gets something, only once all rows are selected.
        replaced = output != "-" and not Path(output).is_char_device()
        target = Output(f"{output}.part" if replaced else output, force=True)
        held = opened.enter_context(tempfile.TemporaryFile()) if output == "-" else None
        write = target.write if held is None else held.write
        target.open()
        ordered: list[tuple[float, bytes]] = []
        try:
            for group in groups:
                rate = pass_rate(group)
                made = list(maker.rows(group, rate)) if tally.admits(rate) else []
                tally.add(group, rate, len(made))
                data = b"".join(dumps(row) + b"\n" for row in made)
                if hardest_first and made:
                    ordered.append((1.0 if rate is None else rate, data))
                else:
                    write(data)
            for _, data in sorted(ordered, key=lambda pair: pair[0]):
                write(data)
            if held is not None and tally.prompts:
                held.seek(0)
                for data in iter(partial(held.read, BLOCK), b""):
                    target.write(data)
        except BaseException:
            target.close()
            if replaced:
                Path(f"{output}.part").unlink(missing_ok=True)
            raise
        target.close()
        if replaced and tally.prompts:
            Path(f"{output}.part").replace(output)
        elif replaced:
            Path(f"{output}.part").unlink(missing_ok=True)
