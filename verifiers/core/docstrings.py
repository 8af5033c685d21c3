"""What docstrings say of a class: its sentence, and its arguments. Listings and schemas show them."""

from __future__ import annotations

import inspect
import re

_ARGUMENTS = re.compile(r"Args:\n((?:[ ]+.*\n?|\n)+?)(?=\S|\Z|\n\n?\S)")
_ENTRY = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def sentence_of(kind: type) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def arguments_of(kind: type) -> dict[str, str]:
    """The Args section of a class's docstring and of its bases', by field."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        section = _ARGUMENTS.search(inspect.cleandoc(each.__doc__ or "") + "\n")
        for entry in _ENTRY.finditer(section.group(1)) if section else ():
            found[entry.group(1)] = " ".join(entry.group(2).split())
    return found
