"""Checks of references: each is scored against itself, behind the model's own chat template.

Many templates end a prompt with what the completion would otherwise begin with: an opened ``<think>``, a
block of thinking that is closed already, a code fence. A model goes on from there, so its completion has none
of it, and a reward of the format that asks for it pays nobody. The forms of honest completions and of
attacks, which no reward should pay, are made here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.files.chunk_scorer import WRITTEN
from reward_verifiers.adapters.files.reference_table import ReferenceTable
from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.verifiers import Status, TagFormat
from reward_verifiers.verifiers.core.completions import THINKING_TAGS

from ..data import Row
from ..run.run_inputs import RESERVED, outcome_part

SOLUTIONS = ("solution_code", "canonical_solution", "reference_solution", "code", "solution")
"""Columns that hold a program that passes a row's tests, as HumanEval and MBPP name them."""
PROBE = "0"
"""An answer as good as any: it is what the verdict says of the reference that counts."""


@dataclass
class Reference:
    """The result of scoring a row's reference against itself.

    Args:
        row: Its number.
        shown: The reference, for a person.
        problem: Why it is unusable; empty for a usable one.
        tried: Whether there was a completion to try: tests without a solution can only be read.
    """

    row: int
    shown: str
    problem: str = ""
    tried: bool = True


def classes(rows: Sequence[Row], reward: Reward) -> ReferenceTable:
    """Return the table of the references' usability, before any answer is read."""
    table = ReferenceTable(reward)
    for number, row in enumerate(rows):
        table.add_row(f"row {number}", row)
    return table


def check_references(rows: Sequence[Row], reward: Reward) -> list[Reference]:
    """Score each reference against itself.

    A reference is usable if it can be read, and if an honest completion that gives it is paid in full
    by the part that judges the answer.
    """
    part = outcome_part(reward, None, "reward")
    probes = pay(rows, [PROBE] * len(rows), reward)
    found = [
        Reference(number, str(row.get("answer", "")), _problem(payment))
        for number, (row, payment) in enumerate(zip(rows, probes, strict=True))
    ]
    readable = [each for each in found if not each.problem]
    answers = right_answers([rows[each.row] for each in readable], reward)
    tries: dict[int, list[str]] = {}
    for each, own in zip(readable, answers, strict=True):
        each.tried = bool(own)
        if own:
            tries[each.row] = list(dict.fromkeys(form for text in own for form in forms(reward, text)))
    best: dict[int, float] = {}
    judged: set[int] = set()
    blank: dict[int, str] = {}
    for turn in range(max(map(len, tries.values()), default=0)):
        left = [row for row, own in tries.items() if best.get(row, 0.0) < 1.0 and turn < len(own)]
        payments = pay([rows[row] for row in left], [tries[row][turn] for row in left], reward)
        for row, payment in zip(left, payments, strict=True):
            best[row] = max(best.get(row, 0.0), payment.values().get(part) or 0.0)
            if payment.value is not None:
                judged.add(row)
            else:
                blank[row] = _problem(payment)
    for each in readable:
        if each.tried and each.row not in judged:
            # What is wrong about the set-up shows only where there is an answer to judge.
            each.problem = f"an honest answer is unscored: {blank.get(each.row, '')}"
        elif each.tried and best.get(each.row, 0.0) < 1.0:
            earned = best.get(each.row, 0.0)
            each.problem = f"the reference itself earns {earned:.2f} for {part}: no answer is right"
    return found


def _problem(payment: Payment) -> str:
    """Return why a row is unscored; empty if it is scored."""
    verdict = next((each for _, each in payment.judged() if each.status is not Status.SCORED), None)
    if payment.value is not None:
        return ""
    if verdict is None:
        return payment.note or "unscored"
    return f"{verdict.verifier} says {verdict.reason}: {verdict.detail or 'unusable'}"


def right_answers(rows: Sequence[Row], reward: Reward) -> list[list[str]]:
    """Return each row's right answers: a solution if it has one, else the reference and its readings.

    Returns:
        Nothing for a row of tests without a solution.
    """
    found = [_given(row) for row in rows]
    # What a verifier takes from a reference ("72" from a solution that ends in #### 72) is in a verdict
    # only where an answer was found, so a probe is made in every form.
    waiting = [number for number, row in enumerate(rows) if _is_text(row.get("answer"))]
    for probe in forms(reward, PROBE):
        payments = pay([rows[number] for number in waiting], [probe] * len(waiting), reward)
        for number, payment in zip(waiting, payments, strict=True):
            expected = [verdict.expected for verdict in payment.verdicts if verdict.expected]
            found[number] += [text for text in dict.fromkeys(expected) if text not in found[number]]
        waiting = [number for number in waiting if len(found[number]) < 2]
    return found


def _given(row: Row) -> list[str]:
    reference = row.get("answer")
    if _is_text(reference):
        return [str(reference)]
    if isinstance(reference, list) and reference and all(map(_is_text, reference)):
        return [str(reference[0])]
    return [row[name] for name in SOLUTIONS if isinstance(row.get(name), str)][:1]


def _is_text(reference: Any) -> bool:
    return isinstance(reference, str | int | float) and not isinstance(reference, bool)


def pay(rows: Sequence[Row], completions: Sequence[Any], reward: Reward) -> list[Payment]:
    """Return the payments of rows' completions; each completion is a group of its own."""
    if not rows:
        return []
    names = dict.fromkeys(
        name for row in rows for name in row if name not in RESERVED and name not in WRITTEN
    )
    columns: dict[str, Sequence[object]] = {name: [row.get(name) for row in rows] for name in names}
    columns["prompts"] = [row.get("prompt") for row in rows]
    columns.setdefault("completion_tokens", [len(str(each).split()) for each in completions])
    return Batch(list(completions), columns, progress=0.0, group_size=1).pay(reward)


_OPENED = re.compile(r"<([A-Za-z_][\w-]{0,30})>\s{0,8}\Z")
_CLOSED = re.compile(r"<([A-Za-z_][\w-]{0,30})>\s{0,8}</\1>\s{0,8}\Z")
_FENCE = re.compile(r"```[\w+-]{0,20}\n?\Z")
LOOKED = 400
"""Characters of a prompt's end that are looked at."""


@dataclass(frozen=True)
class Opening:
    """The end of a prompt that a completion need not write again.

    Args:
        tag: That is opened, such as ``think``; empty for none.
        closed: Whether it is closed again, as where thinking is switched off.
        fence: The code fence that is opened; empty for none.
        end: Text that ends a completion and is not taken off: an end token that is no special one.
    """

    tag: str = ""
    closed: bool = False
    fence: str = ""
    end: str = ""

    def __str__(self) -> str:
        if self.tag:
            return f"<{self.tag}></{self.tag}>" if self.closed else f"<{self.tag}>"
        return self.fence.strip()

    def behind(self, completion: str) -> Iterator[str]:
        """Yield completions as the model would write them there, also after a thought that it has to end.

        >>> list(Opening("think").behind("<think>4 = 4</think>4"))
        ['4 = 4</think>4']
        >>> list(Opening("think").behind("4"))
        ['So it is.</think>4', '4']
        """
        text = completion + self.end
        begins = re.match(rf"\s{{0,8}}<{re.escape(self.tag)}>", text) if self.tag else None
        if self.fence:
            yield text.removeprefix(self.fence) if text.startswith("```") else text
        elif begins is not None and self.closed:
            yield text.partition(f"</{self.tag}>")[2]
        elif begins is not None:
            yield text[begins.end() :]
        elif self.tag and not self.closed:
            yield f"So it is.</{self.tag}>{text}"
            yield text
        else:
            yield text


def opening_of(prompt: Any, tokenizer: Any, options: Mapping[str, Any]) -> Opening:
    """Return the opening at the end of a row's prompt.

    Args:
        prompt: As a row has it: a text, or messages.
        tokenizer: The model's, with its chat template.
        options: For the template, as ``model.chat_template_kwargs``.
    """
    end = _end(tokenizer)
    if isinstance(prompt, str):
        tail = prompt[-LOOKED:]
    else:
        whole = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True, **options)
        bare = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=False, **options)
        tail = whole[len(bare) :] if whole.startswith(bare) else whole[-LOOKED:]
    if found := _CLOSED.search(tail):
        return Opening(found[1], closed=True, end=end)
    if found := _OPENED.search(tail):
        return Opening(found[1], end=end)
    fence = _FENCE.search(tail)
    opened = fence is not None and tail.count("```") % 2 == 1
    return Opening(fence=fence[0] if fence is not None and opened else "", end=end)


def _end(tokenizer: Any) -> str:
    """Return the text that the end token leaves in a completion: empty for a special token."""
    token = getattr(tokenizer, "eos_token_id", None)
    return "" if token is None else str(tokenizer.decode([token], skip_special_tokens=True))


_FILE = Path(__file__).with_name("attacks.jsonl")


@dataclass(frozen=True)
class Attack:
    """A completion that is not right.

    Args:
        id: Its name.
        completion: With ``{prompt}``, ``{answer}``, ``{other}``, ``{another}``, and ``{form:TEXT}`` for a
            text in the form that the reward wants.
        note: Idea of the attack.
    """

    id: str
    completion: str
    note: str

    def on(self, form: Form, prompt: str, answer: str, others: Sequence[str] = ()) -> str | None:
        """Return the completion for a row; None where its answer would be right by chance.

        Args:
            form: Form that the reward asks for around an answer.
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
    """The form that a reward expects around an answer.

    Args:
        tags: Tags of its `TagFormat`, if it has one; the last one holds the answer.
        after: Whether the answer follows the last one instead, since that holds thinking.
        opened: Whether the chat template has written the first opening.
    """

    tags: tuple[str, ...] = ()
    after: bool = False
    opened: bool = False

    @classmethod
    def of(cls, reward: Reward) -> Form:
        """Return the form of a reward."""
        found = (each for each in reward.verifiers() if isinstance(each, TagFormat))
        first = next(found, None)
        if first is None:
            return cls()
        after = first.min_after > 0 or first.tags[-1].casefold() in THINKING_TAGS
        return cls(first.tags, after, first.prefilled is not None and first.opening == "absent")

    def around(self, answer: str, thinking: str = "So it is.") -> str:
        """Return an answer in this form; without tags, in a box."""
        if not self.tags:
            return f"\\boxed{{{answer}}}"
        inner = thinking if answer else ""
        held = [inner] * len(self.tags) if self.after else [inner] * (len(self.tags) - 1) + [answer]
        text = "".join(f"<{tag}>{each}</{tag}>" for tag, each in zip(self.tags, held, strict=True))
        if self.after:
            text += f" \\boxed{{{answer}}}" if answer else ""
        return text.removeprefix(f"<{self.tags[0]}>") if self.opened else text


def attacks() -> list[Attack]:
    """Return the bundled attacks.

    >>> len(attacks()) > 25
    True
    """
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return [Attack(**json.loads(line)) for line in lines]


def forms(reward: Reward, answer: str) -> Iterator[str]:
    """Yield honest completions that give an answer, one of them in the form that the reward reads."""
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
    """Replace ``{form:TEXT}``, whose text may hold braces of its own."""
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
    """Return a prompt as text: of chat messages the last."""
    return prompt if isinstance(prompt, str) else str(prompt[-1].get("content", ""))
