"""Answers criticised and revised by a constitution's principles, and the training data from them."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError, Judge
from reward_verifiers.verifiers.judge.pairwise_judge import compare

from ..data import Row
from ..generation import Backend, Prompt, Sampling

LISTS = ("principles", "constitution")
"""What a mapping calls its list."""
MOST = 1000
"""Principles of a constitution."""


@dataclass(frozen=True)
class Principle:
    """A principle of a constitution, as requests.

    Args:
        critique: Asks what is wrong with the answer.
        revision: Asks to rewrite it.
    """

    critique: str
    revision: str


def read_constitution(path: str) -> list[Principle]:
    """Return the principles of a file.

    Args:
        path: YAML or JSON: a list, alone or under `principles`, of texts ("Do not insult anybody.") or of
            mappings with `critique` and `revision`, as the paper's constitution has them, or with `text`.

    Raises:
        ConfigError: There is no such file, or it holds something else.
    """
    import yaml

    try:
        text = Path(path).read_text(encoding="utf-8")
        found: Any = json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigError(f"--constitution {path} cannot be read: {str(error)[:200]}") from None
    if isinstance(found, Mapping):
        found = next((found[name] for name in LISTS if name in found), None)
    if not isinstance(found, list) or not 0 < len(found) <= MOST:
        raise ConfigError(
            f"--constitution {path} must hold a list of principles, alone or under 'principles'"
        )
    where = f"--constitution {path}: principle"
    return [_principle(each, f"{where} {number}") for number, each in enumerate(found, 1)]


def _principle(each: Any, where: str) -> Principle:
    if isinstance(each, Mapping) and isinstance(each.get("critique"), str):
        revision = each.get("revision") or each.get("revise")
        if isinstance(revision, str):
            return Principle(each["critique"].strip(), revision.strip())
    text = each.get("text") if isinstance(each, Mapping) else each
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"{where} must be a text, or have 'critique' and 'revision', got {each!r:.80}")
    rule = text.strip()
    return Principle(
        f"In what way does your last answer fall short of this principle: {rule} Be brief and specific.",
        f"Rewrite your last answer so that it follows this principle: {rule} Write nothing else.",
    )


def drawn(principles: list[Principle], seed: int, row: int, rounds: int) -> list[Principle]:
    """Draw the principles of a row's rounds, the same in each run, repeating none while others are left."""
    chance = random.Random(f"{seed}/{row}")  # noqa: S311
    made: list[Principle] = []
    while len(made) < rounds:
        made += chance.sample(principles, len(principles))
    return made[:rounds]


WINDOW = 32
"""Rows that go through all rounds together: what a kill may lose."""


@dataclasses.dataclass(frozen=True)
class CritiquePlan:
    """Treatment of rows.

    Args:
        principles: The constitution.
        rounds: Critiques with a revision, one after the other.
        sampling: Settings of sampling, with one answer each.
        judge: Decides between the first answer and the last revision, in both orders; None to take the
            revision for the better one, as open versions of the method do.
        model: Which answers.
    """

    principles: list[Principle]
    rounds: int
    sampling: Sampling
    judge: Judge | None = None
    model: str = ""

    def digest(self, rows: Sequence[Row]) -> str:
        """Return a digest of everything that a file's lines depend on."""
        said = [
            [dataclasses.astuple(each) for each in self.principles],
            self.rounds,
            self.sampling.identity(),
            None if self.judge is None else self.judge.identity(),
            [row["prompt"] for row in rows],
            self.model,
        ]
        return hashlib.blake2b(json.dumps(said, default=str).encode(), digest_size=8).hexdigest()


def critique_rows(
    backend: Backend,
    rows: Sequence[Row],
    plan: CritiquePlan,
    path: Path,
    say: Callable[[str], object] = lambda line: None,
) -> list[dict[str, Any]]:
    """Return the lines of all rows, keeping those in the file and appending the others.

    Args:
        backend: Model that answers, criticises and rewrites.
        rows: With their prompts.
        plan: How.
        path: A line for each row: ``answers`` (the first and every revision), ``critiques``, ``better``.
        say: Told now and then how many rows are done.

    Raises:
        ConfigError: The file was written by another plan, for other rows, or is none of these.
    """
    digest = plan.digest(rows)
    made = _kept(path, digest)
    with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        while len(made) < len(rows):
            start = len(made)
            window = rows[start : start + WINDOW]
            for line in _window(backend, window, plan, start):
                made.append({**line, "plan": digest})
                file.write(json.dumps(made[-1], ensure_ascii=False, default=str) + "\n")
            file.flush()
            say(f"{len(made)} of {len(rows)} rows")
    return made


def _kept(path: Path, digest: str) -> list[dict[str, Any]]:
    """Return the whole lines in the file, after cutting off a torn last one."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except ValueError:
        lines = [None]
    if any(not isinstance(line, dict) or line.get("plan") != digest for line in lines):
        raise ConfigError(
            f"{path} was written for other rows, principles or settings, or by another model; choose another "
            "folder, or delete it"
        )
    return lines


def _window(
    backend: Backend, rows: Sequence[Row], plan: CritiquePlan, start: int
) -> Iterator[dict[str, Any]]:
    seed = plan.sampling.seed
    chosen = [drawn(plan.principles, seed, start + place, plan.rounds) for place in range(len(rows))]
    prompts = [row["prompt"] for row in rows]
    talks: list[list[str]] = [[] for _ in rows]
    answers = [[text] for text in _said(backend, prompts, plan, start)]
    critiques: list[list[str]] = [[] for _ in rows]

    def go_on(last: list[list[str]], requests: Sequence[str], made: list[list[str]], number: int) -> None:
        for talk, texts, request in zip(talks, last, requests, strict=True):
            talk += [texts[-1], request]
        further = [_conversation(prompt, talk) for prompt, talk in zip(prompts, talks, strict=True)]
        for texts, text in zip(made, _said(backend, further, plan, start + number), strict=True):
            texts.append(text)

    for number in range(plan.rounds):
        go_on(answers, [each[number].critique for each in chosen], critiques, number)
        go_on(critiques, [each[number].revision for each in chosen], answers, number)
    better = _better(plan, rows, answers)
    for row, own, found, (which, margin) in zip(rows, answers, critiques, better, strict=True):
        yield {
            "prompt": row["prompt"],
            "answers": own,
            "critiques": found,
            "better": which,
            "margin": margin,
        }


def _said(backend: Backend, prompts: Sequence[Prompt], plan: CritiquePlan, seed: int) -> list[str]:
    sampling = dataclasses.replace(plan.sampling, k=1, seed=(plan.sampling.seed + seed) % 2**31)
    return [group[0].text for group in backend.generate(prompts, sampling)]


def _conversation(prompt: Prompt, talk: Sequence[str]) -> Prompt:
    """Return the prompt with the turns after it: answer, request, answer, request ..."""
    if isinstance(prompt, str):
        said = [f"\n\nRequest: {each}\n\n" if place % 2 else each for place, each in enumerate(talk)]
        return prompt + "".join(said)
    roles = ("assistant", "user")
    return [*prompt, *({"role": roles[place % 2], "content": each} for place, each in enumerate(talk))]


def _better(
    plan: CritiquePlan, rows: Sequence[Row], answers: Sequence[Sequence[str]]
) -> list[tuple[str, float]]:
    """Compare the first answer and the last revision: "first", "revision", "tie" or "unjudged"."""
    if plan.judge is None:
        same = [own[0].split() == own[-1].split() or not own[-1].strip() for own in answers]
        return [("tie", 0.0) if each else ("revision", 1.0) for each in same]
    pairs = [(own[0], own[-1]) for own in answers]
    names = {"first": "first", "second": "revision", "tie": "tie", None: "unjudged"}
    found = compare(plan.judge, pairs, [row["prompt"] for row in rows])
    return [(names[each.better], each.margin) for each in found]


def training_rows(lines: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return rows to imitate (prompt, completion), and pairs (prompt, chosen, rejected, margin).

    A revision that the judge finds worse is not imitated, and a tie is no pair.
    """
    learned = [
        {"prompt": each["prompt"], "completion": _told(each["prompt"], each["answers"][-1])}
        for each in lines
        if each["better"] == "revision"
    ]
    pairs = []
    for each in lines:
        if each["better"] in ("first", "revision"):
            sides = [each["answers"][0], each["answers"][-1]]
            rejected, chosen = sides if each["better"] == "revision" else reversed(sides)
            prompt = each["prompt"]
            both = {"chosen": _told(prompt, chosen), "rejected": _told(prompt, rejected)}
            pairs.append({"prompt": prompt, **both, "margin": each["margin"]})
    return learned, pairs


def _told(prompt: Any, text: str) -> Any:
    return text if isinstance(prompt, str) else [{"role": "assistant", "content": text}]
