"""A completion as steps, claims and derivations: which calculations rest on what.

From the numbers of the question through results to the answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from ..core.extraction import Answer, Extractor
from ..core.verdicts import Sample, Status, TextPart, Verdict
from ..core.verifier_base import Verifier
from ..extract.answers_and_references import find_answer
from ..formulas.answer_shapes import Value, bare
from ..formulas.exact_values import TooLargeError, exact
from ..language.numerals import korean_numerals
from ..language.numerals.english_numerals import read_words, share
from ..language.worked_steps import TIMES_WORDS
from ..maths.decide.reference_classes import read
from ..maths.question import question
from ..visible.seen import Seen, see, visible
from .calculation_signs import Run, Sign, meaning, number, scan, value, values
from .claims import Claim, Claims, TooManyError, claims
from .steps import Step, Steps

Ground = Literal["given", "unknown", "wrong", "nowhere"]
"""Ground of a calculation: numbers that are given or made rightly; some of unknown origin; some that
a wrong step made; or some that come from nowhere. The worst of its numbers counts."""
_WORST: tuple[Ground, ...] = ("given", "unknown", "wrong", "nowhere")
_NOTHING = frozenset({Fraction(0), Fraction(1)})
_OTHER = Fraction(1, 7)
MAX_QUESTION = 20_000
"""Characters of a question that are looked at."""
_LONGEST_NUMERAL = 4
_MOST_DIGITS = 7
_ONE, _HUNDRED = Fraction(1), Fraction(100)
COMMON = frozenset(
    map(
        Fraction,
        (1, 2, 3, 4, 5, 7, 8, 10, 12, 14, 16, 20, 24, 25, 28, 30, 31, 36, 50, 52, 60, 90, 100, 180, 360, 365,
         366, 1000, 1760, 2000, 3600, 5280, 10_000, 100_000, 1_000_000),
    )
)  # fmt: skip
"""How many of one unit of time, length, weight, volume, money or angle make another: factors only."""


@dataclass(slots=True)
class Derivation:
    """Sides that are equal, or said to be.

    Args:
        start: Its start in the text.
        end: Its end.
        sides: The calculations in it.
        results: The values that it has, as they are shown and exactly.
        outcome: ``right``, ``false``, or ``unknown``.
        ground: Its basis.
        parents: The derivations that made its numbers.
    """

    start: int
    end: int
    sides: list[Run]
    results: set[Fraction]
    outcome: Literal["right", "false", "unknown"]
    taken_back: bool = False
    ground: Ground = "given"
    parents: list[Derivation] = field(default_factory=list)

    @property
    def earns(self) -> bool:
        """Whether it is right and rests on the given values."""
        return self.outcome == "right" and self.ground == "given"


def derivations(claims: Claims, known: Collection[Fraction] | None) -> list[Derivation]:
    """The derivations of a text in order, each with what it rests on.

    Args:
        claims: The claims.
        known: The numbers of the question; None where there is no question, and any number may be given.
    """
    found = list(_joined(claims.found))
    ledger = _Ledger(known)
    names = sorted((place, operand.value) for place, operand in claims.given)
    passed = 0
    for each in found:
        while passed < len(names) and names[passed][0] < each.start:
            ledger.unclear.add(names[passed][1])
            passed += 1
        ledger.place(each)
    return found


def _joined(found: Sequence[Claim]) -> Iterator[Derivation]:
    """Claims that go on from one another as one derivation, as far as they are right."""
    last: Derivation | None = None
    for claim in found:
        if claim.outcome == "none":
            continue
        sides = [run for run in (claim.left, claim.right) if run is not None]
        if last is not None and claim.is_next and claim.outcome == last.outcome == "right":
            last.end = claim.end
            _add(last, sides[-1:])
            continue
        if last is not None:
            yield last
        last = Derivation(claim.start, claim.end, [], set(), claim.outcome, claim.taken_back)
        if claim.outcome == "false" and claim.right is not None and claim.right.number is None:
            sides.reverse()  # 12 = 3 * 5: what is claimed is the number
        _add(last, sides)
    if last is not None:
        yield last


def _add(derivation: Derivation, sides: Sequence[Run]) -> None:
    for run in sides:
        shown = run.number
        if run.is_worked_out and not _does_nothing(run):
            derivation.sides.append(run)
            if derivation.outcome == "right":
                derivation.results.update(values(run))
        elif shown is not None:
            derivation.results.add(shown.value)
            if shown.is_share:
                derivation.results.add(shown.value / 100)


def _does_nothing(run: Run) -> bool:
    """Return whether a calculation returns one of its own numbers, whatever it is: 75 + 0, 75 + 5 - 5."""
    result = value(run)
    return result is not None and any(
        operand.value == result and value(run, "share", {place: result + _OTHER}) == result + _OTHER
        for place, operand in enumerate(run.operands)
    )


class _Ledger:
    """Sources of values, as the text goes on."""

    def __init__(self, known: Collection[Fraction] | None) -> None:
        self.known = known
        self.made: dict[Fraction, Derivation] = {}
        self.wrong: set[Fraction] = set()
        self.unclear: set[Fraction] = set()

    def place(self, derivation: Derivation) -> None:
        """Note what a derivation rests on, and what it makes."""
        best: tuple[int, list[Derivation]] | None = None
        for run in derivation.sides:
            rank, parents = self._ground(run)
            if best is None or rank < best[0]:
                best = (rank, parents)
        derivation.ground = "unknown" if best is None else _WORST[best[0]]
        derivation.parents = [] if best is None else best[1]
        if derivation.earns:
            for result in derivation.results:
                for form in (result, abs(result)):
                    self.made.setdefault(form, derivation)
                if 0 < result < 1:
                    for form in of_share(result):
                        self.made.setdefault(form, derivation)
        elif derivation.outcome == "false" or derivation.ground in ("wrong", "nowhere"):
            self.wrong |= derivation.results
        else:
            self.unclear |= derivation.results

    def _ground(self, run: Run) -> tuple[int, list[Derivation]]:
        worst, parents, is_rooted = 0, [], self.known is None
        multiplies = any(step in ("*", "/", "^") for step in run.program)
        for operand in run.operands:
            forms = (operand.value, operand.value / operand.factor)
            maker = next((self.made[form] for form in forms if form in self.made), None)
            if self.known is not None and any(form in self.known for form in forms):
                is_rooted = True
            elif maker is not None:
                is_rooted = True
                parents.append(maker)
            elif any(form in self.wrong for form in forms):
                worst = max(worst, _WORST.index("wrong"))
            elif self.known is None or (
                operand.value in COMMON and (multiplies or operand.value in _NOTHING)
            ):
                continue
            elif any(form in self.unclear for form in forms):
                worst = max(worst, _WORST.index("unknown"))
            else:
                worst = _WORST.index("nowhere")
        return (worst, parents) if is_rooted or worst else (_WORST.index("unknown"), parents)


def supporting(found: Sequence[Derivation], answers: Collection[Fraction], known: bool) -> list[Derivation]:
    """The derivations that earn and that an answer rests on, itself among them; none if it is not derived.

    Args:
        found: The derivations of a text.
        answers: The values that the answer may have.
        known: Whether the numbers of the question are known; if not, the answer may not be among those that
            its own derivation starts from.
    """
    for derivation in found:
        if not derivation.earns or not derivation.results & set(answers):
            continue
        used = {id(derivation): derivation}
        waiting = [derivation]
        while waiting:
            for parent in waiting.pop().parents:
                if id(parent) not in used:
                    used[id(parent)] = parent
                    waiting.append(parent)
        chosen = sorted(used.values(), key=lambda each: each.start)
        if known or not _starts_from(chosen, derivation, answers):
            return chosen
    return []


def _starts_from(used: Sequence[Derivation], last: Derivation, answers: Collection[Fraction]) -> bool:
    """Return whether the answer is used before it is derived."""
    return any(
        operand.value in answers
        for each in used
        if each is not last
        for run in each.sides
        for operand in run.operands
    )


@lru_cache(maxsize=1024)
def given(question: str) -> frozenset[Fraction]:
    """The numbers of a question, and what a share in it leaves or makes of a whole.

    >>> found = given("She sold 48 clips in April and half as many in May.")
    >>> Fraction(48) in found, Fraction(1, 2) in found, Fraction(24) in found
    (True, True, False)
    >>> Fraction(4, 5) in given("It is 20% cheaper."), Fraction(12) in given("a dozen eggs")
    (True, True)
    """
    text = visible(question[:MAX_QUESTION])
    signs = scan(text, 0, len(text))
    found: set[Fraction] = set()
    for place, sign in enumerate(signs):
        found.update(_of_sign(signs, place, sign))
    for token in text.split() if not text.isascii() else ():
        found.update(value for value, _ in korean_numerals.quantities(token))
    return frozenset(found)


def _of_sign(signs: list[Sign], place: int, sign: Sign) -> Iterator[Fraction]:
    behind = signs[place + 1] if place + 1 < len(signs) else None
    if sign.kind == "w":
        yield from _of_words(signs, place)
        return
    if sign.kind != "n" or (value := number(sign.text)) is None:
        return
    yield value
    yield from _places(value)
    if behind is None:
        return
    if behind.kind == "w":
        about = meaning(behind.text, behind.start == sign.end and not behind.text.isascii())
        yield value * about.factor
        if about.is_share:
            yield from of_share(value / _HUNDRED)
    elif behind.kind == "%":
        yield from of_share(value / _HUNDRED)
    elif (
        behind.kind == "o" and behind.text == "/" and place + 2 < len(signs) and signs[place + 2].kind == "n"
    ):
        below = number(signs[place + 2].text)
        if below:
            yield from of_share(value / below)


def _places(value: Fraction) -> Iterator[Fraction]:
    """A whole number taken apart by its digits, as in 48 + 27 = 40 + 20 + 8 + 7."""
    if value.denominator != 1 or not 10 <= value < 10**_MOST_DIGITS:
        return
    whole, power = value.numerator, 1
    while power <= whole:
        rest = whole % (power * 10)
        yield from map(Fraction, (rest // power * power, rest, whole - rest, rest // power))
        power *= 10


def of_share(value: Fraction) -> Iterator[Fraction]:
    """A share of a whole, what it leaves, and what both are together."""
    yield from (value, _ONE - value, _ONE + value, _HUNDRED * (_ONE - value), _HUNDRED * (_ONE + value))
    if value:
        yield _ONE / value


def _of_words(signs: list[Sign], place: int) -> Iterator[Fraction]:
    word = signs[place].text.casefold()
    if (times := TIMES_WORDS.get(word)) is not None:
        yield Fraction(times)
        yield _ONE / times
    for part in word.split("-"):
        if (below := share(part)) is not None:
            yield from of_share(_ONE / below)
            yield Fraction(below)
    if (many := meaning(word).factor) != 1:
        yield many
    said = ""
    for following in signs[place : place + _LONGEST_NUMERAL]:
        if following.kind != "w":
            break
        said = f"{said} {following.text}" if said else following.text
        if (value := read_words(said)) is not None:
            yield value


MAX_CHARS = 200_000
"""Characters of a completion that are looked at: some 50,000 tokens."""
MAX_PARTS = 1_000
"""Steps that a verdict shows."""
MAX_SHOWN = 200
"""Characters of a step that it shows."""


class Worked(NamedTuple):
    """Steps, claims and derivations of a completion.

    Args:
        seen: Its text as a reader sees it.
        steps: Its steps.
        claims: Its claims.
        derivations: Connections between the claims.
        is_grounded: Whether a question says which numbers are given.
    """

    seen: Seen
    steps: Sequence[Step]
    claims: Claims
    derivations: Sequence[Derivation]
    is_grounded: bool

    def parts(self, verifier: Verifier, outcomes: Mapping[int, tuple[float, str]]) -> tuple[Verdict, ...]:
        """One verdict for each step, unscored where nothing is known of it.

        Args:
            verifier: Their verifier.
            outcomes: Score and reason by the step's place.
        """
        found = []
        for place, step in enumerate(self.steps[:MAX_PARTS]):
            score, reason = outcomes.get(place, (None, "unchecked"))
            found.append(
                Verdict(
                    verifier=type(verifier).__name__,
                    status=Status.UNSCORED if score is None else Status.SCORED,
                    score=score,
                    reason=reason,
                    extracted=self.seen.text[step.start : step.end][:MAX_SHOWN],
                    span=self.seen.span(step.start, step.end),
                )
            )
        return tuple(found)

    def shown(self, each: Derivation | None) -> dict[str, Any]:
        """Return a verdict's fields for a derivation: its text and its place in the completion."""
        if each is None:
            return {}
        text = self.seen.text[each.start : each.end][:MAX_SHOWN]
        return {"extracted": text, "span": self.seen.span(each.start, each.end)}

    def step_at(self, place: int) -> int:
        """The step in which a place of the text is."""
        return max(0, bisect_right(self.steps, place, key=lambda step: step.start) - 1)


def worked(sample: Sample, of: TextPart, steps: Steps) -> Worked | None:
    """A completion taken apart; None where it is longer, or claims more, than is looked at."""
    if of == "response":
        seen = sample.seen()
    else:
        text = sample.completion if of == "completion" else sample.thinking
        seen = see(text, is_placed=of == "completion" and not sample.separate_thinking)
    if len(seen.text) > MAX_CHARS:
        return None
    known = given(sample.prompt) if sample.prompt else None
    try:
        found = claims(seen.text)
    except TooManyError:
        return None
    return Worked(seen, steps.split(seen.text), found, derivations(found, known), known is not None)


def answer_values(
    verifier: Verifier, extractor: Extractor, sample: Sample
) -> tuple[Answer | Verdict, frozenset[Fraction]]:
    """The answer of a completion, or the verdict that there is none; and what numbers it may stand for."""
    answer = find_answer(verifier, extractor, sample)
    if isinstance(answer, Verdict):
        return answer, frozenset()
    text = str(answer)
    if sample.prompt and len(text.strip(" ().")) == 1:
        text = question(sample.prompt).options.get(text.strip(" ().").upper(), text)
    return answer, _values(text)


@lru_cache(maxsize=4096)
def _values(text: str) -> frozenset[Fraction]:
    shape = read(text).shape
    shape = None if shape is None else bare(shape)
    if not isinstance(shape, Value):
        return frozenset()
    try:
        found = exact(shape.node)
    except TooLargeError:
        return frozenset()
    if found is None:
        return frozenset()
    value = Fraction(int(found.p), int(found.q))
    return frozenset({value, value * _HUNDRED} if "%" in text else {value})
