"""The conditions of ``--fail-on``: figures of a scoring or a comparison with which CI ends in status 1.

    condition  := clause (("," | "and") clause)*          all of them have to hold
    clause     := FIGURE ("<" | "<=" | ">" | ">=" | "=" | "!=") NUMBER UNIT?
                | FIGURE ("drops" | "rises" | "changes") "by" NUMBER UNIT?
    UNIT       := "%" | "points"

A count with % is a share of its rows, any other figure with a unit is in hundredths. What has no value, as
the accuracy of no rows, fails: CI that measured nothing has shown nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.errors import close_match

from ..files.tallies import Tally

if TYPE_CHECKING:
    from reward_verifiers.rewards import Reward

NUMBER = r"(?P<value>[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?)\s*+(?P<unit>%|points?)?"
_COMPARED = re.compile(rf"(?P<name>[^<>=!\s]+)\s*(?P<sign><=|>=|!=|==|<|>|=)\s*{NUMBER}")
_CHANGED = re.compile(rf"(?P<name>\S+)\s+(?P<verb>drops|rises|changes)\s+by\s+{NUMBER}")
_AND = re.compile(r",|(?<!\s)\s++and\s++")
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "=": operator.eq, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_VERBS: dict[str, Callable[[float, float], bool]] = {
    "drops": lambda found, least: found <= -least,
    "rises": operator.ge,
    "changes": lambda found, least: abs(found) >= least,
}
EXAMPLES = "accuracy<0.8, unscored>2%, fault>0, 'accuracy drops by 2 points and p<0.05'"
MEAN = ("mean", "low", "high", "passed", "unscored", "fault")
"""What a scoring knows of each part, besides its reasons."""
BOTH = ("difference", "before", "after", "low", "high", "p", "rose", "fell", "left_out")
"""What a comparison knows of each part, besides its flips."""


@dataclass(frozen=True)
class Figure:
    """A figure that a condition may name.

    Args:
        value: None where there is none.
        total: For a count, the number of rows in total.
    """

    value: float | None
    total: int | None = None


@dataclass(frozen=True)
class Clause:
    """A figure held against a number."""

    name: str
    test: Callable[[float, float], bool]
    value: float
    unit: str | None


@dataclass(frozen=True)
class Condition:
    """Clauses that must all hold.

    Args:
        text: As it was written.
        clauses: Its clauses.
    """

    text: str
    clauses: tuple[Clause, ...]

    def check(self, known: Collection[str], meant: str = "") -> None:
        """Refuse figures that will never exist.

        Args:
            known: Those that there will be.
            meant: Suggestion for a name that resembles none of them, such as ``acc``.

        Raises:
            ConfigError: A figure will not exist; the message names the nearest.
        """
        for clause in self.clauses:
            if clause.name not in known:
                begun = next((name for name in known if name.startswith(clause.name)), meant)
                hint = close_match(clause.name, known) or (
                    f"; did you mean {begun!r}?" if begun else nearest(clause.name, known)
                )
                raise ConfigError(f"--fail-on {self.text!r}: no figure is called {clause.name!r}{hint}")

    def failure(self, figures: Mapping[str, Figure]) -> str | None:
        """Return the message where the condition holds, else None."""
        said = []
        for clause in self.clauses:
            figure = figures.get(clause.name, Figure(None))
            if figure.value is None:
                said.append(f"{clause.name} has no value")
                continue
            found, wanted = figure.value, clause.value
            if clause.unit is not None:
                wanted /= 100
                found = found / figure.total if figure.total else found
            if not clause.test(round(found, 12), round(wanted, 12)):
                return None
            share = clause.unit is not None and figure.total
            said.append(f"{clause.name} is {found:.2%}" if share else f"{clause.name} is {figure.value:.6g}")
        return f"{self.text}: {', '.join(said)}"


def read_conditions(texts: Sequence[str] | None) -> list[Condition]:
    """Read conditions as they are written.

    Raises:
        ConfigError: One is none.
    """
    return [_condition(text) for text in texts or ()]


def _condition(text: str) -> Condition:
    clauses: list[Clause] = []
    for each in _AND.split(text):
        found = _COMPARED.fullmatch(each.strip()) or _CHANGED.fullmatch(each.strip())
        if found is None:
            raise ConfigError(f"--fail-on {text!r}: {each.strip()!r} is no condition; some are {EXAMPLES}")
        groups = found.groupdict()
        name = groups["name"]
        if name == "p":  # of what the clause before it is about
            name = f"{clauses[-1].name.removesuffix('.difference') if clauses else 'outcome'}.p"
        test = _SIGNS[groups["sign"]] if "sign" in groups else _VERBS[groups["verb"]]
        clauses.append(Clause(name, test, float(groups["value"]), groups["unit"]))
    return Condition(text, tuple(clauses))


def failures(conditions: Sequence[Condition], figures: Mapping[str, Figure]) -> list[str]:
    """Return the message of each condition that holds."""
    return [said for each in conditions if (said := each.failure(figures)) is not None]


def score_names(parts: Collection[str], reasons: Collection[str]) -> list[str]:
    """Return the names of the figures that a scoring will have."""
    every = ["reward", *parts]
    return [
        *("mean", "low", "high", "unscored", "fault", "rejected", "rows"),
        *every,
        *(f"{part}.{name}" for part in every for name in MEAN),
        *(f"{part}.{reason}" for part in parts for reason in reasons),
    ]


def check_for(conditions: Sequence[Condition], reward: Reward) -> None:
    """Refuse figures that a scoring by this reward will not have.

    Raises:
        ConfigError: There is one; the message names the nearest.
    """
    reasons = [name for verifier in reward.verifiers() for name in type(verifier).all_reasons()]
    # What says whether an answer is right is what people call the accuracy, whatever its part is called.
    right = next((name for name in _referring(reward)), "reward")
    for condition in conditions:
        condition.check(score_names(reward.part_names(), reasons), right)


def _referring(reward: Reward) -> Iterator[str]:
    """Yield the parts of a reward whose verifiers need a reference."""
    verifiers = {verifier._name(): verifier for verifier in reward.verifiers()}
    return (name for name in reward.part_names() if name in verifiers and verifiers[name].needs_reference)


def score_figures(tallies: Mapping[str, Tally], rejected: int) -> dict[str, Figure]:
    """Return the figures of a scoring.

    Args:
        tallies: Tallies of the reward and of each part.
        rejected: Lines that could not be scored.
    """
    figures: dict[str, Figure] = {}
    for name, tally in tallies.items():
        interval = tally.interval()
        mean = None if interval is None else interval.mean
        unscored = tally.rows - tally.scored - tally.faults
        figures |= {
            name: Figure(mean),
            f"{name}.mean": Figure(mean),
            f"{name}.low": Figure(None if interval is None else interval.low),
            f"{name}.high": Figure(None if interval is None else interval.high),
            f"{name}.passed": Figure(tally.passed / tally.scored if tally.scored else None),
            f"{name}.unscored": Figure(unscored, tally.rows),
            f"{name}.fault": Figure(tally.faults, tally.rows),
        }
        for reason, count in tally.reasons.items():
            figures[f"{name}.{reason}"] = Figure(count, tally.rows)
    reward = tallies.get("reward", Tally())
    # A part may break where rows are paid without it.
    worst = max((tally.faults for tally in tallies.values()), default=0)
    return {
        **figures,
        **{name: figures.get(f"reward.{name}", Figure(None)) for name in ("mean", "low", "high", "unscored")},
        "fault": Figure(worst, reward.rows),
        "rejected": Figure(rejected, reward.rows + rejected),
        "rows": Figure(reward.rows),
    }


def score_failures(conditions: Sequence[Condition], tallies: Mapping[str, Tally], rejected: int) -> list[str]:
    """Return the message of each condition that holds for a scoring.

    Args:
        conditions: Conditions with checked figures.
        tallies: Tallies of the reward and of each part.
        rejected: Lines that could not be scored.
    """
    figures = score_figures(tallies, rejected)
    for clause in (clause for condition in conditions for clause in condition.clauses):
        part, _, name = clause.name.rpartition(".")
        if clause.name not in figures and part in tallies and name not in MEAN:
            figures[clause.name] = Figure(0, tallies[part].rows)  # a reason that no verdict gave
    return failures(conditions, figures)


def diff_figures(found: Mapping[str, Any]) -> dict[str, Figure]:
    """Return the figures of a comparison, as `compare` gives it."""
    figures: dict[str, Figure] = {}
    outcome = found["outcome"]
    for name, part in found["parts"].items():
        own: dict[str, Figure] = {"": Figure(part.get("difference"))}
        pairs = found["pairs"]
        for key in (*BOTH, *(each for each in part if "_to_" in each)):
            counted = isinstance(part.get(key), int) and key != "p"
            own[f".{key}"] = Figure(part.get(key), pairs if counted else None)
        figures |= {f"{name}{key}": figure for key, figure in own.items()}
        if name == outcome:
            figures |= {f"outcome{key}": figure for key, figure in own.items()}
            figures |= {key[1:]: figure for key, figure in own.items() if "_to_" in key}
    only = zip(("only_first", "only_second"), found["only"], found["rows"], strict=True)
    return {**figures, **{name: Figure(count, rows) for name, count, rows in only}}
