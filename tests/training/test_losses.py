"""Losses and advantages of the installed TRL, under each algorithm's options, against the papers' formulas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewards import advantages
from tests.support import Late
from tests.training.runs import config, kept_by
from training.config.algorithms import ALGORITHMS
from training.run.run_inputs import prepare
from training.stages import train_policy
from training.stages.policy_stage import policy_arguments

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch, pytest.mark.slow]

torch, trl = Late("torch"), Late("trl")
ROWS, PROMPT, LONGEST = 4, 3, 8
Tensor = Any


class Given:
    """Completions of different lengths, their log probabilities now and when they were drawn, and advantages."""

    def __init__(self, now: Tensor, mask: Tensor) -> None:
        chance = torch.Generator().manual_seed(3)
        self.now, self.mask = now, mask
        self.old = now.detach() + 0.3 * torch.randn(now.shape, generator=chance)
        self.reference = now.detach() + 0.2 * torch.randn(now.shape, generator=chance)
        self.advantages = torch.tensor([1.3, -0.4, 0.9, -1.8])
        self.lengths = mask.sum(-1)

    @property
    def ratio(self) -> Tensor:
        return (self.now - self.old).exp()

    @property
    def of_sequence(self) -> Tensor:
        """GSPO's ratio: the geometric mean over the tokens."""
        return (((self.now - self.old) * self.mask).sum(-1) / self.lengths).exp()

    def clipped(self, ratio: Tensor, low: float, high: float) -> Tensor:
        own = self.advantages if ratio.dim() == 1 else self.advantages[:, None]
        return torch.minimum(ratio * own, ratio.clamp(1 - low, 1 + high) * own)

    def kl(self) -> Tensor:
        """The estimator k3 (Schulman 2020), as in DeepSeekMath."""
        apart = self.reference - self.now
        return apart.exp() - apart - 1

    def mean_of_means(self, each: Tensor) -> Tensor:
        return ((each * self.mask).sum(-1) / self.lengths).mean()

    def token_mean(self, each: Tensor) -> Tensor:
        return (each * self.mask).sum() / self.mask.sum()


def cispo(it: Given) -> Tensor:
    weight = it.ratio.clamp(max=5.0).detach()
    return -it.token_mean(weight * it.advantages[:, None] * it.now)


def sapo(it: Given) -> Tensor:
    own = it.advantages[:, None]
    heat = torch.where(own > 0, torch.tensor(1.0), torch.tensor(1.05))
    return -it.mean_of_means(torch.sigmoid(heat * (it.ratio - 1)) * 4 / heat * own)


def vespo(it: Given) -> Tensor:
    whole = ((it.now - it.old) * it.mask).sum(-1).exp().detach()
    k = torch.where(it.advantages >= 0, torch.tensor(2.0), torch.tensor(3.0))
    rate = torch.where(it.advantages >= 0, torch.tensor(3.0), torch.tensor(2.0))
    weight = whole**k * (rate * (1 - whole)).exp()
    return -it.token_mean((weight * it.advantages)[:, None] * it.now)


FORMULAS: dict[str, Callable[[Given], Tensor]] = {
    "grpo": lambda it: it.mean_of_means(-it.clipped(it.ratio, 0.2, 0.2) + 0.04 * it.kl()),
    "r1": lambda it: it.mean_of_means(-it.clipped(it.ratio, 10.0, 10.0) + 0.001 * it.kl()),
    "dr_grpo": lambda it: -(it.clipped(it.ratio, 0.2, 0.2) * it.mask).sum() / (ROWS * LONGEST),
    "opo": lambda it: -(it.clipped(it.ratio, 0.2, 0.2) * it.mask).sum() / (ROWS * LONGEST),
    "dapo": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.28)),
    "pass_at_2": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.28)),
    "reinforce_plus_plus_baseline": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.2)),
    "gpg": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.2)),
    "bnpo": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.2)),
    "gspo": lambda it: -it.clipped(it.of_sequence, 3e-4, 4e-4).mean(),
    "luspo": lambda it: -(it.clipped(it.of_sequence, 2e-3, 2.5e-3) * it.lengths).mean(),
    "cispo": cispo,
    "sapo": sapo,
    "vespo": vespo,
    "gdpo": lambda it: -it.token_mean(it.clipped(it.ratio, 0.2, 0.2)),
}


def test_every_algorithm_has_a_formula() -> None:
    """RLOO's is TRL's other trainer."""
    assert {*FORMULAS} == ({*ALGORITHMS} - {"rloo", "pass_at_k"}) | {"pass_at_2"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """Trainers with an algorithm's options."""

    def trainer(name: str) -> Any:
        folder = tmp_path_factory.mktemp(name)
        run = config(folder, algorithm=name, trainer={"num_generations": 4, "temperature": 1.0})
        prepared = prepare(run, needs_reward=True)
        args = policy_arguments("grpo", run)
        rows = trl.GRPOTrainer.__init__.__globals__["Dataset"].from_list([{"prompt": "1+1=?"}] * 8)
        return trl.GRPOTrainer(model=prepared.place, args=args, train_dataset=rows,
                               reward_funcs=[lambda completions, **_: [0.0] * len(completions)] * 2,
                               processing_class=prepared.tokenizer)  # fmt: skip

    return trainer


@pytest.mark.parametrize("name", FORMULAS)
def test_the_loss_is_the_papers(made: Callable[[str], Any], name: str) -> None:
    """On ratios that differ from 1, with lengths that differ, of the installed TRL."""
    trainer = made(name)
    chance = torch.Generator().manual_seed(1)
    prompts = torch.randint(5, 20, (ROWS, PROMPT), generator=chance)
    completions = torch.randint(5, 20, (ROWS, LONGEST), generator=chance)
    lengths = torch.tensor([8, 3, 5, 1])
    mask = (torch.arange(LONGEST)[None] < lengths[:, None]).float()
    model = trainer.model.train()
    ids = torch.cat([prompts, completions], dim=1)
    now = torch.log_softmax(model(ids).logits[:, PROMPT - 1 : -1], dim=-1)
    it = Given(now.gather(-1, completions[..., None]).squeeze(-1), mask)
    inputs = {
        "prompt_ids": prompts, "prompt_mask": torch.ones_like(prompts), "completion_ids": completions,
        "completion_mask": mask.long(), "advantages": it.advantages, "old_per_token_logps": it.old,
        "ref_per_token_logps": it.reference, "num_items_in_batch": mask.sum(),
    }  # fmt: skip
    # Of a generation that serves several updates TRL takes the part of this one.
    trainer.current_gradient_accumulation_steps = 1
    inputs["num_items_in_batch"] = mask.sum() * trainer.args.steps_per_generation
    wanted = FORMULAS[name](it)
    found = trainer._compute_loss(model, inputs)
    assert found.item() == pytest.approx(wanted.item(), rel=1e-5, abs=1e-6)
    gradients = [
        torch.cat(
            [
                each.flatten()
                for each in torch.autograd.grad(loss, list(model.parameters()), allow_unused=False)
            ]
        )
        for loss in (found, wanted)
    ]
    assert torch.allclose(*gradients, rtol=1e-4, atol=1e-6)


RIGHT = {"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"}
SHORT = {"Length": {"maximum": 6}, "name": "length", "weight": 0.5}


def centred_parts(rows: list[dict[str, Any]]) -> list[float]:
    """GDPO: each part normalised within its group, the sum normalised over the batch (arXiv:2601.05242)."""
    parts = [advantages.grpo([row["reward_parts"][name] for row in rows], 4) for name in ("digits", "length")]
    together = [digits + 0.5 * length for digits, length in zip(*parts, strict=True)]
    return advantages.grpo(together, groups=[range(len(rows))])


def by(name: str, *given: Any, **named: Any) -> Callable[[list[dict[str, Any]]], list[float]]:
    return lambda rows: getattr(advantages, name)([row["reward"] for row in rows], *given, **named)


ADVANTAGES: dict[str, Callable[[list[dict[str, Any]]], list[float]]] = {
    "grpo": by("grpo", 4),
    "dr_grpo": by("dr_grpo", 4),
    "cispo": by("grpo", 4, scale="batch"),
    "gdpo": centred_parts,
    "gpg": by("gpg", 4),
    "reinforce_plus_plus_baseline": by("reinforce_plus_plus_baseline", 4),
    "pass_at_2": lambda rows: advantages.pass_at_k([row["reward"] for row in rows], 2, 4),
    "opo": lambda rows: advantages.opo(
        [row["reward"] for row in rows], [row["completion_tokens"] for row in rows], 4
    ),
}


@pytest.mark.parametrize("name", ADVANTAGES)
def test_advantages_are_the_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """In a step of a real run, from the rewards that it has kept."""
    seen: list[float] = []
    theirs = trl.GRPOTrainer._compute_loss

    def noted(self: Any, model: Any, inputs: Any) -> Any:
        seen.extend(inputs["advantages"].tolist())
        return theirs(self, model, inputs)

    monkeypatch.setattr(trl.GRPOTrainer, "_compute_loss", noted)
    reward: Any = RIGHT if name == "pass_at_2" else {"sum": [RIGHT, SHORT]}
    trainer = {"max_steps": 1, "per_device_train_batch_size": 16, "num_generations": 4}
    train_policy("grpo", config(tmp_path, algorithm=name, reward=reward, trainer=trainer))
    rows = kept_by(tmp_path)
    wanted = ADVANTAGES[name](rows)
    assert len({round(each, 6) for each in wanted}) > 1, "the rewards differ"
    assert sorted(seen) == pytest.approx(sorted(wanted), abs=2e-4)
