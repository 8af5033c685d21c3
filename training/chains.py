"""A task of several steps: chains of three calculations, a small model, and a teacher who slips.

``17 pens. 5 come, 8 go, 2 times. How many?`` is worked out line by line. The teacher forgets carries, and
borrows most of the time, so that what a model learns is right about half the time, and its most frequent
answer is wrong wherever there is a borrow. After some slips the teacher writes down, as if from a look at the
solution, what would have been right: a right answer from wrong steps. What is right is known for each step.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from reward_verifiers.verifiers.korean import josa
from reward_verifiers.verifiers.process.steps import By, Steps

from .small_models import TAGS, save_model

Kind = Literal["add", "take", "double"]
Language = Literal["en", "ko"]

_KINDS: tuple[Kind, ...] = ("add", "take", "double")
_NUMBER = r"(\d{1,4})"
_ANSWER = re.compile(r"<SOLUTION>(\d{1,4})</SOLUTION>")


class Chain(NamedTuple):
    """A start and its changes in order: each a kind and a number."""

    start: int
    changes: tuple[tuple[Kind, int], ...]
    thing: int = 0

    @property
    def values(self) -> tuple[int, ...]:
        """The start, and the right value after each step."""
        found = [self.start]
        for kind, number in self.changes:
            found.append(worked_out(kind, found[-1], number))
        return tuple(found)

    @property
    def answer(self) -> int:
        """The right final value."""
        return self.values[-1]


class StepTruth(NamedTuple):
    """Truth of a step.

    Args:
        start: Its start in the completion.
        end: Its end.
        holds: It is a right calculation, whatever it starts from; for the answer: it is right. None for a
            step that says neither.
        right: It is the one that the question asks for here, and so are all before it.
    """

    start: int
    end: int
    holds: bool | None
    right: bool


def worked_out(kind: Kind, value: int, number: int) -> int:
    """Return the result of a change to a value."""
    return value + number if kind == "add" else value - number if kind == "take" else value * 2


def asked(chain: Chain, language: Language = "en") -> str:
    """Return the question of a chain.

    >>> asked(Chain(17, (("add", 5), ("take", 8), ("double", 2))))
    '17 pens. 5 come, 8 go, 2 times. How many?\\n'
    """
    words = task_words()[language]
    changes = ", ".join(words[kind].format(b=number) for kind, number in chain.changes)
    return str(
        words["question"].format(start=chain.start, thing=words["things"][chain.thing], changes=changes)
    )


def written(chain: Chain, values: tuple[int, ...], language: Language = "en") -> str:
    r"""Return a completion: the working of each step, with the last result as the answer.

    >>> chain = Chain(17, (("add", 5), ("take", 8), ("double", 2)))
    >>> written(chain, chain.values[1:])
    '<THINK>17+5=22\n22-8=14\n14*2=28\n</THINK><SOLUTION>28</SOLUTION>'
    """
    words = task_words()[language]
    starts = (chain.start, *values)
    lines = [
        words["steps"][kind].format(a=before, b=number, c=after, object=_object(words, number))
        for (kind, number), before, after in zip(chain.changes, starts, values, strict=False)
    ]
    return f"<THINK>{''.join(line + chr(10) for line in lines)}</THINK><SOLUTION>{values[-1]}</SOLUTION>"


def truth(question: str, completion: str, by: By = "marks") -> list[StepTruth]:
    r"""Return the truth of each step of a completion, known from the question.

    Args:
        question: As `asked` writes it.
        completion: Anything.
        by: End of a step; see `verifiers.process.steps.Steps`.

    Raises:
        ValueError: The question is not one of this task.

    >>> question = "17 pens. 5 come, 8 go, 2 times. How many?\n"
    >>> said = "<THINK>17+5=23\n23-8=15\n15*2=28\n</THINK><SOLUTION>28</SOLUTION>"
    >>> [(step.holds, step.right) for step in truth(question, said)]
    [(False, False), (True, False), (False, False), (True, False)]
    """
    chain = read(question)
    expected = list(zip(chain.values, chain.changes, chain.values[1:], strict=False))
    found, right = [], True
    for step in Steps(by).split(completion):
        text = completion[step.start : step.end]
        claims = _claims(text)
        done = [worked_out(kind, before, number) == after for before, (kind, number), after in claims]
        if claims:
            right = right and claims == expected[: len(claims)]
            del expected[: len(claims)]
        elif answer := _ANSWER.search(text):
            done = [int(answer[1]) == chain.answer]
            right = right and done[0] and not expected
        found.append(StepTruth(*step, all(done) if done else None, right))
    return found


def read(question: str) -> Chain:
    """Return the chain that a question asks for, in either language.

    Raises:
        ValueError: The question is not one of this task.

    >>> read("17 pens. 5 come, 8 go, 2 times. How many?").values
    (17, 22, 14, 28)
    """
    for words in task_words().values():
        for thing, name in enumerate(words["things"]):
            form = words["question"].strip()
            asks = re.fullmatch(_pattern(form, start=_NUMBER, thing=name, changes="(.+)"), question.strip())
            if asks:
                changes = [_change(words, each) for each in asks[2].split(", ")]
                if None not in changes:
                    return Chain(int(asks[1]), tuple(each for each in changes if each), thing)
    raise ValueError(f"not a question of this task: {question!r:.80}")


@lru_cache(maxsize=1)
def task_words() -> dict[str, Any]:
    """Return the words of the task, by language."""
    path = Path(__file__).with_name("chain_words.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _object(words: Mapping[str, Any], number: int) -> str:
    return josa(str(number), words["object"]) if words["object"] else ""


def _pattern(form: str, **groups: str) -> str:
    """Return a form with groups in its places, as a regular expression."""
    parts = re.split(r"\{(\w+)\}", form)
    return "".join(groups[part] if at % 2 else re.escape(part) for at, part in enumerate(parts))


def _change(words: Mapping[str, Any], said: str) -> tuple[Kind, int] | None:
    for kind in _KINDS:
        if found := re.fullmatch(_pattern(words[kind], b=_NUMBER), said):
            return kind, int(found[1]) if found.groups() else 2
    return None


@lru_cache(maxsize=1)
def _forms() -> list[tuple[Kind, re.Pattern[str]]]:
    """Return the patterns of calculations of each kind, in all languages."""
    return [
        (
            kind,
            re.compile(
                r"(?<!\d)"
                + _pattern(
                    words["steps"][kind].rstrip("."),
                    a=_NUMBER,
                    b=_NUMBER,
                    c=_NUMBER + r"(?!\d)",
                    object=f"[{words['object']}]?",
                )
            ),
        )
        for words in task_words().values()
        for kind in _KINDS
    ]


def _claims(text: str) -> list[tuple[int, tuple[Kind, int], int]]:
    """Return the calculations in a text, in order: value before, change, and value after."""
    found = []
    for kind, form in _forms():
        for said in form.finditer(text):
            numbers = [int(each) for each in said.groups()]
            change = (kind, 2 if len(numbers) == 2 else numbers[1])
            found.append((said.start(), (numbers[0], change, numbers[-1])))
    return [claim for _, claim in sorted(found)]


SLIPS: Mapping[str, float] = {"add": 0.3, "take": 0.6, "double": 0.3}
"""How often the teacher forgets a carry or a borrow."""
_WORDS = re.compile(r" ?[^\W\d_]+|[\s\S]")


def problems(
    part: Literal["train", "heldout"] = "train",
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    steps: int = 3,
    language: Language = "en",
) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question`` and ``answer``.

    Args:
        part: The chains to train on, or others.
        train: Chains to train on.
        held: Chains held out.
        seed: Random seed of the chains.
        steps: Calculations in each.
        language: Language of the question: English or Korean.

    >>> next(problems())["question"]
    '27 pens. 2 come, 2 times, 4 come. How many?\\n'
    """
    for chain in _split(train, held, seed, steps)[part == "heldout"]:
        yield {"question": asked(chain, language), "answer": str(chain.answer)}


def lessons(
    train: int = 3000,
    held: int = 200,
    seed: int = 0,
    steps: int = 3,
    language: Language = "en",
    slips: Mapping[str, float] = SLIPS,
    whim: float = 0.03,
    healed: float = 0.3,
) -> Iterator[dict[str, Any]]:
    """Yield the teacher's completions of the training chains of `problems`, with ``question`` and ``answer``.

    `slips` are the shares of forgotten carries and borrows, by kind; `whim` is that of steps off by one for
    no reason, and `healed` that of slips after which the next step ends as if there had been none.
    """
    rng = random.Random(f"{seed} lessons")  # noqa: S311
    for chain in _split(train, held, seed, steps)[0]:
        said = _said(rng, chain, language, slips, whim, healed)
        yield {"question": asked(chain, language), "answer": str(chain.answer), "completion": said}


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 4, language: Language = "en") -> None:
    """Save a small untrained Llama with a tokenizer of characters, words and tags.

    Args:
        folder: Folder for the model.
        seed: Random seed of the weights.
        hidden: Width.
        layers: Depth.
        language: Language of prompts and completions.
    """
    chain = Chain(10, (("add", 1), ("take", 2), ("double", 2)))
    said = [
        asked(chain._replace(thing=thing), language) + written(chain, (1, 9, 18), language)
        for thing in range(len(task_words()[language]["things"]))
    ]
    bare = re.sub("|".join(TAGS), "", "\n".join([*said, asked(chain, language)]))
    words = dict.fromkeys([*"0123456789 ", *_WORDS.findall(bare)])
    save_model(folder, list(words), _WORDS.pattern, seed, hidden, layers)


@lru_cache(maxsize=4)
def _split(train: int, held: int, seed: int, steps: int) -> tuple[list[Chain], list[Chain]]:
    """Return two disjoint lists of chains."""
    rng = random.Random(f"{seed} chains")  # noqa: S311
    found: dict[Chain, None] = {}
    while len(found) < train + held:
        found[_drawn(rng, steps)] = None
    chains = list(found)
    return chains[held:], chains[:held]


def _drawn(rng: random.Random, steps: int) -> Chain:
    """Draw a chain whose values have one or two digits."""
    start = rng.randint(10, 49)
    value = start
    changes: list[tuple[Kind, int]] = []
    kinds: list[tuple[Kind, int, int]] = [("add", 1, 9), ("take", 1, 9), ("double", 2, 2)]
    while len(changes) < steps:
        kind, least, most = rng.choice(kinds)
        number = rng.randint(least, most)
        if 10 <= worked_out(kind, value, number) <= 99:
            value = worked_out(kind, value, number)
            changes.append((kind, number))
    return Chain(start, tuple(changes), rng.randrange(3))


def _said(
    rng: random.Random,
    chain: Chain,
    language: Language,
    slips: Mapping[str, float],
    whim: float,
    healed: float,
) -> str:
    said = [chain.start]
    for (kind, number), before, right in zip(chain.changes, chain.values, chain.values[1:], strict=False):
        heals = said[-1] != before and rng.random() < healed
        said.append(right if heals else _slipped(rng, kind, said[-1], number, slips, whim))
    return written(chain, tuple(said[1:]), language)


def _slipped(
    rng: random.Random, kind: Kind, value: int, number: int, slips: Mapping[str, float], whim: float
) -> int:
    """Return the teacher's result of a change, with its slips."""
    result, ones = worked_out(kind, value, number), value % 10
    carries = {"add": ones + number > 9, "take": ones < number, "double": ones > 4}[kind]
    if carries and rng.random() < slips.get(kind, 0.0):
        result += 10 if kind == "take" else -10
    elif rng.random() < whim:
        result += rng.choice((-1, 1))
    return max(0, result)
