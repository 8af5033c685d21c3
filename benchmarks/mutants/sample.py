"""Which mutants are tried: drawn by places, so that one with eleven variants weighs no more than another."""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections import defaultdict
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import WorkItem

Place = tuple[int, int]
_MARKER = re.compile(r"[*/]\s*[,)]")
"""Stars and strokes of a list of parameters, which Cosmic Ray takes for operators."""


def modules(paths: list[str], root: Path) -> list[Path]:
    """The modules of folders and files, relative to the root.

    Raises:
        SystemExit: A path does not exist; the settings are out of date.
    """
    found: list[Path] = []
    for path in paths:
        if not (root / path).exists():
            raise SystemExit(f"settings.toml names {path}, which is not there")
        files = [root / path] if path.endswith(".py") else sorted((root / path).rglob("*.py"))
        found += [file.relative_to(root) for file in files]
    return found


def candidates(
    database: WorkDB, paths: list[Path], settings: dict[str, dict[str, list[str]]]
) -> dict[Path, dict[Place, list[WorkItem]]]:
    """All mutants of some modules, by the place they change, without those that the settings leave out."""
    init(paths, database, {})
    refused = re.compile("|".join(settings["operators"]["without"]) or "$^")
    found: dict[Path, dict[Place, list[WorkItem]]] = defaultdict(lambda: defaultdict(list))
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    decorators, keywords = settings["decorators"]["without"], settings["keywords"]["without"]
    idle = {path: _idle(source, decorators, keywords) for path, source in sources.items()}
    lines = {path: source.splitlines() for path, source in sources.items()}
    for item in database.work_items:
        [mutation] = item.mutations
        path, start = mutation.module_path, mutation.start_pos
        if (
            refused.match(mutation.operator_name)
            or any(first <= start < last for first, last in idle[path])
            or _MARKER.match(lines[path][start[0] - 1], start[1])
        ):
            continue
        found[path][start].append(item)
    return found


def draw(found: dict[Path, dict[Place, list[WorkItem]]], size: int, seed: int) -> list[WorkItem]:
    """A sample in proportion to the modules' lines: places first, then one mutant of each place."""
    chance = random.Random(seed)
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(found)}
    total = sum(lines.values())
    drawn: list[WorkItem] = []
    spare: list[WorkItem] = []
    for path, count in lines.items():
        # Names of jobs are random: only places put the mutants in an order that a seed can repeat.
        places = [sorted(found[path][place], key=_order) for place in sorted(found[path])]
        chance.shuffle(places)
        share = size * count / total
        quota = int(share) + (chance.random() < share % 1)
        usable = (each for variants in places if (each := _one_of(variants, chance)) is not None)
        drawn += itertools.islice(usable, quota)
        spare += itertools.islice(usable, 1)
    chance.shuffle(spare)
    return [*drawn, *spare][:size]


def _one_of(variants: list[WorkItem], chance: random.Random) -> WorkItem | None:
    """One of the mutants of a place; none that is no Python, which any test would notice."""
    for item in chance.sample(variants, len(variants)):
        [mutation] = item.mutations
        source = mutation.module_path.read_text(encoding="utf-8")
        try:
            changed = mutate_code(source, get_operator(mutation.operator_name)(), mutation.occurrence)
            if changed is not None:
                ast.parse(changed)
                return item
        except (SyntaxError, AttributeError):
            pass  # Cosmic Ray makes nothing of an exception with a dotted name
    return None


def _order(item: WorkItem) -> tuple[str, int]:
    [mutation] = item.mutations
    return mutation.operator_name, mutation.occurrence


def _idle(source: str, decorators: list[str], keywords: list[str]) -> list[tuple[Place, Place]]:
    """Where a mutant changes nothing: annotations are not evaluated, and some settings only save time."""
    nodes: list[ast.expr | None] = []
    signs: list[ast.expr] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes.append(node.returns)
            signs += [each for each in node.decorator_list if _named(each) in decorators]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            nodes.append(node.annotation)
        elif isinstance(node, ast.keyword) and node.arg in keywords:
            nodes.append(node.value)
    # A decorator begins with its @, which is no part of the tree.
    spans = [(node, node.col_offset) for node in nodes if node is not None]
    spans += [(node, node.col_offset - 1) for node in signs]
    return [
        ((node.lineno, column), (node.end_lineno or 0, node.end_col_offset or 0)) for node, column in spans
    ]


def _named(decorator: ast.expr) -> str:
    """A decorator without its arguments."""
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
