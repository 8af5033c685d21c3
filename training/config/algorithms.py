"""The names that papers give to variants of policy optimisation, as options of TRL's trainers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifiers import ConfigError
from verifiers.core import nearest


@dataclass(frozen=True)
class Algorithm:
    """A named variant.

    Args:
        options: Of GRPOConfig (or of RLOOConfig, for RLOO).
        source: Where it is described.
        note: What else belongs to it, which is not an option of the trainer.
        kind: The stage that it is for.
    """

    options: dict[str, Any]
    source: str
    note: str = ""
    kind: str = field(default="grpo")


ALGORITHMS = {
    "grpo": Algorithm(
        {"loss_type": "grpo", "scale_rewards": "group", "epsilon": 0.2, "beta": 0.04},
        "DeepSeekMath, arXiv:2402.03300",
        "The paper's coefficient of KL; many runs today set trainer.beta=0.",
    ),
    "r1": Algorithm(
        {"loss_type": "grpo", "scale_rewards": "group", "epsilon": 10.0, "beta": 0.001},
        "DeepSeek-R1, arXiv:2501.12948",
        "The clip range of the journal's text; rewards are accuracy and format.",
    ),
    "dr_grpo": Algorithm(
        {"loss_type": "dr_grpo", "scale_rewards": "none", "beta": 0.0},
        "Understanding R1-Zero-Like Training, arXiv:2503.20783",
        "Also 'GRPO without std', 'mean only': the advantage is the reward minus the group's mean.",
    ),
    "dapo": Algorithm(
        {
            "loss_type": "dapo",
            "scale_rewards": "group",
            "epsilon": 0.2,
            "epsilon_high": 0.28,
            "beta": 0.0,
            "mask_truncated_completions": True,
        },
        "DAPO, arXiv:2503.14476",
        "Goes with dynamic_sampling, and SoftOverlong in the recipe (the preset dapo_math).",
    ),
    "bnpo": Algorithm(
        {"loss_type": "bnpo"}, "TRL's name: the token mean over the local batch", "Differs with batch size."
    ),
    "gspo": Algorithm(
        {
            "loss_type": "grpo",
            "importance_sampling_level": "sequence",
            "epsilon": 3e-4,
            "epsilon_high": 4e-4,
            "beta": 0.0,
            "steps_per_generation": 4,
        },
        "GSPO, arXiv:2507.18071",
        "gradient_accumulation_steps is to be 1, so that one generation serves four updates.",
    ),
    "cispo": Algorithm(
        {"loss_type": "cispo", "epsilon_high": 5.0, "beta": 0.0, "scale_rewards": "batch"},
        "MiniMax-M1, arXiv:2506.13585; epsilon_high and batch scaling as in ScaleRL, arXiv:2510.13786",
    ),
    "sapo": Algorithm({"loss_type": "sapo", "beta": 0.0}, "SAPO, arXiv:2511.20347"),
    "luspo": Algorithm(
        {"loss_type": "luspo", "importance_sampling_level": "sequence", "beta": 0.0},
        "LUSPO, arXiv:2602.05261",
    ),
    "vespo": Algorithm({"loss_type": "vespo", "beta": 0.0}, "VESPO, arXiv:2602.10693"),
    "gdpo": Algorithm(
        {"multi_objective_aggregation": "normalize_then_sum"},
        "GDPO, arXiv:2601.05242",
        "Each part is normalised by itself, so the recipe must be a plain weighted sum.",
    ),
    "rloo": Algorithm(
        {}, "RLOO, arXiv:2402.14740", "The command is rloo: KL (beta) is in the reward.", "rloo"
    ),
}


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
    "trainer.scale_rewards=batch",
}
"""What TRL does not train, each with what there is instead; `_` and `-` in a name count for nothing."""
_OTHER_NAMES = {"reinforceplusplus": "reinforce++", "ppoclip": "ppo", "reinforceloo": "rloo"}


def _told(name: str) -> str:
    """Why a name is no algorithm, and what to do."""
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    known = _OTHER_NAMES.get(plain, plain)
    if known in NOT_TRAINED:
        return NOT_TRAINED[known]
    if known != plain:
        return f"{name} is called {known} here: algorithm: {known}"
    return f"there is no algorithm {name!r}{nearest(name, ALGORITHMS)}"


def algorithm_options(name: str | None, kind: str) -> dict[str, Any]:
    """The trainer's options of a named algorithm; none without a name, or for a stage of another kind.

    Raises:
        ConfigError: There is none of that name, or it is another trainer's.

    >>> algorithm_options("dr_grpo", "grpo")["scale_rewards"]
    'none'
    """
    if name is None:
        return {}
    found = ALGORITHMS.get(name)
    if found is None:
        raise ConfigError(_told(name))
    if found.kind != kind:
        raise ConfigError(f"algorithm: {name} is for verify-train {found.kind}, not for {kind}")
    return dict(found.options)
