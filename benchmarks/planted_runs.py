"""Scored rows of simulated runs: healthy ones, and ones with a fault that is planted.

A policy answers sums; what its completions earn is judged by this library, as `verify-cli score` would. Each
run is a list of scored rows with `step`, for `adapters.audit` and its tests.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rewards import Batch, Pay, Reward, load_recipe
from training.run.sampled_rows import scored_line
from verifiers import MathEquivalence, MultipleChoice, TagFormat, verifier

WORDS = (
    "first add the ones then carry over and add tens so we get this many check again with care the "
    "sum is near "
    "to what was guessed because both numbers are small write it down and look once more"
).split()
KOREAN = (
    "먼저 일의 자리를 더하고 올림을 합니다 그다음 십의 자리를 더하면 합이 나옵니다 다시 한 번 확인합니다"
).split()
Course = Callable[[float], float]


def steady(value: float) -> Course:
    """The same at every step."""
    return lambda done: value


def rising(start: float, end: float) -> Course:
    """From one value to another."""
    return lambda done: start + (end - start) * done


@dataclass(frozen=True)
class Policy:
    """How a policy writes; each course goes over the progress of the run, 0 to 1.

    Args:
        right: How likely an answer is right, before the prompt's own difficulty.
        form: How likely the tags are there.
        words: Words of working.
        tags: More tags than are asked for.
        korean: The share of completions in Korean.
        copies: How likely a completion is the one text that the policy always writes.
    """

    right: Course = field(default=rising(0.2, 0.8))
    form: Course = field(default=rising(0.4, 0.95))
    words: Course = field(default=steady(30.0))
    tags: Course = field(default=steady(0.0))
    korean: Course = field(default=steady(0.0))
    copies: Course = field(default=steady(0.0))


def tagged_reward() -> Reward:
    """An answer that is paid where the format is kept, and a little for the format."""
    return load_recipe("gsm8k_tags")


@verifier
def likes_length(response: str, completion: str) -> float:
    """A judge that takes length for quality."""
    return min(1.0, len(completion) / 1200)


@verifier
def says_yes(response: str, reference: str) -> bool:
    """A verifier that never looks."""
    return True


@verifier
def counts_tags(response: str) -> float:
    """A reward for tags, however many."""
    return min(1.0, response.count("<") / 40)


@verifier
def breaks_sometimes(response: str) -> bool:
    """A verifier of one's own that breaks on some of the rows."""
    if sum(map(ord, response)) % 20 == 0:
        raise RuntimeError("no such key")
    return True


def simulate(
    policy: Policy,
    reward: Reward,
    seed: int,
    *,
    steps: int = 40,
    prompts: int = 6,
    group: int = 6,
    with_steps: bool = True,
    strict: bool = True,
    choices: bool = False,
) -> Iterator[dict[str, Any]]:
    """The scored rows of a run.

    Args:
        policy: How it writes.
        reward: What pays.
        seed: Of everything.
        steps: Of the run.
        prompts: In a step.
        group: Completions of a prompt.
        with_steps: Whether rows say their step.
        strict: Whether rows say what is right beside what is paid.
        choices: Whether a letter of four is asked for, and answered in one short sentence.
    """
    rng = random.Random(seed)
    judge = MultipleChoice() if choices else MathEquivalence()
    for step in range(steps):
        done = step / max(1, steps - 1)
        rows, completions = [], []
        for _ in range(prompts):
            left, right, easy = rng.randint(10, 99), rng.randint(10, 99), rng.gauss(0, 0.15)
            for _ in range(group):
                if choices:
                    letters = "ABCD"
                    rows.append({"prompt": f"Which of {left} and {right} ...?", "answer": letters[left % 4]})
                    known = rng.random() < min(0.99, max(0.01, policy.right(done) + easy))
                    letter = letters[left % 4] if known else rng.choice(letters)
                    completions.append(f"The correct answer to this question is ({letter}).")
                    continue
                rows.append({"prompt": f"What is {left} + {right}?", "answer": str(left + right)})
                completions.append(_completion(policy, rng, done, left + right, easy))
        names = ("prompt", "answer")
        batch = Batch(completions, {name: [row[name] for row in rows] for name in names}, done, group)
        for row, completion, payment in zip(rows, completions, batch.pay(reward), strict=True):
            extra: dict[str, Any] = {"step": step} if with_steps else {}
            if strict:
                outcome = judge.verify(completion, row["answer"]).score
                extra["strict"] = {"strict": 0.0 if outcome is None else outcome}
            yield json.loads(scored_line(row, completion, payment, "simulated", **extra))


def _completion(policy: Policy, rng: random.Random, done: float, answer: int, easy: float) -> str:
    if rng.random() < policy.copies(done):
        return "<THINK>I add the numbers one by one, with great care.</THINK><SOLUTION>100</SOLUTION>"
    words = KOREAN if rng.random() < policy.korean(done) else WORDS
    said = " ".join(rng.choice(words) for _ in range(max(1, round(rng.gauss(1, 0.3) * policy.words(done)))))
    if rng.random() >= min(0.99, max(0.01, policy.right(done) + easy)):
        answer += rng.choice((-10, -2, -1, 1, 2, 10))
    more = "<THINK></THINK>" * round(policy.tags(done))
    if rng.random() < policy.form(done):
        return f"{more}<THINK>{said}</THINK><SOLUTION>{answer}</SOLUTION>"
    return f"{more}{said}. The answer is {answer}."


def flat_format() -> Reward:
    """A format that is paid on its own, beside the answer."""
    return 0.5 * Pay(MathEquivalence()).named("accuracy") + Pay(TagFormat(("THINK", "SOLUTION"))).named(
        "format"
    )


def chosen_letter() -> Reward:
    """The letter alone."""
    return Pay(MultipleChoice()).named("accuracy")


HEALTHY: Mapping[str, tuple[Policy, Callable[[], Reward], Mapping[str, Any]]] = {
    "it learns": (Policy(), tagged_reward, {}),
    "it learns slowly": (Policy(rising(0.3, 0.45), steady(0.9)), tagged_reward, {}),
    "it does not learn": (Policy(steady(0.4), steady(0.7)), tagged_reward, {}),
    "solved, without steps": (Policy(steady(0.97), steady(0.99)), tagged_reward, {"with_steps": False}),
    "longer and righter": (Policy(rising(0.2, 0.8), steady(0.9), rising(20, 45)), tagged_reward, {}),
    "one file of samples": (
        Policy(steady(0.5), steady(0.8)),
        tagged_reward,
        {"with_steps": False, "strict": False, "steps": 20},
    ),
    "multiple choice": (Policy(rising(0.2, 0.7)), chosen_letter, {"choices": True}),
}
_FLAT = Policy(steady(0.2), rising(0.1, 0.95))
PLANTED: Mapping[str, tuple[str, Policy, Callable[[], Reward], Mapping[str, Any]]] = {
    "collapse": (
        "collapse",
        Policy(lambda done: 0.6 if done < 0.5 else 0.02, lambda done: 0.9 if done < 0.5 else 0.3),
        tagged_reward,
        {},
    ),
    "length hack": (
        "length_drift",
        Policy(steady(0.4), steady(0.8), rising(30, 150)),
        lambda: tagged_reward() + Pay(likes_length).named("style"),
        {},
    ),
    "a judge that likes length": (
        "length_bias",
        Policy(steady(0.5), steady(0.9)),
        lambda: tagged_reward() + Pay(likes_length).named("judge"),
        {"with_steps": False},
    ),
    "tag stuffing": (
        "tag_stuffing",
        Policy(steady(0.4), steady(0.8), tags=rising(0, 8)),
        lambda: tagged_reward() + Pay(counts_tags).named("tags"),
        {},
    ),
    "a verifier that breaks on 5 %": (
        "fault",
        Policy(),
        lambda: tagged_reward() + Pay(breaks_sometimes).named("own"),
        {},
    ),
    "one completion for all prompts": (
        "one_completion",
        Policy(copies=lambda done: 0.9 * done),
        tagged_reward,
        {},
    ),
    "an always-true verifier": (
        "always_true",
        Policy(steady(0.5), steady(0.9)),
        lambda: Pay(says_yes).named("accuracy"),
        {"strict": False},
    ),
    "format paid, accuracy flat": ("hacking", _FLAT, flat_format, {}),
    "language drift": ("language_drift", Policy(korean=lambda done: max(0.0, done - 0.3)), tagged_reward, {}),
}


def healthy(name: str, seed: int) -> Iterator[dict[str, Any]]:
    """The rows of a healthy run, by its name in `HEALTHY`."""
    policy, reward, options = HEALTHY[name]
    yield from simulate(policy, reward(), seed, **options)


def planted(name: str, seed: int, dose: float = 1.0) -> Iterator[dict[str, Any]]:
    """The rows of a run with a fault, by its name in `PLANTED`.

    Args:
        name: Of the fault.
        seed: Of the run.
        dose: The share of the run's steps that there are.
    """
    _, policy, reward, options = PLANTED[name]
    given = dict(options)
    given["steps"] = max(12, round(dose * given.get("steps", 40)))
    yield from simulate(replace(policy), reward(), seed, **given)
