"""Labels of steps by rollouts against what is true, and models that learn them against a vote, on a CPU.

python -m benchmarks.step_labels            a small model is made, samples, labels, learns; a few minutes
python -m benchmarks.step_labels ko         the same in Korean

The task (`training.chains`) knows what is true of each step. Shares are printed with their 95 % intervals
over questions.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewards import load_recipe
from rewards.select import majority
from rewards.select.prompt_figures import mean_interval
from training.chains import truth
from training.cli.shared_options import stage_of
from training.config import RunConfig, load_config, stages_of
from training.environment import begin, settle
from training.research.label_formats import StepLabels
from training.research.label_rows import agreed, label_rows, labeller_of, opinions
from training.research.rated_rows import Outcome
from training.research.rating_exams import (
    auc,
    best_threshold,
    outcome_scores,
    share,
    step_figures,
    step_scores,
)
from training.run.run_inputs import Prepared, backend_of, prepare, sampling_of
from training.run.sampled_rows import sample_rows
from training.stages import train_outcome_model, train_step_model, train_supervised
from verifiers import MathEquivalence
from verifiers.extract import Tag
from verifiers.process.prm_score import Aggregate, aggregated
from verifiers.process.steps import Steps

HELD = 400
"""Questions that nothing is trained on."""
ANSWER = MathEquivalence(extract=Tag("SOLUTION"))
Row = dict[str, Any]


def main() -> None:
    """Make, sample, label, train, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", nargs="?", choices=("en", "ko"), default="en")
    parser.add_argument("--questions", type=int, default=320, help="whose solutions are labelled")
    parser.add_argument("--solutions", type=int, default=4, help="of each of them")
    parser.add_argument("--rollouts", type=int, default=8)
    parser.add_argument("--n", type=int, default=16, help="solutions among which is chosen")
    parser.add_argument("--steps", type=int, default=200, help="of training a head")
    parser.add_argument("--sft", type=int, default=800, help="of making the model that writes")
    parser.add_argument("--folder", type=Path, help="kept, and continued; by default a new one")
    given = parser.parse_args()
    settle()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    writer = _writer(folder, given.language, given.sft)
    prepared = prepare(writer, needs_reward=True)
    backend = backend_of(writer, prepared)
    solved = _sampled(
        writer,
        prepared,
        backend,
        prepared.train[: given.questions],
        given.solutions,
        folder / "solutions.jsonl",
    )
    labels = folder / "labels.jsonl"
    label_rows(labeller_of(writer, prepared, backend, given.rollouts, Steps(), "every", None), solved, labels)
    labelled = _lines(labels)
    _write(folder / "shared.jsonl", _tell_labels(labelled))
    held = _sampled(writer, prepared, backend, prepared.heldout, given.n, folder / "heldout.jsonl")
    scores = _heads(folder, writer, given.steps, labelled, held)
    _tell_order(held, scores, given.n)
    _tell_choices(held, scores, given.n)
    print(f"\n{time.process_time() - began:.0f} s of processor time")


def _writer(folder: Path, language: str, steps: int) -> RunConfig:
    """The configuration of a model that is right about half the time."""
    name = "chains" if language == "en" else "chains_ko"
    places = ("data", "evaluation.data", "stages.sft.data")
    held = [f"{place}.options.held={HELD}" for place in places]
    whole = load_config(name, [f"output_dir={folder}/writer", "threads=1", *held])
    _, own = next(iter(stages_of(whole).values()))
    train_supervised(own.model_copy(update={"trainer": {**own.trainer, "max_steps": steps}}))
    writer = stage_of(whole, "grpo")
    begin(writer.threads)
    return writer


def _sampled(
    writer: RunConfig, prepared: Prepared, backend: Any, rows: Sequence[Row], k: int, path: Path
) -> list[Row]:
    for _ in sample_rows(backend, rows, prepared, sampling_of(writer, k), path):
        pass
    return _lines(path)


def _truths(row: Row) -> list[bool]:
    return [step.right for step in truth(row["prompt"], row["completion"])]


def _tell_labels(rows: Sequence[Row]) -> list[Row]:
    """How labels agree with what is true; the rows with those that a second opinion shares."""
    second = load_recipe("EquationChain")
    values, hard, kept, wrong_way = [], [], [], []
    shared = []
    for row in rows:
        said = opinions(second, row, row["completion"], [tuple(each) for each in row["spans"]])
        shared.append({**row, "labels": agreed(row["labels"], said)})
        for place, right in enumerate(_truths(row)):
            label, soft = row["labels"][place], row["soft"][place]
            if label is None:
                continue
            values.append((row["prompt"], right, soft))
            hard.append((row["prompt"], label == right))
            if said[place] == label:
                kept.append((row["prompt"], label == right))
            if not right:
                wrong_way.append((row["prompt"], label))
    outcomes = [(row["prompt"], row["outcome"]) for row in rows]
    lucky = [(row["prompt"], not all(_truths(row))) for row in rows if row["outcome"]]
    print(f"{len(rows):,} solutions, {sum(len(row['labels']) for row in rows):,} steps")
    for name, figure in (
        ("solutions with a right answer", share(outcomes)),
        ("of these with a wrong step", share(lucky)),
        ("soft labels: AUC against the truth", auc(values)),
        ("hard labels that are true", share(hard)),
        ("wrong steps that are labelled right", share(wrong_way)),
        (f"labels that EquationChain shares ({len(kept):,}) that are true", share(kept)),
    ):
        print(f"  {name:58} {_shown(figure)}")
    return shared


def _heads(
    folder: Path, writer: RunConfig, steps: int, labelled: Sequence[Row], held: Sequence[Row]
) -> dict[str, list[Any]]:
    """What trained models say of held-out solutions."""
    template = folder / "plain.jinja"
    template.write_text("{% for m in messages %}{{ m['content'] }}{% endfor %}")
    exam = [_exact(row) for row in held]
    found: dict[str, list[Any]] = {}
    for name, source, head in (
        ("PRM, hard labels", "labels", {}),
        ("PRM, shared labels", "shared", {}),
        ("ORM", "labels", {"of": "completion"}),
    ):
        kind = name[:3].lower()
        run = RunConfig.model_validate(
            {
                "output_dir": str(folder / name.replace(", ", "-").replace(" ", "-")),
                "threads": 1,
                "model": {**writer.model.model_dump(exclude_unset=True), "chat_template": str(template)},
                "data": {"source": str(folder / f"{source}.jsonl")},
                "head": head,
                "trainer": {
                    "max_steps": steps, "per_device_train_batch_size": 32, "learning_rate": 2e-3,
                    "lr_scheduler_type": "cosine", "warmup_steps": 20, "weight_decay": 0.01,
                    "save_strategy": "no", "logging_steps": 50,
                },
            }
        )  # fmt: skip
        began = time.process_time()
        (train_step_model if kind == "prm" else train_outcome_model)(run)
        seconds = time.process_time() - began
        model = Path(run.output_dir) / "model"
        if kind == "orm":
            solutions = [Outcome(row["prompt"], row["completion"], bool(_right(row))) for row in held]
            found[name] = outcome_scores(model, solutions)
            print(f"{name}: trained in {seconds:.0f} s of processor time")
            continue
        found[name] = step_scores(model, exam)
        threshold = best_threshold(
            exam_of_training := [_exact(row) for row in labelled[:400]], step_scores(model, exam_of_training)
        )
        figures = step_figures(exam, found[name], threshold)
        print(
            f"{name}: trained in {seconds:.0f} s of processor time; on held-out solutions, against the truth:"
        )
        for title, figure in (
            ("steps: AUC", figures["auc"]),
            (f"steps that are judged right, at {threshold:.2f}", figures["accuracy"]),
            ("first-error F1 (ProcessBench)", figures["first_error"]["f1"]),
        ):
            print(f"  {title:58} {_shown(figure)}")
    return found


def _exact(row: Row) -> StepLabels:
    """A solution with what is true of its steps."""
    text = row["completion"]
    steps = tuple(text[each.start : each.end] for each in Steps().split(text))
    return StepLabels(row["prompt"], steps, tuple(_truths(row)))


def _tell_order(held: Sequence[Row], scores: Mapping[str, list[Any]], n: int) -> None:
    """How often a right solution is rated above a wrong one: of any question, and of the same one."""
    right = [bool(_right(row)) for row in held]
    print("\nright solutions above wrong ones (AUC)")
    for name, rated in scores.items():
        figures = [
            (each if name == "ORM" else aggregated(each, "min")) if each is not None else -math.inf
            for each in rated
        ]
        values = [(row["prompt"], ok, figure) for row, ok, figure in zip(held, right, figures, strict=True)]
        print(f"  {name + ', of all questions':58} {_shown(auc(values))}")
        within = []
        for first in range(0, len(held), n):
            group = range(first, first + n)
            pairs = [(figures[a], figures[b]) for a in group for b in group if right[a] and not right[b]]
            if pairs:
                won = sum((one > other) + (one == other) / 2 for one, other in pairs)
                within.append((held[first]["prompt"], won / len(pairs)))
        print(f"  {name + ', of the same question':58} {_shown(share(within))}")


def _tell_choices(held: Sequence[Row], scores: Mapping[str, list[Any]], n: int) -> None:
    """How often what is chosen is right, and right in every step; and by how much more often than by vote."""
    for size in sorted({min(4, n), n}):
        groups = [range(first, first + size) for first in range(0, len(held), n)]
        right = [bool(_right(row)) for row in held]
        sound = [ok and all(_truths(row)) for ok, row in zip(right, held, strict=True)]
        votes = [_voted(group, held, None) for group in groups]
        print(
            f"\nof {size} solutions to each of {len(groups)} questions"
            + " " * 20
            + "right"
            + " " * 20
            + "more than the vote"
            + " " * 8
            + "by right steps alone"
        )
        _row("any", [any(right[at] for at in group) for group in groups], None, None)
        _row("one at random", [sum(right[at] for at in group) / size for group in groups], None,
             [sum(sound[at] for at in group) / size for group in groups])  # fmt: skip
        voted = [right[at] for at in votes]
        _row("vote", voted, None, [sound[at] for at in votes])
        for name, choose in _choosers(scores, held).items():
            chosen = [choose(group) for group in groups]
            _row(name, [right[at] for at in chosen], voted, [sound[at] for at in chosen])


def _choosers(
    scores: Mapping[str, list[Any]], held: Sequence[Row]
) -> dict[str, Callable[[Sequence[int]], int]]:
    """Ways to choose one of a group of solutions."""
    found: dict[str, Callable[[Sequence[int]], int]] = {}

    def by(figures: Sequence[float]) -> Callable[[Sequence[int]], int]:
        return lambda group: max(group, key=lambda at: figures[at])

    def weighted(figures: Sequence[float]) -> Callable[[Sequence[int]], int]:
        return lambda group: _voted(group, held, [figures[at] for at in group])

    for name, rated in scores.items():
        if name == "ORM":
            figures = [0.0 if each is None else 1 / (1 + math.exp(-each)) for each in rated]
            found[name], found[f"{name}, weighted vote"] = by(figures), weighted(figures)
            continue
        ways: tuple[Aggregate, ...] = ("min", "product", "last") if "hard" in name else ("min",)
        for way in ways:
            figures = [aggregated(each, way) if each else 0.0 for each in rated]
            found[f"{name}: {way}"] = by(figures)
            if way == "min":
                found[f"{name}: {way}, weighted vote"] = weighted(figures)
    return found


def _voted(group: Sequence[int], held: Sequence[Row], weights: Sequence[float] | None) -> int:
    outcome = majority([held[at]["completion"] for at in group], ANSWER, weights)
    return group[0 if outcome.winner is None else outcome.winner]


def _right(row: Row) -> bool:
    return bool(row["reward_parts"]["correct"] == 1.0)


def _row(
    name: str, values: Sequence[float], vote: Sequence[float] | None, sound: Sequence[float] | None
) -> None:
    told = f"  {name:40} {_shown(share(list(enumerate(values)))):24}"
    if vote is not None:
        found = mean_interval([(one - other, 1) for one, other in zip(values, vote, strict=True)])
        if found is None or found.low is None or found.high is None:
            return
        told += f" {found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
    else:
        told += " " * 26
    print(told + ("" if sound is None else f"  {_shown(share(list(enumerate(sound))))}"))


def _shown(figure: Sequence[float] | None) -> str:
    return "" if figure is None else "{:.3f} ({:.3f} to {:.3f})".format(*figure)


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, rows: Sequence[Row]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
