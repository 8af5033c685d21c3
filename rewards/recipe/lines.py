"""Where in a recipe file something is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError

MAX_NODES = 10_000
"""Values in a recipe. References within YAML can unfold a few lines into billions of them."""


def check_size(data: Any) -> None:
    """Refuse data that unfolds too far.

    Raises:
        ConfigError: It does, or contains itself.
    """
    waiting, count = [data], 0
    while waiting:
        count += 1
        if count > MAX_NODES:
            raise ConfigError(f"the recipe holds more than {MAX_NODES:,} values, or contains itself")
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def line_of(suffix: str, text: str, path: Sequence[str | int]) -> int | None:
    """The line, from 1, of what a path leads to, or of the nearest thing around it; None if unknown."""
    if suffix == ".toml":
        return _toml_line(text, path)
    import yaml

    # JSON is read as YAML here: it is nearly a subset, and only the lines are wanted.
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    line = None
    for part in path:
        found = _child(node, part)
        if found is None:
            break
        line, node = found
    return line if line is not None else None if node is None else node.start_mark.line + 1


def _child(node: Any, part: str | int) -> tuple[int, Any] | None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part].start_mark.line + 1, node.value[part]
    return None


def repeated_key(text: str) -> tuple[str, int] | None:
    """A key that occurs twice in one mapping of a YAML text, and its line: loaders keep the last."""
    import yaml

    waiting, seen = [yaml.compose(text, Loader=yaml.SafeLoader)], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                    if key.value in keys:
                        return key.value, key.start_mark.line + 1
                    keys.add(key.value)
                waiting.append(value)
    return None


def _toml_line(text: str, path: Sequence[str | int]) -> int | None:
    """The line of the innermost key of a path that occurs exactly once in the text."""
    lines = text.splitlines()
    for part in reversed([each for each in path if isinstance(each, str)]):
        word = re.compile(rf"(?<![\w-])[\"']?{re.escape(part)}[\"']?\s*(?:=|\]|\.)")
        found = [number for number, line in enumerate(lines, 1) if word.search(line)]
        if len(found) == 1:
            return found[0]
    return None
