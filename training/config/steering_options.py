"""What steers a run, and how it samples and selects: the smaller models of a configuration."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]


class Options(BaseModel):
    """Base: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Watch(Options):
    """What raises an alarm, and what an alarm does.

    Attributes:
        every: Steps in a window; windows are compared.
        on_alarm: ``log``, or ``stop`` the run.
        zero_variance: Share of groups without any difference in reward, over two windows, that is an alarm.
        unscored: Share of rows that could not be judged, in one window, that is an alarm.
        drop: How far strict accuracy or format must fall while the reward rises, to be an alarm.
        length: The factor by which lengths must change while the reward rises and accuracy does not.
        collapse: The share of its best value that the reward must lose.
    """

    every: Positive = 10
    on_alarm: Literal["log", "stop"] = "log"
    zero_variance: Share = 0.9
    unscored: Share = 0.2
    drop: Share = 0.1
    length: Annotated[float, Field(gt=1.0)] = 1.5
    collapse: Share = 0.3


class AdaptiveKL(Options):
    """beta follows a target: too far from the reference it grows, too near it shrinks.

    Attributes:
        target: Wanted KL divergence per token, in nats.
        high: beta grows where KL is above `high` x `target`.
        low: beta shrinks where KL is below `low` x `target`.
        factor: By which beta changes.
        minimum: Bound of beta.
        maximum: Bound of beta.
    """

    target: Annotated[float, Field(gt=0.0)]
    high: Annotated[float, Field(ge=1.0)] = 1.5
    low: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5
    factor: Annotated[float, Field(gt=1.0)] = 1.5
    minimum: Annotated[float, Field(gt=0.0)] = 1e-4
    maximum: Annotated[float, Field(gt=0.0)] = 1.0


class DynamicSampling(Options):
    """Prompts whose completions are all right, or all wrong, are replaced by others (DAPO: arXiv:2503.14476).

    Attributes:
        rounds: At most this many further generations for a batch.
        outcome: The part that says whether a completion is right; by default the strict reward's outcome,
            else the first part.
        low: A group is kept where its mean outcome is above this,
        high: and below this.
    """

    rounds: Positive = 3
    outcome: str | None = None
    low: Share = 0.0
    high: Share = 1.0


class Curriculum(Options):
    """Easy prompts first: a window over the prompts by pass rate widens as training proceeds.

    Attributes:
        column: Holds each prompt's pass rate in [0, 1].
        measure: Sample this many completions of each prompt from the model first, where `column` is missing.
        start: Share of the prompts, easiest first, that training begins with.
        until: Share of training at which all prompts are in.
        minimum: Leave out prompts that pass less often than this,
        maximum: and those that pass more often than this.
    """

    column: str = "pass_rate"
    measure: Annotated[int, Field(ge=0)] = 0
    start: Annotated[float, Field(gt=0.0, le=1.0)] = 0.3
    until: Annotated[float, Field(gt=0.0, le=1.0)] = 0.6
    minimum: Share = 0.0
    maximum: Share = 1.0


class Sample(Options):
    """How completions are sampled outside a trainer.

    Attributes:
        k: Completions of each prompt.
        temperature: 0 is greedy.
        top_p: Nucleus.
        top_k: 0 for no limit.
        max_tokens: Of a completion; by default the trainer's.
        batch_size: Completions at a time, with transformers.
        server: Base URL of an OpenAI-compatible server; without it the model is loaded here.
        server_model: The model's name there; by default `model.name`.
    """

    k: Positive = 4
    temperature: Annotated[float, Field(ge=0.0)] = 1.0
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    top_k: Annotated[int, Field(ge=0)] = 0
    max_tokens: Positive | None = None
    batch_size: Positive = 64
    server: str | None = None
    server_model: str | None = None


class Select(Options):
    """Which sampled completions become training data.

    Attributes:
        purpose: ``sft``: right ones. ``star``: the same, and where none is right, those of a prompt with
            `hint`. ``dpo``: pairs of a right and a wrong one.
        outcome: The part of `reward` that says which are right; by default the first that reads a reference.
        require: Parts of `reward` that must pass, too, such as the format.
        per_prompt: At most this many of each prompt.
        prefer: Which of several right ones.
        pairing: For ``dpo``: closest in length, or furthest in reward.
        margin: For ``dpo``: least difference in reward.
        max_pass_rate: Leave out prompts that pass more often.
        hint: For ``star``: added to the question, with columns in braces, such as ``"(It is {answer}.)"``.
    """

    purpose: Literal["sft", "star", "dpo"] = "sft"
    outcome: str | None = None
    require: list[str] = []
    per_prompt: Positive = 1
    prefer: Literal["shortest", "best", "first", "random"] = "random"
    pairing: Literal["length", "reward"] = "length"
    margin: Annotated[float, Field(ge=0.0)] = 0.0
    max_pass_rate: Share = 1.0
    hint: str = "\n(The answer is {answer}.)"
