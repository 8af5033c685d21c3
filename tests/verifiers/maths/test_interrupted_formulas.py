"""An interrupt in the middle of a formula reaches the caller, wherever it meets us: flint loses exceptions."""

from __future__ import annotations

import gc
import random
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import FrameType

import flint
import pytest

from tests.timing import SOAK
from verifiers import MathEquivalence
from verifiers.formulas.ball_values import _ALONE
from verifiers.formulas.cost_limits import _account
from verifiers.formulas.integrands import integrated
from verifiers.maths.decide.inquiries import _notes

PAIRS = (
    (r"\boxed{{(\sin(x)+{0})^{{30}}-\cos(x)^{{17}}}}", r"\int_0^x e^{{-t^{{{0}}}}} \sin(t)^{{20}} dt"),
    (r"\boxed{{\int_0^1 e^{{-x^{{{0}}}}} dx}}", r"\int_0^1 e^{{-x^{{{0}}}}} \cos(x) dx"),
    (r"\boxed{{\int_0^{{\infty}} e^{{-x^2-{0}x}} dx}}", r"\int_0^{{\infty}} e^{{-x^2}} dx"),
)


def test_no_interrupt_is_lost() -> None:
    """At random moments; each verdict is fresh, so that nothing kept answers."""
    met, raised = 0, 0
    chance = random.Random(5)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal met
        met += 1
        raise KeyboardInterrupt

    judge = MathEquivalence()
    judge.verify(
        *(each.format(2) for each in PAIRS[1])
    )  # loads what it needs: Python's imports lose some, too
    gc.disable()  # Python itself loses what is raised where it tells of garbage: in a weak reference's callback
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(20_000):
            if raised == (1000 if SOAK else 40):
                break
            answer, reference = (each.format(number + 2) for each in PAIRS[number % len(PAIRS)])
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.008 * chance.random())  # as long as they take
                judge.verify(answer, reference)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                raised += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    assert met == raised == (1000 if SOAK else 40)


def test_an_interrupt_leaves_nothing_behind() -> None:
    """Wherever it comes, and while its traceback is kept, as a notebook keeps it.

    No account that refuses all later work, no lock that stops other threads, no other precision. A profile
    function stands for the signal, at each call and each return of the modules that hold such a state, and at
    some of the others.
    """
    states = ("cost_limits.py", "ball_values.py", "inquiries.py", "bounds.py", "contextlib.py")
    chance = random.Random(7)
    usual = flint.ctx.prec

    def events(judge: MathEquivalence, at: int) -> int:
        seen = 0

        def profile(frame: FrameType, event: str, argument: object) -> None:
            nonlocal seen
            if frame.f_code.co_filename.endswith(states) or chance.random() < 0.003:
                seen += 1
                if seen == at:
                    raise KeyboardInterrupt

        answer, reference = (each.format(at + 2) for each in PAIRS[0])
        sys.setprofile(profile)
        try:
            judge.verify(answer, reference)
        finally:
            sys.setprofile(None)
        return seen

    def lock_is_free() -> bool:
        with ThreadPoolExecutor(1) as other:
            return other.submit(lambda: _ALONE.acquire(blocking=False) and not _ALONE.release()).result()

    judge = MathEquivalence()
    kept: list[BaseException] = []
    step = 1 if SOAK else 53
    for at in range(1, 100_000, step):
        try:
            if events(judge, at) < at:
                break
        except KeyboardInterrupt as error:
            kept.append(error)
        assert (_account.get(), _notes.get(), flint.ctx.prec, lock_is_free()) == (None, None, usual, True), at
    assert len(kept) > 20
    assert judge.verify(r"\boxed{\sqrt{18}}", r"3\sqrt{2}").score == 1.0


@pytest.mark.parametrize("at", [1, 2, 7, 40])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_exception_of_an_integrand_is_the_integral_s(at: int, error: type[BaseException]) -> None:
    """At whichever call; the next integral is right."""
    calls = 0

    def function(value: flint.acb, analytic: bool) -> flint.acb:
        nonlocal calls
        calls += 1
        if calls == at:
            raise error("here")
        return value.sin()

    with pytest.raises(error, match="here"):
        integrated(function, flint.acb(0), flint.acb(100), 1)
    assert calls == at
    assert integrated(lambda value, analytic: value.sin(), flint.acb(0), flint.acb(100), 1).real.overlaps(
        1 - flint.arb(100).cos()
    )


def test_an_interrupt_at_the_very_beginning_of_a_call_is_not_lost() -> None:
    """Before anything can catch it, at each call of an integral: a profile function stands for the signal."""

    def integral() -> flint.acb:
        return integrated(lambda value, analytic: value.sin(), flint.acb(0), flint.acb(30), 1)

    def interrupted(at: int) -> int:
        calls = 0

        def profile(frame: FrameType, event: str, argument: object) -> None:
            nonlocal calls
            if event == "call" and frame.f_code.co_name == "charged":
                calls += 1
                if calls == at:
                    raise KeyboardInterrupt

        sys.setprofile(profile)
        try:
            integral()
        finally:
            sys.setprofile(None)
        return calls

    for at in count(1):
        try:
            calls = interrupted(at)
        except KeyboardInterrupt:
            continue
        assert calls < at, "it was lost"
        break
    assert at > 9
    assert integral().real.overlaps(1 - flint.arb(30).cos())
