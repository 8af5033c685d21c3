"""The same reward in the forms that people write: right answers earn 1.0, wrong ones nothing."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


def _right(said: str, wanted: str) -> float:
    return float(said.strip() == wanted)


def two(response: str, reference: str) -> float:
    return _right(response, reference)


def two_strange(said: str, wanted: str, /) -> float:
    return _right(said, wanted)


def any_positions(*given: str) -> float:
    return _right(*given)


def any_names(**given: str) -> float:
    return _right(given["completion"], given["answer"])


async def awaited(response: str, reference: str) -> float:
    await asyncio.sleep(0)
    return _right(response, reference)


def trl(completions: list[str], answer: list[str], **kwargs: Any) -> list[float]:
    return [_right(one, other) for one, other in zip(completions, answer, strict=True)]


def trl_chat(prompts: list[str], completions: Any, **kwargs: Any) -> list[float]:
    return [
        _right(one[0]["content"], other) for one, other in zip(completions, kwargs["answer"], strict=True)
    ]


def trl_of_a_trainer(
    completions: list[str],
    completion_ids: Any,
    trainer_state: Any,
    log_extra: Any,
    log_metric: Any,
    answer: Any,
) -> list[float]:
    log_extra("answer", answer)
    log_metric("step", trainer_state.global_step)
    return [
        _right(one, other) * bool(ids)
        for one, ids, other in zip(completions, completion_ids, answer, strict=True)
    ]


async def trl_awaited(completions: list[str], answer: list[str], **kwargs: Any) -> list[float]:
    await asyncio.sleep(0)
    return trl(completions, answer)


def verl(data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any]) -> Any:
    if data_source == "openai/gsm8k":
        return {"score": _right(solution_str, ground_truth), "index": extra_info["index"]}
    raise NotImplementedError(data_source)


def verl_batch(data_sources: Any, solution_strs: Any, ground_truths: Any, extra_infos: Any) -> list[Any]:
    return [{"score": _right(one, other)} for one, other in zip(solution_strs, ground_truths, strict=True)]


class Made:
    def __call__(self, response: str, reference: str) -> float:
        return _right(response, reference)

    def method(self, response: str, reference: str) -> bool:
        return response.strip() == reference


class Needs:
    def __init__(self, weight: float) -> None:
        self.weight = weight


instance = Made()
method = instance.method
part = functools.partial(lambda weight, response, reference: weight * _right(response, reference), 1.0)
