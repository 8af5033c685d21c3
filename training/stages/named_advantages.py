"""Advantages that TRL does not work out, by the formulas of `rewards.advantages`: OPO, GPG, pass@k ..."""

from __future__ import annotations

from typing import Any

from reward_verifiers.rewards import advantages
from reward_verifiers.verifiers import ConfigError

from ..config.algorithms import Advantage
from ..environment import world_size
from .dynamic_sampling import check_trainer


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
            every = self._advantages(rewards, _gathered(lengths), trainer.num_generations)
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


def _gathered(lengths: list[int]) -> list[int]:
    """Of all processes, in their order."""
    if world_size() == 1:
        return lengths
    from accelerate.utils import gather_object  # type: ignore[import-untyped]

    found: list[int] = gather_object(lengths)
    return found
