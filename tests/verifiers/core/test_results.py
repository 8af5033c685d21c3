"""Values and columns as users have them, of whatever package, none of which is imported for it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rewards import Pay, Reward
from tests.support import Late
from verifiers import ConfigError, ExactMatch, FunctionVerifier, MathEquivalence, Status, Verdict, verifier

torch = Late("torch")


def returning(value: Any, **settings: Any) -> FunctionVerifier:
    """A function that returns this."""
    made: FunctionVerifier = verifier(**settings)(lambda response: value)
    return made


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (True, 1.0), (False, 0.0), (1, 1.0), (0, 0.0), (0.25, 0.25), (Decimal("0.25"), 0.25), (Fraction(1, 4), 0.25),
        (np.bool_(True), 1.0), (np.float16(0.25), 0.25), (np.float32(0.25), 0.25), (np.float64(0.25), 0.25),
        (np.int8(1), 1.0), (np.array(0.25), 0.25), (np.array([0.25]), 0.25),
    ],
    ids=repr,
)  # fmt: skip
def test_a_score_is_a_number_of_any_kind(value: Any, score: float) -> None:
    """As embedding and reward models return it."""
    verdict = returning(value).verify("x")
    assert verdict.score == score
    assert type(verdict.score) is float
    assert verdict.raw is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2.0, "returned 2.0, which is not in [0, 1]; declare the range of its values: @verifier(low=..., high=...)"),
        (-1, "returned -1, which is not in [0, 1]"),
        (1.001, "returned 1.001, which is not in [0, 1]"),
        (-1e-5, "returned -1e-05, which is not in [0, 1]"),
        (float("inf"), "returned inf, which is not in [0, 1]"),
        (10**400, "which is not a number"),
        (float("nan"), "returned nan, which is not a number"),
        (np.float32("nan"), "which is not a number"),
        (Decimal("sNaN"), "which is not a number"),
        ("1", "returned '1' (str); it must return a bool, a number, None"),
        ([1.0], "it must return a bool, a number, None"),
        (1j, "it must return a bool, a number, None"),
        (np.array([0.1, 0.2]), "it must return a bool, a number, None"),
        (object, "it must return a bool, a number, None"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_score_is_a_fault_that_says_so(value: Any, said: str) -> None:
    """With the place of the function."""
    verdict = returning(value).verify("x")
    assert (verdict.status, verdict.reason) == (Status.FAULT, "bad_verdict")
    assert said in verdict.detail
    assert "test_results.py:" in verdict.detail


@pytest.mark.torch
def test_a_tensor_of_one_number_is_a_score() -> None:
    """Of any type, and where gradients go through it; one of two numbers is none."""
    for value, score in (
        (torch.tensor(0.25), 0.25),
        (torch.tensor([0.25], requires_grad=True), 0.25),
        (torch.tensor(True), 1.0),
        (torch.tensor(0.25, dtype=torch.bfloat16), 0.25),
    ):
        test_a_score_is_a_number_of_any_kind(value, score)
    test_what_is_no_score_is_a_fault_that_says_so(
        torch.tensor([0.1, 0.2]), "it must return a bool, a number, None"
    )


@pytest.mark.parametrize(
    ("value", "score"),
    [(1 + 1e-12, 1.0), (-1e-9, 0.0), (np.nextafter(np.float32(1), np.float32(2)), 1.0), (1 - 1e-12, 1 - 1e-12), (1e-9, 1e-9)],
    ids=repr,
)  # fmt: skip
def test_a_rounding_beside_the_range_is_its_end(value: Any, score: float) -> None:
    """A completion must not have its row left out by the last bits of a cosine; inside, nothing changes."""
    verdict = returning(value).verify("x")
    assert verdict.score == score
    wide = returning(2 * value - 1, low=-1, high=1).verify("x")
    assert wide.score == pytest.approx(score, abs=1e-12)
    assert -1 <= wide.raw <= 1


def test_a_declared_range_is_paid_from_nought_to_one() -> None:
    """And `raw` has what the function returned; true and false stay what they are."""
    scores = {-1: 0.0, 0.5: 0.5, 2: 1.0, np.float32(0.5): 0.5, True: 1.0, False: 0.0}
    for value, score in scores.items():
        assert returning(value, low=-1, high=2).verify("x").score == pytest.approx(score)
    assert returning(0.5, low=-1, high=2).verify("x").raw == 0.5
    outside = returning(3, low=-1, high=2).verify("x")
    assert outside.reason == "bad_verdict"
    assert "which is not in [-1, 2]" in outside.detail
    for low, high in ((1, 1), (2, 1), (0, float("inf"))):
        with pytest.raises(ConfigError):
            returning(1, low=low, high=high)
    assert returning(1, low=0, high=2) != returning(1, low=0, high=3)


def test_a_coroutine_function_is_waited_for() -> None:
    """With or without a loop in this thread."""

    @verifier
    async def waits(response: str) -> bool:
        await asyncio.sleep(0)
        return response == "x"

    async def inside() -> bool:
        return waits.verify("x").passed and not waits.verify("y").passed

    assert waits.verify("x").passed
    assert asyncio.run(inside())


def test_functions_that_take_all_columns_get_them() -> None:
    """``**columns`` is what trainers' functions have."""

    @verifier
    def all_of(response: str, **columns: Any) -> bool:
        return columns == {"task": "t", "answer": "a"}

    assert Pay(all_of)(["x"], task=["t"], answer=["a"]) == [1.0]
    assert all_of.fields_read() is None
    for function in (lambda response, /: True, map, 3):
        with pytest.raises(ConfigError):
            verifier(function)  # type: ignore[call-overload]


def _frame() -> Any:
    import pandas

    return pandas.DataFrame({"c": [r"\boxed{42}", r"\boxed{41}"], "a": ["42", "42"]}, index=[7, 3])


def _columns() -> list[tuple[str, Any, Any]]:
    import datasets
    import pyarrow

    texts, gold = [r"\boxed{42}", r"\boxed{41}"], ["42", "42"]
    frame, table = _frame(), pyarrow.table({"c": texts, "a": gold})
    rows = datasets.Dataset.from_dict({"c": texts, "a": gold})
    return [
        ("list", texts, gold),
        ("tuple", tuple(texts), tuple(gold)),
        ("Series", frame["c"], frame["a"]),
        ("ndarray", np.array(texts), np.array(gold)),
        ("objects", np.array(texts, dtype=object), np.array([42, "42"], dtype=object)),
        ("Arrow", table["c"], table["a"]),
        ("Dataset", rows["c"], rows["a"]),
        ("integers", texts, np.array([42, 42])),
        ("scalars", texts, [np.int64(42), np.float64(42)]),
        ("tensor", texts, torch.tensor([42, 42])),
        ("tensors", texts, [torch.tensor(42), torch.tensor(42)]),
        ("arrays", texts, [np.array(["42", "43"]), np.array(["42"])]),
    ]


@pytest.mark.torch
@pytest.mark.filterwarnings("default")
def test_columns_of_any_kind_are_columns() -> None:
    """By their order, whatever their index; in a reward and in a verifier."""
    reward, judge = Pay(MathEquivalence()), MathEquivalence()
    for name, texts, gold in _columns():
        assert reward(texts, answer=gold) == [1.0, 0.0], name
        assert [each.score for each in judge.verify_batch(texts, gold)] == [1.0, 0.0], name


@pytest.mark.parametrize(
    ("completions", "answer", "said"),
    [
        (["4", "5"], "4", "column 'answer' is one string, '4', but it must be a list with one value for each completion"),
        (["4", "5"], 4, "column 'answer' is one int, 4, but it must be a list"),
        (["4", "5"], {"a": 1}, "column 'answer' is one dict"),
        (["4", "5"], ["4"], "column 'answer' has 1 rows, but completions has 2"),
        (["4", "5"], np.array(["4"]), "column 'answer' has 1 rows, but completions has 2"),
        ("4", ["4"], "completions is one string, '4', but it must be a list"),
        ({"role": "assistant"}, ["4"], "completions is one dict"),
    ],
)  # fmt: skip
def test_what_is_no_column_is_told(completions: Any, answer: Any, said: str) -> None:
    """And not that a column is missing, which is there."""
    reward: Reward = Pay(ExactMatch())
    with pytest.raises(ConfigError) as refused:
        reward(completions, answer=answer)
    assert said in str(refused.value)
    with pytest.raises(ConfigError):
        ExactMatch().verify_batch(completions, answer)


def test_nothing_heavy_is_imported_for_it() -> None:
    """What is known by what it can do need not be loaded."""
    code = (
        "import sys\nfrom rewards import Pay\nfrom verifiers import ExactMatch, verifier\n"
        "@verifier(low=-1, high=2)\ndef f(response): return 0.5\n"
        "assert (Pay(f) + ExactMatch())(['4'], answer=('4',)) == [1.5]\n"
        "print([name for name in ('numpy', 'torch', 'pandas', 'pyarrow', 'datasets', 'cloudpickle', 'asyncio') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_verdict_is_neither_true_nor_false() -> None:
    """``if judge.verify(...)`` would always pass."""
    verdict = ExactMatch().verify("4", "5")
    with pytest.raises(TypeError, match=r"neither true nor false .*; test verdict.passed, or verdict.score"):
        bool(verdict)
    with pytest.raises(TypeError):
        not verdict  # noqa: B018
    assert Verdict(verifier="x", status="scored", score=1.0, reason="ok").status is Status.SCORED  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'good' is not a valid Status"):
        Verdict(verifier="x", status="good", score=1.0, reason="ok")  # type: ignore[arg-type]


def test_a_fault_leads_home() -> None:
    """To the file and line in the user's own code, however deep it was called; the traceback is kept."""

    def helper(text: str) -> float:
        return {}["missing"]  # type: ignore[no-any-return]

    @verifier
    def mine(response: str) -> float:
        return helper(response)

    verdict = mine.verify("x")
    line = helper.__code__.co_firstlineno + 1
    assert verdict.detail == f"KeyError: 'missing', at {__file__}:{line} in helper"
    assert str(verdict) == f"mine fault exception: {verdict.detail}"
    assert verdict.trace.splitlines()[0] == "Traceback (most recent call last):"
    assert "in mine" in verdict.trace
    assert "verifier_base" not in verdict.trace
    assert "trace" not in verdict.to_dict()

    @verifier
    def inside(response: str) -> float:
        return float(np.array(["x"]).astype(float)[0])

    assert f"in inside" in inside.verify("x").detail  # noqa: F541
    payments = Pay(mine)(["a", "b"])
    assert payments == [None, None]
    isolated = verifier(isolate=True)(lambda response: helper(response))
    away = isolated.verify("x")
    assert "test_results.py" in away.detail
    assert "KeyError" in away.trace
