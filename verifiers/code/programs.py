"""Which program a completion puts forward: one, chosen by its text alone, before any test is run.

The rules (docs/code.md has them for users), of which the first that finds a block decides:

1. blocks marked as programs: fences that name the language, ``[PYTHON]`` and ``[/PYTHON]``, and an answer tag
   that holds a program without a fence;
2. fences that name no language, but for those after the last program, which show what it prints;
3. whatever else an answer tag holds, and then, where the tests say so, the whole text, up to a last fence
   that nothing opened.

The last of them is the program. For Python, a later block that only shows how an earlier one is used is
passed over: one that defines nothing of what the tests call, where an earlier one does; an interactive
session; comments or values; and one that uses a name which it does not define and an earlier block does.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import dedent

from ..core.extraction import Extraction
from ..extract.code_block import readable_blocks

MAX_BLOCKS = 64
"""Blocks that are looked at, from the last; a completion with more is not an answer with examples."""
MAX_READ = 200_000
"""Characters of a block that is read as Python, to tell examples from programs. A tree takes up to a kilobyte
for each of them; a longer block is a program, as one is that cannot be read."""
_ASCII = re.compile(r"[A-Z]+")
_LETTER = re.compile(r"[^\W\d]")
_BUILT_IN = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


@dataclass(frozen=True)
class Wanted:
    """Program to look for.

    Args:
        names: The names of the language that a fence may carry.
        python: Whether it is Python, whose blocks can be told apart by what they define.
        defines: Names that the tests call; the program defines at least one of them.
        bare: Whether a text without any block is a program as a whole.
        prefilled: Whether the prompt has opened a block already, which the text goes on with.
    """

    names: tuple[str, ...]
    python: bool = False
    defines: frozenset[str] = frozenset()
    bare: bool = False
    prefilled: bool = False


def program_in(text: str, wanted: Wanted) -> Extraction | None:
    """The program that a text puts forward; None if there is none, and one without text if it is cut off."""
    if not wanted.prefilled or text.lstrip().startswith(("```", "~~~")):
        return _program_in(text, wanted)
    opened = f"```{wanted.names[0]}\n"
    if "```" not in text and "~~~" not in text and text.strip():
        return Extraction(text, (0, len(text)), "code_block")  # generation stops where a block ends
    found = _program_in(opened + text, wanted)
    if found is None or found.span is None:
        return found
    start, end = (max(0, place - len(opened)) for place in found.span)
    return replace(found, span=(start, end))


def _program_in(text: str, wanted: Wanted) -> Extraction | None:
    blocks = readable_blocks(text, _Strings(text, wanted.names).closes if wanted.python else None)
    marked = [block.found for block in blocks if block.name in wanted.names]
    spans = [block.found.span for block in blocks]
    marked += _tagged(text, wanted.names, spans)
    answer = _answer(text, spans)
    if answer is not None and wanted.python and _is_program(answer.text or ""):
        marked.append(answer)
    unmarked = [block.found for block in blocks if not block.name]
    if marked:
        return _chosen(sorted(marked, key=lambda each: each.span), wanted)
    if wanted.bare and (before := _before_its_end(text, unmarked)):
        return before
    if unmarked:
        return _chosen(_without_outputs(unmarked, wanted), wanted)
    if answer is not None and not blocks:
        return answer
    if wanted.bare and not blocks and text.strip():
        return Extraction(text.strip("\r\n") + "\n", (0, len(text)), "whole_text")
    return None


_AFTER_CODE = re.compile(r"(?:\s|<[^>\n]{1,40}>){0,99}+\Z")


def _before_its_end(text: str, blocks: Sequence[Extraction]) -> Extraction | None:
    """Return the text before its only fence: with nothing behind, that ends what the prompt began."""
    if len(blocks) != 1 or blocks[0].text is not None or blocks[0].span is None:
        return None
    line = text.rfind("\n", 0, blocks[0].span[0]) + 1
    before = text[:line].strip("\r\n")
    if not before.strip() or not _AFTER_CODE.match(text, blocks[0].span[0]):
        return None
    return Extraction(f"{before}\n", (0, line), "whole_text")


def why_none(text: str, language: str) -> tuple[str, str]:
    """(reason, detail) of a text in which there is no program of a language."""
    blocks = [block.found for block in readable_blocks(text) if not block.name]
    if _before_its_end(text, blocks):
        return (
            "no_code",
            "only the end of a block: prefilled=True judges what goes on with the prompt's block",
        )
    if any(block.found.text is not None for block in readable_blocks(text)):
        return "wrong_language", f"no block of code is marked as {language}"
    return "no_code", "no fenced block of code outside thinking"


def _chosen(found: Sequence[Extraction], wanted: Wanted) -> Extraction:
    """The last block that is not an example of the use of an earlier one."""
    last = found[-1]
    if not wanted.python or last.text is None or len(found) == 1:
        return last
    found = found[-MAX_BLOCKS:]
    defining = [each for each in found if each.text and defines(each.text, wanted.defines)]
    if defining:
        return defining[-1]
    known = set(wanted.defines)
    program = last
    for each in found:
        code = each.text or ""
        tree = _tree(code)
        # What cannot be read is a program all the same: the last attempt of one who made a slip.
        is_use = _is_session(code) or _does_nothing(code, tree)
        if tree is not None and each is not found[0]:
            is_use = is_use or bool(_free_names(tree) & known)
        if code and not is_use:
            program = each
        known |= _definitions(tree)
    return program


def _without_outputs(found: Sequence[Extraction], wanted: Wanted) -> Sequence[Extraction]:
    """Blocks without a name, but for those after the last program: they show what it prints."""
    last = found[-1]
    if not wanted.python or last.text is None:
        return found
    ends = [at for at, each in enumerate(found, 1) if each.text and _is_program(each.text)]
    return found[: ends[-1]] if ends else found


def defines(code: str, names: Collection[str]) -> bool:
    """Return whether code defines one of these names, by its text: it may be no readable Python."""
    if not names:
        return False
    choice = "|".join(map(re.escape, sorted(names)))
    return bool(
        re.search(
            rf"(?m)^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(?:{choice})\b"
            rf"|^(?:{choice})[ \t]*(?::[^=\n]*)?=(?!=)",
            code,
        )
    )


def _does_nothing(code: str, tree: ast.Module | None) -> bool:
    """Return whether code is comments or values: what a program reads or prints."""
    return not _LETTER.search(code) or (tree is not None and not _does_something(tree))


def _is_session(code: str) -> bool:
    return code.lstrip().startswith(">>>")


def _free_names(tree: ast.Module) -> set[str]:
    """Names that are read and bound nowhere; none where a star import may bind them."""
    read: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound.add(node.rest)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if any(alias.name == "*" for alias in node.names):
                return set()
            bound.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    return read - bound - _BUILT_IN


def _definitions(tree: ast.Module | None) -> set[str]:
    """Return a block's outermost definitions; its imports do not count, as any program can make them."""
    found: set[str] = set()
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            found.update(each.id for each in ast.walk(node) if isinstance(each, ast.Name) and _stored(each))
    return found


def _stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _tagged(text: str, names: Collection[str], fences: Sequence[tuple[int, int]]) -> Iterator[Extraction]:
    """Yield the texts between ``[PYTHON]`` and ``[/PYTHON]``, outside fences."""
    choice = "|".join(re.escape(name) for name in names)
    opened: re.Match[str] | None = None
    for mark in re.finditer(rf"(?i)\[(/?)(?:{choice})\]", text):
        if not mark.group(1):
            opened = mark
        elif opened is not None:
            span = (opened.end(), mark.start())
            opened = None
            if text[slice(*span)].strip() and not _overlaps(span, fences):
                yield Extraction(text[slice(*span)].strip("\r\n") + "\n", span, "language_tag")


def _answer(text: str, fences: Sequence[tuple[int, int]]) -> Extraction | None:
    """Return the content of the last answer tag, if that is not a fence."""
    folded = text.lower() if text.isascii() else _ASCII.sub(lambda found: found.group().lower(), text)
    end = folded.rfind("</answer>")
    start = folded.rfind("<answer>", 0, max(end, 0)) + len("<answer>")
    if end < 0 or start < len("<answer>") or _overlaps((start, end), fences) or not text[start:end].strip():
        return None
    return Extraction(text[start:end].strip("\r\n") + "\n", (start, end), "tag")


def _overlaps(span: tuple[int, int], fences: Sequence[tuple[int, int]]) -> bool:
    after = bisect.bisect_left(fences, span[1], key=lambda each: each[0])
    return after > 0 and fences[after - 1][1] > span[0]


def _is_program(code: str) -> bool:
    """Return whether a text is Python that does more than name a value: prose and numbers are none."""
    tree = _tree(code)
    return tree is not None and _does_something(tree)


def _does_something(tree: ast.Module) -> bool:
    return any(
        not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call | ast.Await) for node in tree.body
    )


def _tree(code: str) -> ast.Module | None:
    if len(code) > MAX_READ:
        return None
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_TOKEN = re.compile(r"#[^\n]*|\"\"\"|'''|\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\.|[^'\\\n])*+'?", re.DOTALL)
_IN_STRING = {mark: re.compile(rf"\\.|{mark}", re.DOTALL) for mark in ('"""', "'''")}


class _Strings:
    """Places of strings in Python blocks: a fence in one of them closes nothing.

    Args:
        text: The text with the blocks.
        names: The names of Python.
    """

    def __init__(self, text: str, names: Collection[str]) -> None:
        self._text, self._names = text, names
        # Each block whose strings are never closed is read to the end, which must not happen for many.
        self._left = 4 * len(text) + 1000

    def closes(self, name: str, start: int, candidates: Iterator[int]) -> int:
        """See `verifiers.extract.code_block.Closes`.

        It is the first fence outside strings, if the code is Python up to there; otherwise the first fence.
        """
        if name and name not in self._names:
            return 0
        at, quote = start, ""
        for position, candidate in enumerate(candidates):
            at, quote = self._read(at, quote, candidate)
            if self._left < 0:
                return 0
            if not quote and at <= candidate:
                return (
                    position if not position or _tree(dedent(self._text[start:candidate])) is not None else 0
                )
        return 0

    def _read(self, at: int, quote: str, until: int) -> tuple[int, str]:
        """Read on from a place, inside a string with this quote or outside: the same of the new place."""
        self._left -= max(0, until - at)
        while at < until:
            found = (_IN_STRING[quote] if quote else _TOKEN).search(self._text, at, until)
            if found is None:
                return until, quote
            at = found.end()
            if found.group() in _IN_STRING:
                quote = "" if quote else found.group()
        return at, quote
