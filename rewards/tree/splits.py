"""Rewards for the parts of an answer, each by its own verifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from reward_verifiers.verifiers import ConfigError, SplitCompletion, Verifier
from reward_verifiers.verifiers.core import Component, ReferenceClass, Registry
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.text.pattern import REGEX_SECONDS

from .batch import Batch
from .pay import Pay
from .payment import Payment, exact
from .reward import NODES, Reward, check_names
from .sums import total

REFERENCE_REASONS = frozenset({"bad_reference", "no_reference", "reference_over_limit"})
"""Reasons of verdicts that say that a reference cannot be used."""
ENVIRONMENT_REASONS = frozenset(
    {"missing_dependency", "model_missing", "bad_model", "bad_idf", "no_baseline", "unavailable"}
)
"""Reasons of verdicts that say that nothing can be judged here, whatever a completion says."""


class Splitter(Component):
    """Base of all splitters: frozen dataclasses that implement `split`."""

    def split(self, text: str) -> Mapping[str, str] | None:
        """Return the named parts of a text, or None if the text has another form."""
        raise NotImplementedError

    def names(self) -> tuple[str, ...]:
        """Return the names of the parts."""
        raise NotImplementedError


SPLITTERS: Registry[Splitter] = Registry("SPLITTERS", Splitter, "reward_verifiers.rewards")


@SPLITTERS.register
@dataclass(frozen=True, repr=False)
class RegexParts(Splitter):
    r"""Split a text by the named groups of a pattern that matches all of it.

    The pattern is in the syntax of the `regex` package. A text on which it backtracks for more than a second
    does not match.

    Args:
        pattern: Pattern with named groups.

    Raises:
        ConfigError: The pattern does not compile, or has no named group.

    >>> RegexParts(r"(?P<answer>.+?)이 옳다\. (?P<reason>.+)").split("'한글날'이 옳다. 기념일이다.")["reason"]
    '기념일이다.'
    """

    pattern: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.names():
            raise ConfigError(f"RegexParts: the pattern has no named group (?P<name>...): {self.pattern!r}")

    def names(self) -> tuple[str, ...]:
        return tuple(_compiled(self.pattern).groupindex)

    def split(self, text: str) -> Mapping[str, str] | None:
        try:
            found = _compiled(self.pattern).fullmatch(text.strip(), timeout=REGEX_SECONDS)
        except TimeoutError:
            return None
        return None if found is None else {name: part or "" for name, part in found.groupdict().items()}


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    regex = require("regex")
    try:
        return regex.compile(pattern, regex.DOTALL)
    except regex.error as error:
        raise ConfigError(f"RegexParts: the pattern {pattern!r} does not compile: {error}") from error


@NODES.register
@dataclass(frozen=True, repr=False)
class Split(Reward):
    """Split the answer and reward each part by its own reward.

    The reference is split in the same way, so each part meets its counterpart; other columns stay. A
    completion that cannot be split gets `otherwise`, unless its reference is unusable. A reference that
    cannot be split leaves the row unscored.

    Args:
        by: Splitter, such as `RegexParts`.
        into: Pairs of (part, reward or verifier), or a mapping of them; their payments are added.
        reference: Column whose references are split.
        otherwise: Payment for a completion that cannot be split. By default it is what the parts pay for an
            empty text, and at most 0, because a wrong answer in the right form must not earn less.

    Raises:
        ConfigError: The splitter has no such part.

    >>> from verifiers import ExactMatch, TokenF1
    >>> rule = RegexParts(r"(?P<answer>.+?)(?:이|가) 옳다[.] (?P<reason>.+)")
    >>> both = Split(rule, {"answer": ExactMatch(), "reason": 0.5 * Pay(TokenF1())})
    >>> both(["'꽃이'가 옳다. 주격 조사이다.", "모르겠다."], answer=["'꽃이'가 옳다. 조사이다."] * 2)
    [1.3333333333333333, 0.0]
    """

    by: Splitter
    into: tuple[tuple[str, Reward], ...]
    reference: str = "answer"
    otherwise: float | None = None

    if TYPE_CHECKING:  # what is taken is more than what is held

        def __init__(
            self,
            by: Splitter,
            into: Mapping[str, Reward | Verifier] | Sequence[tuple[str, Reward | Verifier]],
            reference: str = "answer",
            otherwise: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        pairs = tuple(self.into.items() if isinstance(self.into, dict) else self.into)
        pairs = tuple((name, Pay(to) if isinstance(to, Verifier) else to) for name, to in pairs)
        object.__setattr__(self, "into", pairs)
        names = [name for name, _ in pairs]
        if not names or len(set(names)) < len(names) or not set(names) <= set(self.by.names()):
            raise ConfigError(f"Split: the parts are of {list(self.by.names())}, each once; got {names}")
        for name, to in pairs:
            if not isinstance(to, Reward):
                raise ConfigError(f"Split: {name} takes a reward or a verifier, got {to!r:.80}")
        super().__post_init__()
        for _, to in pairs:
            check_names(to.parts())

    def to_spec(self) -> Any:
        split = {"by": self.by.to_spec(), "into": {name: to.to_spec() for name, to in self.into}}
        if self.reference != "answer":
            split["reference"] = self.reference
        if self.otherwise is not None:
            split["otherwise"] = self.otherwise
        return {"split": split}

    @property
    def name(self) -> str:
        """Return the name in explanations."""
        return "split"

    def children(self) -> tuple[Reward, ...]:
        return tuple(to for _, to in self.into)

    def parts(self) -> Iterator[tuple[str, Reward]]:
        """Yield the logged parts, named by the part of the answer."""
        for name, to in self.into:
            yield name, self
            if to.children():
                yield from ((f"{name}.{below}", self) for below in to.part_names())

    def needs(self) -> Iterator[str]:
        yield self.reference

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        whole = row.get(self.reference)
        parts = self.by.split(whole) if isinstance(whole, str) else None
        if parts is None:
            detail = "the reference cannot be taken apart"
            yield self.name, ReferenceClass("unusable", "bad_reference", detail)
            return
        for name, to in self.into:
            yield from to.reference_classes({**row, self.reference: parts[name]})

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: The reference column does not exist.
        """
        if self.reference not in batch.columns:
            raise ConfigError(f"Split needs the references in a column {self.reference!r}")
        answers = [
            self.by.split(split.response)
            if isinstance(split, SplitCompletion) and not split.open_thinking
            else None
            for split in batch.splits
        ]
        references = [
            self.by.split(each) if isinstance(each, str) else None for each in batch.columns[self.reference]
        ]
        paid = [self._pay_part(batch, name, to, answers, references) for name, to in self.into]
        return [
            self._row(parts, answer is not None, reference is not None)
            for *parts, answer, reference in zip(*paid, answers, references, strict=True)
        ]

    def _pay_part(
        self,
        batch: Batch,
        name: str,
        to: Reward,
        answers: Sequence[Mapping[str, str] | None],
        references: Sequence[Mapping[str, str] | None],
    ) -> list[Payment]:
        """Return a part's payments.

        What cannot be taken apart is judged as an empty text, so that a row which cannot be judged at all
        is known as one.
        """
        column = [None if parts is None else parts[name] for parts in references]
        part = Batch(
            [_as_it_is("" if parts is None else parts[name]) for parts in answers],
            {**batch.columns, self.reference: column},
            batch.progress,
            batch.group_size,
            batch.cache,
            batch.where,
            batch.arguments,
        )
        return [_under(name, payment) for payment in part.pay(to)]

    def _row(self, parts: Sequence[Payment], whole: bool, usable: bool) -> Payment:
        parts = tuple(parts)
        value = total(parts)
        if not usable:
            return Payment(self.name, None, parts, None, "the reference cannot be taken apart")
        if whole:
            return Payment(self.name, value, parts)
        # A completion must not mask itself, so only what the reference lacks leaves the row unjudged.
        if any(verdict.reason in REFERENCE_REASONS for part in parts for verdict in part.verdicts):
            return Payment(self.name, None, parts, None, "the reference is unusable")
        if value is None and any(
            verdict.reason in ENVIRONMENT_REASONS for part in parts for verdict in part.verdicts
        ):
            return Payment(self.name, None, parts, None, "its parts are unscored here")
        paid = min(value or 0.0, 0.0) if self.otherwise is None else self.otherwise
        return Payment(self.name, paid, parts, None, "the completion cannot be taken apart")

    def describe(self) -> str:
        shown = [f"{name}: {to.describe()}" for name, to in self.into]
        extra = f"@{self.reference}" if self.reference != "answer" else ""
        extra += f"; otherwise: {exact(self.otherwise)}" if self.otherwise is not None else ""
        return f"Split({self.by.describe()}{extra}; {'; '.join(shown)})"


def _as_it_is(text: str) -> SplitCompletion:
    """Return a part of an answer without another search for thinking, which was removed already."""
    return SplitCompletion(text, text, "", False)


def _under(name: str, payment: Payment) -> Payment:
    """Return a part's payment under the part's name, which prefixes the names below it."""
    if payment.verdict is not None or not payment.parts:
        return Payment(name, payment.value, (), payment.verdict, payment.note, True, payment.left_out)
    return Payment(name, payment.value, (_prefixed(name, payment),), None, "", True, payment.left_out)


def _prefixed(name: str, payment: Payment) -> Payment:
    return Payment(
        f"{name}.{payment.name}",
        payment.value,
        tuple(_prefixed(name, part) for part in payment.parts),
        payment.verdict,
        payment.note,
        payment.logged,
        payment.left_out,
    )
