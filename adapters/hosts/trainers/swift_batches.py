"""What ms-swift hands to its reward functions, read for a reward, and what it is handed back."""

from __future__ import annotations

import json
import logging
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reward_verifiers.rewards import Payment, Reward, VerdictCache
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.forks import new_lock

from ..contract.host import Host
from ..contract.needs import Need, needs_of
from ..contract.row_logs import FAULT, UNSCORED
from ..contract.unscored import Policy, group_means, handed_over, is_fault, settle, why
from ..shared_payments import Evaluation, OnFault

SWIFT = Host("ms-swift", frozenset(Need), ("group_mean", "zero", "raise"))
UNGROUPED = replace(
    SWIFT,
    name="ms-swift with these batches",
    offers=SWIFT.offers - {Need.GROUP},
    unscored=("zero", "raise"),
    cures={
        Need.GROUP: "let each process have whole groups: make --per_device_train_batch_size times "
        "--steps_per_generation (or --gradient_accumulation_steps) a multiple of --num_generations, "
        "which is 2 or more"
    },
)
MEANT: Mapping[Policy, str] = {
    "group_mean": "they get the mean of their group",
    "zero": "they are paid 0",
    "raise": "the run ends",
}

_log = logging.getLogger(__name__)


class SwiftBatches:
    """The columns of numbers that ms-swift's reward functions return, worked out once for each batch.

    Args:
        reward: What pays.
        terms: Parts that are paid by themselves, instead of the total.
        unscored: What is done about a row without a reward.
        columns: The reward's columns by the names that the rows have.
        cache: Verdicts to keep.
        on_fault: See `Evaluation`.

    Whether processes share groups is known after `begin`: `shares`.
    """

    def __init__(
        self,
        reward: Reward,
        terms: Sequence[str],
        unscored: Policy,
        columns: Mapping[str, str],
        cache: VerdictCache | None,
        on_fault: OnFault,
    ) -> None:
        self.reward, self.total, self._terms, self._unscored = reward, reward.total_name, terms, unscored
        self._evaluation = Evaluation(reward, columns, None, cache, on_fault)
        self._reads_messages = Need.MESSAGES in needs_of(reward).features
        self._sizes: list[int] = []
        self.shares = self._told = False
        self._lock = new_lock()
        self._read: tuple[object, Sequence[object], dict[str, Any]] | None = None
        self._found: tuple[list[Payment], dict[str, list[float | None]]] | None = None

    def begin(self, args: Any) -> None:
        """Take note of the trainer's arguments.

        Raises:
            ConfigError: The reward compares completions, and no process has whole groups of them.
        """
        size = getattr(args, "num_generations", None)
        if not isinstance(size, int):
            return
        rows: int = getattr(args, "generation_batch_size", None) or size
        self.shares = rows // max(getattr(args, "world_size", 1), 1) % size != 0
        if self.shares or size < 2:
            UNGROUPED.check(self.reward)
        self._evaluation.group_size = size
        self._sizes = [size, getattr(args, "num_generations_eval", None) or size]

    def columns(
        self, completions: Sequence[object], given: Mapping[str, Any]
    ) -> dict[str, list[float | None]]:
        """What each function returns: totals and terms, parts, and 1 for rows without a reward.

        Args:
            completions: Length N.
            given: What ms-swift passes besides them.

        Raises:
            ConfigError: The set-up cannot work, and has not worked before.
            UnscoredError: The policy is to raise, and a row has no reward.
        """
        with self._lock:
            messages = given.get("messages")
            if self._read is None or messages is None or self._read[0] is not messages:
                self._read = (messages, *self._readable(completions, given))
            _, completions, columns = self._read
        payments = self._evaluation.payments(completions, columns)
        with self._lock:
            if self._found is None or self._found[0] is not payments:
                self._found = (payments, self._columns(payments, columns.get("prompts")))
            return self._found[1]

    # ------------------------------------------------------------------------------------------

    def _readable(
        self, completions: Sequence[object], given: Mapping[str, Any]
    ) -> tuple[Sequence[object], dict[str, Any]]:
        """Completions and columns by the names that rewards have for them."""
        count = len(completions)
        messages, tokens, infos = (
            _rows(given.get(name), count) for name in ("messages", "response_token_ids", "rollout_infos")
        )
        if messages is None:
            return completions, dict(given)
        tokens, infos = tokens or [None] * count, infos or [None] * count
        starts = [_start(*row) for row in zip(messages, tokens, infos, strict=True)]
        made: dict[str, Any] = {
            "prompts": [said[:start] for said, start in zip(messages, starts, strict=True)],
            "completion_tokens": [_count(ids) for ids in tokens],
        }
        if self._reads_messages:
            completions = [said[start:] for said, start in zip(messages, starts, strict=True)]
        return completions, {**made, **given}

    def _columns(
        self, payments: list[Payment], prompts: Sequence[object] | None
    ) -> dict[str, list[float | None]]:
        found: dict[str, list[float | None]] = {self.total: settle(payments, "mask").values}
        for part in self.reward.part_names():
            if part != self.total:
                found[part] = [_part(each, part) for each in payments]
        found[UNSCORED] = [float(each.value is None) for each in payments]
        found[FAULT] = [float(is_fault(each)) for each in payments]
        self._tell(payments)
        paid = self._terms or [self.total]
        if self._unscored != "group_mean":
            settle(payments, self._unscored)
            return found | {name: [value or 0.0 for value in found[name]] for name in paid}
        if not self.shares and not any(found[UNSCORED]) and not self._terms:
            return found
        keys = self._keys(prompts, len(payments))
        others = self._elsewhere(keys, [found[name] for name in paid])
        for place, name in enumerate(paid):
            elsewhere = [
                pair for keys_of, columns in others for pair in zip(keys_of, columns[place], strict=True)
            ]
            found[name] = [*group_means(found[name], keys, elsewhere)]
        return found

    def _keys(self, prompts: Sequence[object] | None, count: int) -> list[Hashable]:
        """What the rows of a group have in common: the prompt and, where one is drawn twice, its turn."""
        if prompts is None:
            raise ConfigError("ms-swift passed no messages, so nobody knows which rows are of one prompt")
        texts = [json.dumps(prompt, default=repr, skipkeys=True) for prompt in prompts]
        for size in () if self.shares else self._sizes:
            blocks = [texts[start : start + size] for start in range(0, count, size)]
            if all(len(block) == size and len(set(block)) == 1 for block in blocks):
                return [row // size for row in range(count)]
        return [*texts]

    def _elsewhere(self, keys: list[Hashable], columns: list[list[float | None]]) -> list[Any]:
        """The same of the other processes, where groups are split over several."""
        if not self.shares:
            return []
        import torch.distributed

        if not torch.distributed.is_initialized():
            return []
        rows: list[Any] = [None] * torch.distributed.get_world_size()
        torch.distributed.all_gather_object(rows, (keys, columns))
        return [each for rank, each in enumerate(rows) if rank != torch.distributed.get_rank()]

    def _tell(self, payments: Sequence[Payment]) -> None:
        without = [each for each in payments if each.value is None]
        if without and not self._told:
            self._told = True
            _log.warning(
                "%d of %d rows have no reward (%s): %s; their share is logged as %s",
                *(len(without), len(payments), why(without[0]), MEANT[self._unscored], UNSCORED),
            )


def _part(payment: Payment, name: str) -> float | None:
    value = None if payment.value is None else payment.values().get(name)
    return None if value is None else handed_over(value)


def _rows(values: Any, count: int) -> list[Any] | None:
    return values if isinstance(values, list) and len(values) == count else None


def _count(tokens: Any) -> int | None:
    """How many tokens were generated, in one turn or several; None where ms-swift does not say."""
    if not isinstance(tokens, list) or not tokens:
        return None
    return sum(len(each) if isinstance(each, list) else 1 for each in tokens)


def _start(messages: Sequence[Any], tokens: Any, infos: Any) -> int:
    """Where the prompt of a conversation ends: before the first message that was generated in this step."""
    turns = infos.get("num_turns") if isinstance(infos, dict) else None
    if isinstance(tokens, list) and tokens and isinstance(tokens[0], list):
        turns = len(tokens)
    said = [place for place, each in enumerate(messages) if each.get("role") == "assistant"]
    if not said:
        return len(messages)
    return said[-turns] if isinstance(turns, int) and 1 <= turns <= len(said) else said[-1]
