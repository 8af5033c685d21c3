"""A row is scored for every completion or for none: its reference decides, before any answer is looked at."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import FIXTURES, in_groups, rows
from tests.timing import SOAK
from verifiers import MathEquivalence, Status
from verifiers.formulas.answer_shapes import Shape
from verifiers.maths.decide import reference_classes
from verifiers.maths.decide.reference_classes import _defect
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read
from verifiers.runtime.pool import WorkerPool
from verifiers.runtime.worker_process import Outcome

JUDGE = MathEquivalence()
READABLE = [
    "42", "-3.5", "1,234", r"\frac{3}{7}", r"\frac{\sqrt3}{2}", "2x+1", r"x \le 3", "(1, 2)", r"\{1, 2\}", "90^\\circ",
    r"50\%", r"5 \text{ cm}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "(A) 5", "3:2", "x=1, y=2", "(-8)^{1/3}",
    r"\max(\sqrt2, \sqrt2)", r"\gcd(x, 4)", "3^{100000}", "B", r"\pm 3", r"\mathbb{R}", "3만 5천 원",
    r"\boxed{7}", "so it is\n#### 7", r"\frac{1}{x}", "0^0", r"\ln x",
]  # fmt: skip
SYMPY_ONLY = [r"\int \cos x dx", r"\int e^{-x^2} dx", r"\arctan(x)^{2}\int y dy"]
TEXT_ONLY = [
    "Paris", "the Nile", r"\text{no solution exists here}", r"\zzz{3}", r"\qqq{2}{3} + \zzz", "10 + John's age", "(1, 2",
    "a → b", "?", r"\Delta ABC \sim \Delta DEF", "3 + ", "= =", "2 5 4 2", "2017.1.4", "#", "->",
]  # fmt: skip
BAD = ["", "   ", "$ $", "1/0", r"\frac{1}{0}", r"\frac{x}{0}", r"\frac{1}{\sqrt4-2}", r"1, \frac{1}{0}", "0^{-1}",
       r"\tan\frac{\pi}{2}", r"\ln 0", "{1", r"\frac{3}{", r"\zzz{3} + \frac{a}{b", "x = 41 = 42", "(A) 1/0",
       r"\boxed{}", r"thus \boxed{\frac{1}{0}}", "#### 1/0", [], {}, {"a": 1}, [None], [""], ["", "1/0"], True,
       float("nan"), float("inf"), b"4", [["4"]]]  # fmt: skip
OVER_LIMIT = ["9^{9^{9^9}}", "x^{200000}", "7" * 5000, "x + " * 3000 + "1", r"x^{100001} + 1",
              r"\zzz " + "x + " * 300 + "1"]  # fmt: skip
ANSWERS = [
    "7", "1,2", "", " ", "0", "-1/3", r"\frac{1}{0}", "9^{9^{9^9}}", "1" * 5000, "x", "x^2+1", "{", "}", r"\frac{1}{", "Paris", "it is 7 or 8", "7 or 8", r"7 \pm 1", "x = 41 = 42", "(1, 2)",
    r"\{1, 2\}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "x < 3", "B", "(B) 7", "5 apples", "3만", "∫∑√", "\x00\ud800",
    "((((((((((", "A, C, D", "nan", r"\infty", "1e400", "12:30",
]  # fmt: skip
FOR_SYMPY = [r"\zzz{5}", r"\zzz{3}", r"\ce{H2O}", r"\int_0^1 x dx"]
"""Answers that a worker reads."""
BARE = [
    "", " ", "I do not know.", "<think>42</think>", "<think>\\boxed{7}", "\\boxed{", "Answer:", "<answer></answer>",
    [{"role": "assistant", "content": "7"}], [], "word " * 3000, "\\boxed{1} \\boxed{2}", "#### ", "```python\n7\n```",
]  # fmt: skip


def completions(reference: Any) -> list[Any]:
    """More than fifty, the verbatim copy among them."""
    copied = str(reference) if isinstance(reference, str) else json.dumps(reference, default=str)[:5000]
    answers = (f"\\boxed{{{answer}}}" for answer in (*ANSWERS, copied, f" {copied} ", f"${copied}$"))
    return [*answers, f"The answer is {copied}.", *BARE]


def costly(reference: Any) -> list[str]:
    """Answers that a worker reads, and things close to a copy."""
    near = (f"{reference} + 1", f"{reference}, {reference}", str(reference)[:-1], f"{reference}{reference}")
    return [f"\\boxed{{{answer}}}" for answer in (*FOR_SYMPY, *near)]


def _cases() -> list[Any]:
    """Every reference of the cases and the attacks, each once."""
    found: dict[str, Any] = {}
    for row in rows(FIXTURES / "cases" / "math_equivalence.jsonl"):
        if "spec" not in row and row["reference"] is not None:
            found.setdefault(json.dumps(row["reference"]), row["reference"])
    for row in rows(FIXTURES / "attacks" / "maths.jsonl"):
        if "reference" in row:
            found.setdefault(json.dumps(row["reference"]), row["reference"])
    return list(found.values())


def check_law(reference: Any, judge: MathEquivalence = JUDGE, answers: list[Any] | None = None) -> None:
    """All completions are scored, or none is, and all of these for the reason of the class."""
    about = judge.judge_reference(reference)
    assert about.kind in ("readable", "text only", "unusable")
    for completion in answers or completions(reference):
        verdict = judge.verify(completion, reference)
        where = (reference, completion, about, verdict)
        if about.kind == "unusable":
            assert (verdict.status, verdict.reason) == (Status.UNSCORED, about.reason), where
            assert verdict.detail == about.detail, where
        else:
            assert verdict.status is Status.SCORED, where


@in_groups([*READABLE, *TEXT_ONLY, *BAD, *OVER_LIMIT], lambda each: repr(each)[:40])
def test_a_row_is_scored_for_every_completion_or_for_none(reference: Any) -> None:
    """Whatever the completion is, and the verbatim copy of a usable reference is right."""
    asked = costly(reference)
    check_law(
        reference,
        answers=[*completions(reference), *(asked if SOAK else asked[len(str(reference)) % 4 :: 4])],
    )


@pytest.mark.parametrize("reference", SYMPY_ONLY)
def test_what_only_sympy_reads_is_scored_for_every_completion(reference: str) -> None:
    """What it cannot decide is 0.0; a process that dies over an answer, too."""
    assert JUDGE.judge_reference(reference).reason == "sympy"
    step = 1 if SOAK else 3
    check_law(reference, answers=[*completions(reference)[:: 3 * step], *costly(reference)[::step]])
    assert JUDGE.verify(f"\\boxed{{{reference}}}", reference).score == 1.0


def test_the_law_holds_for_the_references_of_the_cases() -> None:
    """There are hundreds, of all kinds: every third, with two or three of the completions; in ``make soak`` all."""
    references = _cases()
    assert len(references) > 600
    for number, reference in enumerate(references if SOAK else references[::3]):
        tried = completions(reference) if SOAK else completions(reference)[number % 25 :: 25]
        check_law(reference, answers=[*tried, *([] if number % 40 else costly(reference))])


@pytest.mark.parametrize(
    ("references", "kind", "reasons"),
    [
        (READABLE, "readable", {"grammar"}),
        (TEXT_ONLY, "text only", {"words", "no_formula", "unread"}),
        (BAD, "unusable", {"bad_reference"}),
        (OVER_LIMIT, "unusable", {"reference_over_limit"}),
    ],
)
def test_classes(references: list[Any], kind: str, reasons: set[str]) -> None:
    """Every reason of a class occurs, and no other."""
    found = [JUDGE.judge_reference(reference) for reference in references]
    wrong = [
        (reference, about) for reference, about in zip(references, found, strict=True) if about.kind != kind
    ]
    assert wrong == []
    assert {about.reason for about in found} == reasons
    assert JUDGE.judge_reference(None).reason == "no_reference"
    assert JUDGE.judge_reference(10**5000).reason == "bad_reference"


def test_a_text_is_compared_as_text() -> None:
    """1.0 for the same text up to what sets it, 0.0 for any other; it is never masked."""
    for reference, right, wrong in (
        (r"\zzz{3}", [r"\zzz{3}", r"\zzz {3}", r"$\zzz{3}$", r" \zzz{ 3 } "], [r"\zzz{4}", "3", "7", "1,2", ""]),
        ("the Nile", ["The Nile", r"\text{the Nile}", "nile."], ["the Rhine", "7", "Nil"]),
        (r"10 + John's age", ["10 + John's age", "10+John's age"], ["10", "John's age", "11 + John's age"]),
    ):  # fmt: skip
        assert JUDGE.judge_reference(reference).kind == "text only"
        assert [JUDGE.verify(f"\\boxed{{{each}}}", reference).score for each in right] == [1.0] * len(right)
        assert [JUDGE.verify(f"\\boxed{{{each}}}", reference).score for each in wrong] == [0.0] * len(wrong)


@pytest.mark.parametrize(
    "unit",
    [r"\frac", r"\sqrt", r"\binom", r"\sqrt{", "(", "-", "^", "x^", r"\frac12\frac", "|", r"\vec", r"\sin "],
)
def test_depth_is_no_fault(unit: str) -> None:
    """A policy must not be masked for what nests deeper than Python's stack, and nor must a reference be."""
    for count in (150, 3999 // len(unit)):
        deep = unit * count
        assert JUDGE.verify(f"<answer>{deep}</answer>", "7").score == 0.0
        check_law(deep, answers=[r"\boxed{7}", "", f"<answer>{deep}</answer>"])


@pytest.mark.parametrize("reference", ["2 5 4 2", "1 10 100", "2017.1.4", "1.2.3.4", r"\zzz{3}", "the Nile"])
def test_no_other_text_is_paid_for_a_text(reference: str) -> None:
    """A row of numbers is no product: its terms have an order, and so have the parts of a date."""
    digits = sorted(reference)
    others = {reference[::-1], "".join(digits), reference.replace("1", "2"), reference.replace(" ", "  1 "),
              reference.replace("2 5", "5 2"), reference.replace("1.4", "4.1"), reference + " 1"}  # fmt: skip
    for other in others - {reference}:
        assert JUDGE.verify(f"\\boxed{{{other}}}", reference).score == 0.0, other
        assert JUDGE.verify(f"\\boxed{{{reference}}}", other).score in (0.0, None), other
    assert JUDGE.verify(f"\\boxed{{{reference}}}", reference).score == 1.0


def test_several_references_are_usable_if_one_is() -> None:
    """The others do not count; as the parts of one answer all must be usable."""
    assert JUDGE.judge_reference(["", "4"]).kind == "readable"
    assert JUDGE.judge_reference([r"\zzz{3}", "1/0"]).kind == "text only"
    assert JUDGE.judge_reference(["1/0", "", "{1"]).detail == JUDGE.judge_reference("1/0").detail
    assert JUDGE.verify(r"\boxed{4}", ["1/0", "4"]).score == 1.0
    assert JUDGE.verify(r"\boxed{1/0}", ["1/0", "4"]).score == 0.0
    together = MathEquivalence(references="all")
    assert together.judge_reference(["1", "2"]).kind == "readable"
    assert together.judge_reference(["1", ""]).reason == "bad_reference"
    assert together.judge_reference(["1", "1/0"]).reason == "bad_reference"
    for reference in (["", "4"], ["1/0", r"\zzz{3}"], ["1/0", ""], ["7" * 5000, "4"], [4, "x"]):
        for judge in (JUDGE, together):
            check_law(reference, judge)


@pytest.mark.parametrize(
    "judge",
    [
        MathEquivalence(strict=True),
        MathEquivalence(case="kept", order="kept"),
        MathEquivalence(tolerance=1e-3),
    ],
)
def test_the_law_holds_under_other_policies(judge: MathEquivalence) -> None:
    """A policy says what agrees, not what is a reference."""
    for reference in (*READABLE[::3], *TEXT_ONLY[::2], *BAD[::3], *OVER_LIMIT[::2]):
        assert judge.judge_reference(reference) == JUDGE.judge_reference(reference)
        check_law(reference, judge, completions(reference)[::2])


def _forget() -> None:
    for cache in (
        reference_classes.reference_class, reference_classes._sympy_reads, reference_classes._read,
        reference_classes._of_text,
    ):  # fmt: skip
        cache.cache_clear()


def test_a_reference_costs_one_task_of_a_worker_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """None for what the grammar reads, and one for a text, however often it comes."""
    asked: list[str] = []

    def run(pool: WorkerPool, function: str, arguments: tuple[str, ...], **options: Any) -> Outcome:
        asked.append(function)
        return Outcome(True, False, "", "")

    monkeypatch.setattr(WorkerPool, "run", run)
    _forget()
    for _ in range(2):
        for reference in (*READABLE, *TEXT_ONLY, *BAD, *OVER_LIMIT):
            JUDGE.judge_reference(reference)
    unread = [text for text in TEXT_ONLY if JUDGE.judge_reference(text).reason == "unread"]
    assert asked == ["reward_verifiers.verifiers.maths.decide.symbolic:reads"] * len(unread)
    check_law(r"\zzz{3}")
    assert len(asked) == len(unread), "what sympy does not read is never sent there again"
    _forget()


def test_a_task_that_dies_over_a_reference_leaves_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that dies over an answer leaves 0.0; a worker that cannot be started is a fault, not kept."""
    reference = SYMPY_ONLY[0]

    def dies(pool: WorkerPool, function: str, arguments: tuple[str, ...], **options: Any) -> Outcome:
        return Outcome(False, None, "cpu_time", "too long", by_task=True)

    def broken(pool: WorkerPool, function: str, arguments: tuple[str, ...], **options: Any) -> Outcome:
        return Outcome(False, None, "worker", "no process", by_task=False)

    _forget()
    with monkeypatch.context() as patch:
        patch.setattr(WorkerPool, "run", broken)
        assert JUDGE.verify(r"\boxed{7}", reference).status is Status.FAULT
        with pytest.raises(RuntimeError, match="no process"):
            JUDGE.judge_reference(reference)
    assert JUDGE.judge_reference(reference).kind == "readable"
    with monkeypatch.context() as patch:
        patch.setattr(WorkerPool, "run", dies)
        check_law(reference)
        assert JUDGE.verify(r"\boxed{x+1}", reference).reason == "over_limit"
        asked = MathEquivalence(undecided="unscored").verify(r"\boxed{x+1}", reference)
        assert (asked.status, asked.reason) == (Status.UNSCORED, "over_limit"), "masking is asked for"
        _forget()
        assert JUDGE.judge_reference(reference).kind == "text only"
        check_law(reference)
    _forget()


def _shape(text: str) -> Shape:
    return read(clean(text))


def test_a_reference_that_is_too_large_is_not_called_undefined() -> None:
    """Each has its own reason."""
    large, undefined = _defect(_shape("9^{9^{9^{9}}}")), _defect(_shape(r"\frac{1}{0}"))
    assert large is not None
    assert undefined is not None
    assert (large.reason, undefined.reason) == ("reference_over_limit", "bad_reference")
