"""Completions that no reward should pay, made to fit a row and the form that the reward wants."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import TagFormat
from reward_verifiers.verifiers.core.completions import THINKING_TAGS

_FILE = Path(__file__).with_name("attacks.jsonl")


@dataclass(frozen=True)
class Attack:
    """A completion that is not right.

    Args:
        id: Its name.
        completion: With ``{prompt}``, ``{answer}``, ``{other}``, ``{another}``, and ``{form:TEXT}`` for a
            text in the form that the reward wants.
        note: What it tries.
    """

    id: str
    completion: str
    note: str

    def on(self, form: Form, prompt: str, answer: str, others: Sequence[str] = ()) -> str | None:
        """The completion for a row; None where what it says would be right by chance.

        Args:
            form: What the reward wants around an answer.
            prompt: The row's, as text.
            answer: The right one.
            others: Right answers of other rows, to be wrong with.
        """
        number = _number(answer)
        wrong = [other for other in others if other != answer]
        if number is not None:
            wrong = [str(number + 1), str(number + 10)]
        if "{other}" in self.completion and not wrong:
            return None
        if f"{{form:{answer}}}" in self.completion:
            return None
        values = {
            "{answer}": answer,
            "{other}": wrong[0] if wrong else "",
            "{another}": wrong[-1] if wrong else "",
            "{open}{close}": form.around(""),
        }
        text = self.completion
        for name, value in values.items():
            text = text.replace(name, value)
        return _formed(text, form).replace("{prompt}", prompt)


@dataclass(frozen=True)
class Form:
    """What a reward wants around an answer.

    Args:
        tags: Of its `TagFormat`, if it has one; the last one holds the answer.
        after: Whether the answer follows the last one instead, since that holds thinking.
        opened: Whether the chat template has written the first opening.
    """

    tags: tuple[str, ...] = ()
    after: bool = False
    opened: bool = False

    @classmethod
    def of(cls, reward: Reward) -> Form:
        """The form of a reward."""
        found = (each for each in reward.verifiers() if isinstance(each, TagFormat))
        first = next(found, None)
        if first is None:
            return cls()
        after = first.min_after > 0 or first.tags[-1].casefold() in THINKING_TAGS
        return cls(first.tags, after, first.prefilled is not None and first.opening == "absent")

    def around(self, answer: str, thinking: str = "So it is.") -> str:
        """An answer in this form; without tags, in a box."""
        if not self.tags:
            return f"\\boxed{{{answer}}}"
        inner = thinking if answer else ""
        held = [inner] * len(self.tags) if self.after else [inner] * (len(self.tags) - 1) + [answer]
        text = "".join(f"<{tag}>{each}</{tag}>" for tag, each in zip(self.tags, held, strict=True))
        if self.after:
            text += f" \\boxed{{{answer}}}" if answer else ""
        return text.removeprefix(f"<{self.tags[0]}>") if self.opened else text


def attacks() -> list[Attack]:
    """The bundled attacks.

    >>> len(attacks()) > 25
    True
    """
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return [Attack(**json.loads(line)) for line in lines]


def forms(reward: Reward, answer: str) -> Iterator[str]:
    """Honest completions that give an answer: one of them is in the form that the reward reads."""
    yield answer
    form = Form.of(reward)
    if form.tags:
        yield form.around(answer)
    yield f"\\boxed{{{answer}}}"
    yield f"<answer>{answer}</answer>"
    yield f"<SOLUTION>{answer}</SOLUTION>"
    yield f"#### {answer}"
    yield f"```python\n{answer}\n```"


def _formed(text: str, form: Form) -> str:
    """``{form:TEXT}`` replaced; the text may hold braces of its own."""
    while (start := text.find("{form:")) >= 0:
        depth, end = 0, start
        for end in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                break
        text = text[:start] + form.around(text[start + 6 : end]) + text[end + 1 :]
    return text


def _number(answer: str) -> int | None:
    try:
        return int(answer.replace(",", "").strip())
    except ValueError:
        return None


def prompt_text(prompt: Any) -> str:
    """A prompt as text: of chat messages the last."""
    return prompt if isinstance(prompt, str) else str(prompt[-1].get("content", ""))
