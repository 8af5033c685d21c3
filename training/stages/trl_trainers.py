"""TRL's trainers with a run's additions: advantages by name, such as OPO, GPG and pass@k."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from reward_verifiers.adapters.hosts.shared_payments import Evaluation
from reward_verifiers.rewards import advantages
from reward_verifiers.verifiers import ConfigError, VerifierError
from reward_verifiers.verifiers.runtime.packages import require

from ..config import DynamicSampling, GroupSize, StepRewards
from ..config.algorithms import Advantage
from ..data import Row
from ..environment import joined_rows
from ..run.sampled_rows import Recorder
from .adaptive_sizes import AdaptiveSizes
from .dynamic_sampling import Dynamic, check_trainer
from .policy_rewards import RunRewards
from .step_rewards import StepRewarding


class NamedAdvantages:
    """Mixed into a trainer: replaces the advantages of a batch of training, of all processes together."""

    named_advantage: Advantage
    _named_found: list[float] | None = None

    @staticmethod
    def check(base: type[Any], args: Any, advantage: Advantage) -> None:
        """Refuse what cannot work, before anything is loaded.

        Raises:
            ConfigError: Parts are normalised by themselves, subsets are larger than groups, or this TRL has
                other insides.
        """
        check_trainer(
            "algorithm", base, args, ("_calculate_rewards", "_generate_and_score_completions"), False
        )
        if getattr(args, "multi_objective_aggregation", "") == "normalize_then_sum":
            raise ConfigError(
                f"algorithm: {advantage.name} has advantages of the whole reward, and "
                "trainer.multi_objective_aggregation normalises each part; leave one of them out"
            )
        if advantage.k is not None and advantage.k >= args.num_generations:
            raise ConfigError(
                f"algorithm: pass_at_{advantage.k} needs larger groups, and trainer.num_generations is "
                f"{args.num_generations}"
            )

    def _calculate_rewards(
        self, inputs: list[dict[str, Any]], prompts: list[Any], completions: list[Any], ids: list[list[int]]
    ) -> Any:
        trainer: Any = self
        found = super()._calculate_rewards(inputs, prompts, completions, ids)  # type: ignore[misc]
        if trainer.model.training:
            weights = trainer.reward_weights.to(found.device).unsqueeze(0)
            paid = (found * weights).nansum(dim=1).tolist()
            masked = found.isnan().all(dim=1).tolist()
            rewards = [None if blank else value for value, blank in zip(paid, masked, strict=True)]
            lengths = [len(each) for each in ids]
            start = trainer.accelerator.process_index * len(ids)
            every = self._advantages(rewards, joined_rows(lengths), trainer.num_generations)
            self._named_found = every[start : start + len(ids)]
        return found

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> Any:
        self._named_found = None
        output = super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        if self._named_found is not None:
            output["advantages"] = output["advantages"].new_tensor(self._named_found)
        return output

    def _advantages(self, rewards: list[float | None], lengths: list[int], size: int) -> list[float]:
        named = self.named_advantage
        if named.k is not None:
            try:
                return advantages.pass_at_k(rewards, named.k, size)
            except ConfigError as error:
                raise ConfigError(f"algorithm: pass_at_{named.k}: {error}") from None
        if named.name == "opo":
            return advantages.opo(rewards, lengths, size)
        found: list[float] = getattr(advantages, named.name)(rewards, size)
        return found


EPOCHS = 1000
"""Seeds between those of two rounds."""


def dataset_of(rows: Sequence[Row], first: int = 0) -> Any:
    """Return prompts and row numbers as a dataset; the rest of a row stays out (`RunRewards`)."""
    datasets = require("datasets", extra="train")
    columns = {"prompt": [row["prompt"] for row in rows], "row": list(range(first, first + len(rows)))}
    if any("environment" in row for row in rows):  # by which TRL chooses among several
        columns["environment"] = [row.get("environment") for row in rows]
    return datasets.Dataset.from_dict(columns)


def by_epoch(sampler: Any, number: int = 0) -> Any:
    """Return TRL's sampler with an order that depends on seed, round and epoch alone.

    TRL draws all epochs from one generator, so that a run which is resumed in its second epoch would go
    through the first one's order again.
    """
    if not getattr(sampler, "shuffle", False) or not hasattr(sampler, "generator"):
        return sampler

    class ByEpoch(type(sampler)):  # type: ignore[misc]
        """With an order for each epoch."""

        epoch = 0

        def set_epoch(self, epoch: int) -> None:
            """Told by the trainer before each epoch."""
            self.epoch = epoch

        def __iter__(self) -> Any:
            self.generator.manual_seed((self.seed or 0) + self.epoch + number * EPOCHS)
            return super().__iter__()

    sampler.__class__ = ByEpoch
    return sampler


def policy_trainer(
    kind: str,
    *,
    recorder: Recorder | None,
    rewards: RunRewards,
    dynamic: DynamicSampling | None = None,
    group_size: GroupSize | None = None,
    steps: tuple[StepRewards, Evaluation] | None = None,
    advantage: Advantage | None = None,
    number: int = 0,
    **options: Any,
) -> Any:
    """Return a GRPOTrainer or RLOOTrainer that tells completions of training from those of evaluation.

    Args:
        kind: ``grpo`` or ``rloo``.
        recorder: Told the mode; None for none.
        rewards: The run's.
        dynamic: Replace prompts that teach nothing.
        group_size: Divide a step's completions by how much outcomes vary.
        steps: Reward steps, too: how, and what judges them.
        advantage: Way of computing advantages, if TRL does not.
        number: Number of the round.
        **options: Options of TRL's trainer.

    Raises:
        ConfigError: `dynamic`, `group_size` or `steps` cannot work with the trainer's options, with one
            another, or with the installed TRL.
    """
    trl = require("trl", extra="train")
    base = trl.GRPOTrainer if kind == "grpo" else trl.RLOOTrainer

    class RunTrainer(base):  # type: ignore[misc, valid-type]
        """TRL's trainer."""

        def evaluate(self, *args: Any, **given: Any) -> Any:
            """Evaluate as TRL does; the completions go to a file of their own."""
            rewards.mode = "eval"
            if recorder is not None:
                recorder.mode = "eval"
            try:
                return super().evaluate(*args, **given)
            finally:
                rewards.mode = "train"
                if recorder is not None:
                    recorder.mode = "train"

        def _get_train_sampler(self, *args: Any) -> Any:
            return by_epoch(super()._get_train_sampler(*args), number)

    additions = dynamic, group_size, None if steps is None else steps[0], advantage
    check_additions(kind, options["args"], rewards, *additions)
    chosen = _mixed(RunTrainer, rewards, dynamic, group_size, steps, advantage)
    with warnings.catch_warnings():  # that environments and rollout functions are experimental is documented
        warnings.filterwarnings("ignore", message="You are using '", category=UserWarning)
        return made(chosen, reward_funcs=list(rewards.functions), **options)


def made(trainer: type[Any], **options: Any) -> Any:
    """Make a trainer, turning its own refusals into one sentence.

    Raises:
        ConfigError: It refuses its options.
    """
    try:
        return trainer(**options)
    except (ValueError, NotImplementedError, ImportError) as error:
        if isinstance(error, VerifierError):
            raise
        name = next(each.__name__ for each in trainer.__mro__ if each.__module__.startswith("trl"))
        raise ConfigError(f"{name} of trl {version('trl')}: {' '.join(str(error).split())}") from error


def check_additions(
    kind: str,
    args: Any,
    rewards: RunRewards,
    dynamic: DynamicSampling | None,
    group_size: GroupSize | None,
    steps: StepRewards | None,
    advantage: Advantage | None,
) -> None:
    """Refuse additions that the trainer cannot support, before anything is loaded.

    Raises:
        ConfigError: As `policy_trainer`.
    """
    trl = require("trl", extra="train")
    base = trl.GRPOTrainer if kind == "grpo" else trl.RLOOTrainer
    if group_size is not None:
        if dynamic is not None or steps is not None or advantage is not None:
            other = "steps" if steps is not None else f"algorithm: {advantage.name}" if advantage else ""
            other = "dynamic_sampling" if dynamic is not None else other
            raise ConfigError(f"group_size does not work with {other}; leave one of them out")
        AdaptiveSizes.check(kind, base, args, group_size, rewards)
    if dynamic is not None:
        Dynamic.check(base, args, dynamic, rewards)
    if steps is not None:
        StepRewarding.check(kind, base, args)
    if advantage is not None:
        NamedAdvantages.check(base, args, advantage)


def _mixed(
    chosen: type[Any],
    rewards: RunRewards,
    dynamic: DynamicSampling | None,
    group_size: GroupSize | None,
    steps: tuple[StepRewards, Evaluation] | None,
    advantage: Advantage | None,
) -> type[Any]:
    """Return the trainer's class with the mixins."""
    if advantage is not None:  # before steps, which are added to them
        chosen = type("RunTrainer", (NamedAdvantages, chosen), {"named_advantage": advantage})
    if group_size is not None:
        named: dict[str, Any] = {"group_size": group_size, "run_rewards": rewards}
        chosen = type("RunTrainer", (AdaptiveSizes, chosen), named)
    if dynamic is not None:
        chosen = type("RunTrainer", (Dynamic, chosen), {"dynamic": dynamic, "run_rewards": rewards})
    if steps is not None:
        named = {"step_options": steps[0], "step_paying": steps[1], "run_rewards": rewards}
        chosen = type("RunTrainer", (StepRewarding, chosen), named)
    return chosen
