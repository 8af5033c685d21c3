"""The one place that runs a verifier: it splits the completion, measures time and catches what breaks."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ..errors import ConfigError, MissingDependencyError, SandboxError
from ..runtime.packages import deferred, uncollected
from .columns_and_faults import SHARED_REASONS, Row, as_column, plain_value, told, trace_of
from .completions import split_completion
from .component import Component
from .extraction import Answer
from .owners import found_by_name, load
from .registry import Registry
from .verdicts import ReferenceClass, Sample, Status, Verdict, scored_verdict

if TYPE_CHECKING:
    from ..runtime.worker_process import Outcome

_POOL = deferred("reward_verifiers.verifiers.runtime.pool")  # few verdicts need a process or a thread


class Tries(Protocol):
    """A verifier, as far as a worker needs to know it."""

    def tried(self, sample: Sample) -> Verdict:
        """The verdict of one sample; never raises."""
        ...


def check_in_worker(verifier: Tries, sample: Sample) -> Outcome:
    """Check a sample in a worker, and return the outcome; its value is the verdict as plain data.

    The verifier's module is imported ahead of the first sample, at no sample's cost.

    Args:
        verifier: Anything that pickles, with `tried`.
        sample: The judged sample. If its reference or columns do not pickle, the outcome says so.

    Raises:
        ConfigError: The verifier itself cannot be sent, whatever the sample.
    """
    parts = (
        sample.completion,
        sample.response,
        sample.thinking,
        sample.open_thinking,
        sample.separate_thinking,
        sample.reference,
        dict(sample.fields),
        sample.split,
    )
    outcome: Outcome = _POOL.shared_pool().run(
        f"{__name__}:tried_here",
        (verifier, parts),
        wall_seconds=_POOL.SLEEP_FACTOR * _POOL.CPU_SECONDS,
        ahead=_ahead(type(verifier)),
    )
    if outcome.reason == _POOL.NOT_SENT:
        _check_sendable(verifier)
    return outcome


def _check_sendable(verifier: Tries) -> None:
    """Tell a set-up that can judge no row from a row that cannot be handed over."""
    try:
        pickle.dumps(verifier)
    except Exception as error:
        raise ConfigError(
            f"{type(verifier).__name__} cannot be sent to a worker process "
            f"({type(error).__name__}: {error}); define functions and classes at the top level of a module"
        ) from error


def _ahead(kind: type) -> tuple[str, ...]:
    """The module of a class, where a worker can import it; what it cannot travels with the task."""
    return (kind.__module__,) if found_by_name(kind, kind.__module__, kind.__qualname__) else ()


def tried_here(verifier: Tries, parts: tuple[Any, ...]) -> dict[str, Any]:
    """Judge a sample inside the worker."""
    verdict = verifier.tried(Sample(*parts))
    return {**verdict.to_dict(), "trace": verdict.trace}


class Arithmetic:
    """Base of what is paid for: an operator makes a reward of it, as ``rewards.Pay`` does.

    Rewards stand above verifiers, so what makes one is found by its name.
    """

    def _paid(self) -> Any:
        return load("rewards:Pay")(self)

    def __add__(self, other: object) -> Any:
        return self._paid() + other

    def __radd__(self, other: object) -> Any:
        return other + self._paid()

    def __sub__(self, other: object) -> Any:
        return self._paid() - other

    def __rsub__(self, other: object) -> Any:
        return other - self._paid()

    def __mul__(self, other: object) -> Any:
        return self._paid() * other

    def __rmul__(self, other: object) -> Any:
        return other * self._paid()

    def __truediv__(self, other: object) -> Any:
        return self._paid() / other

    def __neg__(self) -> Any:
        return -self._paid()


@dataclass(frozen=True, repr=False)
class Verifier(Arithmetic, Component):
    """Judges one completion; subclasses are frozen dataclasses that implement `check`.

    Args:
        isolate: Run `check` in a worker process that can be killed, for third-party verifiers that may hang
            or crash. The built-in ones are bounded anyway.
        version: Your version of anything that cannot be read from the code, such as a service. It is part of
            the `identity`: change it when verdicts change.
    """

    reasons: ClassVar[Mapping[str, str]] = {}
    """Meaning of each reason code of this verifier."""
    needs_reference: ClassVar[bool] = True
    """Whether a row without a reference cannot be judged. An instance may know better than its class."""
    reference_first: ClassVar[bool] = False
    """Whether an empty completion shows, at little cost, that a reference is unusable."""
    graded: ClassVar[bool] = False
    """Whether a score is a grade, of which the higher is better; otherwise 1 is right, and nothing else."""
    runs_programs: ClassVar[bool] = False
    """Whether what it judges are programs, which are run: a server of it wants a token."""
    quick: ClassVar[bool] = False
    """Whether it judges a batch in a moment, and makes no garbage that only a collector finds."""
    depends: ClassVar[tuple[str, ...]] = ()
    """Distributions whose versions can change a verdict; they go into the signature."""

    isolate: bool = field(default=False, kw_only=True)
    version: str = field(default="", kw_only=True)

    @classmethod
    def all_reasons(cls) -> dict[str, str]:
        """Return every reason that a verdict of this class can have, with its meaning."""
        return {**cls.reasons, **SHARED_REASONS}

    # What a subclass writes -------------------------------------------------------------------

    def check(self, sample: Sample) -> Verdict:
        """Judge one sample. If it raises, `verify` returns a FAULT."""
        raise NotImplementedError(f"{type(self).__name__} must implement check(sample)")

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        """Judge several samples at once. Override it if that is faster; keep length and order."""
        return [self._guarded(sample) for sample in samples]

    # What a caller uses -----------------------------------------------------------------------

    def verify(self, completion: object, reference: object = None, **fields: object) -> Verdict:
        """Judge one completion. It never raises because of a completion.

        (A `SandboxError` does not depend on the completion: this machine cannot isolate programs.)

        Args:
            completion: A string, or chat messages; the assistant's last text counts.
            reference: Value of the row's answer column: a string, a list of accepted answers, tests.
            **fields: Other columns of the row. ``prompt`` is the question: see `Sample.prompt`.
        """
        return self._guarded(self._sample(completion, reference, fields))

    def verify_batch(
        self,
        completions: Sequence[object],
        references: Sequence[object] | None = None,
        **fields: Sequence[object],
    ) -> list[Verdict]:
        """Judge a batch: return one verdict per completion, in order.

        Args:
            completions: N completions.
            references: N references, or None if the verifier needs none.
            **fields: Other columns, of length N, such as ``prompt``.

        Raises:
            ConfigError: The columns differ in length.
        """
        return self.verify_columns(completions, references, fields)

    def verify_columns(
        self,
        completions: Sequence[object],
        references: Sequence[object] | None,
        fields: Mapping[str, Sequence[object]],
    ) -> list[Verdict]:
        """Judge a batch whose columns may have any name, such as ``references``; see `verify_batch`."""
        completions = as_column(completions, "completions")
        references = None if references is None else as_column(references, "references")
        fields = {name: as_column(column, name) for name, column in fields.items()}
        count = len(completions)
        columns = [*fields.items(), *([] if references is None else [("references", references)])]
        for name, column in columns:
            if len(column) != count:
                raise ConfigError(
                    f"{type(self).__name__}: {name} has {len(column)} rows, but completions has {count}"
                )
        samples = [
            self._sample(
                completion,
                None if references is None else references[row],
                Row(fields, row) if fields else {},
            )
            for row, completion in enumerate(completions)
        ]
        # One look for garbage behind a batch, rather than several at all that the process holds.
        return uncollected(self._guarded_batch, samples) if self.quick else self._guarded_batch(samples)

    def judge_reference(
        self, reference: object, fields: Mapping[str, object] | None = None
    ) -> ReferenceClass:
        """Return the class of a reference, with the row's other columns; it holds for every completion."""
        if reference is None and self.needs_reference:
            return ReferenceClass("unusable", "no_reference", "the row has no reference")
        if type(self).reference_first and self.needs_reference:
            verdict = self._guarded(self._sample("", reference, fields or {}))
            if verdict.status is not Status.SCORED:
                return ReferenceClass("unusable", verdict.reason, verdict.detail)
        return ReferenceClass("usable")

    # What a subclass says ---------------------------------------------------------------------

    def scored(
        self,
        score: float,
        reason: str,
        detail: str = "",
        *,
        extracted: str | None = None,
        expected: str | None = None,
        raw: float | None = None,
        parts: tuple[Verdict, ...] = (),
        span: tuple[int, int] | None = None,
    ) -> Verdict:
        """Return a verdict with a score; an extracted `Answer` brings its span."""
        if isinstance(extracted, Answer):
            span = extracted.span if span is None else span
            extracted = str(extracted)
        return scored_verdict(
            self._name(), float(score), reason, detail, extracted, expected, parts, span, raw
        )

    def unscored(self, reason: str, detail: str = "", *, expected: str | None = None) -> Verdict:
        """Return a verdict without a score, for a cause outside the completion."""
        return Verdict(
            verifier=self._name(),
            status=Status.UNSCORED,
            score=None,
            reason=reason,
            detail=detail,
            expected=expected,
        )

    def fault(self, reason: str, detail: str) -> Verdict:
        """Return a verdict for a failure of the library or the verifier."""
        return Verdict(
            verifier=self._name(), status=Status.FAULT, score=None, reason=reason, detail=detail[:500]
        )

    def readings(self, verdict: Verdict) -> dict[str, str]:
        """Return how this verifier read both sides of its verdict, for ``verify-cli explain``.

        Args:
            verdict: A verdict with `extracted` and `expected`.

        Returns:
            A text for "extracted", "expected" or both; empty if they are compared as they are.
        """
        return {}

    def witness(self, verdict: Verdict, fields: Mapping[str, object]) -> Mapping[str, Any] | None:
        """Return evidence for the reason of this verifier's verdict, as plain data; None if there is none.

        Args:
            verdict: A verdict with `extracted` and `expected`.
            fields: Other columns of the row.
        """
        return None

    def fields_read(self) -> tuple[str, ...] | None:
        """Return the columns, besides the reference, on which a verdict depends; None for all.

        The verdict cache relies on it. Built-in verifiers read none unless they say so.
        """
        return () if type(self).__module__.startswith("reward_verifiers.verifiers.") else None

    def reads_reference(self) -> bool:
        """Return whether a verdict depends on the reference."""
        return self.needs_reference

    def columns_needed(self) -> tuple[str, ...]:
        """Return the columns, besides the reference, that the verifier cannot do without."""
        return ()

    def part_names(self) -> tuple[str, ...]:
        """Return the names of the parts of every scored verdict; none if they differ from row to row."""
        return ()

    def _name(self) -> str:
        return type(self).__name__

    # How it is run ----------------------------------------------------------------------------

    def _sample(
        self, completion: object, reference: object, fields: Mapping[str, object]
    ) -> Sample | Verdict:
        try:
            reference = plain_value(reference)
            split = split_completion(completion)
        except (Exception, SystemExit) as error:  # what is nested deeply, and types of other libraries
            return replace(self.fault("exception", told(error)), trace=trace_of(error))
        if split is None:
            kind = type(completion).__name__
            return self.unscored("not_text", f"a completion is a string or chat messages, got {kind}")
        if reference is None and self.needs_reference:
            return self.unscored("no_reference", f"{self._name()} needs a reference and the row has none")
        return Sample.of(split, reference, fields)

    def _guarded(self, sample: Sample | Verdict) -> Verdict:
        if isinstance(sample, Verdict):
            return sample
        started = time.perf_counter()
        verdict = self._isolated(sample) if self.isolate else self.tried(sample)
        # A copy: a plug-in may give one verdict of its own twice.
        return verdict.timed(time.perf_counter() - started)

    def tried(self, sample: Sample) -> Verdict:
        """Return the verdict of `check`, or the meaning of its exception; `verify` and workers call it."""
        for attempt in (1, 2):
            try:
                verdict = self.check(sample)
                break
            except MissingDependencyError as error:
                return self.unscored("missing_dependency", str(error))
            except SandboxError:
                raise  # no completion causes this, and a run in which nothing is paid must not start
            except (Exception, SystemExit) as error:
                # A second try tells a passing problem (memory, a file being written) from a defect.
                if attempt == 2:
                    return replace(self.fault("exception", told(error)), trace=trace_of(error))
        if not isinstance(verdict, Verdict):
            return self.fault("bad_verdict", f"check returned {type(verdict).__name__}, not a Verdict")
        return verdict

    def _isolated(self, sample: Sample) -> Verdict:
        outcome = check_in_worker(self, sample)
        if outcome.ok:
            return Verdict.from_dict(outcome.value)
        if outcome.by_task:
            return self.scored(0.0, outcome.reason, outcome.detail)
        return self.fault(outcome.reason, outcome.detail)

    def _guarded_batch(self, samples: Sequence[Sample | Verdict]) -> list[Verdict]:
        known = [sample for sample in samples if isinstance(sample, Sample)]
        if self.isolate and len(known) > 1:
            calls = [partial(self._guarded, sample) for sample in samples]
            isolated: list[Verdict] = _POOL.shared_pool().run_all(calls)
            return isolated
        if type(self).check_batch is Verifier.check_batch or self.isolate or len(known) == 0:
            return [self._guarded(sample) for sample in samples]
        started = time.perf_counter()
        try:
            verdicts: Sequence[Verdict] | None = self.check_batch(known)
        except SandboxError:
            raise
        except (Exception, SystemExit):
            verdicts = None
        if (
            verdicts is None
            or len(verdicts) != len(known)
            or not all(isinstance(verdict, Verdict) for verdict in verdicts)
        ):
            # One bad row must not cost the others their verdicts.
            return [self._guarded(sample) for sample in samples]
        each = (time.perf_counter() - started) / len(known)
        judged = (verdict.timed(each) for verdict in verdicts)
        return [next(judged) if isinstance(sample, Sample) else sample for sample in samples]


VERIFIERS: Registry[Verifier] = Registry(
    "VERIFIERS", Verifier, "reward_verifiers.verifiers", entry_points="reward_verifiers.verifiers"
)
