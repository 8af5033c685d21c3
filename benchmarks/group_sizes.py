"""Groups of different sizes against groups of one size, at the same number of completions.

    python -m benchmarks.group_sizes OUT            three seeds, minutes; an interrupted benchmark continues
    python -m benchmarks.group_sizes --simulate     the gradient's error where pass rates are known, seconds

The demonstration's task on sums up to 39+39: for each seed a model learns from the teacher, and two runs of
GRPO begin with it. Both draw 64 completions of 8 prompts in a step; in one each prompt has 8, in the other 4
come first, and the rest goes where outcomes vary. The advantage is the reward less the group's mean
(dr_grpo), for which that division has the least variance.

Simulated is the squared error of the gradient's estimate, of 8 prompts with 64 completions, over many steps.
For one policy the gradients of completions are of one length and at right angles, as the division supposes;
the other has nothing but a logit for each prompt.
"""

from __future__ import annotations

import argparse
import random
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.chain_models import answered, backend, interval, is_right, keep, kept
from benchmarks.critique_rl import HELD, TOP, stage_config
from training.arithmetic import problems
from training.stages import train_policy, train_supervised
from training.stages.adaptive_sizes import allocated, expected_deviation, own_advantages

VARIANTS = {"one size": [], "adaptive": ["stages.grpo.group_size={first: 4, outcome: correct}"]}
SAMPLED = 4
ROWS = 600


def measured(model: Path, seed: int) -> dict[str, list[list[float]]]:
    """For each held-out sum whether its greedy and sampled completions are right."""
    rows, by = list(problems("heldout", train=ROWS, held=HELD, top=TOP)), backend(model)
    return {
        name: [
            [float(is_right(row, one.text)) for one in each]
            for row, each in zip(rows, answered(by, rows, k, temperature, seed, most=36), strict=True)
        ]
        for name, k, temperature in (("greedy", 1, 0.0), ("sampled", SAMPLED, 1.0))
    }


def trained(folder: Path, base: Path, changes: list[str], seed: int, steps: int) -> Path:
    """A model after GRPO."""
    config = stage_config(
        "grpo", f"output_dir={folder}", f"seed={seed}", f"stages.grpo.model.name={base}",
        "stages.grpo.algorithm=dr_grpo", f"stages.grpo.trainer.max_steps={steps}",
        "stages.grpo.trainer.learning_rate=3e-4", "watch.completions=0", *changes,
    )  # fmt: skip
    train_policy("grpo", config)
    return Path(config.output_dir) / "model"


def one_seed(folder: Path, seed: int, steps: int) -> dict[str, Any]:
    """Both variants from one model, and the model itself."""
    first = stage_config("sft", f"output_dir={folder}", f"seed={seed}")
    train_supervised(first)
    base = Path(first.output_dir) / "model"
    found = {"before": measured(base, seed)}
    for name, changes in VARIANTS.items():
        found[name] = measured(trained(folder / name.replace(" ", "_"), base, changes, seed, steps), seed)
    return found


def squared_errors(
    rates: list[float], sizes: list[int], rng: random.Random, first: int, is_wide: bool
) -> float:
    """The squared error of a step's gradient; with `first` above 0 the sizes are adapted."""
    drawn = [[float(rng.random() < rate) for _ in range(first)] for rate in rates]
    if first:
        deviations = [expected_deviation(sum(each), first) for each in drawn]
        sizes = allocated(deviations, sum(sizes), first, 3 * max(sizes))
    for own, rate, size in zip(drawn, rates, sizes, strict=True):
        own += [float(rng.random() < rate) for _ in range(size - first)]
    usual = sum(sizes) / len(sizes)
    worth = own_advantages(list(chain.from_iterable(drawn)), sizes, "none")
    error, start = 0.0, 0
    for own, rate, size in zip(drawn, rates, sizes, strict=True):
        each = worth[start : start + size]
        if is_wide:
            error += sum(one * one for one in each) / usual**2 * size / (size - 1)
        else:
            pairs = zip(each, own, strict=True)
            estimate = sum(one * (right - rate) for one, right in pairs) / usual * size / (size - 1)
            error += (estimate - rate * (1 - rate)) ** 2
        start += size
    return error / len(rates)


def simulated(steps: int = 300, prompts: int = 8) -> None:
    """Print the errors for prompts of which many, some and few are always or never solved."""
    for is_wide, policy in ((True, "at right angles"), (False, "one logit")):
        for name, shape in (("U-shaped", 0.3), ("uniform", 1.0), ("all in the middle", 8.0)):
            shown = []
            for seed in range(3):
                rng = random.Random(seed)
                rates = [[rng.betavariate(shape, shape) for _ in range(prompts)] for _ in range(steps)]
                usual, own = (
                    sum(squared_errors(each, [8] * prompts, rng, first, is_wide) for each in rates)
                    for first in (0, 4)
                )
                shown.append(f"{own / usual:.3f}")
            print(f"{policy}, {name}: error / that of one size {', '.join(shown)}", flush=True)


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, nargs="?", default=Path("runs/group_sizes"))
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=25, help="of GRPO")
    options = parser.parse_args()
    if options.simulate:
        simulated()
        return
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "group_sizes.json"
    found = kept(path)
    for seed in range(options.seeds):
        if str(seed) not in found:
            found[str(seed)] = one_seed(options.out / str(seed), seed, options.steps)
            keep(path, found)
    for way in ("greedy", "sampled"):
        for name in ("before", *VARIANTS):
            of_seeds = [each[name][way] for each in found.values()]
            shown = [f"{sum(map(sum, rows)) / sum(map(len, rows)):.3f}" for rows in of_seeds]
            rows = [list(chain.from_iterable(each)) for each in zip(*of_seeds, strict=True)]
            print(f"{way} right, {name}: {interval(rows)} seeds {', '.join(shown)}")
        ahead = [
            [one - other for run in found.values()
             for one, other in zip(run["adaptive"][way][at], run["one size"][way][at], strict=True)]
            for at in range(HELD)
        ]  # fmt: skip
        print(f"{way} right, adaptive ahead by: {interval(ahead)}")


if __name__ == "__main__":
    main()
