"""Which mutants are tried: drawn by places, so that one with eleven variants weighs no more than another."""

from __future__ import annotations

import ast
import random
import re
from collections import defaultdict
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import WorkItem

Place = tuple[int, int]


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
    database: WorkDB, paths: list[Path], without: list[str]
) -> dict[Path, dict[Place, list[WorkItem]]]:
    """All mutants of some modules, by the place they change."""
    init(paths, database, {})
    refused = re.compile("|".join(without) or "$^")
    idle = {path: _idle(path.read_text(encoding="utf-8")) for path in paths}
    found: dict[Path, dict[Place, list[WorkItem]]] = defaultdict(lambda: defaultdict(list))
    for item in database.work_items:
        [mutation] = item.mutations
        start = mutation.start_pos
        if refused.match(mutation.operator_name) or any(
            first <= start < last for first, last in idle[mutation.module_path]
        ):
            continue
        found[mutation.module_path][start].append(item)
    return found


def draw(found: dict[Path, dict[Place, list[WorkItem]]], size: int, seed: int) -> list[WorkItem]:
    """A sample in proportion to the modules' lines: places first, then one mutant of each place."""
    chance = random.Random(seed)
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(found)}
    total = sum(lines.values())
    drawn: list[WorkItem] = []
    spare: list[list[WorkItem]] = []
    for path, count in lines.items():
        # Names of jobs are random: only places put the mutants in an order that a seed can repeat.
        places = [sorted(found[path][place], key=_order) for place in sorted(found[path])]
        chance.shuffle(places)
        share = size * count / total
        quota = int(share) + (chance.random() < share % 1)
        drawn += [chance.choice(variants) for variants in places[:quota]]
        spare += places[quota:]
    chance.shuffle(spare)
    drawn += [chance.choice(variants) for variants in spare[: max(0, size - len(drawn))]]
    return drawn[:size] if len(drawn) > size else drawn


def _order(item: WorkItem) -> tuple[str, int]:
    [mutation] = item.mutations
    return mutation.operator_name, mutation.occurrence


def _idle(source: str) -> list[tuple[Place, Place]]:
    """Where a mutant changes nothing: annotations are not evaluated."""
    nodes: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            nodes.append(node.annotation)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
        for node in nodes
        if node is not None
    ]
