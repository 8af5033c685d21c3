"""The rules of the Berkeley Function Calling Leaderboard for single turns: simple, multiple, parallel.

Source: https://github.com/ShishirPatil/gorilla, berkeley-function-call-leaderboard (v4),
eval_checker/ast_eval/ast_checker.py.
The rules are followed where they tell right from wrong; `docs/tools.md` has the list of where they do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .call import Call, CallError, Untyped, strict_json
from .expected import Tool

OMITTED = ""
"""Among a parameter's values: it may be left out."""
_WORD_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")
_MARK = re.compile(r"(?<![\d\s,._])[\s,._]++(?!\d)")

Expected = tuple[str, Mapping[str, list[Any]]]


def folded(text: str) -> str:
    """A text without what spelling leaves open: case, and spaces and marks between words.

    The leaderboard drops these marks everywhere, and "/", "-", "*" and "^" as well, so that "-5" is "5",
    "1.5" is "15" and "x^2" is "x*2". Here a mark goes only where no digit stands beside it, and a hyphen
    only between words.

    >>> folded("New-York, NY") == folded("new york ny"), folded("-5") == folded("5"), folded("1.5")
    (True, False, '1.5')
    """
    text = _WORD_HYPHEN.sub("", text.casefold().replace("'", '"').strip())
    return _MARK.sub("", text)


def fits(made: Call, expected: Expected, tool: Tool | None) -> bool:
    """Whether a call is one that a ground truth accepts.

    Args:
        made: The call.
        expected: Its name, and for each parameter the values that it may have.
        tool: As the row describes it, if it does.
    """
    name, parameters = expected
    if made.name != name or not made.arguments.keys() <= parameters.keys():
        return False
    schema = {} if tool is None else tool.schema
    properties = schema.get("properties")
    types = {
        key: each.get("type")
        for key, each in (properties.items() if isinstance(properties, Mapping) else ())
        if isinstance(each, Mapping)
    }
    required = schema.get("required")
    if isinstance(required, list | tuple) and not set(required) <= made.arguments.keys():
        return False
    given = made.arguments
    return all(
        _is_one_of(given[key], values, types.get(key)) if key in given else OMITTED in values
        for key, values in parameters.items()
    )


def _is_one_of(made: Any, accepted: list[Any], kind: Any) -> bool:
    return any(_same(made, value, kind == "number") for value in accepted)


def _same(made: Any, accepted: Any, is_number: bool = False) -> bool:
    """Types count; a whole number stands for a number with a point where the tool's schema says so."""
    if isinstance(made, Untyped) and not isinstance(accepted, str):
        try:
            made = strict_json(made)
        except CallError:
            return False
    if isinstance(accepted, bool) or isinstance(made, bool) or accepted is None or made is None:
        return made is accepted
    if isinstance(accepted, str):
        return isinstance(made, str) and folded(made) == folded(accepted)
    if isinstance(accepted, int | float):
        if not isinstance(made, int | float) or made != accepted:
            return False
        return is_number or isinstance(made, float) == isinstance(accepted, float)
    if isinstance(accepted, list | tuple):
        return (
            isinstance(made, list | tuple)
            and len(made) == len(accepted)
            and all(_same(one, other) for one, other in zip(made, accepted, strict=True))
        )
    if isinstance(accepted, Mapping):
        return _same_mapping(made, accepted)
    return False


def _same_mapping(made: Any, accepted: Mapping[str, Any]) -> bool:
    """In a mapping of the ground truth each key has its list of values, too."""
    if not isinstance(made, Mapping) or not made.keys() <= accepted.keys():
        return False
    for key, values in accepted.items():
        several = values if isinstance(values, list) else [values]
        if not (_is_one_of(made[key], several, None) if key in made else OMITTED in several):
            return False
    return True
