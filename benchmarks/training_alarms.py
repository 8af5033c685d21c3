"""How often alarms are raised for nothing: simulated runs whose metrics only fluctuate, or rise slowly.

python -m benchmarks.training_alarms
"""

from __future__ import annotations

import random
from collections.abc import Callable

from adapters.audit.alarms import Watcher
from adapters.audit.findings import FORMAT_KEY, LENGTH_KEY, STRICT_KEY
from training.config import Watch

RUNS, STEPS = 200, 300
Course = Callable[[float], float]


def flat(done: float) -> float:
    """Nothing is learned."""
    return 0.5


def rising(done: float) -> float:
    """The reward of a run that learns."""
    return 0.3 + 0.6 * done


def slowly(done: float) -> float:
    """The accuracy of a run that mostly learns the format."""
    return 0.2 + 0.1 * done


COURSES: dict[str, dict[str, Course]] = {
    "nothing is learned": {"reward": flat, STRICT_KEY: flat, LENGTH_KEY: flat, FORMAT_KEY: flat},
    "reward rises, accuracy hardly": {"reward": rising, STRICT_KEY: slowly, FORMAT_KEY: rising},
}


def main() -> None:
    """Print how many of the runs raise an alarm."""
    total = 0
    for name, courses in COURSES.items():
        for noise in (0.05, 0.3, 1.0):
            false = sum(raises(courses, noise, seed) for seed in range(RUNS))
            total += false
            print(f"{name}, noise of {noise:.0%}: {false} of {RUNS} runs of {STEPS} steps")
    print(f"together {total} of {RUNS * 3 * len(COURSES):,}")


def raises(courses: dict[str, Course], noise: float, seed: int) -> bool:
    """Whether a run raises any alarm. Noise is that of a step's mean, as a share of it."""
    rng = random.Random(f"{seed} {noise}")
    watcher = Watcher(Watch())
    return any(
        alert
        for step in range(1, STEPS + 1)
        for alert in watcher.add(
            {
                "step": step,
                **{key: course(step / STEPS) * (1 + rng.gauss(0, noise)) for key, course in courses.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
