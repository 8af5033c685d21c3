"""Accuracy by the tokens that are spent, for each method of search, on chains of three calculations.

    python -m benchmarks.search_methods OUT                               the model learns first: minutes
    python -m benchmarks.search_methods OUT --language ko                 the same task in Korean
    python -m benchmarks.search_methods OUT --prm FOLDER --orm FOLDER     and models of steps, of solutions
    python -m benchmarks.search_methods OUT --plot docs/images/search_methods.png

Nothing that chooses sees the answer: EquationChain works out the calculations that are written. An
interrupted benchmark continues with the next method and seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.chain_models import (
    CONFIGS,
    answered,
    backend,
    base_model,
    heldout,
    interval,
    is_right,
    is_sound,
    keep,
    kept,
)
from benchmarks.lockstep import Lockstep
from rewards import Reward
from rewards.select import majority
from training.generation import Backend, Sampling, TransformersBackend
from training.research.model_generator import Writer
from training.research.reward_judge import RewardJudge
from training.research.search_methods import Plan, searched
from training.research.search_session import Attempt, Session, best
from training.run.run_inputs import reward_of
from verifiers import MathEquivalence, Tag
from verifiers.process.steps import Steps

POOL = (1, 2, 4, 8, 16)
"""Sizes of votes and of best-of-N: the first n of the same completions."""
SEARCHES: dict[str, list[dict[str, Any]]] = {
    "revision": [{"method": "revise", "n": n} for n in (2, 4)],
    "beam": [
        {"method": "beam", "width": width, "branch": branch}
        for width, branch in ((1, 2), (2, 2), (2, 4), (4, 4))
    ],
    "mcts": [
        {"method": "mcts", "iterations": iterations, "branch": branch, "exploration": 0.5}
        for iterations, branch in ((2, 2), (4, 2), (8, 2), (8, 4))
    ],
}
STEP_TOKENS = {"en": 9, "ko": 18}
"""Of one step."""
MOST = {"en": 40, "ko": 80}
"""Of a completion; right ones have 31 in English."""
VOTER = MathEquivalence(extract=Tag("SOLUTION"))
ANSWERS: dict[str, Any] = {"EquationChain": {"extract": {"Tag": "SOLUTION"}}}
BEGINNINGS: dict[str, Any] = {"EquationChain": {"pays": "no_errors"}}

Chosen = tuple[bool, bool, int]
"""Whether what was chosen is right, by right steps, and the tokens that were spent."""


def figures(row: Mapping[str, Any], text: str, tokens: int) -> Chosen:
    """See `Chosen`."""
    return is_right(row, text), is_sound(row, text), tokens


def pooled(
    by: TransformersBackend, rows: list[dict[str, Any]], seed: int, judges: Mapping[str, Reward], most: int
) -> dict[str, list[Chosen]]:
    """Votes and best-of-N: what each would have chosen of the first n completions."""
    found: dict[str, list[Chosen]] = {}
    for row, pool in zip(rows, answered(by, rows, POOL[-1], 1.0, seed, most), strict=True):
        attempts = [Attempt(one.text, one.tokens, one.finished) for one in pool]
        rated = {
            name: [
                replace(each, score=one.score)
                for each, one in zip(attempts, RewardJudge(judge, seen(row)).judge(attempts), strict=True)
            ]
            for name, judge in judges.items()
        }
        for n in POOL:
            chosen = {"vote": majority([each.text for each in attempts[:n]], VOTER).winner}
            chosen |= {f"best of n, {name}": best(each[:n]) for name, each in rated.items()}
            spent = sum(each.tokens for each in attempts[:n])
            for name, at in chosen.items():
                text = "" if at is None else attempts[at].text
                found.setdefault(f"{name}/{n}", []).append(figures(row, text, spent))
    return found


def seen(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a search sees of a row."""
    return {"prompt": row["question"]}


def search(
    by: TransformersBackend, rows: list[dict[str, Any]], seed: int, plan: Plan, judge: Reward, most: int
) -> list[Chosen]:
    """What a plan's searches choose, all rows side by side."""
    sampling = Sampling(k=1, temperature=1.0, max_tokens=most)

    def count(text: str) -> int:
        return len(by.tokenizer(text=text, add_special_tokens=False)["input_ids"])

    def one(number: int, part: Backend) -> Chosen:
        row = rows[number]
        session = Session(
            Writer(part, sampling, Steps(plan.steps), str, count, plan.ask).of(row["question"]),
            RewardJudge(judge, seen(row)),
            budget=plan.tokens(most),
            most=most,
            seed=seed * 100_003 + number,
        )
        result = searched(session, plan, VOTER)
        text = "" if result.chosen is None else result.attempts[result.chosen].text
        return figures(row, text, result.spent)

    return Lockstep(by, len(rows)).run(one, len(rows))


def greedy(by: TransformersBackend, rows: list[dict[str, Any]], most: int) -> list[Chosen]:
    """One completion, the likeliest token each time."""
    made = answered(by, rows, 1, 0.0, 0, most)
    return [figures(row, one.text, one.tokens) for row, [one] in zip(rows, made, strict=True)]


def points(found: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """For each method its sizes, by the tokens that they spent; all seeds together."""
    runs: dict[str, dict[str, list[list[Chosen]]]] = {}
    for key, chosen in found.items():
        method, size, _ = key.split("/")
        runs.setdefault(method, {}).setdefault(size, []).append(chosen)
    shown: dict[str, list[dict[str, Any]]] = {}
    for method, sizes in runs.items():
        for size, seeds in sizes.items():
            rows = list(zip(*seeds, strict=True))
            right = interval([[float(one[0]) for one in row] for row in rows])
            good = [[float(one[1]) for one in row if one[0]] for row in rows]
            every = [one[2] for row in rows for one in row]
            shown.setdefault(method, []).append(
                {
                    "size": size,
                    "seeds": len(seeds),
                    "tokens": round(sum(every) / len(every), 1),
                    "accuracy": right,
                    "sound of right": interval(good) if any(good) else None,
                    "by seed": [round(sum(one[0] for one in seed) / len(seed), 3) for seed in seeds],
                }
            )
        shown[method].sort(key=lambda point: point["tokens"])
    return shown


def plot(shown: Mapping[str, list[dict[str, Any]]], path: Path) -> None:
    """Accuracy by tokens, with intervals."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    for at, (method, sizes) in enumerate(shown.items()):
        tokens = [point["tokens"] for point in sizes]
        means = [point["accuracy"]["mean"] for point in sizes]
        off = [
            [abs(point["accuracy"][end] - point["accuracy"]["mean"]) for point in sizes]
            for end in ("low", "high")
        ]
        axes.errorbar(
            tokens, means, yerr=off, label=method, marker="osv^D*Px"[at % 8], capsize=3, linewidth=1.2
        )
    axes.set_xscale("log", base=2)
    axes.set_xlabel("tokens generated for a question")
    axes.set_ylabel("accuracy of what was chosen")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path)


def main() -> None:
    """Search, measure, print and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=sorted(CONFIGS), default="en")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100, help="held-out questions")
    parser.add_argument("--prm", help="a folder with a model of steps, as `verify-train prm` leaves it")
    parser.add_argument("--orm", help="a folder with a model of solutions, as `verify-train orm` leaves it")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    language = options.language
    folder: Path = options.out / language
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "search_methods.json"
    by = backend(base_model(folder / "base", language))
    rows, most = heldout(language)[: options.rows], MOST[language]
    judges = {"EquationChain": reward_of(ANSWERS)}
    if options.prm:
        judges["PRM"] = reward_of({"PrmScore": {"model": options.prm, "format": "trl", "by": "marks"}})
    if options.orm:
        judges["ORM"] = reward_of({"OrmScore": {"model": options.orm, "of": "completion"}})
    found: dict[str, Any] = kept(path).get("runs", {})
    for seed in range(options.seeds):
        found.setdefault(f"greedy/1/{seed}", greedy(by, rows, most))
        lacking = {
            name: judge
            for name, judge in judges.items()
            if f"best of n, {name}/{POOL[0]}/{seed}" not in found
        }
        if lacking:
            made = pooled(by, rows, seed, lacking, most)
            found |= {f"{name}/{seed}": chosen for name, chosen in made.items()}
            keep(path, {"runs": found})
        for method, plans in SEARCHES.items():
            for sizes in plans:
                name = " ".join(str(each) for each in list(sizes.values())[1:3])
                if f"{method}/{name}/{seed}" not in found:
                    plan = Plan(**sizes, depth=5, steps="lines", step_tokens=STEP_TOKENS[language])
                    judge = reward_of(BEGINNINGS if plan.prefixes else ANSWERS)
                    found[f"{method}/{name}/{seed}"] = search(by, rows, seed, plan, judge, most)
                    keep(path, {"runs": found})
    shown = points(found)
    keep(path, {"rows": len(rows), "figures": shown, "runs": found})
    for method, sizes_shown in shown.items():
        for point in sizes_shown:
            print(f"{method} {point['size']}: {point['tokens']} tokens, {point['accuracy']}, "
                  f"by right steps {point['sound of right']}, by seed {point['by seed']}")  # fmt: skip
    if options.plot:
        plot(shown, options.plot)


if __name__ == "__main__":
    main()
