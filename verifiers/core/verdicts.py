"""Samples (`Sample`) and the verdicts about them (`Verdict`)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import ConfigError, renamed
from ..runtime.records import dataclass
from ..visible.characters import INVISIBLE, characters
from ..visible.seen import Form, Seen
from .checks import Renamed
from .completions import SplitCompletion, question_text, split_thinking

MOST = 2000
"""Characters of a text that are shown."""
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def text_html(value: object) -> str:
    r"""A text as HTML that shows it as it is: no markup, a code for each character that nobody sees.

    >>> text_html("<b>4\u202e2")
    '&lt;b&gt;4<small>[U+202E]</small>2'
    """
    text = "" if value is None else str(value)
    cut = f" … ({len(text):,} characters)" if len(text) > MOST else ""
    shown = text[:MOST].translate(_MARKUP)
    return _unseen().sub(lambda found: f"<small>[U+{ord(found[0]):04X}]</small>", shown) + cut


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts.

    Args:
        heads: Names of the columns.
        rows: A cell for each column; None is an empty one.
    """
    line = "".join(f'<th style="text-align:left">{text_html(head)}</th>' for head in heads)
    style = 'style="text-align:left;vertical-align:top;white-space:pre-wrap;unicode-bidi:isolate"'
    body = "".join(
        f"<tr>{''.join(f'<td {style}>{text_html(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{line}</tr></thead><tbody>{body}</tbody></table>"


@cache
def _unseen() -> re.Pattern[str]:
    """Return a pattern of invisible characters, but for joiners and variation selectors, parts of signs."""
    others = "[\ud800-\udfff\u2028\u2029\ue000-\uf8ff]"
    return re.compile(f"(?![\u200c\u200d\ufe00-\ufe0f])(?:{INVISIBLE.pattern[:-1]}|{others})")


TextPart = Annotated[Literal["completion", "response", "thinking"], Renamed({"answer": "response"})]
"""A part of a completion, by the name that `Sample` has for it."""

_REASON = re.compile(r"[a-z][a-z0-9_]*")
_SHOWN = 80
_MOST_PARTS, _DEEPEST = 100, 8
"""Parts, and parts within parts, that a notebook shows."""
UNDECIDED = frozenset(("less_specific", "not_equal", "not_found", "no_overlap", "overlap"))
"""Reasons of a wrong answer against which nothing was found."""
MAX_KNOWN_REASONS = 1000
"""Reasons that are remembered as valid: a plug-in that makes up new ones must not make memory grow."""


class Status(StrEnum):
    """Scored, unscored and fault: wrong answers, rows that allow no judgement, and failures are different."""

    SCORED = "scored"
    """`score` says how right the answer is."""
    UNSCORED = "unscored"
    """This row cannot be judged: its reference is unusable, or a model is not available."""
    FAULT = "fault"
    """The machinery broke, and broke again on a fresh try: nothing is said about the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Judgement of one completion.

    Args:
        verifier: Name of the verifier.
        status: Whether there is a score; see `Status`.
        score: In [0, 1] if the status is SCORED, else None.
        raw: The metric on its own scale, if that is not [0, 1] (BLEURT, rescaled BERTScore).
        reason: Stable snake_case code; each verifier documents its codes in `reasons`.
        detail: One sentence for a person.
        extracted: Answer taken from the completion, as the verifier saw it: see `Sample.seen`.
        span: Start and end of `extracted` in the original completion; for chat messages, in the assistant's
            last text. None if it occurs nowhere.
        expected: The reference as the verifier read it.
        parts: Verdicts of which this one consists.
        witness: Proof of the reason, as plain data, if you asked for it; not compared.
        seconds: Time taken. It is neither compared nor serialised, so scoring twice gives the same bytes.
        trace: Traceback of a fault; neither compared nor serialised.

    Raises:
        ConfigError: The fields contradict one another.

    >>> Verdict(verifier="Demo", status=Status.SCORED, score=1.0, reason="equal").passed
    True
    >>> print(Verdict(verifier="Demo", status=Status.UNSCORED, score=None, reason="no_reference"))
    Demo unscored no_reference
    """

    verifier: str
    status: Status
    score: float | None
    raw: float | None = None
    reason: str
    detail: str = ""
    extracted: str | None = None
    expected: str | None = None
    parts: tuple[Verdict, ...] = ()
    span: tuple[int, int] | None = None
    witness: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    seconds: float = field(default=0.0, compare=False)
    trace: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.status.__class__ is not Status:
            object.__setattr__(self, "status", Status(self.status))
        score = self.score
        if self.status is Status.SCORED:
            # `not (0 <= score <= 1)` also catches NaN.
            if score is None or not 0.0 <= score <= 1.0:
                raise ConfigError(f"{self.verifier}: a scored verdict needs a score in [0, 1], got {score!r}")
        elif score is not None:
            raise ConfigError(f"{self.verifier}: a verdict that is {self.status} has no score, got {score!r}")
        if self.raw is not None and not math.isfinite(self.raw):
            raise ConfigError(f"{self.verifier}: raw must be finite, got {self.raw!r}")
        if self.reason not in _known_reasons and not _checked_reason(self.reason):
            raise ConfigError(f"{self.verifier}: a reason is a snake_case code, got {self.reason!r}")

    def timed(self, seconds: float) -> Verdict:
        """Return a copy with its time, much faster than `dataclasses.replace`."""
        if type(self) is not Verdict:
            return replace(self, seconds=seconds)
        copy = _filled(*_READ(self))
        _SECONDS(copy, seconds)
        return copy

    @property
    def passed(self) -> bool:
        """Whether the answer is entirely right."""
        return self.score == 1.0

    @property
    def decided(self) -> bool:
        """Whether the verdict rests on evidence, not on the absence of more.

        Proved, exact, refused and denied answers are decided. A short answer that differs from the reference
        in words (`UNDECIDED`) is not, because a better reader may find it right. Unscored verdicts and faults
        are undecided as well.
        """
        return self.status is Status.SCORED and (self.score == 1.0 or self.reason not in UNDECIDED)

    def __bool__(self) -> bool:
        """Refuse to be read as yes or no.

        Raises:
            TypeError: Always: a verdict of a wrong answer would count as true.
        """
        raise TypeError(
            f"a verdict is neither true nor false ({self}); test verdict.passed, or verdict.score"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data without empty fields; `from_dict` reads it back."""
        out: dict[str, Any] = {
            "verifier": self.verifier,
            "status": self.status.value,
            "score": self.score,
            "reason": self.reason,
        }
        if self.raw is not None:
            out["raw"] = self.raw
        if self.detail:
            out["detail"] = self.detail
        if self.extracted is not None:
            out["extracted"] = self.extracted
        if self.span is not None:
            out["span"] = list(self.span)
        if self.expected is not None:
            out["expected"] = self.expected
        if self.parts:
            out["parts"] = [part.to_dict() for part in self.parts]
        if self.witness is not None:
            out["witness"] = dict(self.witness)
        return out

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `to_dict` wrote."""
        fields = dict(data)
        fields["status"] = Status(fields["status"])
        if fields.get("span") is not None:
            start, end = fields["span"]
            fields["span"] = (start, end)
        fields["parts"] = tuple(cls.from_dict(part) for part in fields.get("parts", ()))
        return cls(**fields)

    def __str__(self) -> str:
        shown = self.status.value if self.score is None else f"{self.score:.2f}"
        line = f"{self.verifier} {shown} {self.reason}"
        if self.extracted is not None:
            line += f"  {_short(self.extracted)}"
            if self.expected is not None:
                line += f" for {_short(self.expected)}"
        # What an exception says may be of several lines.
        return (
            f"{line}: {' '.join(self.detail.split())}"
            if self.status is Status.FAULT and self.detail
            else line
        )

    def _repr_html_(self) -> str:
        """A table for a notebook: this verdict, and under it those that it is made of."""
        return table_html(
            ("verifier", "score", "reason", "extracted", "expected", "at", "detail"), self._cells(0)
        )

    def _cells(self, depth: int) -> Iterator[tuple[object, ...]]:
        score = self.status.value if self.score is None else f"{self.score:.4g}"
        place = "" if self.span is None else f"{self.span[0]}–{self.span[1]}"
        said = (score, self.reason, self.extracted, self.expected, place, self.detail)
        yield ("· " * depth + self.verifier, *said)
        for part in self.parts[:_MOST_PARTS]:
            yield from part._cells(depth + 1) if depth < _DEEPEST else ()


_READ = attrgetter(*(each.name for each in fields(Verdict)))
(
    _VERIFIER,
    _STATUS,
    _SCORE,
    _RAW,
    _REASON_GIVEN,
    _DETAIL,
    _EXTRACTED,
    _EXPECTED,
    _PARTS,
    _SPAN,
    _WITNESS,
    _SECONDS,
    _TRACE,
) = (vars(Verdict)[each.name].__set__ for each in fields(Verdict))


def _filled(
    verifier: str, status: Status, score: float | None, raw: float | None, reason: str, detail: str,
    extracted: str | None, expected: str | None, parts: tuple[Verdict, ...], span: tuple[int, int] | None,
    witness: Mapping[str, Any] | None, seconds: float, trace: str,
) -> Verdict:  # fmt: skip
    """Return a verdict of these fields, in their order, unchecked: a row needs several, quickly."""
    made = object.__new__(Verdict)
    _VERIFIER(made, verifier)
    _STATUS(made, status)
    _SCORE(made, score)
    _RAW(made, raw)
    _REASON_GIVEN(made, reason)
    _DETAIL(made, detail)
    _EXTRACTED(made, extracted)
    _EXPECTED(made, expected)
    _PARTS(made, parts)
    _SPAN(made, span)
    _WITNESS(made, witness)
    _SECONDS(made, seconds)
    _TRACE(made, trace)
    return made


def scored_verdict(
    verifier: str,
    score: float,
    reason: str,
    detail: str,
    extracted: str | None,
    expected: str | None,
    parts: tuple[Verdict, ...],
    span: tuple[int, int] | None,
    raw: float | None,
) -> Verdict:
    """Return the scored verdict of these fields, checked as `Verdict` checks it, at half its cost.

    Raises:
        ConfigError: As `Verdict` raises it.
    """
    made = _filled(
        verifier, Status.SCORED, score, raw, reason, detail, extracted, expected, parts, span, None, 0.0, ""
    )
    made.__post_init__()
    return made


@dataclass(frozen=True, slots=True)
class ReferenceClass:
    """Uses that a verifier has for a reference, whatever the completion.

    Args:
        kind: "readable": it is understood. "text only": answers are compared with it as text. "unusable":
            no completion is scored. "usable": there is one, and the verifier says no more of it.
        reason: A stable snake_case code: how it is read, or why not. That of an unusable one is the reason
            of the verdicts on its row.
        detail: A sentence for a person.
    """

    kind: Literal["readable", "text only", "unusable", "usable"]
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One completion as verifiers see it; `Verifier.verify` builds it.

    Args:
        completion: Text of the last assistant message, thinking included.
        response: Text outside thinking: the only part that is searched for an answer.
        thinking: Text of the thinking, without its tags.
        open_thinking: A thinking block opens and never closes, so there is no response.
        separate_thinking: Thinking came in a field of its own; `completion` shows it in think tags.
        reference: Value of the row's answer column.
        fields: Other columns of the row.
        split: The split completion; it caches the result of `seen`.
    """

    completion: str
    response: str
    thinking: str = ""
    open_thinking: bool = False
    separate_thinking: bool = False
    reference: Any = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    split: SplitCompletion | None = field(default=None, repr=False, compare=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "thinking":  # which few ask for: see `of`
                object.__setattr__(self, name, self.split.thinking)
                return self.thinking
            raise renamed("a sample", name, {"answer": "response", "text": "completion"})

    @classmethod
    def of(
        cls, split: SplitCompletion, reference: Any = None, fields: Mapping[str, Any] | None = None
    ) -> Sample:
        """Return the sample of a split completion; its thinking is copied on demand.

        Args:
            split: The completion.
            reference: Value of the row's answer column.
            fields: Other columns of the row.

        >>> sample = Sample.of(split_thinking("<think>2+2</think>4"), "4")
        >>> sample.response, sample.thinking
        ('4', '2+2')
        """
        sample = object.__new__(cls)
        _COMPLETION(sample, split.completion)
        _RESPONSE(sample, split.response)
        _OPEN(sample, split.open_thinking)
        _SEPARATE(sample, split.separate_thinking)
        _REFERENCE(sample, reference)
        _FIELDS(sample, {} if fields is None else fields)
        _SPLIT(sample, split)
        return sample

    def seen(self, form: Form = "visible", keep: frozenset[str] = frozenset()) -> Seen:
        r"""Return the response as a reader sees it, with a map of its spans back to the completion.

        Args:
            form: ``visible``: in NFC, without invisible and bidirectional characters, full-width forms
                (except full stops) and HTML that only formats. ``characters``: the first two of these.
                ``raw``: unchanged.
            keep: Tag names, in lower case, that a caller looks for, so they do not count as formatting.

        >>> Sample(text := "<b>4\u200b2</b>", text).seen().text
        '42'
        """
        split = self.split
        if split is None:
            split = split_thinking(self.completion)
            if split.response != self.response:
                split = SplitCompletion(self.completion, self.response, "", False)
        return split.seen(form, keep)

    def characters(self, of: TextPart) -> str:
        """Return a part in the form ``characters``; thinking behind disguised tags is found here as well."""
        if of == "response":
            return self.seen("characters").text
        text = characters(self.completion)
        return text if of == "completion" else str(getattr(split_thinking(text), of))

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """Return the completion as chat messages, with tool calls and their results.

        A completion that is a text becomes one message of the assistant.
        """
        given = None if self.split is None else self.split.messages
        return [{"role": "assistant", "content": self.completion}] if given is None else given

    @property
    def prompt(self) -> str:
        """Return the question: the row's ``prompt``, or a trainer's ``prompts``; "" if there is none.

        For chat messages it is the user's last text. No part of a completion counts as a question. A verifier
        that reads the question lists ``prompt`` in `Verifier.fields_read`.
        """
        fields = self.fields
        if not fields:
            return ""
        if "prompt" in fields:
            return question_text(fields["prompt"])
        return question_text(fields["prompts"]) if "prompts" in fields else ""


_COMPLETION, _RESPONSE, _OPEN, _SEPARATE, _REFERENCE, _FIELDS, _SPLIT = (
    vars(Sample)[each.name].__set__ for each in fields(Sample) if each.name != "thinking"
)

_known_reasons: set[str] = set()


def _checked_reason(reason: str) -> bool:
    """Return whether a reason is a code; known ones are not matched again for every verdict."""
    valid = _REASON.fullmatch(reason) is not None
    if valid and len(_known_reasons) < MAX_KNOWN_REASONS:
        _known_reasons.add(reason)
    return valid


def _short(text: str) -> str:
    flat = repr(text)
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 2] + "…'"
