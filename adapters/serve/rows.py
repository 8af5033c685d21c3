"""From the formats of trainers to rows of completions and columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..hosts.replies import labelled, reply_after, without_tokens
from .formats import OpenRLHFRequest, SlimeRequest, VerifyRequest, VerlRequest
from .judging.recipes import Served
from .limits import unreadable


def reply_of(query: str, prompt: str, place: str) -> str:
    """The reply in a query of OpenRLHF, which is prompt and reply in one text.

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
    """The rows of a request of OpenRLHF.

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
    """The row of a request of slime."""
    row = {**labelled(served.labels, request.label), "completion": without_tokens(request.response)}
    return row if request.prompt is None else {**row, "prompt": request.prompt}


def verl_row(request: VerlRequest, served: Served) -> dict[str, Any]:
    """The row of the arguments of verl's ``compute_score``; what is in ``extra_info`` are columns, too."""
    extra = {name: value for name, value in (request.extra_info or {}).items() if name != "completion"}
    row = {**extra, **labelled(served.labels, request.ground_truth), "completion": request.solution_str}
    return row if request.data_source is None else {**row, "data_source": request.data_source}


def gym_row(request: VerifyRequest) -> dict[str, Any]:
    """The row of a request of NeMo-Gym: the assistant's text, the input as the prompt, the task's fields.

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
    """The text of the assistant's last message among the items of a response.

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
