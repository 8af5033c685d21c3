"""GRPO with process supervision: what a step earns is placed on the tokens that lead to its end.

Each step's reward is normalised over all steps of the group, and a token gets the sum of the earnings of
the steps that end with it or after it (Shao et al., DeepSeekMath, arXiv:2402.03300, section 4.1.3). It is
added to the advantage of the outcome, which every token has.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from reward_verifiers.adapters.hosts.shared_payments import Evaluation
from reward_verifiers.rewards import Payment, Reward, advantages
from reward_verifiers.verifiers import ConfigError, Verdict

from ..config import StepRewards
from ..environment import world_size
from ..generation.token_places import NO_STEP, Decode, steps_of_tokens, token_ends
from ..run.reward_recipes import check_columns, reward_of
from .policy_rewards import RunRewards

Judged = tuple[list[float | None], list[int]]
"""The rewards of a completion's steps, and the step of each of its tokens."""
WHOLE_SEQUENCE = ("vespo", "luspo")
"""Losses that weigh sequences as a whole."""


class StepRewarding:
    """Mixed into a trainer: makes the advantages of a batch those of its tokens."""

    step_options: StepRewards
    step_paying: Evaluation
    run_rewards: RunRewards
    _of_steps: list[list[float]] | None = None

    @staticmethod
    def check(kind: str, base: type[Any], args: Any) -> None:
        """Refuse a trainer that cannot have an advantage for each token.

        Raises:
            ConfigError: It is not GRPO's, its loss is of whole sequences, or this TRL has other insides.
        """
        if kind != "grpo":
            raise ConfigError(
                f"steps: {kind} has one advantage for a completion, none for its tokens; use grpo"
            )
        if not all(hasattr(base, name) for name in ("_calculate_rewards", "_generate_and_score_completions")):
            raise ConfigError("steps: the installed trl works out rewards in another way; use trl 1.16")
        if getattr(args, "use_liger_kernel", False):
            raise ConfigError(
                "steps: Liger's loss has one advantage for a completion; leave out trainer.use_liger_kernel"
            )
        if args.loss_type in WHOLE_SEQUENCE or args.importance_sampling_level == "sequence":
            raise ConfigError(
                f"steps: a loss of whole sequences (loss_type {args.loss_type}, importance_sampling_level "
                f"{args.importance_sampling_level}) has no place for the advantages of tokens"
            )

    def _calculate_rewards(
        self, inputs: list[dict[str, Any]], prompts: list[Any], completions: list[Any], ids: list[list[int]]
    ) -> Any:
        trainer: Any = self
        if not trainer.model.training:
            return super()._calculate_rewards(inputs, prompts, completions, ids)  # type: ignore[misc]
        started = time.perf_counter()
        judged = self._judged(inputs, prompts, completions, ids)
        self.run_rewards.seconds += time.perf_counter() - started
        found = super()._calculate_rewards(inputs, prompts, completions, ids)  # type: ignore[misc]
        own = slice(trainer.accelerator.process_index * len(ids), None)
        # What no function could judge teaches nothing, whatever its steps are.
        unpaid = found.isnan().all(dim=1)[own][: len(ids)].tolist()
        self._of_steps = self._advantages(
            [None if masked else each for each, masked in zip(judged, unpaid, strict=True)]
        )
        return found

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> Any:
        self._of_steps = None
        output = super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        if self._of_steps is None:
            return output
        width = output["completion_ids"].shape[1]
        rows = [(each + [0.0] * width)[:width] for each in self._of_steps]
        outcome = output["advantages"].unsqueeze(1)
        output["advantages"] = outcome + outcome.new_tensor(rows) * self.step_options.weight
        return output

    def _judged(
        self,
        inputs: Sequence[dict[str, Any]],
        prompts: list[Any],
        completions: list[Any],
        ids: list[list[int]],
    ) -> list[Judged | None]:
        """Each completion's steps; None where there are none that could be judged and found in its tokens."""
        trainer: Any = self
        numbers = [each["row"] for each in inputs]
        given = {
            "row": numbers,
            "prompts": prompts,
            "completion_ids": ids,
            "trainer_state": trainer.state,
            **self.run_rewards.columns(numbers),
        }
        read = self.run_rewards.texts(completions, given)
        payments = self.step_paying.payments(read, given)
        decode = self.run_rewards.decoding(trainer.processing_class)
        return [
            placed(trainer.processing_class, decode, payment, text, row)
            for payment, text, row in zip(payments, read, ids, strict=True)
        ]

    def _advantages(self, judged: list[Judged | None]) -> list[list[float]]:
        """For each of this process's completions what its steps add to the advantage of each token."""
        trainer: Any = self
        own = [[] if each is None else each[0] for each in judged]
        everyone = own
        if world_size() > 1:  # a group may lie on several processes
            from accelerate.utils import gather_object  # type: ignore[import-untyped]

            everyone = gather_object(own)
        cap = 0.0 if self.step_options.pays == "errors" else None
        found = advantages.process(everyone, trainer.num_generations, cap=cap)
        found = found[trainer.accelerator.process_index * len(own) :][: len(own)]
        scored = [reward for each in own for reward in each if reward is not None]
        trainer._log_metric("steps/unjudged", sum(each is None for each in judged) / max(len(judged), 1))
        trainer._log_metric("steps/count", len(scored) / max(len(judged), 1))
        if scored:
            trainer._log_metric("steps/reward", sum(scored) / len(scored))
        return [
            [] if each is None else [0.0 if step == NO_STEP else row[step] for step in each[1]]
            for each, row in zip(judged, found, strict=True)
        ]


def step_paying(options: StepRewards, rows: Sequence[Mapping[str, Any]], group_size: int) -> Evaluation:
    """What judges steps.

    Raises:
        ConfigError: It is no recipe, or reads a column that the rows lack.
    """
    reward = step_reward(options)
    check_columns(reward, [dict(row) for row in rows])
    return Evaluation(reward, {}, group_size, None, split="gather")


def step_reward(options: StepRewards) -> Reward:
    """The reward whose verdicts have the steps.

    Raises:
        ConfigError: It is no recipe.
    """
    return reward_of(options.by, "steps.by")


def placed(
    tokenizer: Any, decode: Decode, payment: Payment, completion: object, ids: Sequence[int]
) -> Judged | None:
    """The rewards of a completion's steps, and the step of each of its tokens.

    Args:
        tokenizer: Of the model that wrote it.
        decode: From its tokens to its text.
        payment: What judged its steps: they are the parts of the first verdict that has some with places.
        completion: As the verifier read it: a text, or messages of which one is the assistant's.
        ids: Its tokens.

    Returns:
        None where no step was judged, or where the text is not that of the tokens.
    """
    parts = steps_of(payment)
    if not any(part.score is not None for part in parts):
        return None
    whole, text = decode(ids), _text(completion)
    if text is None or whole.count(text) != 1:
        return None
    shift = whole.index(text)
    spans = [(part.span[0] + shift, part.span[1] + shift) for part in parts if part.span is not None]
    in_order = all(one[1] <= other[0] for one, other in pairwise(spans))
    ends = token_ends(tokenizer, ids, whole, decode) if in_order and spans[-1][1] <= len(whole) else None
    if ends is None:
        return None
    return [part.score for part in parts], steps_of_tokens(ends, spans)


def steps_of(payment: Payment) -> tuple[Verdict, ...]:
    """The steps of a payment: the parts of its first verdict whose parts all have a place."""
    for verdict in payment.verdicts:
        if verdict.parts and all(part.span is not None for part in verdict.parts):
            return verdict.parts
    return ()


def _text(completion: object) -> str | None:
    if isinstance(completion, str):
        return completion or None
    if isinstance(completion, Sequence) and len(completion) == 1 and isinstance(completion[0], Mapping):
        content = completion[0].get("content")
        return content if isinstance(content, str) and content else None
    return None
