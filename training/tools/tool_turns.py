"""Completions that call tools, outside a trainer: for exams, for `verify-train eval` and for sampling."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..data import Row
from ..generation import Generated, Sampling, TransformersBackend
from .given_tools import GivenTools

MOST_TURNS = 32
"""Turns of a conversation, where the configuration does not limit them."""


@dataclass
class _Rollout:
    """A conversation under way."""

    prompt: list[dict[str, Any]]
    environment: Any
    tools: list[Any]
    name: str
    start: int = 0
    said: list[dict[str, Any]] = field(default_factory=list)
    used: int = 0
    over: bool = False
    finished: bool = False


@dataclass
class ToolBackend:
    """Completions of a model that calls tools, with their conversations and environments.

    Turns are generated and calls answered as TRL's GRPOTrainer does it: a tool that is missing or raises
    answers with its error, and all turns together have `Sampling.max_tokens`, what tools say included.

    Args:
        inner: Generates turns.
        given: The tools.
        turns: Most turns with calls; None for `MOST_TURNS`.
    """

    inner: TransformersBackend
    given: GivenTools
    turns: int | None = None

    def generate(self, prompts: Sequence[Any], sampling: Sampling) -> Iterator[list[Generated]]:
        """See `Backend.generate`; for environments, which need rows, there is `converse`."""
        return self.converse([{"prompt": prompt} for prompt in prompts], sampling)

    def converse(self, rows: Sequence[Row], sampling: Sampling) -> Iterator[list[Generated]]:
        """Draw completions of rows.

        Args:
            rows: With their prompts, and what environments read.
            sampling: How.

        Returns:
            `sampling.k` completions for each row, in order.
        """
        window = max(1, self.inner.batch_size // sampling.k)
        for start in range(0, len(rows), window):
            ahead = rows[start : start + window]
            rollouts = [self._begin(row) for row in ahead for _ in range(sampling.k)]
            self._play(rollouts, replace(sampling, k=1, seed=(sampling.seed + start) % 2**31))
            done = [
                Generated(
                    str(each.said[-1].get("content") or "") if each.said else "",
                    each.used,
                    each.finished,
                    messages=tuple(each.said),
                    environment=each.environment,
                )
                for each in rollouts
            ]
            for place in range(0, len(done), sampling.k):
                yield done[place : place + sampling.k]

    def _begin(self, row: Row) -> _Rollout:
        environment = self.given.environment(row)
        prompt = [dict(message) for message in row["prompt"]]
        if environment is not None:
            told = environment.reset(**row)
            if told is not None:
                prompt[-1]["content"] += told
        name = str(row.get("environment")) if isinstance(self.given.environments, Mapping) else ""
        rollout = _Rollout(prompt, environment, self.given.of(environment), name)
        rollout.start = len(self._ids(rollout))
        return rollout

    def _ids(self, rollout: _Rollout) -> list[int]:
        found: list[int] = self.inner.tokenizer.apply_chat_template(
            [*rollout.prompt, *rollout.said],
            tools=rollout.tools,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            **self.inner.chat_template_kwargs,
        )["input_ids"]
        return found

    def _play(self, rollouts: list[_Rollout], sampling: Sampling) -> None:
        most = MOST_TURNS if self.turns is None else self.turns
        for turn in range(most + 1):
            playing = [each for each in rollouts if not each.over]
            for name in dict.fromkeys(each.name for each in playing):
                self._turn([each for each in playing if each.name == name], sampling, turn == most)
            sampling = replace(sampling, seed=(sampling.seed + 7919) % 2**31)

    def _turn(self, rollouts: list[_Rollout], sampling: Sampling, last: bool) -> None:
        left = [sampling.max_tokens - each.used for each in rollouts]
        kwargs = {**self.inner.chat_template_kwargs, "tools": rollouts[0].tools}
        backend = replace(self.inner, chat_template_kwargs=kwargs, read=self._raw)
        prompts = [[*each.prompt, *each.said] for each in rollouts]
        generated = list(backend.generate(prompts, replace(sampling, max_tokens=max(left))))
        for rollout, [one], tokens in zip(rollouts, generated, left, strict=True):
            ids = self.inner.tokenizer(one.text, add_special_tokens=False)["input_ids"]
            message = self._read(rollout, ids[:tokens])
            rollout.said.append(message)
            calls = message.get("tool_calls") or []
            rollout.used += min(one.tokens, tokens)
            rollout.finished = one.finished and one.tokens <= tokens
            rollout.over = not calls or last or not rollout.finished
            if not rollout.over:
                self._answer(rollout, calls, sampling.max_tokens)

    def _answer(self, rollout: _Rollout, calls: Sequence[Mapping[str, Any]], most: int) -> None:
        before = len(rollout.said)
        rollout.said += [_told(rollout.tools, call["function"]) for call in calls]
        used = len(self._ids(rollout)) - rollout.start
        if used >= most:  # what tools say does not fit, and the completion ends with the calls
            del rollout.said[before:]
            rollout.over, rollout.finished = True, False
        else:
            rollout.used = used

    def _raw(self, ids: Sequence[int]) -> str:
        """A turn's text with the marks of its calls."""
        tokenizer = self.inner.tokenizer
        kept = list(ids)
        while kept and kept[-1] in (tokenizer.eos_token_id, tokenizer.pad_token_id):
            kept.pop()
        return str(tokenizer.decode(kept, skip_special_tokens=False))

    def _read(self, rollout: _Rollout, ids: list[int]) -> dict[str, Any]:
        from trl.chat_template_utils import parse_response

        takes = inspect.signature(parse_response).parameters
        given = {"prefix": self._ids(rollout), "tools": rollout.tools}
        known = {name: value for name, value in given.items() if name in takes}
        message: dict[str, Any] = parse_response(self.inner.tokenizer, ids, **known)
        return message


def _told(tools: Sequence[Any], function: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool says to a call, as a message."""
    name = function["name"]
    tool = next((each for each in tools if each.__name__ == name), None)
    try:
        if tool is None:
            raise ValueError(f"Tool {name} not found.")
        result = tool(**function["arguments"])
        if inspect.iscoroutine(result):
            result = asyncio.run(result)
    except Exception as error:
        result = {"error": str(error)}
    return {"role": "tool", "name": name, "content": result if isinstance(result, list) else str(result)}
