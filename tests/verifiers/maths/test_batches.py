"""Batches that hold expensive answers: what they cost is bounded, and no verdict depends on its neighbours."""

from __future__ import annotations

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.hostile_batches import FAMILIES, batch, hostile, positions
from tests.timing import children_seconds, timed, within
from verifiers import MathEquivalence, Verdict
from verifiers.maths.decide import inquiries
from verifiers.maths.decide.inquiries import Asked, Inquiry, PendingError
from verifiers.maths.decide.policy import DEFAULT
from verifiers.runtime.pool import Outcome, WorkerPool, shared_pool

JUDGE = MathEquivalence()
EACH = 0.35
"""Processor seconds of a quiet core for one hostile answer, the start of its worker aside."""
START = 5.0
"""Processor seconds that a worker may take to start and to load sympy."""
REASONS = {"over_limit", "proved_unequal", "not_equal", "several_answers", "unreadable", "undecided"}


def _found(verdicts: list[Verdict]) -> list[tuple[float | None, str]]:
    return [(verdict.score, verdict.reason) for verdict in verdicts]


@pytest.fixture
def questions_asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What the workers are asked, in the order in which they are."""
    asked: list[tuple[str, ...]] = []
    run = WorkerPool.run

    def noted(self: WorkerPool, function: str, arguments: tuple[str, ...], **options: object) -> Outcome:
        asked.append(arguments[:2])
        return run(self, function, arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(WorkerPool, "run", noted)
    return asked


@pytest.mark.parametrize("family", FAMILIES)
def test_no_hostile_formula_is_paid_or_expensive(family: str) -> None:
    """Alone: in this process it takes a moment, and none of them is left unscored."""
    answer = rf"\boxed{{{FAMILIES[family](3)}}}"
    JUDGE.verify(r"\boxed{\int_0^1 x dx}", "2")  # starts a worker and loads flint
    verdict, seconds = timed(JUDGE.verify, answer, "42")
    assert verdict.score == 0.0
    assert verdict.reason in REASONS
    assert within(seconds, 0.1)


def test_a_batch_costs_no_more_than_its_hostile_rows() -> None:
    """One after another they would take minutes; each has a budget, in processor time."""
    rows, formulas = 256, hostile(24)
    completions, references, scores = batch(rows, formulas, positions(rows, len(formulas))["spread"])
    shared_pool().close()
    before = children_seconds()
    verdicts, here = timed(JUDGE.verify_batch, completions, references)
    shared_pool().close()
    assert [verdict.score for verdict in verdicts] == scores
    there = children_seconds() - before
    assert within(here, 2)
    assert within(there, START * shared_pool().size + EACH * len(formulas))


def test_order_and_size_of_a_batch_change_no_verdict() -> None:
    """Shuffled, cut in two, or one by one: the same scores and reasons."""
    refuted = ["integral", "slow series", "nested integral", "power of powers", "logarithms", "list", "set"]
    formulas = [FAMILIES[family](number) for family in refuted for number in (2, 3)]
    formulas += [
        r"\int_0^1 x^2 dx",
        r"\sum_{n=0}^\infty \frac{1}{2^n}",
        r"\lim_{x\to0}\frac{\sin x}{x}",
        "42",
    ]
    references = ["42"] * (len(formulas) - 4) + [r"\frac13", "2", "1", "42"]
    pairs = [
        (rf"\boxed{{{formula}}}", reference) for formula, reference in zip(formulas, references, strict=True)
    ]
    expected = _found([JUDGE.verify(*pair) for pair in pairs])
    assert [score for score, _ in expected[-4:]] == [1.0] * 4
    dice = random.Random(7)
    for cut in (len(pairs), 5, 1):
        order = dice.sample(range(len(pairs)), len(pairs))
        found: dict[int, tuple[float | None, str]] = {}
        for start in range(0, len(order), cut):
            part = order[start : start + cut]
            verdicts = JUDGE.verify_batch([pairs[row][0] for row in part], [pairs[row][1] for row in part])
            found.update(zip(part, _found(verdicts), strict=True))
        assert [found[row] for row in range(len(pairs))] == expected


def test_the_same_question_is_asked_once(questions_asked: list[tuple[str, ...]]) -> None:
    """A group of completions often ends in one answer."""
    answer = r"\boxed{\lim_{x\to0}\frac{\sin 3x}{x}}"
    verdicts = JUDGE.verify_batch([answer] * 20 + [r"\boxed{3}"], ["3"] * 21)
    assert [verdict.score for verdict in verdicts] == [1.0] * 21
    assert len(questions_asked) == 1


def test_what_numbers_refute_is_not_asked(questions_asked: list[tuple[str, ...]]) -> None:
    """No worker is needed for the integral that stalls sympy."""
    answers = [rf"\boxed{{{FAMILIES['integral'](number)}}}" for number in range(1, 20)]
    verdicts = JUDGE.verify_batch(answers, ["42"] * len(answers))
    assert {verdict.reason for verdict in verdicts} == {"proved_unequal"}
    assert questions_asked == []


def test_several_references_are_asked_about_in_turn() -> None:
    """A row whose first reference is not the one may have a second inquiry."""
    answer = r"\boxed{\lim_{x\to0}\frac{\sin 5x}{x}}"
    verdicts = JUDGE.verify_batch([answer, answer], [["x", "5"], ["6", "7"]])
    assert [verdict.score for verdict in verdicts] == [1.0, 0.0]


def test_workers_that_cannot_start_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a batch as alone: nobody is judged wrong for it, and the other rows keep their verdicts."""
    pool = WorkerPool(1)
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    monkeypatch.setattr(inquiries._POOL, "shared_pool", lambda: pool)
    answers = [r"\boxed{\lim_{x\to0}\frac{\sin 7x}{x}}", r"\boxed{7}"]
    verdicts = JUDGE.verify_batch(answers, ["7", "7"])
    assert [(verdict.score, verdict.reason) for verdict in verdicts] == [
        (None, "exception"),
        (1.0, "equal_text"),
    ]


def test_an_unasked_question_is_pending() -> None:
    """And an asked one has its answer, however often it is asked for."""
    inquiry, asked = Inquiry("2", r"\lim_{x\to0} (x+2)", DEFAULT), Asked()
    with pytest.raises(PendingError):
        asked.answer(inquiry)
    asked.ask([inquiry, inquiry])
    assert asked.answer(inquiry) == asked.answer(inquiry) == ("equal_symbolic", "")


def test_batches_from_many_threads() -> None:
    """Each gets its own verdicts."""
    answers = [rf"\boxed{{\lim_{{x\to0}}\frac{{\sin {number}x}}{{x}}}}" for number in range(2, 8)]

    def judged(shift: int) -> list[float | None]:
        references = [str(number + (shift % 2)) for number in range(2, 8)]
        return [verdict.score for verdict in JUDGE.verify_batch(answers, references)]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(judged, range(4)))
    assert found == [[1.0] * 6, [0.0] * 6] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_child_judges_batches() -> None:
    """Its parent has workers, which are not the child's."""
    answers = [r"\boxed{\lim_{x\to0}\frac{\sin 4x}{x}}", r"\boxed{\int_0^1 4x^3 dx}"] * 5
    assert JUDGE.verify_batch(answers, ["4", "1"] * 5)[0].passed
    child = os.fork()
    if child == 0:
        passed = all(verdict.passed for verdict in JUDGE.verify_batch(answers, ["4", "1"] * 5))
        shared_pool().close()
        os._exit(0 if passed else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
