"""GRPO with process supervision: a step's reward is placed on the tokens that lead to its end.

Each step's reward is normalised over all steps of the group, and a token gets the sum of the earnings of
the steps that end with it or after it (Shao et al., DeepSeekMath, arXiv:2402.03300, section 4.1.3). It is
added to the advantage of the outcome, which every token has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from reward_verifiers.adapters.hosts.shared_payments import Evaluation
from reward_verifiers.rewards import Payment, Reward, advantages
from reward_verifiers.verifiers import ConfigError, Verdict

from ..config import StepRewards
from ..environment import joined_rows
from ..run.run_inputs import check_columns, reward_of
from .policy_rewards import RunRewards

Decode = Callable[[Sequence[int]], str]
"""From tokens to their text; as a tokenizer decodes without special tokens, or with them."""
_BROKEN = "\N{REPLACEMENT CHARACTER}"
_WINDOW = 64
"""Tokens that are decoded together at most; a character of more tokens than that is none."""
NO_STEP = -1


def token_ends(tokenizer: Any, ids: Sequence[int], text: str, decode: Decode) -> list[int] | None:
    """Return the number of characters of a text that are complete at each of its tokens.

    A token that is but a part of a character ends where the character before it ends. The text is encoded
    again, which gives exact places where it gives the same tokens; where a model wrote others, the tokens
    are decoded one by one, and their pieces must make up the text.

    Args:
        tokenizer: With `is_fast`, encodes with places.
        ids: The completion's tokens, with special ones.
        text: Result of `decode`.
        decode: See `Decode`.

    Returns:
        One number for each token, never falling, the last of them the text's length; None where the pieces
        do not make up the text.
    """
    return _encoded_again(tokenizer, ids, text) or _decoded(ids, text, decode)


def steps_of_tokens(ends: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the step that each token belongs to: the first that ends with it or after it.

    White space before a step is the step's. A token that holds the ends of several steps is the first one's.

    Args:
        ends: As `token_ends` gives them.
        spans: Places of the steps in the text, in order, without overlaps.

    Returns:
        For each token the position of its step; `NO_STEP` after the last one.

    >>> steps_of_tokens([2, 4, 5, 7, 9], [(0, 4), (5, 7)])
    [0, 0, 1, 1, -1]
    """
    found, step, before = [], 0, 0
    for end in ends:
        # A step is over with the token that reaches its end.
        while step < len(spans) and spans[step][1] <= before:
            step += 1
        found.append(step if step < len(spans) else NO_STEP)
        before = end
    return found


def _encoded_again(tokenizer: Any, ids: Sequence[int], text: str) -> list[int] | None:
    if not getattr(tokenizer, "is_fast", False):
        return None
    again = tokenizer(text=text, add_special_tokens=False, return_offsets_mapping=True)
    special = set(tokenizer.all_special_ids)
    plain = [each not in special for each in ids]
    if again["input_ids"] == list(ids):
        plain = [True] * len(ids)
    elif again["input_ids"] != [each for each, kept in zip(ids, plain, strict=True) if kept]:
        return None
    places: list[tuple[int, int]] = again["offset_mapping"]
    ends = []
    for at, (_, end) in enumerate(places):
        following = places[at + 1][0] if at + 1 < len(places) else len(text)
        # Tokens that share a character all have its place; it is written with the last of them.
        ends.append(min(end, following) if at + 1 < len(places) else end)
    if ends != list(accumulate(ends, max)) or (ends and ends[-1] != len(text)) or (text and not ends):
        return None
    found: list[int] = []
    taken = iter(ends)
    for kept in plain:
        found.append(next(taken) if kept else (found[-1] if found else 0))
    return found


def _decoded(ids: Sequence[int], text: str, decode: Decode) -> list[int] | None:
    """Return the ends from pieces, each decoded after the tokens before it, as some tokenizers need."""
    found: list[int] = []
    length = first = done = 0
    for at in range(len(ids)):
        before, now = decode(ids[first:done]), decode(ids[first : at + 1])
        whole = not now.endswith(_BROKEN) or at + 1 - done >= _WINDOW or at + 1 == len(ids)
        if whole and len(now) >= len(before):
            if not text.startswith(now[len(before) :], length):
                return None
            length += len(now) - len(before)
            first, done = done, at + 1
        found.append(length)
    return found if length == len(text) else None


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
        """Return each completion's steps; None where none could be judged and found in its tokens."""
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
        """Return, for each of this process's completions, its steps' addition to each token's advantage."""
        trainer: Any = self
        own = [[] if each is None else each[0] for each in judged]
        everyone = joined_rows(own)  # a group may lie on several processes
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
    """Return the evaluation that judges steps.

    Raises:
        ConfigError: The options hold no recipe, or it reads a column that the rows lack.
    """
    reward = step_reward(options)
    check_columns(reward, [dict(row) for row in rows])
    return Evaluation(reward, {}, group_size, None, split="gather")


def step_reward(options: StepRewards) -> Reward:
    """Return the reward whose verdicts have the steps.

    Raises:
        ConfigError: It is no recipe.
    """
    return reward_of(options.by, "steps.by")


def placed(
    tokenizer: Any, decode: Decode, payment: Payment, completion: object, ids: Sequence[int]
) -> Judged | None:
    """Return the rewards of a completion's steps, and the step of each of its tokens.

    Args:
        tokenizer: Tokenizer of the model that wrote it.
        decode: From its tokens to its text.
        payment: Payment with its steps: the parts of the first verdict that has parts with places.
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
    """Return the steps of a payment: the parts of its first verdict whose parts all have a place."""
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
