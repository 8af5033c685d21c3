"""The names that papers give to variants of policy optimisation, as options of TRL's trainers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest


@dataclass(frozen=True)
class Algorithm:
    """A named variant.

    Args:
        options: Options of GRPOConfig (or of RLOOConfig, for RLOO).
        source: Paper or page that describes it.
        note: Anything else that belongs to it and is no option of the trainer.
        kind: The stage that it is for.
        advantage: The function of `rewards.advantages` that works out its advantages, where TRL does not.
    """

    options: dict[str, Any]
    source: str
    note: str = ""
    kind: str = field(default="grpo")
    advantage: str = ""


ALGORITHMS = {
    "grpo": Algorithm(
        {"loss_type": "grpo", "scale_rewards": "group", "epsilon": 0.2, "beta": 0.04,
         "use_bias_correction_kl": False},
        "DeepSeekMath, arXiv:2402.03300",
        "The paper's KL, which TRL by itself weighs by the ratio; many runs today set trainer.beta=0.",
    ),
    "r1": Algorithm(
        {"loss_type": "grpo", "scale_rewards": "group", "epsilon": 10.0, "beta": 0.001,
         "use_bias_correction_kl": False},
        "DeepSeek-R1, arXiv:2501.12948",
        "The clip range of the journal's text; rewards are accuracy and format.",
    ),
    "dr_grpo": Algorithm(
        {"loss_type": "dr_grpo", "scale_rewards": "none", "beta": 0.0},
        "Understanding R1-Zero-Like Training, arXiv:2503.20783",
        "Also 'GRPO without std', 'mean only': the advantage is the reward minus the group's mean.",
    ),
    "dapo": Algorithm(
        {"loss_type": "dapo", "scale_rewards": "group", "epsilon": 0.2, "epsilon_high": 0.28, "beta": 0.0,
         "mask_truncated_completions": True},
        "DAPO, arXiv:2503.14476",
        "Goes with dynamic_sampling, and SoftOverlong in the recipe (the preset dapo_math).",
    ),
    "bnpo": Algorithm(
        {"loss_type": "bnpo"}, "TRL's name: the token mean over the local batch", "Differs with batch size."
    ),
    "gspo": Algorithm(
        {"loss_type": "grpo", "importance_sampling_level": "sequence", "epsilon": 3e-4,
         "epsilon_high": 4e-4, "beta": 0.0, "steps_per_generation": 4},
        "GSPO, arXiv:2507.18071",
        "gradient_accumulation_steps must be 1, so that one generation serves four updates.",
    ),
    "cispo": Algorithm(
        {"loss_type": "cispo", "epsilon_high": 5.0, "beta": 0.0, "scale_rewards": "batch"},
        "MiniMax-M1, arXiv:2506.13585; epsilon_high and batch scaling as in ScaleRL, arXiv:2510.13786",
    ),
    "sapo": Algorithm({"loss_type": "sapo", "beta": 0.0}, "SAPO, arXiv:2511.20347"),
    "luspo": Algorithm(
        {"loss_type": "luspo", "importance_sampling_level": "sequence", "epsilon": 2e-3,
         "epsilon_high": 2.5e-3, "beta": 0.0},
        "LUSPO, arXiv:2602.05261",
        "The clip range as TRL's index of papers gives it; steps_per_generation is yours.",
    ),
    "vespo": Algorithm(
        {"loss_type": "vespo", "beta": 0.0},
        "VESPO, arXiv:2602.10693",
        "k and lambda are TRL's defaults (vespo_k_pos ...); steps_per_generation is yours.",
    ),
    "opo": Algorithm(
        {"loss_type": "dr_grpo", "scale_rewards": "none", "beta": 0.0, "num_iterations": 1},
        "OPO, arXiv:2505.23585",
        "Exactly on-policy: one update for each generation.",
        advantage="opo",
    ),
    "gpg": Algorithm(
        {"loss_type": "dapo", "scale_rewards": "none", "beta": 0.0, "num_iterations": 1},
        "GPG, arXiv:2504.02546",
        "No clipping and no KL: one update for each generation. Its F_norm is 1.",
        advantage="gpg",
    ),
    "pass_at_k": Algorithm(
        {"loss_type": "dapo", "epsilon": 0.2, "epsilon_high": 0.28, "beta": 0.0},
        "Pass@k Training, arXiv:2508.10751",
        "k is written out, such as pass_at_4; the reward is 0 or 1. The loss is DAPO's.",
        advantage="pass_at_k",
    ),
    "reinforce_plus_plus_baseline": Algorithm(
        {"loss_type": "dapo", "scale_rewards": "none", "epsilon": 0.2, "beta": 0.0},
        "REINFORCE++ with a baseline, arXiv:2501.03262",
        "The paper's KL is a loss of its own (k2); TRL's is k3, set trainer.beta for it.",
        advantage="reinforce_plus_plus_baseline",
    ),
    "gdpo": Algorithm(
        {"multi_objective_aggregation": "normalize_then_sum"},
        "GDPO, arXiv:2601.05242",
        "Each part is normalised by itself, so the recipe must be a plain weighted sum.",
    ),
    "rloo": Algorithm(
        {}, "RLOO, arXiv:2402.14740", "The command is rloo: KL (beta) is in the reward.", "rloo"
    ),
}  # fmt: skip


LOSSES = sorted({each.options["loss_type"] for each in ALGORITHMS.values() if "loss_type" in each.options})
"""The losses of TRL's GRPOTrainer."""


NOT_TRAINED = {
    "ppo": "PPO (arXiv:1707.06347) learns a value for each token with a critic, and TRL 1.16 has no trainer "
    "with one; without a critic its clipped loss is algorithm: grpo",
    "remax": "ReMax (arXiv:2310.10505) subtracts the greedy completion's reward, and TRL 1.16 draws none "
    "beside its groups; the formula is rewards.advantages.remax, and the nearest that is trained is "
    "algorithm: rloo",
    "reinforce": "REINFORCE without a baseline is not among TRL 1.16's trainers; with the mean of the other "
    "completions for a baseline it is algorithm: rloo (verify-train rloo), with the group's mean dr_grpo",
    "reinforce++": "REINFORCE++ (arXiv:2501.03262) divides by the deviation of the whole batch; its formula "
    "is rewards.advantages.reinforce_plus_plus, and within groups it is algorithm: dr_grpo with "
    "trainer.scale_rewards=batch, or algorithm: reinforce_plus_plus_baseline",
    "raft": "RAFT (arXiv:2304.06767) samples, keeps the completions with the highest reward, and learns "
    "them: a stage of kind select "
    "(per_prompt: 1, prefer: best) and one of kind sft, in as many rounds as stages are written",
}
"""What TRL does not train, each with what there is instead; `_` and `-` in a name count for nothing."""
_OTHER_NAMES = {"reinforceplusplus": "reinforce++", "ppoclip": "ppo", "reinforceloo": "rloo",
                "reinforce++baseline": "reinforce_plus_plus_baseline"}  # fmt: skip
_PASS_AT = re.compile(r"pass_at_([1-9]\d{0,3})")


def _told(name: str) -> str:
    """Return why a name is no algorithm, and the cure."""
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "").replace("@", "at")
    if plain == "passatk":
        return "algorithm: pass_at_k: write k out, such as pass_at_4"
    known = _OTHER_NAMES.get(plain, plain)
    if known in NOT_TRAINED:
        return NOT_TRAINED[known]
    if known != plain:
        return f"{name} is called {known} here: algorithm: {known}"
    return f"there is no algorithm {name!r}{nearest(name, ALGORITHMS)}"


def algorithm_options(name: str | None, kind: str) -> dict[str, Any]:
    """Return the trainer's options of a named algorithm; none without one, or for other kinds of stages.

    Raises:
        ConfigError: There is none of that name, or it is another trainer's.

    >>> algorithm_options("dr_grpo", "grpo")["scale_rewards"]
    'none'
    """
    if name is None:
        return {}
    found = _named(name)
    if found.kind != kind:
        raise ConfigError(f"algorithm: {name} is for verify-train {found.kind}, not for {kind}")
    return dict(found.options)


def _named(name: str) -> Algorithm:
    """Return a named variant."""
    known = "pass_at_k" if _PASS_AT.fullmatch(name) else name
    if known not in ALGORITHMS or name == "pass_at_k":
        raise ConfigError(_told(name))
    return ALGORITHMS[known]


@dataclass(frozen=True)
class Advantage:
    """A named variant's computation of advantages, where TRL has none."""

    name: str
    k: int | None = None


def advantage_of(name: str | None) -> Advantage | None:
    """Return the advantages of a named variant; None where they are TRL's own.

    >>> advantage_of("pass_at_4")
    Advantage(name='pass_at_k', k=4)
    """
    if name is None or not _named(name).advantage:
        return None
    found = _PASS_AT.fullmatch(name)
    return Advantage(_named(name).advantage, int(found[1]) if found else None)


OFF_POLICY = ("gspo", "cispo", "sapo", "luspo", "vespo")
"""Variants that differ from others only where a generation serves several updates."""
ON_POLICY = ("opo", "gpg")
"""Variants that are for one update of each generation."""


def on_policy_note(name: str | None, args: Any) -> Iterator[str]:
    """Yield a note where a variant cannot do its work."""
    every = getattr(args, "steps_per_generation", None) or args.gradient_accumulation_steps
    updates = every * getattr(args, "num_iterations", 1) / args.gradient_accumulation_steps
    if name in OFF_POLICY and updates <= 1:
        yield (
            f"algorithm: {name}: each generation serves one update, so ratios are 1 and nothing of it "
            "happens; set trainer.gradient_accumulation_steps below steps_per_generation, such as 1 and 4"
        )
    if name in ON_POLICY and updates > 1:
        yield (
            f"algorithm: {name} is for one update of each generation, and here it serves {updates:g}; its "
            "advantages hold for the first"
        )
