"""``verify-cli demo``: the bundled completions, scored."""

from __future__ import annotations

import time
from pathlib import Path

from reward_verifiers.rewards import Pay
from reward_verifiers.verifiers import ConfigError, MathEquivalence, TagFormat

from ..files.chunk_scorer import Scorer
from ..files.file_runner import run
from ..files.jsonl import Source
from ..files.scored_output import Output
from .console import failing_clearly, literal, stdout
from .score_summary import print_summary


def bundled() -> list[str]:
    """Return the bundled completion files.

    Raises:
        ConfigError: They are not there.
    """
    here = Path(__file__).resolve()
    # In a wheel they are next to this file; in a checkout they are the fixtures that the wheel takes in.
    for folder in (here.parent / "completions", here.parents[2] / "fixtures" / "completions"):
        files = sorted(map(str, folder.glob("*.jsonl")))
        if files:
            return files
    raise ConfigError("the bundled completions are missing; reinstall reward-verifiers")


def demo() -> None:
    """Score the bundled completions by accuracy plus half a point for format."""
    with failing_clearly():
        console = stdout()
        reward = Pay(MathEquivalence()) + 0.5 * Pay(TagFormat(("think", "answer")))
        files = bundled()
        console.print(
            literal(f"{reward.describe()}  on  {', '.join(Path(file).name for file in files)}", "dim")
        )
        started = time.perf_counter()
        tallies, rejected = run(Source(files), Scorer(reward), Output(None))
        print_summary(
            console,
            tallies,
            rows=tallies["reward"].rows,
            rejected=rejected,
            seconds=time.perf_counter() - started,
        )
        console.print("\nOne of them, explained (verify-cli explain shows more):")
        example = reward.explain(
            "<think>Half of 3 is 1.5, and \\boxed{2} would be too much.</think><answer>1\\frac12</answer>",
            answer="3/2",
        )
        console.print(literal(str(example)))
