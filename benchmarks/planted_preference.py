"""Graded selection where the preference is known: a noisy judge's pairs and choices, and what DPO learns.

    python -m benchmarks.planted_preference OUT      three seeds, minutes; an interrupted one continues

The policy is the demonstration's, on sums up to 39+39. Planted is how good a completion is, 0 to 4: two
points for the working, one for each pair of tags. A scripted server on the loopback device grades completions
by it on a scale of 1 to 5, and is one off in half of them. A select stage draws eight completions of each of
300 sums and makes pairs of grades that are a given margin apart; DPO learns from them. Shown is how often the
chosen completion of a pair is the better one in truth, how good the best of N by the judge is, and how good
greedy and sampled answers to other sums are before DPO and after.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from itertools import chain
from pathlib import Path
from typing import Any

from adapters.files.jsonl import Source
from adapters.files.scored_candidates import Reader
from benchmarks.chain_models import answered, backend, interval, keep, kept
from benchmarks.critique_rl import HELD, TOP, stage_config
from rewards.select import Candidate, best_of_n, preference_pairs
from tests.verifiers.judge.gullible import Answer, Gullible, said
from training.arithmetic import problems, worked
from training.config import RunConfig
from training.stages import select_data, train_preference, train_supervised

PROMPTS, SAMPLED = 300, 8
MARGINS = (0.25, 0.5, 0.75)
LEARNED = 0.5
"""The margin of the pairs that DPO learns from."""
SIZES = (1, 2, 4, 8)


def quality(text: str) -> int:
    """What was planted."""
    tags = sum(text.count(f"<{tag}>") == text.count(f"</{tag}>") == 1 for tag in ("THINK", "SOLUTION"))
    return 2 * worked(text) + tags


def graded(body: dict[str, Any]) -> Answer:
    """The scripted judge: one off in half of the completions, by lot and always the same."""
    [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith('{"')]
    text = json.loads(line)["completion"]
    drawn = hashlib.blake2b(text.encode()).digest()[0]
    off = {0: -1, 1: 1}.get(drawn % 4, 0)
    score = min(max(1 + quality(text) + off, 1), 5)
    return 200, said(json.dumps({"reason": "By what I like.", "score": score}))


def selected(folder: Path, policy: Path, seed: int) -> Path:
    """The select stage's folder."""
    with Gullible(graded) as server:
        judge = {"url": server.url, "model": "scripted", "rubric": "What I like.", "of": "completion"}
        config = RunConfig.model_validate({
            "output_dir": str(folder / "select"), "seed": seed, "threads": 1, "model": {"name": str(policy)},
            "data": {"source": "training.arithmetic:problems", "format": "text",
                     "options": {"top": TOP, "held": HELD}, "limit": PROMPTS},
            "reward": {"Judge": judge, "name": "judge"},
            "sample": {"k": SAMPLED, "max_tokens": 36, "batch_size": 400},
            "select": {"purpose": "dpo", "outcome": "judge", "margin": LEARNED, "pairing": "length"},
        })  # fmt: skip
        select_data(config)
    return folder / "select"


def learned(folder: Path, policy: Path, seed: int, steps: int) -> Path:
    """The policy after DPO on the selected pairs."""
    config = RunConfig.model_validate({
        "output_dir": str(folder / "dpo"), "seed": seed, "threads": 1, "model": {"name": str(policy)},
        "data": {"source": str(folder / "select" / "selected.jsonl"), "format": "as_is"},
        "trainer": {"max_steps": steps, "per_device_train_batch_size": 16, "learning_rate": 5e-5,
                    "lr_scheduler_type": "constant", "beta": 0.1, "logging_steps": 10, "save_strategy": "no"},
    })  # fmt: skip
    train_preference(config)
    return folder / "dpo" / "model"


def of_pairs(groups: list[list[Candidate]], margin: float) -> list[list[float]]:
    """For each prompt with a pair: 1 where the chosen one is better in truth, 0 where worse, else a half."""
    found = []
    for group in groups:
        for chosen, rejected in preference_pairs(group, 1, "length", margin, "outcome"):
            ahead = quality(chosen.completion) - quality(rejected.completion)
            found.append([1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0])
    return found


def measured(model: Path, seed: int) -> dict[str, list[list[float]]]:
    """How good answers to held-out sums are, as a share of the best."""
    rows, by = list(problems("heldout", train=PROMPTS, held=HELD, top=TOP)), backend(model)
    return {
        name: [
            [quality(one.text) / 4 for one in each] for each in answered(by, rows, k, temperature, seed, 36)
        ]
        for name, k, temperature in (("greedy", 1, 0.0), ("sampled", 4, 1.0))
    }


def one_seed(folder: Path, seed: int, steps: int) -> dict[str, Any]:
    """Everything of one seed."""
    first = stage_config("sft", f"output_dir={folder}", f"seed={seed}")
    train_supervised(first)
    policy = Path(first.output_dir) / "model"
    chosen = selected(folder, policy, seed)
    groups = list(Reader(outcome="judge").groups(Source([str(chosen / "sampled.jsonl")])))
    best = {
        str(size): [
            [quality(made.completion) / 4]
            for group in groups
            if (made := best_of_n(group[:size], by="outcome")) is not None
        ]
        for size in SIZES
    }
    return {
        "pairs": {str(margin): of_pairs(groups, margin) for margin in MARGINS},
        "best": best,
        "highest": [[max(quality(each.completion) for each in group) / 4] for group in groups],
        "before": measured(policy, seed),
        "after": measured(learned(folder, policy, seed, steps), seed),
    }


def main() -> None:
    """Select, train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40, help="of DPO")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "planted_preference.json"
    found = kept(path)
    for seed in range(options.seeds):
        if str(seed) not in found:
            found[str(seed)] = one_seed(options.out / str(seed), seed, options.steps)
            keep(path, found)
    runs = list(found.values())
    for margin in MARGINS:
        made = [run["pairs"][str(margin)] for run in runs]
        share = sum(map(len, made)) / (PROMPTS * len(runs))
        right = interval(list(chain.from_iterable(made)))
        print(f"margin {margin}: pairs of {share:.2f} of the prompts, the chosen one is better: {right}")
    for size in SIZES:
        best = [row for run in runs for row in run["best"][str(size)]]
        print(f"best of {size} by the judge: {interval(best)}")
    print(f"best of {SAMPLED} in truth: {interval([row for run in runs for row in run['highest']])}")
    for way in ("greedy", "sampled"):
        for when in ("before", "after"):
            seeds = [run[when][way] for run in runs]
            shown = [f"{sum(map(sum, rows)) / sum(map(len, rows)):.3f}" for rows in seeds]
            rows = [list(chain.from_iterable(each)) for each in zip(*seeds, strict=True)]
            print(f"{way}, {when} DPO: {interval(rows)} seeds {', '.join(shown)}")


if __name__ == "__main__":
    main()
