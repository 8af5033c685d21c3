"""Gates, limits, names, schedules, routes and splits."""

from __future__ import annotations

import gc
import math
import operator
import pickle
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rewards import (
    Batch,
    Constant,
    Cosine,
    CosineLength,
    DuplicatePenalty,
    First,
    LengthTarget,
    Linear,
    Max,
    Min,
    Pay,
    Product,
    Rank,
    RegexParts,
    Reward,
    Route,
    Schedule,
    SoftOverlong,
    Split,
    Steps,
    Sum,
    TagCount,
    from_callable,
    from_trl,
)  # fmt: skip
from tests.rewards.tree.own_rewards import longer, shorter
from tests.support import in_groups
from tests.timing import examples
from verifiers import (
    ConfigError,
    ExactMatch,
    Judge,
    Keywords,
    LanguageConsistency,
    Length,
    MathEquivalence,
    MultipleChoice,
    Regex,
    Status,
    TagFormat,
    TokenF1,
    verifier,
)  # fmt: skip

GOOD = "<think>6*7</think><answer>42</answer>"
ACCURACY, FORMAT = Pay(MathEquivalence()), Pay(TagFormat())
SCHEDULES: st.SearchStrategy[Schedule] = (
    st.floats(-2, 2).map(Constant)
    | st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(lambda ends: Linear(*ends, begin=0.25, until=0.5))
    | st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(lambda ends: Cosine(*ends))
    | st.floats(-2, 2).map(lambda end: Steps(((0.0, 1.0), (0.5, end))))
)
LEAVES: st.SearchStrategy[Reward] = st.sampled_from(
    [
        Pay(ExactMatch()),
        Pay(MathEquivalence(), reference="gold"),
        Pay(Keywords(("a", "b"), mode="any")),
        Pay(Judge()),
        FORMAT,
        LengthTarget(5, 10, "words"),
        SoftOverlong(8, 4),
        TagCount(),
        from_callable(longer),
        from_trl(shorter),
        CosineLength(Pay(ExactMatch()), 100, "characters"),
        LengthTarget(5).scheduled(target=Linear(1, 9)),
        Pay(Length(1, 9)).scheduled(maximum=Steps(((0, 3), (0.5, 5)))),
        Route("task", {"a": ExactMatch(), "b": FORMAT}, Pay(ExactMatch())),
        Split(RegexParts("(?P<x>[^,]*),(?P<y>.*)"), {"x": ExactMatch(), "y": 0.5 * Pay(TokenF1())}, "gold"),
    ]
)


COMBINED = [operator.add, operator.sub, operator.mul, Product, Max, Min, First]


def _steps(inner: st.SearchStrategy[Reward]) -> st.SearchStrategy[Reward]:
    number = st.floats(-3, 3)
    return (
        st.tuples(inner, inner, st.sampled_from(COMBINED)).map(
            lambda three: _or_none(lambda: three[2](three[0], three[1]))
        )
        | st.tuples(inner, number | SCHEDULES).map(lambda pair: pair[0] * pair[1])
        | st.tuples(inner, inner, number).map(lambda three: _or_none(lambda: three[0].when(*three[1:])))
        | st.tuples(inner, number, number).map(lambda three: three[0].affine(*three[1:]))
        | st.tuples(inner, st.floats(0.1, 3)).map(lambda pair: pair[0].penalty(pair[1]))
        | st.tuples(inner, number).map(lambda pair: pair[0].clip(low=pair[1]))
        | st.tuples(inner, st.sampled_from(["p", "q", "부분"])).map(
            lambda pair: _or_none(lambda: pair[0].named(pair[1]))
        )
        | inner.map(lambda reward: reward.optional())
    ).filter(lambda reward: reward is not None)


def _or_none(make):  # type: ignore[no-untyped-def]
    """What cannot be combined (one name for two parts, an optional gate) is not an example."""
    try:
        return make()
    except ConfigError:
        return None


REWARDS: st.SearchStrategy[Reward] = st.recursive(LEAVES, _steps, max_leaves=6)
COMPLETIONS = st.lists(
    st.sampled_from(["a", "b", GOOD, "", "1,2", "<think>", 7, None, [{"role": "user"}]])
    | st.text(max_size=20),
    max_size=5,
)


def _columns(tasks: list[Any]) -> dict[str, list[Any]]:
    count = len(tasks)
    return {
        "answer": ["a"] * count, "gold": ["1,2"] * count, "task": tasks, "completion_tokens": [*range(count)],
    }  # fmt: skip


@settings(deadline=None, max_examples=examples(60))
@given(REWARDS, COMPLETIONS, st.floats(0, 1))
def test_any_tree_pays_finite_numbers_in_order(
    reward: Reward, completions: list[object], progress: float
) -> None:
    """One value per completion, the same one as when it is alone, whatever the completion is."""
    count = len(completions)
    columns = _columns(["a", "b", "c", 1, "a"][:count])
    values = reward(completions, progress=progress, **columns)
    assert len(values) == count
    assert all(value is None or math.isfinite(value) for value in values)
    for row, completion in enumerate(completions):
        alone = {name: column[row] for name, column in columns.items()}
        assert reward.explain(completion, progress=progress, **alone).value == values[row]


@settings(deadline=None, max_examples=examples(60))
@given(REWARDS)
def test_any_tree_is_a_value(reward: Reward) -> None:
    """It pickles, compares, hashes, and its line of text is its own."""
    copy = pickle.loads(pickle.dumps(reward))
    assert (copy, hash(copy), copy.signature()) == (reward, hash(reward), reward.signature())
    assert str(reward) == reward.describe()


@settings(deadline=None)
@given(REWARDS, REWARDS, COMPLETIONS)
def test_different_trees_are_described_differently(
    one: Reward, other: Reward, completions: list[str]
) -> None:
    """A signature that two rewards share would say that they scored alike."""
    assume(one != other)
    columns = _columns(["a"] * len(completions))
    if one.describe() == other.describe():
        assert one(completions, **columns) == other(completions, **columns)


def test_a_gate_pays_only_what_passes() -> None:
    """And an unusable reference blanks the row whatever the gate says."""
    gated = ACCURACY.when(FORMAT, otherwise=-0.5)
    rows = {GOOD: "42", "42": "42", "<think>x</think><answer>41</answer>": "42"}
    assert gated(list(rows), answer=list(rows.values())) == [1.0, -0.5, 0.0]
    assert gated([GOOD, "42"], answer=["", ""]) == [None, None]
    assert ACCURACY.when(Pay(Judge()))([GOOD], answer=["42"]) == [None]
    assert ACCURACY.when(Pay(LanguageConsistency("en")), at=0.9)(["It is 42"], answer=["42"]) == [1.0]
    assert ACCURACY.when(TagFormat()) == ACCURACY.when(FORMAT)


def test_optional_terms_are_left_out_and_required_ones_never() -> None:
    """The other weights stay as they are."""
    judged = 0.3 * Pay(Judge()).optional()
    assert (ACCURACY + judged)([GOOD], answer=["42"]) == [1.0]
    assert (ACCURACY + 0.3 * Pay(Judge()))([GOOD], answer=["42"]) == [None]
    assert (ACCURACY.optional() + judged)([GOOD], answer=[""]) == [None], "nothing is left to pay"
    assert ACCURACY.optional()([GOOD], answer=[""]) == [None]
    payment = (ACCURACY + judged).explain(GOOD, answer="42")
    assert payment.values() == {"MathEquivalence": 1.0, "Judge": None}
    assert payment.parts[1].left_out


@in_groups(
    [
        (lambda: Sum(()), "at least one term"),
        (lambda: ACCURACY.clip(), "clip takes low, high, or both"),
        (lambda: ACCURACY.clip(1, 0), "low must not be above high, got 1 and 0"),
        (lambda: ACCURACY.clip(math.nan), "Clip: low must be a number or None, got nan; it must be finite"),
        (lambda: ACCURACY.affine(math.inf), "Affine: scale must be a number, got inf; it must be finite"),
        (lambda: ACCURACY.penalty(0), "Penalty: size must be a number above 0, got 0.0"),
        (lambda: ACCURACY.penalty(-0.5), "Penalty: size must be a number above 0, got -0.5"),
        (lambda: ACCURACY.named("a/b"), "letters, digits and _ . : -, got 'a/b'"),
        (lambda: ACCURACY.named("reward"), "cannot be named 'reward'"),
        (lambda: ACCURACY.when(FORMAT, otherwise=math.nan), "otherwise must be a number, got nan; it must be finite"),
        (lambda: ACCURACY.scheduled(), "takes a schedule for the weight"),
        (lambda: LengthTarget().scheduled(targt=Linear(1, 2)), "no field 'targt'; did you mean 'target'"),
        (lambda: FORMAT.scheduled(partial=Linear(0, 1)), "partial is not a number"),
        (lambda: LengthTarget().scheduled(target=3), "takes a schedule such as"),
        (lambda: SoftOverlong(8, 4).scheduled(cache=Linear(4, 9)), "cache lies between 1 and maximum"),
        (lambda: SoftOverlong(8, 9), "cache lies between 1 and maximum, got 9 of 8"),
        (lambda: SoftOverlong(8, 0), "cache lies between 1 and maximum, got 0 of 8"),
        (lambda: SoftOverlong(8, -1), "cache lies between 1 and maximum, got -1 of 8"),
        (lambda: LengthTarget(unit="bytes"), "unit must be 'characters', 'words' or 'tokens', got 'bytes'"),
        (lambda: LengthTarget(unit="tokens", of="response"), "tokens are counted for the whole completion only"),
        (lambda: LengthTarget(scale=0), "scale must be a number of at least 1e-06"),
        (lambda: LengthTarget(-1), "target must be a whole number of at least 0"),
        (lambda: LengthTarget(of="prompt"), "of must be"),
        (lambda: CosineLength(ACCURACY, 9, "bytes"), "unit must be"),
        (lambda: TagCount(("a", "a")), "different tag names, got ('a', 'a')"),
        (lambda: CosineLength(ACCURACY, 0), "maximum must be a whole number of at least 1, got 0"),
        (lambda: CosineLength(ACCURACY, 9, right_long=math.inf), "got inf; it must be finite"),
        (lambda: Route("task", {}), "at least one route"),
        (lambda: Route("task", (("a", FORMAT), ("a", FORMAT))), "each value has one route, got ['a', 'a']"),
        (lambda: Route("task", {"a": 3}), "a route is a string with a reward, got 'a': 3"),
        (lambda: Route("task", ((1, FORMAT),)), "a route is a string with a reward, got 1:"),
        (lambda: RegexParts("(?P<a>"), "does not compile"),
        (lambda: RegexParts("a"), "has no named group"),
        (lambda: Split(RegexParts("(?P<a>.)"), {"b": FORMAT}), "the parts are of ['a'], each once; got ['b']"),
        (lambda: Linear(0, 1, 0.5, 0.5), "0 <= begin < until <= 1, got 0.5 and 0.5"),
        (lambda: Linear(0, math.inf), "got inf; it must be finite"),
        (lambda: Steps(((0.5, 1),)), "whose shares rise from 0 to at most 1, got ((0.5, 1),)"),
        (lambda: Steps(()), "points are pairs"),
        (lambda: Batch(["a"], progress=2), "in [0, 1]; got 2"),
    ],
    repr,
)  # fmt: skip
def test_what_cannot_work_is_refused_where_it_is_made(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError) as error:
        make()
    assert message in str(error.value)


def test_two_parts_of_one_name_are_refused_and_one_part_twice_is_not() -> None:
    """A trainer's logs would merge them."""
    with pytest.raises(ConfigError, match=r"two parts are named 'TagFormat'.*\.named\("):
        FORMAT + Pay(TagFormat(("a", "b")))
    with pytest.raises(ConfigError, match="two parts are named 'x'"):
        FORMAT.named("x") + ACCURACY.named("x")
    both = FORMAT + Pay(TagFormat(("a", "b"))).named("other")
    assert both.part_names() == ["TagFormat", "other"]
    twice = ACCURACY.when(FORMAT) + 0.5 * FORMAT
    assert twice.part_names() == ["MathEquivalence", "TagFormat"]
    assert len(twice.explain(GOOD, answer="42").verdicts) == 2


def test_a_shared_part_is_judged_once() -> None:
    """A gate that is also a term must not cost twice."""
    calls = []

    class Counting(TagFormat):
        def check(self, sample):  # type: ignore[no-untyped-def]
            calls.append(sample)
            return super().check(sample)

    shared = Pay(Counting())
    (ACCURACY.when(shared) + 0.5 * shared)([GOOD, GOOD], answer=["42", "42"])
    assert len(calls) == 2


def test_routes_pay_each_row_by_its_own() -> None:
    """In order; a row without a route cannot be judged; routes may share a name."""
    route = Route(
        "task", {"math": ACCURACY.named("right"), "mcq": Pay(MultipleChoice()).named("right") + 0.5 * FORMAT}
    )
    completions = ["(C)", r"\boxed{\frac12}", "x", "정답은 ③번"]
    columns = {"answer": ["C", "0.5", "x", "3"], "task": ["mcq", "math", "poem", "mcq"]}
    assert route(completions, **columns) == [1.0, 1.0, None, 1.0]
    assert route.part_names() == ["right", "TagFormat"]
    poem = route.explain("x", answer="x", task="poem")
    assert poem.status is Status.UNSCORED
    assert "no route for 'poem'" in str(poem)
    assert Route("task", {"math": ACCURACY}, FORMAT)([GOOD], task=[None], answer=["1"]) == [1.0]
    with pytest.raises(ConfigError, match="the rows have no column 'task'"):
        route(["x"], answer=["x"])


def test_a_function_that_asks_for_a_reference_needs_one() -> None:
    """A misspelt column would otherwise train a whole run on zeros."""
    from tests.verifiers.judges import equal_by_function, with_task

    mine = Pay(equal_by_function)
    assert (mine.columns(), mine(["right"], answer=["right"])) == (["answer"], [1.0])
    assert mine(["right"], answer=[None]) == [None]
    with pytest.raises(ConfigError, match="needs the references in a column 'answer'"):
        mine(["right"], gold=["right"])
    tasked = Pay(with_task)
    assert (tasked.columns(), tasked(["a"], task=["a"])) == (["task"], [1.0])
    with pytest.raises(ConfigError, match="needs a column 'task'; did you mean 'tasks'"):
        tasked(["a"], tasks=["a"])


def test_breaking_a_checker_never_pays() -> None:
    """A fault is not left out as optional; an outage of a judge is."""
    from tests.verifiers.judges import breaking

    reward = Pay(ExactMatch()) + Pay(breaking).penalty(1).optional()
    assert reward(["BOOM", "fine"], answer=["BOOM", "fine"]) == [None, 1.0]
    judge = Pay(Judge("tests.verifiers.judges:long_enough")).optional()
    assert (Pay(ExactMatch()) + judge)(["outage"], answer=["outage"]) == [1.0]


def test_an_optional_gate_is_found_after_steps() -> None:
    """Weights and names do not hide it; comparisons keep what is left out."""
    for gate in (
        Pay(Judge()).optional(), 2 * Pay(Judge()).optional(), Pay(Judge()).optional().named("x"),
        Pay(Judge()).optional().clip(0).named("x"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match="a gate cannot be optional"):
            ACCURACY.when(gate)
    assert (Rank(Pay(Judge()).optional()) + FORMAT)([GOOD], group_size=1) == [1.0]


def test_groups_stay_whole_within_a_route() -> None:
    """With a size or with prompts, as without the route."""
    plain, routed = DuplicatePenalty(), Route("t", {"m": DuplicatePenalty(), "c": ExactMatch()})
    texts, tasks = ["a", "a", "b", "b"], ["m"] * 4
    assert routed(texts, t=tasks, group_size=2, answer=texts) == plain(texts, group_size=2) == [-1.0] * 4
    prompts = ["p", "p", "q", "q", "p", "p"]
    mixed = routed(["a", "b", "x", "x", "a", "c"], t=list("mmccmm"), prompts=prompts, answer=["x"] * 6)
    assert mixed == [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_a_split_cannot_be_escaped_through_its_form() -> None:
    """Neither by a part that has no opinion on nothing, nor past a penalty."""
    rule = RegexParts("(?P<answer>.+) because (?P<reason>.+)")
    judged = Split(rule, {"answer": ExactMatch(), "reason": Pay(Judge("tests.verifiers.judges:long_enough"))})
    gold = ["5 because it is so"] * 2
    assert judged(["5 because it is so", "garbage"], answer=gold) == [2.0, 0.0]
    strict = Split(rule, {"answer": Pay(ExactMatch()).penalty(1)})
    assert strict(["4 because x", "garbage"], answer=gold) == [-1.0, -1.0]
    assert strict(["garbage"], answer=[" because "]) == [None]
    reward = Split(RegexParts("A: (?P<a>.*)"), {"a": Pay(Regex("x")).penalty(1)}, otherwise=-2.0)
    assert reward(["A: y", "A: x", "y"], answer=["A: x"] * 3) == [-1.0, 0.0, -2.0]


def test_rewards_that_pay_differently_are_signed_differently() -> None:
    """Nested sums, and keys that look like other routes."""
    judge = Pay(Judge()).optional()
    assert Sum((Sum((judge,)), ACCURACY)).describe() != Sum((judge, ACCURACY)).describe()
    one = Route("t", {"x": ExactMatch(), "y": TagFormat()})
    other = Route("t", {'x": ExactMatch; "y': TagFormat()})
    assert one.describe() != other.describe()


RIGHT: Reward = Pay(ExactMatch())


@pytest.mark.parametrize(
    ("low", "high", "clipped"),
    [
        (-2, None, [0.0, -1.0, -2.0, -2.0]), (None, -2, [-2.0, -2.0, -2.0, -3.0]),
        (-2, -1, [-1.0, -1.0, -2.0, -2.0]), (-2, -2, [-2.0, -2.0, -2.0, -2.0]),
    ],
)  # fmt: skip
def test_clip_holds_at_its_limits(low: float | None, high: float | None, clipped: list[float]) -> None:
    """Also where both are one value, which is a constant."""
    values = LengthTarget(0, 1.0).clip(low=low, high=high)(["", "x", "xx", "xxx"])
    assert values == clipped
    assert all(type(value) is float for value in values)


def test_the_least_that_is_taken() -> None:
    assert (RIGHT.penalty(0.001)(["5"], answer=["4"]), LengthTarget(0, 1e-6)(["x"])) == ([-0.001], [-1e6])


def test_a_penalty_is_what_is_missing() -> None:
    """0 for a right answer (and not -0), `size` for a wrong one, in a line between."""
    half = Pay(Keywords(("a", "b"), mode="fraction"))
    values = half.penalty(0.5)(["a b", "a", "c"])
    assert (values, math.copysign(1.0, values[0] or 0.0)) == ([0.0, -0.25, -0.5], 1.0)
    assert half.affine(2.0, -0.5)(["a b", "a", "c"]) == [1.5, 0.5, -0.5]


def test_routes_go_by_the_rows_own_value() -> None:
    """Whole numbers stand for their text, booleans and others for nothing."""
    routes = Route("task", {"1": Pay(Length(1, 1)), "qa": ExactMatch()})
    keys = ["1", 1, "qa", True, None, 1.0, ["qa"]]
    values = routes(["4"] * 7, answer=["4"] * 7, task=keys)
    assert values == [1.0, 1.0, 1.0, None, None, None, None]
    rest = Route("task", {"qa": ExactMatch()}, otherwise=Pay(Length(2)))
    assert rest(["4", "4", "44"], answer=["4"] * 3, task=["qa", "?", None]) == [1.0, 0.0, 1.0]


def test_what_a_name_is_made_of() -> None:
    for label in ("", "a b", "a/b", "total\n", None):
        with pytest.raises(ConfigError, match="a part's name is made of"):
            Pay(Length()).named(label)  # type: ignore[arg-type]
    for label in ("a", "a.b:c-d_1", "길이"):
        assert Pay(Length()).named(label).part_names() == [label]


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_is_left_as_it_was(collects: bool) -> None:
    """Quick verifiers judge without it, and a reward that fails leaves it as it was, too."""
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        assert Pay(TagFormat())(completions=["<think>a</think><answer>4</answer>"]) == [1.0]
        assert gc.isenabled() is collects
        with pytest.raises(ConfigError):
            Pay(MathEquivalence())(completions=["4"])
        assert gc.isenabled() is collects
    finally:
        (gc.enable if before else gc.disable)()


@verifier
def collected(response: str) -> float:
    return float(gc.isenabled())


def test_a_reward_of_quick_parts_looks_for_no_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in its other nodes, either. What other verifiers judge with may make some."""
    seen: list[bool] = []

    def value(self: LengthTarget, length: int) -> float:
        seen.append(gc.isenabled())
        return 0.0

    monkeypatch.setattr(LengthTarget, "value", value)
    assert gc.isenabled()
    (0.5 * Pay(TagFormat()) + LengthTarget(100))(completions=["4"])
    assert seen == [False]
    assert (Pay(collected) + LengthTarget(100))(completions=["4"]) == [1.0]
