"""Constitutional AI to its end on a CPU: critiques, preferences by a judge, a reward model, GRPO paid by it.

    python -m benchmarks.critique_rl OUT        three seeds, minutes; an interrupted benchmark continues

The policy is the demonstration's, on sums up to 39+39: it has seen the working, and mostly answers without.
The constitution asks for the working, and for the answer in its tags. The first answers are the policy's own;
critiques are a fixed sentence, and a revision is what the policy writes when its answer is made to begin
with the working: a model of this size cannot criticise. The judge is a scripted server on the loopback device
that holds both texts against the constitution, knows no reference, and says the opposite of one pair in ten.
Once the reward model alone pays, and once right answers are paid beside it.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.chain_models import answered, backend, interval, keep, kept
from tests.verifiers.judge.gullible import Answer, Gullible, said
from training.arithmetic import problems, worked
from training.config import RunConfig, load_config, stages_of
from training.demo import FORCED, SHORT
from training.generation import Generated, Prompt, Sampling, TransformersBackend
from training.research.critique_rows import CritiquePlan, critique_rows, read_constitution, training_rows
from training.run.sampled_rows import json_line
from training.stages import train_policy, train_reward_model, train_supervised
from verifiers import Judge, OrmScore, TagFormat

CONSTITUTION = (
    "- Show the working before the answer.\n- Put the answer into SOLUTION tags, after THINK tags.\n"
)
PROMPTS = 600
"""Rows that are criticised; the pairs of 150 of them are held out."""
HELD, TOP = 100, 39
TEMPLATE = "{% for each in messages %}{{ each['content'] }}\n{% endfor %}"
TAGS = TagFormat(("THINK", "SOLUTION"))
WRONG = 10
"""The judge errs in one pair of so many."""
PAID = {
    "preference alone": [],
    "preference and answer": ["{MathEquivalence: {extract: {Tag: SOLUTION}}, name: correct}"],
}
"""What is paid beside the reward model."""


def keeps(text: str) -> int:
    """How many of the two principles a completion keeps to."""
    return worked(text) + (TAGS.verify(text).score == 1.0)


def judged(body: dict[str, Any]) -> Answer:
    """What the scripted judge says of the pair in a request."""
    [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith('{"')]
    told = json.loads(line)
    one, other = (keeps(told[name]) for name in ("first", "second"))
    # By the pair, whatever its order: the same mistake in both.
    drawn = hashlib.blake2b("\0".join(sorted((told["first"], told["second"]))).encode()).digest()[0]
    if drawn % WRONG == 0:
        one, other = other, one
    better = "tie" if one == other else "first" if one > other else "second"
    return 200, said(json.dumps({"reason": "By the constitution.", "better": better}))


@dataclasses.dataclass
class Reviser:
    """The policy, which revises by beginning its answer with the working."""

    policy: TransformersBackend

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """Answers, critiques and revisions, by the request that a prompt ends with."""
        assert all(isinstance(each, str) for each in prompts)
        asked = [str(each).rpartition("Request: ")[2] if "Request: " in each else "" for each in prompts]
        if asked[0].startswith("In what way"):
            yield from ([Generated(text="It answers at once.", tokens=4, finished=True)] for _ in prompts)
        elif asked[0]:
            forced = [str(each).partition("\n")[0] + "\n" + FORCED for each in prompts]
            for [made] in self.policy.generate(forced, sampling):
                yield [dataclasses.replace(made, text=FORCED + made.text)]
        else:
            yield from self.policy.generate(prompts, sampling)


def stage_config(kind: str, *changes: str) -> RunConfig:
    """A stage of the demonstration's configuration, for the smaller sums."""
    small = [each for each in SHORT if not each.startswith("stages.grpo")]
    return stages_of(load_config("demo_arithmetic", [*small, "evaluation.at=[]", *changes]))[kind][1]


def pairs_of(policy: Path, folder: Path, seed: int) -> Path:
    """Pairs by critique, revision and judge."""
    file, path = folder / "constitution.yaml", folder / "pairs.jsonl"
    file.write_text(CONSTITUTION, encoding="utf-8")
    rows = [{"prompt": each["question"]} for each in problems(train=PROMPTS, held=HELD, top=TOP)]
    with Gullible(judged) as server:
        judge = Judge(url=server.url, model="scripted", of="completion")
        plan = CritiquePlan(read_constitution(str(file)), 1, Sampling(max_tokens=36, seed=seed), judge)
        lines = critique_rows(Reviser(backend(policy)), rows, plan, folder / "critiques.jsonl")
    path.write_text("".join(map(json_line, training_rows(lines)[1])), encoding="utf-8")
    return path


def reward_model(pairs: Path, policy: Path, folder: Path, seed: int) -> tuple[Path, dict[str, Any]]:
    """The reward model, which begins as the policy, and its metrics."""
    template = folder / "plain.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")
    trainer = {"max_steps": 60, "per_device_train_batch_size": 16, "learning_rate": 3e-4,
               "lr_scheduler_type": "constant", "logging_steps": 20, "save_strategy": "no"}  # fmt: skip
    config = RunConfig.model_validate({
        "output_dir": str(folder / "rm"), "seed": seed, "threads": 1,
        "model": {"name": str(policy), "chat_template": str(template)},
        "data": {"source": str(pairs)}, "evaluation": {"holdout": 150},
        "head": {"of": "completion"}, "trainer": trainer,
    })  # fmt: skip
    return folder / "rm" / "model", train_reward_model(config)


def trained(
    policy: Path, rm: Path, folder: Path, name: str, seed: int, steps: int
) -> tuple[Path, dict[str, Any]]:
    """The policy after GRPO that the reward model pays; right sums are the strict measure."""
    paid = f"{{OrmScore: {{model: {rm}, of: completion, batch_size: 64, device: cpu}}, name: preference}}"
    config = stage_config(
        "grpo", f"output_dir={folder / name.replace(' ', '_')}", f"seed={seed}",
        f"stages.grpo.model.name={policy}", f"stages.grpo.reward={{sum: [{', '.join([paid, *PAID[name]])}]}}",
        f"stages.grpo.trainer.max_steps={steps}", "stages.grpo.trainer.learning_rate=3e-4",
        "stages.grpo.trainer.beta=0.02",
    )  # fmt: skip
    metrics = train_policy("grpo", config)
    return Path(config.output_dir) / "model", metrics


def measured(model: Path, rm: Path, seed: int) -> dict[str, list[list[float]]]:
    """For each held-out sum, greedy and four samples: right, both principles kept, and the model's score."""
    rows = list(problems("heldout", train=PROMPTS, held=HELD, top=TOP))
    by, paid = backend(model), OrmScore(str(rm), of="completion", batch_size=64, device="cpu")
    found: dict[str, list[list[float]]] = {}
    for name, k, temperature in (("greedy", 1, 0.0), ("sampled", 4, 1.0)):
        made = answered(by, rows, k, temperature, seed, most=36)
        texts = [[one.text for one in each] for each in made]
        for what, judge in FIGURES.items():
            found[f"{name} {what}"] = [
                [judge(row, text) for text in own] for row, own in zip(rows, texts, strict=True)
            ]
        flat = paid.verify_batch(
            [text for own in texts for text in own],
            prompt=[row["question"] for row in rows for _ in range(k)],
        )
        scores = iter([float(verdict.score or 0.0) for verdict in flat])
        found[f"{name} score"] = [[next(scores) for _ in own] for own in texts]
    return found


def _right(row: Mapping[str, Any], text: str) -> float:
    return float(text.endswith(f"<SOLUTION>{row['answer']}</SOLUTION>"))


FIGURES: Mapping[str, Callable[[Mapping[str, Any], str], float]] = {
    "right": _right,
    "principles kept": lambda row, text: float(keeps(text) == 2),
}


def one_seed(folder: Path, seed: int, steps: int) -> dict[str, Any]:
    """All stages of one seed, and what came of them."""
    folder.mkdir(parents=True, exist_ok=True)
    first = stage_config("sft", f"output_dir={folder}", f"seed={seed}")
    train_supervised(first)
    policy = Path(first.output_dir) / "model"
    rm, told = reward_model(pairs_of(policy, folder, seed), policy, folder, seed)
    after = {name: trained(policy, rm, folder, name, seed, steps) for name in PAID}
    return {
        "pairs": told["pairs"] + told["heldout"]["pairs"],
        "preference": told["heldout"]["accuracy"],
        "preference before": told["heldout"]["before"],
        "alarms": {
            name: [f"{each['name']} {each['step']}" for each in metrics["alarms"]]
            for name, (_, metrics) in after.items()
        },
        "before": measured(policy, rm, seed),
        **{name: measured(model, rm, seed) for name, (model, _) in after.items()},
    }


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=60, help="of GRPO")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "critique_rl.json"
    found = kept(path)
    for seed in range(options.seeds):
        if str(seed) not in found:
            found[str(seed)] = one_seed(options.out / str(seed), seed, options.steps)
            keep(path, found)
        for name in ("pairs", "preference before", "preference", "alarms"):
            print(f"seed {seed}: {name}: {found[str(seed)][name]}")
    for name in found["0"]["before"]:
        for when in ("before", *PAID):
            rows = zip(*(each[when][name] for each in found.values()), strict=True)
            print(f"{name}, {when}: {interval([list(chain.from_iterable(each)) for each in rows])}")


if __name__ == "__main__":
    main()
