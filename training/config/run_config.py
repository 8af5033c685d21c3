"""The typed models behind a run's configuration file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .steering_options import (
    AdaptiveKL,
    Curriculum,
    DynamicSampling,
    GroupSize,
    Head,
    Options,
    Positive,
    Sample,
    Select,
    Service,
    StepRewards,
    Watch,
)

Kind = Literal["sft", "grpo", "rloo", "select", "dpo", "prm", "orm", "rm"]


class Model(Options):
    """The model, and how it is loaded and trained.

    Attributes:
        name: A hub id, a folder, a ``.gguf`` file, ``package:NAME/FILE.gguf`` for a file in an installed
            package, or ``module:function``, which gets a folder and `options` and saves a model there. A LoRA
            adapter in a folder is merged into its base first. A stage can also name ``stage:NAME``, the
            output of an earlier stage, or ``stage:start``, the run's own model.
        revision: Branch, tag or commit on the hub.
        tokenizer: Place of the tokenizer, if it is not next to the model.
        chat_template: File with a Jinja chat template, for a tokenizer without one.
        dtype: Type of the loaded weights: ``auto``, ``float32``, ``bfloat16`` or ``float16``. ``auto`` keeps
            the stored type, except float32 on a CPU and for training without LoRA (under autocast).
        attention: ``attn_implementation`` of transformers: ``sdpa``, ``eager``, ``flash_attention_2`` ...
        trust_remote_code: Run the model's own code from the hub.
        chat_template_kwargs: Arguments of the chat template, such as ``{enable_thinking: false}``.
        quantize: ``nf4`` or ``int8``, by bitsandbytes; needs `lora`.
        dequantize: Load weights that are stored in MXFP4 (gpt-oss) as `dtype`, so that they can be trained.
        special_tokens: Let verifiers read completions with their special tokens, which separate gpt-oss's
            channels: the analysis is thinking, the final channel the answer.
        lora: Options of ``peft.LoraConfig``; ``{}`` takes its defaults on all linear layers.
        options: Arguments of ``module:function``.
    """

    name: Annotated[str, Field(min_length=1)]
    revision: str | None = None
    tokenizer: str | None = None
    chat_template: str | None = None
    chat_template_kwargs: dict[str, Any] = {}
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    attention: str | None = None
    trust_remote_code: bool = False
    quantize: Literal["nf4", "int8"] | None = None
    dequantize: bool = False
    special_tokens: bool = False
    lora: dict[str, Any] | None = None
    options: dict[str, Any] = {}

    @model_validator(mode="after")
    def _quantized_needs_lora(self) -> Model:
        if self.quantize and self.lora is None:
            raise ValueError(
                f"quantize: {self.quantize} needs lora: quantised weights cannot be trained themselves; "
                "add lora: {} for the defaults"
            )
        return self


class Data(Options):
    """Rows, and how each becomes a prompt.

    Attributes:
        source: A JSONL, JSON or Parquet file (or a folder or pattern of them), a hub id,
            ``reasoning_gym:TASK``, or ``module:function``, which gets `options` and returns rows.
        name: Configuration of a hub dataset.
        split: Split of a hub dataset, such as ``train[:1000]``.
        revision: Branch, tag or commit of a hub dataset.
        limit: Largest number of rows, from the start.
        options: Arguments of ``reasoning_gym:TASK`` and ``module:function``.
        ignore: Columns to leave out on purpose. Rows with pictures or sound are rejected otherwise, because
            models are trained on text only.
        columns: Names of the data's columns, such as ``{answer: solution}``; a dot reaches into a column:
            ``{question: input.question}``.
        template: Question as text with columns in braces, such as ``"{question}"``; by default the column
            ``prompt``, else ``question``.
        system: System prompt.
        examples: Solved examples before the question: ``user`` and ``assistant`` texts.
        format: Prompts as ``chat`` messages or plain ``text``. ``auto`` takes chat if the tokenizer has a
            chat template; ``as_is`` takes the column ``prompt`` unchanged, messages or text.
        completion: For supervised stages: completion as text with columns in braces, such as
            ``"<think>{reasoning}</think>{answer}"``; by default the column ``completion``.
        tag: Value of a constant column ``task``, for rewards that route by it.
    """

    source: Annotated[str, Field(min_length=1)]
    name: str | None = None
    split: str = "train"
    revision: str | None = None
    limit: Positive | None = None
    options: dict[str, Any] = {}
    ignore: list[str] = []
    columns: dict[str, str] = {}
    template: str | None = None
    system: str | None = None
    examples: list[Example] = []
    format: Literal["auto", "chat", "text", "as_is"] = "auto"
    completion: str | None = None
    tag: str | None = None


class Example(Options):
    """A solved example in the prompt."""

    user: str
    assistant: str


class Evaluation(Options):
    """Held-out rows and the strict reward that measures them; it does not train.

    Attributes:
        data: Source of the rows; by default the training data's form with other rows (`holdout`).
        holdout: Number of training rows to hold out, without `data`; equal questions stay on one side.
        reward: A recipe. Training logs its parts with weight 0, and its outcome is the accuracy.
        outcome: Part of `reward` that is the accuracy; by default its first.
        seen: Number of training rows to measure as well.
        limit: Largest number of held-out rows.
        at: Points at which the model is measured with greedy decoding.
        max_tokens: Longest completion; by default the trainer's.
    """

    data: Data | None = None
    holdout: Annotated[int, Field(ge=0)] = 0
    reward: Any = None
    outcome: str | None = None
    seen: Annotated[int, Field(ge=0)] = 0
    limit: Positive | None = None
    at: list[Literal["start", "end"]] = ["start", "end"]
    max_tokens: Positive | None = None


class RunConfig(Options):
    """A run.

    Attributes:
        description: Text for people.
        output_dir: Folder for all output.
        seed: Random seed of everything.
        round: Number of the round, from 0; each round has the same rows in its own order.
        threads: Threads of torch on a CPU; ``auto`` is one per core.
        resume: ``auto`` continues an interrupted run in `output_dir`; ``never`` starts again.
        model: The model.
        data: Training prompts, or several sources of them.
        reward: A recipe: a preset's name, a file, or the reward written out.
        evaluation: Held-out rows.
        algorithm: Name from the papers, which sets the trainer's options (``verify-train algorithms``).
        tools: Functions that completions can call, as ``module:function`` or ``package.module.function``.
        environment_factory: A class, or a function without arguments. Public methods of its object are tools,
            and its ``reset`` gets each row. Several by name serve rows with a column ``environment``.
        rollout_func: Function that generates instead of the trainer, as TRL's ``rollout_func``.
        trainer: Options of the stage's trainer: TRL's GRPOConfig, RLOOConfig, SFTConfig or DPOConfig; for
            models of steps, outcomes and preferences, transformers' TrainingArguments.
        save_completions: Write every completion with its parts to ``completions/*.jsonl``.
        watch: Alarms.
        kl: Adaptive beta.
        dynamic_sampling: Replacement of prompts that teach nothing.
        group_size: Groups of different sizes.
        curriculum: Easy prompts first.
        steps: Rewards for steps.
        sample: Sampling outside the trainer.
        select: Selection, for select stages.
        head: Settings of stages that train models of steps, outcomes or preferences.
        services: Services that a pipeline starts before its first stage.
        stages: Successive stages, each with its differences from the rest of the file.
    """

    description: str = ""
    output_dir: str
    seed: int = 0
    round: Annotated[int, Field(ge=0)] = 0
    threads: Positive | Literal["auto"] = "auto"
    resume: Literal["auto", "never"] = "auto"
    model: Model
    data: Data | list[Data] | None = None
    reward: Any = None
    evaluation: Evaluation = Evaluation()
    algorithm: str | None = None
    tools: list[str] = []
    environment_factory: str | dict[str, str] | None = None
    rollout_func: str | None = None
    trainer: dict[str, Any] = {}
    save_completions: bool = True
    watch: Watch = Watch()
    kl: AdaptiveKL | None = None
    dynamic_sampling: DynamicSampling | None = None
    group_size: GroupSize | None = None
    curriculum: Curriculum | None = None
    steps: StepRewards | None = None
    sample: Sample = Sample()
    select: Select | None = None
    head: Head = Head()
    services: list[Service] = []
    stages: list[Stage] = []


class Stage(BaseModel):
    """A stage of a pipeline: its kind, and any keys that differ from the run's.

    Attributes:
        name: Its name in folders and reports; by default its kind.
        kind: ``sft``, ``grpo``, ``rloo``, ``select``, ``dpo``, ``prm``, ``orm`` or ``rm``.
        rounds: For ``grpo`` and ``rloo``: number of successive stages, NAME-1, NAME-2 ... Each begins with
            the policy of the one before, which is also its reference model.
        model: By default, the output of the stage before.
        data: For ``sft``, ``dpo`` and ``rm`` after a ``select`` stage, by default its selection.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Kind
    name: Annotated[str, Field(pattern=r"^[\w.-]+$")] = ""
    rounds: Positive = 1

    @model_validator(mode="after")
    def _only_policies_have_rounds(self) -> Stage:
        if self.rounds > 1 and self.kind not in ("grpo", "rloo"):
            raise ValueError(
                f"rounds: a round begins with a new reference model, and {self.kind} has none; only grpo and "
                "rloo have rounds"
            )
        return self


Data.model_rebuild()
RunConfig.model_rebuild()
