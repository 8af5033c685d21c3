"""Alarms, on histories whose course is known."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.audit.alarms import Watcher
from adapters.audit.findings import LENGTH_KEY, SAME_KEY, STRICT_KEY
from tests.timing import examples
from tests.training.runs import config
from training.config import AdaptiveKL, Watch, stages_of
from training.watch.run_page import write_report
from training.watch.trainer_callbacks import next_beta

Course = Callable[[float], float]


def raised(
    watch: Watch | None = None, steps: int = 200, seed: int = 0, noise: float = 0.04, **courses: Course
) -> set[str]:
    """The alarms of a run whose metrics follow courses over its progress, with noise."""
    rng = random.Random(seed)
    watcher = Watcher(watch or Watch())
    names: set[str] = set()
    keys = {"strict": STRICT_KEY, "length": LENGTH_KEY, "format": "rewards/format/mean", "same": SAME_KEY,
            "unscored": "reward/unscored", "cut": "completions/clipped_ratio"}  # fmt: skip
    for step in range(1, steps + 1):
        row: dict[str, Any] = {"step": step, "loss": 0.01, "grad_norm": 0.5}
        for name, course in courses.items():
            row[keys.get(name, name)] = course(step / steps) * (1 + rng.gauss(0, noise))
        names |= {alert.name for alert in watcher.add(row)}
    return names


def up(done: float) -> float:
    return 0.3 + 0.6 * done


def down(done: float) -> float:
    return 0.6 - 0.5 * done


def flat(done: float) -> float:
    return 0.5


@pytest.mark.parametrize(
    ("courses", "expected"),
    [
        ({"reward": up, "strict": up}, set()),
        ({"reward": up, "strict": up, "length": lambda done: 100 + 300 * done}, set()),
        ({"reward": flat, "strict": flat, "same": lambda done: 0.5}, set()),
        ({"reward": flat, "strict": flat, "cut": lambda done: 0.5}, set()),
        ({"reward": flat, "strict": flat, "cut": lambda done: 1.0}, {"cut_off"}),
        ({"reward": up, "strict": lambda done: 0.97, "cut": lambda done: 1.0}, set()),
        ({"reward": up, "strict": lambda done: 0.95, "same": lambda done: 1.0}, set()),
        ({"reward": up, "strict": down}, {"hacking"}),
        ({"reward": lambda done: up(done) if done < 0.5 else 0.9, "strict": lambda done: 0.6 if done < 0.5 else 0.2},
         {"hacking"}),
        ({"reward": up, "strict": flat, "length": lambda done: 100 + 300 * done}, {"length_drift"}),
        ({"reward": up, "strict": flat, "length": lambda done: 100 - 80 * done}, {"length_drift"}),
        ({"reward": up, "strict": up, "format": down}, {"format_drift"}),
        ({"reward": lambda done: up(done) if done < 0.6 else 0.2}, {"collapse"}),
        ({"reward": lambda done: up(done) if done < 0.6 else 0.2, "strict": lambda done: 0.5 if done < 0.6 else 0.25},
         {"collapse"}),
        ({"reward": lambda done: up(done) if done < 0.6 else 0.2, "strict": flat}, set()),
        ({"reward": down, "strict": up}, set()),
        ({"reward": flat, "strict": lambda done: 0.4 if done < 0.2 else 0.0}, {"collapse"}),
        ({"reward": flat, "same": lambda done: 1.0}, {"zero_variance"}),
        ({"reward": flat, "unscored": lambda done: 0.5}, {"unscored"}),
    ],
)  # fmt: skip
def test_each_course_raises_its_own_alarm(courses: dict[str, Course], expected: set[str]) -> None:
    """On ten seeds."""
    for seed in range(10):
        assert raised(seed=seed, **courses) == expected


@pytest.mark.parametrize("noise", [0.05, 0.3, 1.0])
def test_noise_alone_raises_nothing(noise: float) -> None:
    """A hundred runs of 300 steps that stay where they are, or learn slowly."""
    false = 0
    for seed in range(50):
        false += bool(
            raised(steps=300, seed=seed, noise=noise, reward=flat, strict=flat, length=flat, format=flat)
        )
        false += bool(
            raised(steps=300, seed=seed, noise=noise, reward=up, strict=lambda done: 0.2 + 0.1 * done)
        )
    assert false <= 1


@pytest.mark.parametrize("name", ["loss", "grad_norm"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_none_are_told_at_once(name: str, value: float) -> None:
    """The weights are ruined."""
    [alert] = Watcher(Watch()).add({"step": 1, "reward": 0.1, name: value})
    assert (alert.name, alert.step) == ("not_finite", 1)


@pytest.mark.parametrize("value", [None, math.nan])
def test_a_batch_without_any_reward_is_told_at_once(value: Any) -> None:
    """Nothing was judged."""
    [alert] = Watcher(Watch()).add({"step": 3, "reward": value})
    assert alert.name == "unscored"
    assert not list(Watcher(Watch()).add({"step": 3, "eval_reward": value}))


def test_messages_name_figures_and_what_to_do() -> None:
    """A person reads them at four in the morning."""
    watcher = Watcher(Watch(every=5))
    alerts = [
        alert
        for step in range(1, 60)
        for alert in watcher.add(
            {
                "step": step,
                "reward": 0.2 + step / 60 + step % 3 / 100,
                STRICT_KEY: 0.9 - step / 60 + step % 3 / 100,
            }
        )
    ]
    assert "reward rose from 0." in alerts[0].message
    assert "strict accuracy fell from 0.8" in alerts[0].message
    assert "correct the recipe" in alerts[0].message
    assert set(alerts[0].values) == {"reward_before", "reward", "before", "now"}


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=40))
def test_no_kl_leads_out_of_bounds(kls: list[float]) -> None:
    """Whatever is measured, beta stays within its bounds, and nothing is raised."""
    options = AdaptiveKL(target=0.1, minimum=1e-3, maximum=0.5)
    beta = 0.04
    for kl in kls:
        beta = next_beta(options, kl, beta)
        assert 1e-3 <= beta <= 0.5 or beta == 0.04


def test_beta_follows_the_seeds_formula() -> None:
    """Times 1.5 above 1.5 times the target, divided by it below half the target."""
    options = AdaptiveKL(target=0.2, minimum=1e-6, maximum=10)
    assert next_beta(options, 0.31, 0.1) == pytest.approx(0.15)
    assert next_beta(options, 0.09, 0.15) == pytest.approx(0.1)
    assert next_beta(options, 0.3, 0.1) == next_beta(options, 0.1, 0.1) == 0.1


@settings(deadline=None, max_examples=examples(50))
@given(
    st.lists(
        st.fixed_dictionaries(
            {"step": st.integers(1, 10**6)},
            optional={
                key: st.none() | st.floats() | st.text(max_size=3)
                for key in ("reward", STRICT_KEY, LENGTH_KEY, SAME_KEY, "loss", "rewards/format/mean")
            },
        ),
        max_size=60,
    )
)
def test_no_history_breaks_the_watcher(rows: list[dict[str, Any]]) -> None:
    """It runs inside somebody's training."""
    watcher = Watcher(Watch(every=1))
    for row in sorted(rows, key=lambda each: each["step"]):
        list(watcher.add(row))


def test_the_page_compares_answers_to_the_same_prompts(tmp_path: Path) -> None:
    """Stages may measure different rows; an answer stands beside no other prompt's."""

    def exam(name: str) -> dict[str, Any]:
        samples = [{"prompt": f"{name}?", "answer": None, "completion": f"to {name}", "reward": 0.0}]
        return {"heldout": {"samples": samples, "accuracy": None}}

    run = config(tmp_path, stages=[{"kind": "grpo"}, {"kind": "sft"}])
    common = {"seconds": 1.0, "steps": 1, "rows": 1}
    found = {"grpo": {**common, "start": exam("a"), "end": exam("a")}, "sft": {**common, "end": exam("b")}}
    page = write_report(run, stages_of(run), found).read_text()
    assert "| `b?` |  | `to b` | `to b` |" in page
    assert "`a?`" not in page


def resumed(
    kl: Callable[[int], float], step: int = 40, steps: int = 80, seed: int = 0, noise: float = 0.2
) -> set[str]:
    """The alarms of a run whose KL follows a course, and which was resumed after a step."""
    rng = random.Random(seed)
    watcher = Watcher(Watch(), step)
    rows = ({"step": at, "kl": kl(at) * (1 + rng.gauss(0, noise))} for at in range(1, steps + 1))
    return {alert.name for row in rows for alert in watcher.add(row)}


def test_kl_that_jumps_where_a_run_was_resumed_raises_an_alarm() -> None:
    """As with the first reference model in place of the one that had moved along; and in a new run nothing does."""
    moved: Callable[[int], float] = lambda step: 0.01 + 0.0002 * step if step <= 40 else 0.2 + 0.002 * step  # noqa: E731
    assert resumed(moved) == {"kl_jump"}
    assert resumed(moved, step=0) == set()
    assert resumed(moved, step=4) == set(), "too little is known of the steps before"


def test_kl_that_goes_on_raises_none() -> None:
    """Of 700 healthy runs, whether it grows, grows ever faster, or stays."""
    courses: list[Callable[[int], float]] = [
        lambda step: 0.05, lambda step: 0.001 * step, lambda step: 0.0005 * 1.08**step
    ]  # fmt: skip
    raised_ones = [seed for seed in range(700) if resumed(courses[seed % 3], seed=seed)]
    assert raised_ones == []
