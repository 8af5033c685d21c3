"""Labels by rollouts equal the truth of a world in which it is known."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence

import pytest

from training.research.rollouts import Labelled, Order, Solution, Tally, labelled
from verifiers.process.steps import Steps

ORDERS: list[Order] = ["every", "until_first_error", "bisect"]
KOREAN = "1단계: 사과 3개와 배 5개를 더하면 3+5=8개이다.\n2단계: 8에서 2를 빼면 8-2=6이다.\n3단계: 따라서 답은 6이다."


class World:
    """Sums that are added up digit by digit; whoever continues goes on from the last total.

    Each continuation has a luck in [0, 1) of its own: below `slip` it goes wrong, below `cure` it puts a wrong
    total right. So what comes of a beginning is known exactly.
    """

    def __init__(self, slip: float = 0.0, cure: float = 0.0, k: int = 4, blind: float = 0.0) -> None:
        self.slip, self.cure, self.k, self.blind = slip, cure, k, blind
        self.asked: list[list[str]] = []

    def chance(self, text: str) -> float:
        """The share of continuations of a beginning that end right."""
        return 1 - self.slip if right(text) else self.cure

    def __call__(self, starts: Sequence[tuple[int, str]], seed: int) -> list[list[bool | None]]:
        """See `rollouts.Roll`."""
        rng = random.Random(seed)
        self.asked.append([prefix for _, prefix in starts])
        return [
            [None if rng.random() < self.blind else rng.random() < self.chance(prefix) for _ in range(self.k)]
            for _, prefix in starts
        ]


def right(text: str) -> bool:
    """Whether every sum in a text is right."""
    return all(int(a) + int(b) == int(c) for a, b, c in re.findall(r"(\d+)\+(\d+)=(\d+)", text))


def sums(rng: random.Random, wrong: int | None, length: int) -> Solution:
    """A running sum with an error in one step, or none."""
    lines, total = [], 0
    for step in range(length):
        add = rng.randint(1, 9)
        said = total + add + (step == wrong)
        lines.append(f"Step {step + 1}: {total}+{add}={said}.")
        total = said
    return Solution.of("\n".join(lines), Steps(), wrong is None)


def truth(solution: Solution) -> list[bool]:
    """Whether each beginning is without an error."""
    return [right(solution.prefix(step)) for step in range(len(solution.spans))]


def drawn(count: int = 60) -> list[Solution]:
    """Solutions of one to nine steps with an error anywhere, or none."""
    rng = random.Random(3)
    sizes = [rng.randint(1, 9) for _ in range(count)]
    return [sums(rng, rng.choice([None, *range(size)]), size) for size in sizes]


@pytest.mark.parametrize("order", ORDERS)
def test_where_nothing_is_chance_labels_are_the_truth(order: Order) -> None:
    """Whatever is asked for: labels are true or unknown, and what is left out comes after the first error."""
    solutions, world = drawn(), World()
    found = labelled(solutions, world, order)
    for solution, each in zip(solutions, found, strict=True):
        wanted = truth(solution)
        first = wanted.index(False) if False in wanted else len(wanted)
        if order == "every":
            assert list(each.labels) == wanted
        else:
            assert list(each.labels) == [*wanted[: first + 1], *([None] * (len(wanted) - first - 1))]
    asked = [prefix for prefixes in world.asked for prefix in prefixes]
    assert order != "until_first_error" or all(right(prefix) or _is_first(prefix) for prefix in asked)


def _is_first(prefix: str) -> bool:
    return right(prefix.rstrip().rpartition("\n")[0])


def test_halves_ask_for_fewer() -> None:
    """The logarithm of the steps, and nothing where the answer is right."""
    rng = random.Random(1)
    for wrong in range(32):
        world = World()
        labelled([sums(rng, wrong, 32)], world, "bisect")
        assert len(world.asked) <= 5
    world = World()
    [found] = labelled([sums(rng, None, 32)], world, "bisect")
    assert (world.asked, set(found.labels)) == ([], {True})


def test_soft_labels_are_the_share_within_their_intervals() -> None:
    """19 of 20 intervals hold the true chance."""
    solutions = drawn(80)
    world = World(slip=0.3, cure=0.2, k=20)
    held = [
        tally.interval[0] <= world.chance(solution.prefix(step)) <= tally.interval[1]
        for solution, each in zip(solutions, labelled(solutions, world), strict=True)
        for step, tally in enumerate(each.tallies[:-1])
        if tally is not None and tally.interval is not None
    ]
    assert len(held) > 300
    assert 0.92 < sum(held) / len(held) < 0.985


def test_the_last_step_of_a_solution_that_ended_is_its_answer() -> None:
    """Nothing is asked for it; of one that was cut off it is asked."""
    world = World()
    [ended] = labelled([Solution.of("1+1=2.\n2+2=5.", Steps(), False)], world)
    assert (ended.tallies[-1], [each for asked in world.asked for each in asked]) == (
        Tally(0, 1),
        ["1+1=2.\n"],
    )
    [cut] = labelled([Solution.of("1+1=2.\n2+2=5.", Steps(), False, ended=False)], world)
    assert cut.tallies[-1] == Tally(0, 4)
    [unknown] = labelled([Solution.of("1+1=2.", Steps(), None)], world)
    assert unknown.labels == (None,)


@pytest.mark.parametrize("order", ORDERS)
def test_what_could_not_be_judged_is_unknown(order: Order) -> None:
    """Never wrong: a step without a right completion, one of which was not judged, has no label."""
    solutions = drawn()
    for blind in (0.3, 1.0):
        for solution, each in zip(solutions, labelled(solutions, World(blind=blind), order), strict=True):
            for label, is_right, tally in zip(each.labels, truth(solution), each.tallies, strict=True):
                assert label is None or label == is_right
                if tally is not None and tally.judged == 0:
                    assert (tally.soft, tally.hard) == (None, None)


@pytest.mark.parametrize("order", ORDERS)
def test_the_same_seed_gives_the_same_labels(order: Order) -> None:
    """And another one others."""

    def once(seed: int) -> list[Labelled]:
        return labelled(drawn(), World(slip=0.4, cure=0.3), order, seed)

    assert once(1) == once(1) != once(2)


@pytest.mark.parametrize(
    "text", [KOREAN, "사과가 3+5=8개 있다. 두 개를 먹으면 8-2=6개다. 답은 6개다.", "", "\n\n"]
)
def test_korean_steps_have_prefixes_that_are_the_text(text: str) -> None:
    """Each prefix begins the next one, the last is all; numbered steps and sentences."""
    solution = Solution.of(text, Steps(), True)
    assert len(solution.spans) == (3 if text.strip() else 0)
    prefixes = [solution.prefix(step) for step in range(len(solution.spans))]
    assert all(later.startswith(prefix) for prefix, later in itertools.pairwise(prefixes))
    assert all(prefix.rstrip().endswith(step) for prefix, step in zip(prefixes, solution.steps, strict=True))
    assert not prefixes or prefixes[-1] == text
    [found] = labelled([solution], World())
    assert found.labels == (True,) * len(solution.spans)


def test_a_wrong_korean_step_is_found() -> None:
    """Where its sum is wrong."""
    text = KOREAN.replace("8-2=6", "8+2=11")
    solution = Solution.of(text, Steps(), False)
    for order in ORDERS:
        [found] = labelled([solution], World(), order)
        assert found.labels[:2] == (True, False)
