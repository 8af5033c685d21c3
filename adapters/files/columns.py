"""Columns of rows: by dotted path, by other projects' names, and with several completions in one.

The names come from the user, from the file itself, or from a list of usual names. A usual name counts only if
it is the only one, or if all of them hold the same values; several that differ are an error. Scoring writes
the names into a text column, which JSON Lines, CSV and Parquet keep, so that readers of the scored file know
them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, STAND_INS

from .formats.lines import Line, Overlong, chunked, dumps, parse, unreadable

COMPLETIONS = (
    "response",
    "output",
    "generated_text",
    "generation",
    "prediction",
    "model_output",
    "model_response",
    "llm_response",
    "output_text",
    "output.completion",
    "output.text",
    "response.text",
    "prediction.text",
)
"""Of a completion, as Hugging Face pipelines, vLLM, verl's rollouts, inspect_ai and scripts call it."""
LISTS = (
    "completions",
    "responses",
    "outputs",
    "generations",
    "generated_texts",
    "predictions",
    "samples",
    "choices",
    "output.choices",
    "resps",
)
"""Of several completions: TRL, open-r1, OpenAI's servers, inspect_ai and lm-eval call them so."""
REFERENCES = (*STAND_INS, "gts", "reference_answer", "expected_answer", "correct_answer")
"""Of a reference: those of `verifiers`, and what scripts and the rollouts of verl have besides."""


def completion_column(row: Mapping[str, Any], where: str) -> str | None:
    """Return the column that holds a row's completion, or a list of them.

    Returns:
        ``completion`` where it is there; None where no column holds any.

    Raises:
        ConfigError: There are several, and they differ.

    >>> completion_column({"prompt": "", "output": "4"}, ""), completion_column({"responses": ["4"]}, "")
    ('output', 'responses')
    """
    if has_column(row, COMPLETION):
        return COMPLETION
    found = [name for name in COMPLETIONS if is_completion(column_of(row, name))]
    found += [name for name in LISTS if _has_completions(row, name)]
    return _only(row, found, where, "completions", "--completion-field")


def reference_column(row: Mapping[str, Any], where: str) -> str | None:
    """Return the column that holds a row's reference; see `completion_column`.

    Raises:
        ConfigError: There are several, and they differ.

    >>> reference_column({"output": "4", "gts": "4"}, "x:1"), reference_column({"output": "4"}, "x:1")
    ('gts', None)
    """
    if REFERENCE in row:
        return REFERENCE
    found = [name for name in REFERENCES if has_column(row, name)]
    return _only(row, found, where, "references", "--reference-field")


def _has_completions(row: Mapping[str, Any], name: str) -> bool:
    value = column_of(row, name)
    if not isinstance(value, list) or not value:
        return False
    if name.endswith("choices") and not all(isinstance(each, Mapping) for each in value):
        return False  # the options of a question
    if name == "outputs" and "inputs" in row:
        return False  # what a program is to print
    return is_list_of_completions(value) or is_completion(value)


def _only(row: Mapping[str, Any], found: list[str], where: str, what: str, flag: str) -> str | None:
    differing = [name for name in found[1:] if column_of(row, name) != column_of(row, found[0])]
    if differing:
        ours = COMPLETION if what == "completions" else REFERENCE
        raise ConfigError(
            f"{where}: there is no column {ours!r}, and {found[0]!r} and {differing[0]!r}, which both could "
            f"hold the {what}, differ; say which does: {flag} NAME"
        )
    return found[0] if found else None


COMPLETION = "completion"
INDEX = "completion_index"
"""The columns of a row that was one of several: its own completion, and which it is, from 0."""


def is_completion(value: object) -> bool:
    """Return whether a column's value is one completion: a text, or messages with roles.

    >>> [is_completion(each) for each in ("4", [{"role": "assistant", "content": "4"}], [{"text": "4"}])]
    [True, True, False]
    """
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, Mapping) and "role" in each for each in value)
    return isinstance(value, str)


def is_list_of_completions(value: object) -> bool:
    """Return whether a column's value is several completions, not the messages of one.

    >>> is_list_of_completions(["4", "5"]), is_list_of_completions([{"role": "assistant", "content": "4"}])
    (True, False)
    """
    if not isinstance(value, list) or not value or is_completion(value):
        return False
    return all(is_completion(one_of(item)) for item in value)


def one_of(item: object) -> Any:
    """Unwrap one completion of several to a text or messages.

    >>> one_of({"message": {"role": "assistant", "content": "4"}}), one_of(["4"]), one_of({"text": "4"})
    ([{'role': 'assistant', 'content': '4'}], '4', '4')
    """
    if isinstance(item, Mapping):
        if isinstance(item.get("message"), Mapping):
            return [item["message"]]
        if isinstance(item.get("content"), str) and isinstance(item.get("role"), str):
            return [item]
        for name in ("text", "completion", "response", "output", "generated_text"):
            if isinstance(item.get(name), str):
                return item[name]
    if isinstance(item, list) and len(item) == 1 and isinstance(item[0], str):
        return item[0]
    return item


@dataclass(frozen=True)
class Spread:
    """Makes a row for each completion of a row.

    Args:
        column: Column with the list; a dot reaches into a column.
    """

    column: str

    def chunks(self, chunks: Iterator[list[Line] | Overlong]) -> Iterator[list[Line] | Overlong]:
        """Yield the lines, with each completion in a line of its own."""
        for chunk in chunks:
            if isinstance(chunk, Overlong):
                yield chunk
            else:
                yield from chunked(each for line in chunk for each in self.lines(line))

    def lines(self, line: Line) -> Iterator[Line]:
        """Yield a line for each completion of a row; an invalid row, or one without a list, stays one."""
        try:
            row = parse(line.raw)
        except ValueError:
            yield line
            return
        found = column_of(row, self.column)
        if is_completion(found):
            found = [found]  # a single one stands by itself
        if not isinstance(found, list) or not found:
            problem = f"{self.column!r} is no list of completions" + (
                ", but an empty one" if found == [] else ""
            )
            yield Line(line.file, line.number, unreadable(problem, row))
            return
        rest = _without(row, self.column)
        if COMPLETION in rest or INDEX in rest:
            problem = (
                f"there is a column {COMPLETION if COMPLETION in rest else INDEX!r} beside {self.column!r}"
            )
            yield Line(line.file, line.number, unreadable(problem, row))
            return
        for place, item in enumerate(found):
            raw = dumps({**rest, COMPLETION: one_of(item), INDEX: place})
            yield Line(line.file, line.number, raw, place)


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    if name in row:
        return {key: value for key, value in row.items() if key != name}
    place = name.find(".")
    while place >= 0:
        outer = name[:place]
        if isinstance(row.get(outer), Mapping) and column_of(row[outer], name[place + 1 :]) is not None:
            return {**row, outer: _without(row[outer], name[place + 1 :])}
        place = name.find(".", place + 1)
    return dict(row)


MAX_NAMES = 500
"""Names that a hint chooses among."""
SOURCES = ("source", "data_source", "dataset", "subset", "category", "type")
"""Columns that say where a row is from; the first that the first row has is taken."""
_NONE = object()


def has_column(row: Mapping[str, Any], name: str) -> bool:
    """Return whether a row has a column.

    >>> has_column({"output": {"answer": "3"}}, "output.answer")
    True
    """
    return _found(row, name) is not _NONE


def column_of(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a column, or None; a column whose own name has a dot comes first.

    >>> column_of({"output": {"answer": "3"}}, "output.answer"), column_of({"a.b": 1, "a": {"b": 2}}, "a.b")
    ('3', 1)
    """
    found = _found(row, name)
    return None if found is _NONE else found


def column_names(row: Mapping[str, Any]) -> list[str]:
    """Return the names by which a row's columns can be asked for.

    >>> column_names({"id": 1, "output": {"answer": "3"}})
    ['id', 'output', 'output.answer']
    """
    names: list[str] = []
    for name in _names(row, ""):
        names.append(name)
        if len(names) == MAX_NAMES:
            break
    return names


def _names(row: Mapping[str, Any], before: str) -> Iterator[str]:
    for name, value in row.items():
        yield f"{before}{name}"
        if isinstance(value, Mapping) and before.count(".") < 4:
            yield from _names(value, f"{before}{name}.")


def _found(row: Any, name: str) -> Any:
    if name in row:
        return row[name]
    place = name.find(".")
    while place >= 0:
        inner = row.get(name[:place])
        if isinstance(inner, Mapping) and (found := _found(inner, name[place + 1 :])) is not _NONE:
            return found
        place = name.find(".", place + 1)
    return _NONE


WORD = "scored_from"
"""The column of that text."""
KEYS = {
    "completion": COMPLETION,
    "reference": "answer",
    "prompt": "prompt",
    "group": "prompt",
    "tokens": "completion_tokens",
    "messages": "messages",
}
"""What columns are for, and what they are called where nobody says anything."""
GROUPS = ("prompt", "prompts", "question", "problem", "instruction", "query")
"""Columns that the completions of one prompt share; the first that is there is taken."""


@dataclass(frozen=True)
class Naming:
    """Column names of a file.

    Args:
        completion: The completions.
        reference: The references.
        prompt: The questions, as people are shown them.
        group: Column whose value all completions of a prompt share.
        tokens: The completions' lengths.
        messages: The conversations.
        said: Other facts in the file: ``recipe``, and ``rows`` for a known dataset.
    """

    completion: str = KEYS["completion"]
    reference: str = KEYS["reference"]
    prompt: str = KEYS["prompt"]
    group: str = KEYS["group"]
    tokens: str = KEYS["tokens"]
    messages: str = KEYS["messages"]
    said: Mapping[str, str] = field(default_factory=dict, compare=False)


def naming(row: Mapping[str, Any], where: str, asked: Mapping[str, str]) -> Naming:
    """Return the column names of a file by its first row.

    Args:
        row: The first row.
        where: Its name in messages.
        asked: Columns that the user names, by the keys of `KEYS`.

    Raises:
        ConfigError: The completions are not there, or several columns could hold them.

    >>> naming({"text": "It's 4.", "scored_from": '{"completion": "text"}'}, "x:1", {}).completion
    'text'
    """
    said = word(row)
    known = {key: asked.get(key) or said.get(key) for key in KEYS}
    completion = known["completion"] or completion_column(row, where) or COMPLETION
    check_column(row, completion, "completion", where)
    group = known["group"] or group_column(row, known["prompt"])
    return Naming(
        completion,
        known["reference"] or usual_reference(row, where),
        known["prompt"] or (KEYS["prompt"] if has_column(row, KEYS["prompt"]) else group),
        group,
        known["tokens"] or KEYS["tokens"],
        known["messages"] or KEYS["messages"],
        said,
    )


def usual_reference(row: Mapping[str, Any], where: str) -> str:
    """Return the default column of references; the usual name where none is certain."""
    try:
        return reference_column(row, where) or KEYS["reference"]
    except ConfigError:
        return KEYS["reference"]


def group_column(row: Mapping[str, Any], prompt: str | None = None) -> str:
    """Return the default column that the completions of one prompt share.

    >>> group_column({"question": "2+2?", "output": "4"})
    'question'
    """
    wanted = GROUPS if prompt in (None, *GROUPS[:1]) else (prompt, *GROUPS)
    return next((name for name in wanted if has_column(row, name)), KEYS["group"])


def check_column(row: Mapping[str, Any], name: str, key: str, where: str) -> None:
    """Refuse a file whose first row lacks a needed column.

    Raises:
        ConfigError: It lacks one; the message offers the nearest name.
    """
    if not has_column(row, name):
        hint = nearest(name, column_names(row))
        raise ConfigError(f"{where} has no column {name!r}{hint} (choose it with --{key}-field)")


def word(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the record that a scoring left in a row; empty where no scoring wrote it.

    >>> word({"scored_from": '{"completion": "text", "recipe": 7}'})
    {'completion': 'text'}
    """
    said = row.get(WORD)
    if isinstance(said, str):
        try:
            said = json.loads(said)
        except (ValueError, RecursionError):
            return {}
    if not isinstance(said, dict):
        return {}
    return {str(key): value for key, value in said.items() if isinstance(value, str) and value}


def written_word(row: Mapping[str, Any], names: Mapping[str, str], about: Mapping[str, str]) -> str:
    """Return the text that `word` reads: the columns that a first row has, and other known facts.

    Args:
        row: The first row.
        names: Columns by the keys of `KEYS`.
        about: ``recipe`` and ``rows``; empty values are left out.
    """
    there = {key: name for key, name in names.items() if has_column(row, name)}
    said = {key: value for key, value in about.items() if value}
    return json.dumps({**there, **said}, ensure_ascii=False)
