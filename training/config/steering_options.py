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
        faults: Share of rows with a fault, or with a rewarded known cheat.
        duplicates: Share of completions that repeat another one of their group.
        one_completion: Share of the prompts with one and the same text.
        always_true: Share of the groups whose different answers all earn the full reward.
        no_answer: Share of rows that earn reward for the format without an answer.
        in_thinking: Share of rows whose right answer is in the thinking only.
        disagreement: Share of rows on which two parts with a reference contradict each other.
        correlation: Correlation of a part with lengths or tags, within prompts.
        flat: Least rise of the outcome, as a share of the reward's rise.
        script: Rise of the share of a script that the prompt does not use.
        repeated: Rise of the share of repeated text.
        tags: Number of tags in a completion.
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
    """Limits and effects of alarms.

    Attributes:
        every: Steps per window; windows are compared.
        on_alarm: ``log``, or ``stop`` the run; a warning never stops it.
        zero_variance: Share of groups with equal rewards, over two windows, that raises an alarm.
        cut_off: Share of completions cut off at the length limit, over two windows, that raises an alarm.
        unscored: Share of unscored rows in one window that raises an alarm.
        drop: Fall of strict accuracy or format that raises an alarm while the reward rises.
        length: Factor by which lengths change while the reward rises and accuracy does not.
        collapse: Share of its best value that the reward loses.
        completions: Number of the last completions to audit, every `every` steps; 0 for none.
        limits: Limits for alarms and warnings of the audit.
        off: Names of alarms to turn off.
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
    """Change beta towards a target: it grows if KL is too large, and shrinks if KL is too small.

    Attributes:
        target: Wanted KL divergence per token, in nats.
        high: beta grows if KL is above `high` x `target`.
        low: beta shrinks if KL is below `low` x `target`.
        factor: Factor by which beta changes.
        minimum: Smallest beta.
        maximum: Largest beta.
    """

    target: Annotated[float, Field(gt=0.0)]
    high: Annotated[float, Field(ge=1.0)] = 1.5
    low: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5
    factor: Annotated[float, Field(gt=1.0)] = 1.5
    minimum: Annotated[float, Field(gt=0.0)] = 1e-4
    maximum: Annotated[float, Field(gt=0.0)] = 1.0


class DynamicSampling(Options):
    """Replace prompts whose completions are all right or all wrong (DAPO: arXiv:2503.14476).

    Attributes:
        rounds: Largest number of further generations per batch.
        outcome: Part that tells right from wrong; by default the strict reward's outcome, else the first
            part.
        low: A group stays if its mean outcome is above this,
        high: and below this.
    """

    rounds: Positive = 3
    outcome: str | None = None
    low: Share = 0.0
    high: Share = 1.0


class GroupSize(Options):
    """Give prompts that are neither always nor never solved more of a step's completions.

    Attributes:
        first: Completions that every prompt gets, to see how much its outcome varies; below
            ``trainer.num_generations``, the mean size.
        most: Largest group, as a multiple of the mean size.
        outcome: Part that tells right from wrong; by default the strict reward's outcome, else the first
            part.
    """

    first: Annotated[int, Field(ge=2)] = 4
    most: Annotated[float, Field(ge=1.0)] = 3.0
    outcome: str | None = None


class StepRewards(Options):
    """Reward steps as well, each on the tokens up to its end (GRPO with process supervision).

    Attributes:
        by: Verifier whose verdicts have the steps as parts with places, such as ``EquationChain`` or
            ``{PrmScore: {...}}``, or a recipe with one.
        weight: Weight of the steps' advantages beside the outcome's; 0 is plain GRPO.
        pays: ``errors``: steps below the group's mean cost, and no step earns. ``all``: as published, a step
            above the mean earns, so more right steps earn more.
    """

    by: Any = "EquationChain"
    weight: Annotated[float, Field(ge=0.0)] = 1.0
    pays: Literal["errors", "all"] = "errors"


class Curriculum(Options):
    """Train on easy prompts first: a window over the prompts by pass rate widens during training.

    Attributes:
        column: Column with each prompt's pass rate in [0, 1].
        measure: Number of completions per prompt to sample first, if `column` is missing.
        start: Share of the prompts, easiest first, at the start.
        until: Share of training after which all prompts take part.
        minimum: Leave out prompts with a lower pass rate,
        maximum: and those with a higher one.
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
        k: Number of completions per prompt.
        temperature: Divisor of the logits; 0 is greedy.
        top_p: Probability mass of nucleus sampling.
        top_k: Number of likeliest tokens to sample from; 0 for no limit.
        max_tokens: Longest completion; by default the trainer's.
        stop: Texts that end a completion, such as the start of the next question, which a base model adds
            after few-shot examples.
        batch_size: Number of completions at a time, with transformers.
        server: Base URL of an OpenAI-compatible server; without it the model is loaded here.
        server_model: Name of the model on the server; by default `model.name`.
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
    """A service, such as a judge, that a pipeline starts before its first stage and stops after its last.

    Attributes:
        start: ``module:function`` that returns a context manager, inside which the service is up. In a run of
            several processes the first one starts it.
        options: Arguments of the function.
    """

    start: str
    options: dict[str, Any] = {}


class Head(Options):
    """Training of a model of steps, of outcomes or of preferences.

    Attributes:
        labels: Labels of steps: ``hard``, right or wrong, or ``soft``, degrees of correctness.
        neutral: Meaning of PRM800K's rating 0.
        outcome: For scored solutions: part of the reward that tells right from wrong; by default the first
            part of the configured reward that reads a reference.
        of: Part of a completion that a model of outcomes reads.
        max_length: Largest number of tokens of question and solution; later steps are left out.
        only: Train the head only.
        center: For preferences: weight of the penalty that draws each question's outputs to 0, so that one
            range holds for all questions.
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
        purpose: ``sft``: right completions. ``star``: the same, and those with `hint` for prompts without a
            right one. ``dpo``: pairs of a right and a wrong one.
        outcome: Part of `reward` that tells right from wrong; by default the first that reads a reference.
            Rows of several tasks (`route`) have one per task: the first that the row's route pays.
        require: Parts of `reward` that must pass as well, such as the format; those of a route on its own
            rows.
        least: Number of rows, of all or of one task, below which the pipeline ends.
        forget: Parts left out of the rows' prompts: the few-shot `examples`, the `system` prompt, or both.
            The model then learns to do without them: a cold start, context distillation.
        per_prompt: Largest number per prompt.
        prefer: Order of several right ones.
        pairing: For ``dpo``: closest in length, or furthest apart in reward.
        margin: For ``dpo``: least difference in reward, or in `outcome` if you name one or it is a grade.
        pass_at: Least outcome that is right; by default 1. For grades (a judge's, a metric's) there is none
            by default, and the higher one is better.
        max_pass_rate: Leave out prompts with a higher pass rate.
        hint: For ``star``: text added to the question, with columns in braces, such as ``"(It is
            {answer}.)"``.
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
