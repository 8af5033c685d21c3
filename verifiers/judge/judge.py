"""An opinion from outside: a language model that is served, or a function of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ..core.checks import Range
from ..core.function_parameters import (
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
)
from ..core.identity.owners import NamedCode, NamedFiles, load
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.process import PASSED, reaches_workers
from .asking import Endpoint
from .function_judge import by_function
from .panel import Vote
from .rubrics import QUALITY, rubric_of
from .served import REASONS, by_server


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Judge(Verifier):
    """What a language model says of a completion by a rubric, or what a function of yours says.

    The model is any that is served with an OpenAI-compatible API. It sees the question (``prompt``), the
    reference where the row has one, and the completion, as data that it cannot take for instructions. What
    the service fails to do leaves the row unjudged; what a completion brings about is 0.0: see docs/judge.md.

    A function names what it wants, as with `verifiers.verifier` (``response``, ``reference``, ``prompt``,
    ``completion``, ``thinking``, ``messages``, ``sample``, or a column), and returns a number in [0, 1], a
    `Verdict`, or None where it cannot say. A call that raises leaves the row unjudged, since an outage says
    nothing about an answer; catch in the function what a completion can bring about, and return 0.0 for it.

    Args:
        function: Its import path, ``"package.module:name"``. Without it and without `url` no row can be
            judged (as an optional part of a reward it is left out).
        url: The base of the API, such as ``http://127.0.0.1:8000/v1``.
        model: Its name there. Say with `version` which weights that are, where the name does not.
        rubric: What is judged by: a text, a file of text, or a constitution (.yaml or .json with a list
            ``principles``). A file's content counts in the identity. Empty for general quality.
        scale: The lowest and the highest score, whole numbers; the verdict's score is the place between
            them, its `raw` the number itself.
        of: What is judged: the ``response``, or all of the ``completion`` with its thinking.
        samples: How often the model is asked.
        vote: Of several scores the "median", or the one that a "majority" gives.
        agreement: The least share of samples that agree, or the row is unjudged; half is never enough.
        temperature: None for 0 with one sample, and 0.7 with several, which would be one and the same.
        max_tokens: Of a reply.
        max_chars: A longer text is 0.0 without a question to the model.
        seed: Of the first sample.
        form: How the form is asked for: by ``json_schema``, ``json_object``, or in the text alone. It is
            checked here in any case, and left out for a server that does not know it.
        key_variable: The environment variable that holds the key, which is sent and shown nowhere else.
        concurrency: Rows at a time.
        timeout: Seconds a request.
        retries: Further tries of a request that failed for a passing reason.
        deadline: Seconds a row, with its samples and retries.

    Raises:
        ConfigError: There is nothing at `function` that can be called, or it has a parameter ``answer``; a
            `url` that is none, without a model, or beside a function; a rubric that cannot be read.

    >>> print(Judge().verify("48+27=75"))
    Judge unscored no_judge
    >>> judge = Judge(url="http://127.0.0.1:8000/v1", model="any", rubric="Is it polite?")
    >>> print(judge.verify("Thought process:"))
    Judge 0.00 only_opens
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "judged": "the model or the function gave a score",
        "no_judge": "neither a model nor a function is configured",
        "no_opinion": "the function returned None",
        "judge_failed": "the function raised",
        **REASONS,
    }
    needs_reference: ClassVar[bool] = False
    graded: ClassVar[bool] = True

    function: NamedCode | None = None
    url: str = ""
    model: str = ""
    rubric: NamedFiles = ""
    scale: tuple[int, int] = (1, 5)
    of: TextPart = "response"
    samples: Annotated[int, Range(1, 99)] = 1
    vote: Vote = "median"
    agreement: Annotated[float, Range(0, 1)] = 0.5
    temperature: Annotated[float, Range(least=0)] | None = None
    max_tokens: Annotated[int, Range(least=16)] = 512
    max_chars: Annotated[int, Range(least=1)] = 40_000
    seed: Annotated[int, Range(0, 2**31 - 1)] = 0
    form: Literal["json_schema", "json_object", "text"] = "json_schema"
    key_variable: str = "OPENAI_API_KEY"
    concurrency: Annotated[int, Range(least=1)] = 16
    timeout: Annotated[float, Range(above=0, unit="seconds")] = 60.0
    retries: Annotated[int, Range(least=0)] = 3
    deadline: Annotated[float, Range(above=0, unit="seconds")] = 300.0

    def __post_init__(self) -> None:
        if self.function is not None and not callable(load(self.function)):
            raise ConfigError(f"Judge: {self.function} is not a function")
        if self.function is not None:
            check_vocabulary(load(self.function), f"Judge: {self.function}")
            object.__setattr__(self, "needs_reference", needs_reference(load(self.function)))
        super().__post_init__()
        if self.url or self.model or self.rubric:
            self._check_served()

    def _check_served(self) -> None:
        if self.function is not None:
            raise ConfigError("Judge: function and url are two judges; give one of them")
        self.endpoint().check("Judge")
        if self.isolate and not reaches_workers(self.key_variable):
            raise ConfigError(
                f"Judge: isolate=True asks from a worker process, which does not get {self.key_variable}; "
                f"leave it out, since timeout and deadline bound a judge, or set {PASSED}={self.key_variable}"
            )
        if self.scale[0] >= self.scale[1]:
            raise ConfigError(f"Judge: scale must be (lowest, highest), got {self.scale}")
        # Read now, and the file's content with it: what is judged by is what the identity names, also where
        # the file changes afterwards, or is on another machine.
        text = rubric_of(self.rubric, "Judge") if self.rubric else QUALITY
        object.__setattr__(self, "_rubric", text)
        if self.rubric:
            self.taken()

    def check(self, sample: Sample) -> Verdict:
        if self.url:
            return by_server(self, [sample])[0]
        if self.function is None:
            return self.unscored("no_judge", "give url and model, or function='package.module:name'")
        return by_function(self, self.function, sample)

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        return by_server(self, samples) if self.url else super().check_batch(samples)

    def endpoint(self) -> Endpoint:
        """Where the model is served, and how it is asked."""
        usual = 0.0 if self.samples == 1 else 0.7
        return Endpoint(
            url=self.url,
            model=self.model,
            key_variable=self.key_variable,
            temperature=usual if self.temperature is None else self.temperature,
            max_tokens=self.max_tokens,
            seed=self.seed,
            form=self.form,
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
            deadline=self.deadline,
        )

    def rubric_text(self) -> str:
        """What is judged by, as the model is told."""
        return str(self.__dict__["_rubric"])

    def fields_read(self) -> tuple[str, ...] | None:
        if self.url:
            return ("prompt",)
        return () if self.function is None else parameters_read(load(self.function))

    def reads_reference(self) -> bool:
        return bool(self.url) or (self.function is not None and reads_reference(load(self.function)))

    def columns_needed(self) -> tuple[str, ...]:
        return () if self.function is None else columns_of(load(self.function))
