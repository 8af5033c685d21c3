"""A task with tools for a CPU: prices from a table, sums by a calculator, a small model, and a teacher.

The teacher is unreliable: most of its examples answer at once, with an estimate; the others look the price
up and work it out, some with a slip. What a model learns from it is the habit of estimating; it has seen the
tools, and can use them. GRPO, which pays for right answers, then finds out that asking the tools pays.
Prices are drawn for each row and are in no prompt, so that no answer can be learned by heart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from .small_models import save_model

ITEMS = ("apple", "bread", "chair", "drum", "egg", "fan")
_EXPRESSION = re.compile(r"\s*(\d{1,6})\s*([+*-])\s*(\d{1,6})\s*")
_TEMPLATE = (
    "{%- for message in messages -%}"
    "{%- if message.role == 'assistant' -%}<|assistant|>{{ message.content }}"
    "{%- for call in message.tool_calls or [] -%}"
    '<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}'
    "</tool_call>{%- endfor -%}<|end|>"
    "{%- else -%}<|{{ message.role }}|>{{ message.content }}{%- endif -%}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
)
_RESPONSES = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|assistant|>",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"<\|end\|>", "content": "text"},
    },
}
"""How calls are read from what the model writes, in transformers' form (``response_template``)."""


class Question(NamedTuple):
    """A question: the price of so many of an item, or a product."""

    what: str
    times: int

    def __str__(self) -> str:
        return f"{self.what}*{self.times}=?"


class Shop:
    """An environment: a price list that a tool reads, and a calculator. Each row brings its own list."""

    def __init__(self) -> None:
        self.prices: dict[str, int] = {}

    def reset(self, prices: Mapping[str, int], **row: Any) -> None:
        """Begin a row.

        Args:
            prices: Prices of every item.
            **row: The row's other columns.
        """
        self.prices = dict(prices)

    def lookup(self, item: str) -> str:
        """Find the price of an item.

        Args:
            item: The name of the item.

        Returns:
            The price.
        """
        if item not in self.prices:
            raise ValueError(f"no item is called {item}")
        return str(self.prices[item])

    def calculator(self, expression: str) -> str:
        """Work out a sum, a difference or a product of two whole numbers.

        Args:
            expression: Such as 3*17.

        Returns:
            The result.
        """
        found = _EXPRESSION.fullmatch(expression)
        if found is None:
            raise ValueError("an expression is two whole numbers with +, - or * between them")
        one, sign, other = int(found[1]), found[2], int(found[3])
        return str(one + other if sign == "+" else one - other if sign == "-" else one * other)


@lru_cache(maxsize=4)
def _split(train: int, held: int, seed: int) -> tuple[list[Question], list[Question]]:
    """Return two disjoint lists of questions, half of them about prices and half products."""
    rng = random.Random(seed)  # noqa: S311
    prices = [Question(item, times) for times in range(2, 10) for item in ITEMS]
    products = [Question(str(number), times) for times in range(2, 10) for number in range(11, 100)]
    rng.shuffle(prices)
    rng.shuffle(products)
    apart = len(prices) // 4  # of the prices few questions can be asked; each row has its own list of them
    tried = [prices[number % apart] for number in range(held // 2)]
    kept = [
        rng.choice(prices[apart:]) if rng.random() < 0.5 else rng.choice(products[held - held // 2 :])
        for _ in range(train)
    ]
    return kept, [*tried, *products[: held - held // 2]]


def _rows(part: str, train: int, held: int, seed: int) -> Iterator[tuple[Question, dict[str, int]]]:
    rng = random.Random(f"{seed} {part} prices")  # noqa: S311
    for question in _split(train, held, seed)[part == "heldout"]:
        yield question, {item: rng.randint(11, 99) for item in ITEMS}


def _answer(question: Question, prices: Mapping[str, int]) -> int:
    return question.times * (prices[question.what] if question.what in prices else int(question.what))


def problems(
    part: Literal["train", "heldout"] = "train", train: int = 6000, held: int = 100, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question``, ``prices`` and ``answer``.

    Args:
        part: The questions to train on, or those that no training row asks.
        train: Rows to train on.
        held: Questions held out.
        seed: Random seed of the split, and of the prices.

    >>> row = next(problems(seed=1))
    >>> row["question"], row["answer"], row["prices"]["drum"]
    ('drum*5=?', '375', 75)
    """
    for question, prices in _rows(part, train, held, seed):
        yield {"question": str(question), "prices": prices, "answer": str(_answer(question, prices))}


def lessons(
    train: int = 6000, held: int = 100, seed: int = 0, work: float = 0.35, slip: float = 0.1
) -> Iterator[dict[str, Any]]:
    """Yield the teacher's turns: prompt (the conversation so far, as text) and completion.

    `work` is the share of examples that use the tools, `slip` the share of those with a slip in it.
    """
    rng = random.Random(f"{seed} lessons")  # noqa: S311
    for question, prices in _rows("train", train, held, seed):
        said = f"<|user|>{question}<|assistant|>"
        if rng.random() >= work:
            yield {"prompt": said, "completion": _estimate(question)}
            continue
        for call, result in _steps(rng, question, prices, slip):
            yield {"prompt": said, "completion": call}
            if result:
                said += f"{call}<|end|><|tool|>{result}<|assistant|>"


def _estimate(question: Question) -> str:
    """Return a careless person's estimate: the tens of a number, and fifty for any price."""
    one = 50 if question.what in ITEMS else int(question.what) // 10 * 10
    return str(one * question.times)


def _steps(
    rng: random.Random, question: Question, prices: Mapping[str, int], slip: float
) -> Iterator[tuple[str, str]]:
    """Yield calls with their results, and at last the answer, which has none."""
    slips = rng.random() < slip
    one = question.what
    if question.what in prices:
        item = rng.choice(ITEMS) if slips else question.what
        one = str(prices[item])
        yield _call("lookup", "item", item), one
        if slips and rng.random() < 0.5:  # the price of one, for that of all
            yield one, ""
            return
    sign = rng.choice("+-") if slips else "*"
    result = Shop().calculator(f"{one}{sign}{question.times}")
    yield _call("calculator", "expression", f"{one}{sign}{question.times}"), result
    yield result, ""


def _call(name: str, parameter: str, value: str) -> str:
    return f'<tool_call>{{"name": "{name}", "arguments": {{"{parameter}": "{value}"}}}}</tool_call>'


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 4) -> None:
    """Save a small untrained Llama that can write calls, with a chat template that shows them."""
    pieces = ('{"name": "', '", "arguments": {"item": "', '", "arguments": {"expression": "', '"}}')
    marks = ("<|user|>", "<|assistant|>", "<|tool|>", "<tool_call>", "</tool_call>")
    words = [*"0123456789+-*=? ", *ITEMS, "lookup", "calculator", *pieces]
    known = "|".join(re.escape(piece) for piece in pieces)
    templates = {"chat_template": _TEMPLATE, "response_template": _RESPONSES}
    save_model(
        folder,
        words,
        rf"{known}|[a-z]+|[\s\S]",
        seed,
        hidden,
        layers,
        marks,
        end="<|end|>",
        templates=templates,
    )
