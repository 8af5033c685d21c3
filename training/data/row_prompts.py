"""From a row to a prompt, and to a completion to learn from."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from reward_verifiers.adapters.files.columns import column_names, column_of, has_column
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..config import Data

Row = dict[str, Any]
QUESTION = "_question"
"""What is asked, where a text prompt has more before it: nothing in that says where the question begins."""


def prompt_rows(rows: Iterable[Mapping[str, Any]], data: Data, chat: bool) -> list[Row]:
    """Return the rows with our names for their columns, and with their prompts.

    Raises:
        ConfigError: A column is missing, or chat prompts are wanted and there is no chat template.
    """
    if data.format == "chat" and not chat:
        raise ConfigError(
            "data.format: chat needs a tokenizer with a chat template, and this model's has none; "
            "set model.chat_template to a file with one, or data.format to text"
        )
    as_chat = chat if data.format == "auto" else data.format == "chat"
    return [_prompted(row, data, as_chat, chat, number) for number, row in enumerate(rows)]


def same_kind(rows: Iterable[Mapping[str, Any]]) -> None:
    """Refuse prompts that a data set cannot hold together: the trainer takes the first for all.

    Raises:
        ConfigError: Some are chat messages and others plain text, or messages have different keys.
    """
    kinds = {isinstance(row["prompt"], str) for row in rows}
    if len(kinds) > 1:
        raise ConfigError(
            "some prompts are chat messages and others plain text; set data.format for all sources"
        )
    keys = {frozenset(each) for row in rows if not isinstance(row["prompt"], str) for each in row["prompt"]}
    if len(keys) > 1:
        shown = " and ".join(sorted(str(sorted(each)) for each in keys))
        raise ConfigError(f"the prompts' messages have different keys, {shown}; give all of them the same")


def completion_of(row: Mapping[str, Any], data: Data) -> str:
    """Return the completion that a supervised stage learns.

    Raises:
        ConfigError: The row has none.
    """
    if data.completion is not None:
        return filled(data.completion, row, "data.completion")
    if "completion" not in row:
        raise ConfigError(
            f"the rows of {data.source} have no column 'completion'{nearest('completion', row)}; name it "
            "with data.columns, or write it as a template in data.completion"
        )
    completion = row["completion"]
    if isinstance(completion, list):
        last = completion[-1]
        thinking = last.get("reasoning_content")
        # A server gives thinking separately; what is learned is what the model is to write.
        return f"<think>{thinking}</think>{last['content']}" if thinking else str(last["content"])
    return str(completion)


def _prompted(row: Mapping[str, Any], data: Data, as_chat: bool, template: bool, number: int) -> Row:
    renamed = with_our_names(row, data)
    if data.tag is not None:
        renamed["task"] = data.tag
    if data.format == "as_is":
        if not isinstance(renamed.get("prompt"), str | list):
            raise ConfigError(
                f"data.format: as_is needs a column 'prompt' with a text or messages, which the rows of "
                f"{data.source} lack; name it with data.columns, such as {{prompt: messages}}"
            )
        return renamed
    question = _question(renamed, data)
    if isinstance(question, list):
        if not template:
            raise ConfigError(
                f"the prompts of {data.source} are chat messages, and this model's tokenizer has no chat "
                "template; set model.chat_template to a file with one"
            )
        renamed["prompt"] = _messages(question, data)
    elif as_chat:
        renamed["prompt"] = _messages([{"role": "user", "content": question}], data)
    else:
        renamed["prompt"] = _text(question, data)
        if renamed["prompt"] != question:
            renamed[QUESTION] = question
    return renamed


def with_our_names(row: Mapping[str, Any], data: Data) -> Row:
    """Return a row with the columns that ``data.columns`` names.

    Raises:
        ConfigError: It has no such column.
    """
    renamed = dict(row)
    for ours, theirs in data.columns.items():
        if not has_column(row, theirs):
            raise ConfigError(
                f"data.columns: the rows of {data.source} have no column "
                f"{theirs!r}{nearest(theirs, column_names(row))}"
            )
        renamed[ours] = column_of(row, theirs)
    return renamed


def _question(row: Mapping[str, Any], data: Data) -> Any:
    if data.template is not None:
        return filled(data.template, row, "data.template")
    for name in ("prompt", "question", "problem"):
        if name in row:
            question = row[name]
            return question if isinstance(question, list) else str(question)
    raise ConfigError(
        f"the rows of {data.source} have no column 'prompt' or 'question'{nearest('question', row)}; name it "
        "with data.columns, such as {question: problem}, or write data.template"
    )


def _messages(question: list[Any], data: Data) -> list[dict[str, Any]]:
    first = [{"role": "system", "content": data.system}] if data.system else []
    if first and question and question[0].get("role") == "system":
        raise ConfigError(f"data.system: the prompts of {data.source} have a system message of their own")
    for example in data.examples:
        first.append({"role": "user", "content": example.user})
        first.append({"role": "assistant", "content": example.assistant})
    return [*first, *question]


def _text(question: str, data: Data) -> str:
    parts = [data.system] if data.system else []
    parts += [f"{example.user}{example.assistant}" for example in data.examples]
    return "\n\n".join([*parts, question])


def forgetting(prompt: Any, sources: Iterable[Data], parts: Collection[str]) -> Any:
    """Return a prompt without the few-shot examples, or the system prompt, of its source.

    Args:
        prompt: Text or messages.
        sources: One of them has made it.
        parts: Parts to leave out: ``examples``, ``system``, or both.
    """
    found = []
    for data in sources:
        if data.format == "as_is":
            continue
        less = data.model_copy(
            update={name: none for name, none in (("examples", []), ("system", None)) if name in parts}
        )
        before, after = (
            _text("", each) if isinstance(prompt, str) else _messages([], each) for each in (data, less)
        )
        if prompt[: len(before)] == before:
            found.append((len(before), after))
    length, kept = max(found, key=lambda each: each[0], default=(0, prompt[:0]))
    return kept + prompt[length:]


def filled(template: str, row: Mapping[str, Any], key: str) -> str:
    """Fill a template with a row's columns in the places of its braces.

    Raises:
        ConfigError: It names a column that the row lacks, or is not a template.
    """
    formatter = string.Formatter()
    try:
        fields = list(formatter.parse(template))
    except ValueError as error:
        raise ConfigError(f"{key}: {error} in {template!r:.80}; a brace itself is written twice") from None
    told = []
    for text, name, how, conversion in fields:
        told.append(text)
        if name is None:
            continue
        if not has_column(row, name):
            raise ConfigError(f"{key}: the rows have no column {name!r}{nearest(name, column_names(row))}")
        value = formatter.convert_field(column_of(row, name), conversion)
        told.append(format(value, how or ""))
    return "".join(told)
