"""From the formats of trainers to rows of completions and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .formats import OpenRLHFRequest, SlimeRequest, VerifyRequest, VerlRequest
from .judging.recipes import Served
from .limits import unreadable

_TOKEN = r"(?:<[|｜][^<>|｜\s]{1,40}[|｜]>|</?s>|<(?:bos|eos|pad|end_of_turn|start_of_turn)>|\[/?INST\])"  # noqa: S105
_BEFORE = re.compile(_TOKEN + r"{1,4}")
_AFTER = re.compile(rf"(?:{_TOKEN}\s*){{1,8}}\Z")
_TAIL = 400
"""Characters at the end of a reply where special tokens are looked for."""


def without_tokens(text: str) -> str:
    """A reply without the special tokens at its end, which a model writes to stop and no reader sees.

    >>> without_tokens("<answer>4</answer><|im_end|>"), without_tokens("see </s> there")
    ('<answer>4</answer>', 'see </s> there')
    """
    while found := _AFTER.search(text, max(len(text) - _TAIL, 0)):
        text = text[: found.start()]
    return text


def reply_of(query: str, prompt: str, place: str) -> str:
    """The reply in a query of OpenRLHF, which is prompt and reply in one text.

    What stands before the prompt can only be special tokens, such as the one that begins every text. Where
    the prompt is not found nothing is guessed: what it says must never be paid as the model's words.

    Raises:
        ServeError: 422, the query does not begin with its prompt.
    """
    before = _BEFORE.match(query)
    starts = [0, *([before.end()] if before else [])]
    for start in starts:
        if query.startswith(prompt, start):
            return without_tokens(query[start + len(prompt) :])
    raise unreadable(
        f"{place} does not begin with its prompt, so the model's reply cannot be told from it; "
        "was it cut off? Raise the trainer's limit on the length of prompts"
    )


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
            **_labelled(served, label),
            "completion": reply_of(query, prompt, f"query[{place}]"),
            "prompt": prompt,
        }
        for place, (query, prompt, label) in enumerate(
            zip(request.query, request.prompts, request.labels, strict=True)
        )
    ]


def slime_row(request: SlimeRequest, served: Served) -> dict[str, Any]:
    """The row of a request of slime."""
    row = {**_labelled(served, request.label), "completion": without_tokens(request.response)}
    return row if request.prompt is None else {**row, "prompt": request.prompt}


def verl_row(request: VerlRequest, served: Served) -> dict[str, Any]:
    """The row of the arguments of verl's ``compute_score``; what is in ``extra_info`` are columns, too."""
    extra = {name: value for name, value in (request.extra_info or {}).items() if name != "completion"}
    row = {**extra, **_labelled(served, request.ground_truth), "completion": request.solution_str}
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


def _labelled(served: Served, label: Any) -> dict[str, Any]:
    """A label as columns: an object that has all which the recipe reads is those, else it is the answer."""
    if isinstance(label, dict) and len(served.labels) > 1 and all(name in label for name in served.labels):
        return {name: value for name, value in label.items() if name != "completion"}
    return {"answer": label}
