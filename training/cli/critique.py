"""``verify-train critique``: Constitutional AI, from prompts to rows for sft, dpo and orm."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.cli.console import failing_clearly
from reward_verifiers.rewards import load_recipe
from reward_verifiers.rewards.select.preferences import served_judge

from ..critique.constitution import read_constitution
from ..critique.critique_rows import Plan, critique_rows, training_rows
from ..environment import begin
from ..run.run_inputs import backend_of, prepare, sampling_of
from ..run.sampled_rows import json_line
from ..watch.messages import say
from .shared_options import Config, Overrides, read_stage

OTHERS = ("first", "tie", "unjudged")
"""What a judge may say of a row, besides that the revision is better."""


def critique(
    config: Config,
    constitution: Annotated[str, typer.Option(help="A file of principles, YAML or JSON.")],
    output: Annotated[str, typer.Option("--output", "-o", help="A folder; a killed run continues.")],
    overrides: Overrides = None,
    rounds: Annotated[int, typer.Option(help="Critiques with a revision of each answer.", min=1, max=16)] = 1,
    judge: Annotated[
        str | None,
        typer.Option(help="A recipe with one served Judge, which decides between first answer and revision."),
    ] = None,
    server: Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")] = None,
    stage: Annotated[
        str, typer.Option(help="With stages: the kind whose data and model are taken.")
    ] = "grpo",
) -> None:
    """Let the model criticise and rewrite its answers by a constitution, for SFT and for preferences.

    Writes OUTPUT/critiques.jsonl with all that was said, OUTPUT/sft.jsonl (prompt, completion) and
    OUTPUT/pairs.jsonl (prompt, chosen, rejected, margin).
    """
    with failing_clearly():
        principles = read_constitution(constitution)
        own = read_stage(config, overrides, stage)
        begin(own.threads)
        if server is not None:
            own = own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})
        decides = None if judge is None else served_judge(load_recipe(judge))
        prepared = prepare(own, needs_reward=False)
        plan = Plan(principles, rounds, sampling_of(own, 1), decides, prepared.name)
        folder = Path(output)
        folder.mkdir(parents=True, exist_ok=True)
        backend = backend_of(own, prepared)
        lines = critique_rows(backend, prepared.train, plan, folder / "critiques.jsonl", say)
        learned, pairs = training_rows(lines)
        for name, rows in (("sft.jsonl", learned), ("pairs.jsonl", pairs)):
            text = "".join(map(json_line, rows))
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
        counts = ((which, sum(line["better"] == which for line in lines)) for which in OTHERS)
        others = ", ".join(f"{count} {which}" for which, count in counts if count)
        say(
            f"{len(learned)} rows for sft and {len(pairs)} pairs from {len(lines)} prompts"
            + (f" ({others})" if others else "")
        )
