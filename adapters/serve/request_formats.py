"""The formats of requests: this library's own, and those that trainers send.

Each says what it offers (`Host`), so that a recipe which needs more is refused before the first row.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..hosts.host import Host, Need

SCORE = Host(
    "/score",
    frozenset(Need),
    ("mask",),
    cures={Need.GROUP: "send the completions of a prompt next to one another, with their prompt"},
)
_BY_SCORE = "ask by /score, which takes all of it"
OPENRLHF = Host(
    "/openrlhf",
    frozenset({Need.PROMPT}),
    ("zero", "raise"),
    cures={Need.GROUP: f"OpenRLHF asks row by row; {_BY_SCORE}", Need.TOKENS: _BY_SCORE},
)
SLIME = Host(
    "/slime",
    frozenset({Need.PROMPT}),
    ("zero", "raise"),
    cures={Need.GROUP: f"slime asks row by row; {_BY_SCORE} (--custom-rm-path, --group-rm)"},
)
VERL = Host(
    "/verl",
    frozenset({Need.PROMPT}),
    ("zero", "raise"),
    cures={Need.GROUP: f"verl asks row by row; {_BY_SCORE}"},
)
NEMO_GYM = Host(
    "/verify",
    frozenset({Need.PROMPT, Need.MESSAGES}),
    ("mask",),
    cures={Need.GROUP: f"NeMo-Gym asks row by row; {_BY_SCORE}"},
)
HOSTS = (SCORE, OPENRLHF, SLIME, VERL, NEMO_GYM)

_ROW = {"completion": "<THINK>48+27</THINK><SOLUTION>75</SOLUTION>", "answer": "75"}


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class ScoreRequest(BaseModel):
    """Rows to judge: a completion (text or chat messages) and the columns that the recipe reads.

    The completions of one prompt follow one another where the recipe compares them.
    """

    model_config = _example(rows=[_ROW])
    rows: list[Any] = Field(description="Objects with `completion`, `answer` and whatever else is read.")
    recipe: str | None = Field(None, description="A recipe's name; by default the server's first.")
    progress: float | None = Field(None, ge=0.0, le=1.0, description="At which schedules are read.")


class ScoreReply(BaseModel):
    """One reward and one object for each row, in order; a reward is null where the row cannot be judged."""

    model_config = _example(
        rewards=[1.5],
        rows=[{"reward": 1.5, "status": "scored", "reward_parts": {"accuracy": 1.0, "format": 1.0}}],
        recipe="gsm8k_tags",
    )
    rewards: list[float | None]
    rows: list[dict[str, Any]]
    recipe: str
    signature: str = ""


class OpenRLHFRequest(BaseModel):
    """Request of ``--reward.remote_url``: prompt and reply in one text, special tokens included."""

    model_config = _example(
        query=["48+27=?<THINK>a</THINK><SOLUTION>75</SOLUTION></s>"], prompts=["48+27=?"], labels=["75"]
    )
    query: list[str]
    prompts: list[str]
    labels: list[Any]


class OpenRLHFReply(BaseModel):
    """Numbers for a request of one row, lists for one of several."""

    model_config = _example(rewards=1.5, scores=1.5, extra_logs={"accuracy": 1.0, "unscored": 0.0})
    rewards: float | list[float]
    scores: float | list[float]
    extra_logs: dict[str, float | list[float]]


class SlimeRequest(BaseModel):
    """Request of ``--rm-type remote_rm``; the reply is a number."""

    model_config = _example(prompt="48+27=?", response=_ROW["completion"], label="75")
    prompt: Any = None
    response: str
    label: Any = None


class VerlRequest(BaseModel):
    """The arguments of verl's ``compute_score``."""

    model_config = _example(
        data_source="gsm8k", solution_str=_ROW["completion"], ground_truth="75", extra_info={"index": 0}
    )
    data_source: Any = None
    solution_str: str
    ground_truth: Any = None
    extra_info: dict[str, Any] | None = None


class VerlReply(BaseModel):
    """A score, and the same floats for every row."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"examples": [{"score": 1.5, "accuracy": 1.0, "unscored": 0.0}]}
    )
    score: float


class VerifyRequest(BaseModel):
    """Request of NeMo-Gym's agents: the request, the response, and the fields of the task."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "responses_create_params": {"input": [{"role": "user", "content": "48+27=?"}]},
                    "response": {
                        "output": [
                            {
                                "type": "message",
                                "content": [{"type": "output_text", "text": _ROW["completion"]}],
                            }
                        ]
                    },
                    "expected_answer": "75",
                }
            ]
        },
    )
    responses_create_params: dict[str, Any] = Field(default_factory=dict)
    response: dict[str, Any]
    recipe: str | None = None


class VerifyReply(BaseModel):
    """The request's fields, with the reward; `mask_sample` is true where the row cannot be judged."""

    model_config = ConfigDict(extra="allow")
    reward: float
    reward_components: dict[str, float]
    mask_sample: bool


class Problem(BaseModel):
    """Why there are no rewards."""

    model_config = _example(
        error={"status": 422, "kind": "unreadable", "message": "rows[0] has no 'answer'; ..."}
    )
    error: dict[str, Any]
