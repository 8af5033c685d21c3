"""``verify-cli prefer``: pairs for DPO and reward models by what a served judge prefers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from reward_verifiers.adapters.files.chunk_scorer import dumps
from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.adapters.files.columns.naming import check_column
from reward_verifiers.adapters.files.gathering import gathered
from reward_verifiers.adapters.files.jsonl import Overlong, Source, parse
from reward_verifiers.adapters.files.line_groups import whole_groups
from reward_verifiers.adapters.files.scored_output import Output
from reward_verifiers.rewards import load_recipe
from reward_verifiers.rewards.select.preferences import How, preferences, served_judge
from reward_verifiers.verifiers import ConfigError

from ..columns import Options, common_naming, with_columns
from ..console import failing_clearly, stderr, stdout
from .groups import Sort

Files = Annotated[list[str], typer.Argument(help="Completions, scored or not; - for standard input.")]


@with_columns
def prefer(
    options: Options,
    files: Files,
    judge: Annotated[str, typer.Option("--judge", "-j", help="A recipe with one Judge that has a url.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Pairs; - for standard output.")] = "-",
    how: Annotated[How, typer.Option(help="Two at a time, or all of a prompt as a list.")] = "pairs",
    asked: Annotated[
        int | None, typer.Option(help="With pairs: compare at most this many for each prompt.", min=1)
    ] = None,
    per_prompt: Annotated[int, typer.Option(help="At most this many pairs of each prompt.", min=1)] = 1,
    margin: Annotated[float, typer.Option(help="The least margin, from 0 to 1.", min=0.0, max=1.0)] = 0.0,
    sort: Sort = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Ask a judge which completion of a prompt is better, in both orders, and write chosen and rejected.

    Contradicting orders are a tie, and give no pair. The rows hold `margin`, which TRL's
    trainers of reward models read.
    """
    with failing_clearly():
        asking = served_judge(load_recipe(judge))
        source, names = common_naming(files, options)
        target = Output(output, force=force)
        target.check_apart_from(files)
        target.open()
        prompts = rows = 0
        try:
            for group in _groups(source, names.group, sort):
                prompts += 1
                prompt = column_of(group[0], names.group)
                texts = [column_of(row, names.completion) for row in group]
                for each in preferences(
                    asking, texts, prompt, how=how, per_prompt=per_prompt, margin=margin, asked=asked
                ):
                    pair = {"prompt": prompt, "chosen": texts[each.chosen], "rejected": texts[each.rejected]}
                    rows += 1
                    target.write(dumps({**pair, "margin": each.margin}) + b"\n")
        finally:
            target.close()
        console = stderr() if output == "-" else stdout()
        console.print(f"{rows:,} pairs from {prompts:,} prompts", style="dim")
        if not rows:
            stderr().print("the judge prefers nothing: pairs are ties, too alike, or unscored")


def _groups(source: Source, field: str, sort: bool) -> Iterator[list[Mapping[str, Any]]]:
    chunks = gathered(source.chunks(), field) if sort else source.chunks()
    for chunk in whole_groups(chunks, field, together=sort):
        if isinstance(chunk, Overlong):
            raise ConfigError(f"{chunk.file}:{chunk.number}: longer than 16 MB")
        group: list[Mapping[str, Any]] = []
        for line in chunk:
            try:
                row = parse(line.raw)
            except ValueError as error:
                raise ConfigError(f"{line.where}: {error}") from None
            check_column(row, field, "group", line.where)
            group.append(row)
        yield group
