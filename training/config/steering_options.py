"""Smaller models of a configuration: steering, sampling and selection."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]


class Options(BaseModel):
    """Base: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class AuditLimits(Options):
    """Limits for the last completions; `adapters.audit.findings.Limits` explains each.

    Attributes:
        faults: Share of rows on which a verifier breaks, or that hold a known cheat and are paid.
        duplicates: Share of completions that repeat another one of their group.
        one_completion: Share of the prompts in which one text stands.
        always_true: Share of the groups whose different answers are all paid in full.
        no_answer: Share of rows that keep the format, answer nothing, and are paid.
        in_thinking: Share of rows whose right answer stands in the thinking alone.
        disagreement: Share of rows on which two parts with a reference contradict one another.
        correlation: Correlation of a part with lengths or tags, within prompts.
        flat: Share of the reward's rise that what is right must at least have risen by.
        script: By how much the share of a script that nobody asked in must rise.
        repeated: By how much the share of repeated text must rise.
        tags: Tags of a completion.
    """

    faults: Share = 0.01
    duplicates: Share = 0.5
    one_completion: Share = 0.2
    always_true: Share = 0.5
    no_answer: Share = 0.2
    in_thinking: Share = 0.1
    disagreement: Share = 0.2
    correlation: Share = 0.3
    flat: Share = 0.2
    script: Share = 0.2
    repeated: Share = 0.2
    tags: Annotated[float, Field(ge=1.0)] = 8.0


class Watch(Options):
    """Thresholds of alarms, and an alarm's effect.

    Attributes:
        every: Steps in a window; windows are compared.
        on_alarm: ``log``, or ``stop`` the run; a warning stops none.
        zero_variance: Share of groups without any difference in reward, over two windows, that is an alarm.
        cut_off: Share of completions that are cut off at their longest, over two windows, that is an alarm.
        unscored: Share of rows that could not be judged, in one window, that is an alarm.
        drop: Fall of strict accuracy or format that is an alarm while the reward rises.
        length: The factor by which lengths must change while the reward rises and accuracy does not.
        collapse: The share of its best value that the reward must lose.
        completions: Number of the last completions to audit, every `every` steps; 0 for none.
        limits: Limits for alarms and warnings of the audit.
        off: Names of alarms that are not raised.
    """

    every: Positive = 10
    on_alarm: Literal["log", "stop"] = "log"
    zero_variance: Share = 0.9
    cut_off: Share = 0.9
    unscored: Share = 0.2
    drop: Share = 0.1
    length: Annotated[float, Field(gt=1.0)] = 1.5
    collapse: Share = 0.3
    completions: Annotated[int, Field(ge=0)] = 2048
    limits: AuditLimits = AuditLimits()
    off: list[str] = []


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


class GroupSize(Options):
    """Prompts that are neither always nor never solved get more of a step's completions.

    Attributes:
        first: Completions that every prompt gets, from which is seen how much its outcome varies; below
            ``trainer.num_generations``, the mean size.
        most: No group is larger than this many times the mean size.
        outcome: The part that says whether a completion is right; by default the strict reward's outcome,
            else the first part.
    """

    first: Annotated[int, Field(ge=2)] = 4
    most: Annotated[float, Field(ge=1.0)] = 3.0
    outcome: str | None = None


class StepRewards(Options):
    """Steps are rewarded, too: each on the tokens that lead to its end (GRPO with process supervision).

    Attributes:
        by: Verifier of the steps: one whose verdicts have them as parts with places, such as
            ``EquationChain`` or ``{PrmScore: {...}}``, or a recipe with one.
        weight: Weight of the steps' advantages beside the outcome's; 0 is plain GRPO.
        pays: ``errors``: steps below the group's mean cost, and no step earns. ``all``: as published, where
            a step above it earns, so that further right steps do.
    """

    by: Any = "EquationChain"
    weight: Annotated[float, Field(ge=0.0)] = 1.0
    pays: Literal["errors", "all"] = "errors"


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
    """Sampling of completions outside a trainer.

    Attributes:
        k: Completions of each prompt.
        temperature: 0 is greedy.
        top_p: Nucleus.
        top_k: 0 for no limit.
        max_tokens: Longest completion; by default the trainer's.
        stop: Texts that end a completion, such as the start of the next question where a base model goes on
            after few-shot examples.
        batch_size: Completions at a time, with transformers.
        server: Base URL of an OpenAI-compatible server; without it the model is loaded here.
        server_model: The model's name there; by default `model.name`.
    """

    k: Positive = 4
    temperature: Annotated[float, Field(ge=0.0)] = 1.0
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    top_k: Annotated[int, Field(ge=0)] = 0
    max_tokens: Positive | None = None
    stop: list[str] = []
    batch_size: Positive = 64
    server: str | None = None
    server_model: str | None = None


class Service(Options):
    """A service, such as a judge, that a pipeline starts before its first stage and ends after its last.

    Attributes:
        start: ``module:function`` that returns a context manager: the service is up while it is entered. In a
            run of several processes the first one starts it.
        options: For the function.
    """

    start: str
    options: dict[str, Any] = {}


class Head(Options):
    """Training of a model of steps, of outcomes or of preferences.

    Attributes:
        labels: Labels of steps: ``hard``, right or wrong, or ``soft``, degrees of correctness.
        neutral: Meaning of PRM800K's rating 0.
        outcome: For scored solutions: part of the reward that tells right from wrong; by default the first
            that reads a reference, of the reward that the configuration names.
        of: Part of a completion that a model of outcomes reads.
        max_length: Tokens of question and solution; steps after it are left out.
        only: Train the head alone, and leave the rest as it is.
        center: For preferences: weight of the penalty that draws each question's figures to 0, so that one
            range holds for all of them.
    """

    labels: Literal["hard", "soft"] = "hard"
    neutral: Literal["positive", "negative", "skip"] = "positive"
    outcome: str | None = None
    of: Literal["completion", "response"] = "response"
    max_length: Positive = 1024
    only: bool = False
    center: Annotated[float, Field(ge=0.0)] = 0.01


class Select(Options):
    """Selection of sampled completions as training data.

    Attributes:
        purpose: ``sft``: right ones. ``star``: the same, and where none is right, those of a prompt with
            `hint`. ``dpo``: pairs of a right and a wrong one.
        outcome: The part of `reward` that says which are right; by default the first that reads a reference.
            Of rows of several tasks (`route`) one of each: a row has the first that its route pays.
        require: Parts of `reward` that must pass, too, such as the format; of a route, on its own rows.
        least: Fewer rows than this, of all or of one task, end the pipeline.
        forget: Parts left out of the rows' prompts: the few-shot `examples`, the `system` prompt, or
            both. A model that learns from them does so unasked: a cold start, context distillation.
        per_prompt: At most this many of each prompt.
        prefer: Which of several right ones.
        pairing: For ``dpo``: closest in length, or furthest in reward.
        margin: For ``dpo``: least difference in reward; in `outcome` where it is given, or is a grade.
        pass_at: The least outcome that is right; by default 1, and none where the outcome is a grade (a
            judge's, a metric's), of which the higher one is better.
        max_pass_rate: Leave out prompts that pass more often.
        hint: For ``star``: added to the question, with columns in braces, such as ``"(It is {answer}.)"``.
    """

    purpose: Literal["sft", "star", "dpo"] = "sft"
    outcome: str | list[str] | None = None
    require: list[str] = []
    least: Positive = 1
    forget: list[Literal["examples", "system"]] = []
    per_prompt: Positive = 1
    prefer: Literal["shortest", "best", "first", "random"] = "random"
    pairing: Literal["length", "reward"] = "length"
    margin: Annotated[float, Field(ge=0.0)] = 0.0
    pass_at: float | None = None
    max_pass_rate: Share = 1.0
    hint: str = "\n(The answer is {answer}.)"
