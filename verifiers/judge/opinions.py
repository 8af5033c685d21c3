"""An opinion from outside: a language model that is served, or a function of the user's.

It judges by a rubric or a constitution, from a text or a file. Where a service says nothing, it is found out
who is to blame.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol

from ..core.checks import Range
from ..core.function_parameters import (
    arguments,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
)
from ..core.function_verifier import ResultError, score_of
from ..core.owners import NamedCode, NamedFiles, load
from ..core.verdicts import Sample, Status, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..language.openers import only_opens
from ..runtime.forks import new_lock
from ..runtime.worker_process import PASSED, reaches_workers
from .asking import TRIES, Answers, Endpoint, Question, ask_all
from .judge_dialogue import (
    CONTROL,
    Opinion,
    Vote,
    agreed,
    as_read,
    conversation,
    opinion_of,
    score_form,
    score_schema,
)

REASONS: Mapping[str, str] = {
    "no_answer": "there is no text to judge, or thinking never ended",
    "only_opens": "the text announces an answer and gives none, or holds no more than signs",
    "too_long": "the text is longer than max_chars",
    "broke_form": "no reply about this completion had the form, while every reply about a plain one had it",
    "no_form": "the model's replies do not have the form, about a plain completion neither",
    "no_agreement": "too few samples agree",
    "service_failed": "the service gave no answer",
    "service_refused": "the service does not take this judge: its key, address or model",
}
KEPT = 10_000
"""Verdicts that are remembered in this process; the least recently used go first. About 1 KB each."""


class Served(Protocol):
    """A judge that is served, as far as its verdicts need to know it."""

    @property
    def scale(self) -> tuple[int, int]: ...
    @property
    def of(self) -> TextPart: ...
    @property
    def samples(self) -> int: ...
    @property
    def vote(self) -> Vote: ...
    @property
    def agreement(self) -> float: ...
    @property
    def max_chars(self) -> int: ...
    def endpoint(self) -> Endpoint: ...
    def rubric_text(self) -> str: ...
    def identity(self) -> str: ...
    def scored(self, score: float, reason: str, detail: str = "", *, raw: float | None = None) -> Verdict: ...
    def unscored(self, reason: str, detail: str = "") -> Verdict: ...


def by_server(judge: Served, samples: Sequence[Sample]) -> list[Verdict]:
    """The verdicts on samples, in order."""
    made: dict[int, Verdict] = {}
    asked: dict[int, Question[Opinion]] = {}
    for place, sample in enumerate(samples):
        text = sample.characters(judge.of)
        refused = _refused(judge, sample, text)
        if refused is not None:
            made[place] = refused
            continue
        asked[place] = question = _question(judge, sample, text)
        if (known := _memory.get(_key(judge, question))) is not None:
            made[place] = known
    fresh = [place for place in asked if place not in made]
    endpoint = judge.endpoint()
    answered = dict(zip(fresh, ask_all(endpoint, [asked[place] for place in fresh]), strict=True))
    broken = [place for place in fresh if _formless(answered[place])]
    controls = [_question(judge, samples[place], CONTROL, TRIES) for place in broken]
    # Each reply about the plain completion has to have the form, and they are as many as failed here: a
    # service that fails now and then is not taken for a completion that makes it fail.
    judged = dict(zip(broken, ask_all(endpoint, controls, tries=1), strict=True))
    for place in fresh:
        verdict = _verdict(judge, answered[place], judged.get(place))
        if verdict.status is Status.SCORED:
            _memory.put(_key(judge, asked[place]), verdict)
        made[place] = verdict
    return [made[place] for place in range(len(samples))]


def _refused(judge: Served, sample: Sample, text: str) -> Verdict | None:
    """Return the verdict 0.0 of a sample that needs no question to the model; None for the rest."""
    read = as_read(text).strip()
    if (judge.of == "response" and sample.open_thinking) or not read:
        return judge.scored(0.0, "no_answer")
    if len(text) > judge.max_chars:
        detail = f"{len(text):,} characters, and max_chars is {judge.max_chars:,}"
        return judge.scored(0.0, "too_long", detail)
    if only_opens(read) and read != as_read(_shown(sample.reference)).strip():
        return judge.scored(0.0, "only_opens", f"nothing but {read[:80]!r}")
    return None


def _question(judge: Served, sample: Sample, text: str, times: int = 1) -> Question[Opinion]:
    data = {"prompt": sample.prompt, "reference": _shown(sample.reference), "completion": text}
    low, high = judge.scale
    known = {name: each for name, each in data.items() if each or name == "completion"}
    return Question(
        messages=conversation(judge.rubric_text(), "`completion`", score_form(low, high), known),
        schema=score_schema(low, high),
        key="score",
        meaning=opinion_of(low, high),
        samples=judge.samples * times,
    )


def _shown(reference: object) -> str:
    if reference is None or isinstance(reference, str):
        return reference or ""
    return json.dumps(reference, ensure_ascii=False, default=str)


def _formless(answers: Answers[Opinion]) -> bool:
    return not answers.said and bool(answers.formless) and not answers.service


def _verdict(judge: Served, answers: Answers[Opinion], control: Answers[Opinion] | None) -> Verdict:
    if answers.service:
        reason = "service_refused" if answers.refused else "service_failed"
        return judge.unscored(reason, answers.service[:500])
    if control is not None:
        trouble = answers.formless[0][:300]
        if control.service or control.formless:
            why = control.service or control.formless[0]
            return judge.unscored("no_form", f"{trouble}; and of a plain completion: {why[:200]}")
        return judge.scored(0.0, "broke_form", f"{trouble}; a plain completion was judged")
    opinion, agreeing = agreed(answers.said, judge.samples, judge.scale, judge.vote, judge.agreement)
    low, high = judge.scale
    if opinion is None:
        scores = ", ".join(f"{each.score:g}" for each in answers.said)
        missing = f", {len(answers.formless)} without the form" if answers.formless else ""
        return judge.unscored("no_agreement", f"{agreeing} of {judge.samples} agree: {scores}{missing}")
    agreement = "" if judge.samples == 1 else f"{agreeing} of {judge.samples} agree: "
    share = (opinion.score - low) / (high - low)
    return judge.scored(share, "judged", f"{agreement}{opinion.reason}"[:2000], raw=opinion.score)


class _Memory:
    """Verdicts by what was asked, bounded."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._lock = new_lock()

    def get(self, key: str) -> Verdict | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, verdict: Verdict) -> None:
        with self._lock:
            self._kept[key] = verdict
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


_memory = _Memory()


def _key(judge: Served, question: Question[Opinion]) -> str:
    said = f"{judge.identity()}\0{question.same()}"
    return hashlib.blake2b(said.encode(), digest_size=20).hexdigest()


SUFFIXES = (".txt", ".md", ".yaml", ".yml", ".json")
LONGEST = 60_000
"""Characters of a rubric: more leaves no room for what is judged."""
LISTS = ("principles", "constitution", "criteria", "rubric")
"""Names of the list in a mapping; the first that is there counts."""
_NAMES = ("text", "principle", "critique", "description", "criterion")

QUALITY = (
    "How good is `completion` as an answer to `prompt`: correct, complete, honest about what it does not "
    "know, and no longer than it has to be? Where `reference` is given it is right: what contradicts it is "
    "wrong."
)
"""The rubric of a judge that is given none."""


def rubric_of(named: str, owner: str) -> str:
    """The text of a rubric.

    Args:
        named: The text itself, or a file: text (.txt, .md), or a list of principles (.yaml, .json).
        owner: Verifier that asks, for messages.

    Raises:
        ConfigError: A file that is not there or holds neither text nor principles, or nothing at all.
    """
    path = Path(named) if "\n" not in named and len(named) < 1000 else None
    if path is None or not (path.suffix.lower() in SUFFIXES or _is_file(path)):
        return _checked(named, owner, "rubric")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{owner}: rubric names the file {named}, which cannot be read: {error}") from None
    if path.suffix.lower() not in SUFFIXES[2:]:
        return _checked(text, owner, named)
    principles = principles_in(text, path.suffix.lower(), f"{owner}: {named}")
    return _checked("\n".join(f"{number}. {each}" for number, each in enumerate(principles, 1)), owner, named)


def principles_in(text: str, suffix: str, where: str) -> list[str]:
    """The principles of a constitution: a list of texts or mappings, or a mapping with such a list.

    Raises:
        ConfigError: It holds no such list.
    """
    import yaml

    try:
        found: Any = json.loads(text) if suffix == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{where} cannot be read: {str(error)[:200]}") from None
    if isinstance(found, Mapping):
        found = next((found[name] for name in LISTS if name in found), None)
    if isinstance(found, str):
        found = [found]
    principles = [_principle(each) for each in found] if isinstance(found, list) else []
    if not principles or not all(principles):
        raise ConfigError(
            f"{where} must hold a list of principles, each a text or a mapping with {_NAMES[0]!r}, alone or "
            f"under {LISTS[0]!r}"
        )
    return principles


def _principle(each: Any) -> str:
    if isinstance(each, Mapping):
        each = next((each[name] for name in _NAMES if name in each), "")
    return " ".join(each.split()) if isinstance(each, str) else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _checked(text: str, owner: str, named: str) -> str:
    if not text.strip():
        raise ConfigError(f"{owner}: {named} is empty; write the criteria")
    if len(text) > LONGEST:
        raise ConfigError(f"{owner}: {named} has {len(text):,} characters; at most {LONGEST:,} are shown")
    return text.strip()


def by_function(judge: Verifier, path: str, sample: Sample) -> Verdict:
    """Return the verdict of a function on a sample."""
    function: Callable[..., Any] = load(path)
    try:
        said = function(**arguments(function, sample))
    except Exception as error:
        return judge.unscored("judge_failed", f"{type(error).__name__}: {error}"[:500])
    if isinstance(said, Verdict):
        return said
    if said is None:
        return judge.unscored("no_opinion")
    try:
        score, _ = score_of(said, 0.0, 1.0)
    except ResultError as problem:
        return judge.fault("bad_verdict", f"{path} {problem}")
    return judge.scored(score, "judged")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Judge(Verifier):
    """Score a completion by a language model with a rubric, or by your function.

    The model is served with an OpenAI-compatible API. It sees the question (``prompt``), the reference, if
    any, and the completion as data, fenced off from its instructions. If the service fails, the row is
    unscored; if the completion causes the failure, it scores 0.0: see docs/judge.md.

    A function names its inputs, as with `verifiers.verifier` (``response``, ``reference``, ``prompt``,
    ``completion``, ``thinking``, ``messages``, ``sample``, or a column). It returns a number in [0, 1], a
    `Verdict`, or None for an unscored row. If it raises, the row is unscored, because an outage says nothing
    about an answer. Catch what a completion can cause, and return 0.0 for it.

    Args:
        function: Import path, ``"package.module:name"``. Without it and without `url`, every row is unscored
            (and an optional part of a reward is left out).
        url: Base of the API, such as ``http://127.0.0.1:8000/v1``.
        model: Name of the model on the server. If the name does not identify the weights, use `version`.
        rubric: Criteria: a text, a text file, or a constitution (.yaml or .json with a list ``principles``).
            The content of a file is part of the identity. Empty means general quality.
        scale: Lowest and highest score, whole numbers. The verdict's score is the position between them, its
            `raw` the number.
        of: Judged text: the ``response``, or the whole ``completion`` with its thinking.
        samples: Number of replies per row.
        vote: Take the "median" of several scores, or the "majority".
        agreement: Least share of samples that must agree, else the row is unscored; half is never enough.
        temperature: None: 0 for one sample, 0.7 for several.
        max_tokens: Longest reply.
        max_chars: Longest judged text; a longer one scores 0.0 without a call.
        seed: Seed of the first sample.
        form: Request for the form of the reply: ``json_schema``, ``json_object``, or ``text`` in the
            instructions only. Replies are checked in any case, and a server that does not know the form is
            asked without it.
        key_variable: Environment variable with the API key, which is neither stored nor shown.
        concurrency: Number of rows in flight.
        timeout: Seconds per request.
        retries: Number of further tries after a temporary failure.
        deadline: Seconds per row, with its samples and retries.

    Raises:
        ConfigError: `function` cannot be called or has a parameter ``answer``; `url` is no URL, has no model,
            or comes with a function; or the rubric cannot be read.

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
        """Return the model's server and the settings of its requests."""
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
        """Return the rubric as the model receives it."""
        return str(self.__dict__["_rubric"])

    def fields_read(self) -> tuple[str, ...] | None:
        if self.url:
            return ("prompt",)
        return () if self.function is None else parameters_read(load(self.function))

    def reads_reference(self) -> bool:
        return bool(self.url) or (self.function is not None and reads_reference(load(self.function)))

    def columns_needed(self) -> tuple[str, ...]:
        return () if self.function is None else columns_of(load(self.function))
