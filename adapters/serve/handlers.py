"""Handlers of each address: they convert trainers' requests to rows, and send the results back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from ..files.formats.lines import STRICT, dumps
from ..hosts.host import Host
from ..hosts.replies import labelled, reply_after, without_tokens
from ..hosts.unscored import Policy
from .counters import CONTENT_TYPE, Metrics
from .load_limits import Limits, ServeError, too_large, unreadable
from .micro_batches import Queue, Rows
from .recipes import Recipes, Served
from .request_formats import (
    NEMO_GYM,
    OPENRLHF,
    SCORE,
    SLIME,
    VERL,
    OpenRLHFRequest,
    ScoreRequest,
    SlimeRequest,
    VerifyRequest,
    VerlRequest,
)


def reply_of(query: str, prompt: str, place: str) -> str:
    """Return the reply in a query of OpenRLHF, which is prompt and reply in one text.

    Raises:
        ServeError: 422, the query does not begin with its prompt.
    """
    reply = reply_after(query, prompt)
    if reply is None:
        raise unreadable(
            f"{place} does not begin with its prompt, so the model's reply cannot be told from it; "
            "was it cut off? Raise the trainer's limit on the length of prompts"
        )
    return reply


def openrlhf_rows(request: OpenRLHFRequest, served: Served) -> list[dict[str, Any]]:
    """Return the rows of a request of OpenRLHF.

    Raises:
        ServeError: 422, the lists differ in length, or a query does not begin with its prompt.
    """
    counts = {len(request.query), len(request.prompts), len(request.labels)}
    if len(counts) > 1:
        raise unreadable(
            f"query, prompts and labels have {len(request.query)}, {len(request.prompts)} and "
            f"{len(request.labels)} items; they belong together one by one"
        )
    return [
        {
            **labelled(served.labels, label),
            "completion": reply_of(query, prompt, f"query[{place}]"),
            "prompt": prompt,
        }
        for place, (query, prompt, label) in enumerate(
            zip(request.query, request.prompts, request.labels, strict=True)
        )
    ]


def slime_row(request: SlimeRequest, served: Served) -> dict[str, Any]:
    """Return the row of a request of slime."""
    row = {**labelled(served.labels, request.label), "completion": without_tokens(request.response)}
    return row if request.prompt is None else {**row, "prompt": request.prompt}


def verl_row(request: VerlRequest, served: Served) -> dict[str, Any]:
    """Return the row of verl's ``compute_score`` arguments; fields of ``extra_info`` are columns, too."""
    extra = {name: value for name, value in (request.extra_info or {}).items() if name != "completion"}
    row = {**extra, **labelled(served.labels, request.ground_truth), "completion": request.solution_str}
    return row if request.data_source is None else {**row, "data_source": request.data_source}


def gym_row(request: VerifyRequest) -> dict[str, Any]:
    """Return the row of a NeMo-Gym request: the assistant's text, the input as prompt, the task's fields.

    Its data sets call the reference ``expected_answer``.
    """
    fields = request.model_extra or {}
    row = {name: value for name, value in fields.items() if not name.startswith("_ng_")}
    if "answer" not in row and "expected_answer" in row:
        row["answer"] = row["expected_answer"]
    prompt = request.responses_create_params.get("input")
    if isinstance(prompt, str | list):
        row.setdefault("prompt", prompt)
    row["completion"] = without_tokens(_said(request.response.get("output")))
    return row


def _said(output: Any) -> str:
    """Return the text of the assistant's last message among the items of a response.

    Raises:
        ServeError: 422, it is no list of items.
    """
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        raise unreadable("response.output is not a list of items, as the Responses API has it")
    messages = [item for item in output if item.get("type", "message") == "message"]
    return _text(messages[-1].get("content")) if messages else ""


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts: Sequence[Any] = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


DEADLINE: ContextVar[float] = ContextVar("deadline")
"""Of the request that is being answered, in `time.monotonic`; what guards requests sets it."""
Respond = Callable[[bytes, str], Any]


class Handlers:
    """Answers requests.

    Args:
        recipes: Available recipes.
        queue: Queue of the workers.
        limits: Largest number of rows in a request.
        metrics: The metrics.
        unscored: Reply to trainers without a mask for a row without a reward: ``zero`` or ``raise``.
        respond: Makes a response of bytes and their type.
    """

    def __init__(
        self,
        recipes: Recipes,
        queue: Queue,
        limits: Limits,
        metrics: Metrics,
        unscored: Policy,
        respond: Respond,
    ) -> None:
        self._recipes, self._queue, self._limits, self._metrics = recipes, queue, limits, metrics
        self._unscored: Policy = unscored
        self._respond = respond

    async def score(self, request: ScoreRequest) -> Any:
        """Judge rows."""
        served = self._recipes.find(request.recipe, SCORE.name)
        results = await self._judge(served, request.rows, request.progress)
        return self._json(
            {
                "rewards": [result["reward"] for result in results],
                "rows": results,
                "recipe": served.name,
                "signature": served.scorer.signature,
            }
        )

    async def openrlhf(self, request: OpenRLHFRequest) -> Any:
        """Judge what OpenRLHF asks, by the first recipe."""
        return await self.openrlhf_by(None, request)

    async def openrlhf_by(self, recipe: str | None, request: OpenRLHFRequest) -> Any:
        """Judge what OpenRLHF asks, by the recipe of a name."""
        served = self._recipes.find(recipe, OPENRLHF.name)
        results = await self._judge(served, openrlhf_rows(request, served))
        rewards = self._values(OPENRLHF, results)
        logs = [_logged(served, result) for result in results]
        if len(results) == 1:
            # Its clients make a tensor of one number.
            return self._json({"rewards": rewards[0], "scores": rewards[0], "extra_logs": logs[0]})
        columns = {name: [each[name] for each in logs] for name in served.logs.names if logs}
        return self._json({"rewards": rewards, "scores": rewards, "extra_logs": columns})

    async def slime(self, request: SlimeRequest, parts: bool = False) -> Any:
        """Judge what slime asks, by the first recipe; `parts` for an object (``--reward-key reward``)."""
        return await self.slime_by(None, request, parts)

    async def slime_by(self, recipe: str | None, request: SlimeRequest, parts: bool = False) -> Any:
        """Judge what slime asks, by the recipe of a name."""
        served = self._recipes.find(recipe, SLIME.name)
        results = await self._judge(served, [slime_row(request, served)])
        [reward] = self._values(SLIME, results)
        return self._json({"reward": reward, **_logged(served, results[0])} if parts else reward)

    async def verl(self, request: VerlRequest) -> Any:
        """Judge the arguments of verl's ``compute_score``, by the first recipe."""
        return await self.verl_by(None, request)

    async def verl_by(self, recipe: str | None, request: VerlRequest) -> Any:
        """Judge the arguments of verl's ``compute_score``, by the recipe of a name."""
        served = self._recipes.find(recipe, VERL.name)
        results = await self._judge(served, [verl_row(request, served)])
        [score] = self._values(VERL, results)
        return self._json({"score": score, **_logged(served, results[0])})

    async def verify(self, request: VerifyRequest) -> Any:
        """Judge what an agent of NeMo-Gym asks; a row that cannot be judged is masked."""
        served = self._recipes.find(request.recipe, NEMO_GYM.name)
        [result] = await self._judge(served, [gym_row(request)])
        values: Mapping[str, float | None] = result["reward_parts"]
        reply = {
            **{name: value for name, value in request if name != "recipe"},
            "reward": 0.0 if result["reward"] is None else result["reward"],
            "reward_components": {
                name: values.get(name) or 0.0 for name in served.scorer.reward.part_names()
            },
            "mask_sample": result["reward"] is None,
        }
        if result["reward"] is None:
            # The second pair is read by versions before `mask_sample`.
            reply |= {"failure_kind": f"reward-verifiers:{result['status']}", "failure_reason": result["why"]}
            reply |= {"_ng_failure_class": "judge_failed", "_ng_failure_judge_error": result["why"]}
        return self._json(reply)

    async def seed_session(self) -> Any:
        """Answer the request of NeMo-Gym's agents before an episode; there is no state to begin."""
        return self._json({})

    async def health(self) -> Any:
        """Ready: workers have judged a row of each recipe."""
        names = [served.name for served in self._recipes]
        return self._json({"status": "ok", "recipes": names, "queued_rows": self._metrics.queued_rows})

    async def metrics(self) -> Any:
        """Counts for Prometheus."""
        return self._respond(self._metrics.text().encode(), CONTENT_TYPE)

    # ------------------------------------------------------------------------------------------

    async def _judge(self, served: Served, rows: Rows, progress: float | None = None) -> Rows:
        if len(rows) > self._limits.request_rows:
            raise too_large(
                f"{len(rows):,} rows, and a request may have {self._limits.request_rows:,}; send several"
            )
        try:
            rows = served.checked(rows)
        except RecursionError:  # columns that may all be the reference are compared with one another
            raise unreadable("a row's reference is nested too deeply to compare") from None
        deadline = DEADLINE.get(time.monotonic() + self._limits.deadline)
        at = served.scorer.progress if progress is None else progress
        return await self._queue.judge(served, at, rows, deadline)

    def _values(self, host: Host, results: Rows) -> list[float]:
        """Return rewards for a trainer without a mask."""
        without = [result for result in results if result["reward"] is None]
        if without and host.policy(self._unscored) == "raise":
            # What broke may work at the next try; a row that cannot be judged never will.
            broke = any(result["status"] == "fault" for result in without)
            raise ServeError(
                500 if broke else 422,
                "unscored",
                f"{len(without)} of {len(results)} rows have no reward: {without[0]['why']}",
            )
        return [0.0 if result["reward"] is None else result["reward"] for result in results]

    def _json(self, value: Any) -> Any:
        return self._respond(sent(value), "application/json")


def sent(value: Any) -> bytes:
    """Return a reply as JSON; echoed values that JSON lacks (NaN, infinities) become null.

    Raises:
        ServeError: 422, what the request held is nested too deeply to be sent back.
    """
    try:
        try:
            return dumps(value, STRICT)
        except UnicodeError:
            raise
        except ValueError:
            # Read again, where it is written as Python does, and what is no JSON is seen.
            return dumps(json.loads(dumps(value), parse_constant=lambda _: None))
    except RecursionError:
        raise unreadable("the request is nested too deeply to return it with its reward") from None


def _logged(served: Served, result: Mapping[str, Any]) -> dict[str, float]:
    return served.logs.of_values(result["reward_parts"], result["reward"], result["status"] == "fault")
