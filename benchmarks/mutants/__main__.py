"""Draw mutants, run the tests that reach them, list the survivors."""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem, WorkResult

from .nearest import NOT_RUN
from .reached import measure
from .sample import candidates, draw, modules

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TIMEOUT = 240
"""Seconds after which a mutant counts as killed; the tests chosen for one took at most 30."""
CONFIGURATION = """\
[cosmic-ray]
module-path = []
timeout = {timeout}
excluded-modules = []
test-command = "{python} -m benchmarks.mutants.nearest"
[cosmic-ray.distributor]
name = "local"
"""


@dataclass(frozen=True)
class Mutant:
    """What became of one mutant."""

    area: str
    file: str
    function: str
    was: str
    becomes: str
    killed: bool
    diff: str
    note: str


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=320, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--area", action="append", help="only this area of settings.toml, or only this path")
    parser.add_argument("--floor", type=float, default=0.8, help="the share below which the command fails")
    parser.add_argument("--reached", type=Path, help="a folder that keeps which test runs which line")
    parser.add_argument("--minutes", type=float, default=29.0, help="after which no further mutant is tried")
    parser.add_argument("--settings", type=Path, default=HERE / "settings.toml")
    options = parser.parse_args()
    settings = tomllib.loads(options.settings.read_text(encoding="utf-8"))
    areas = settings["areas"]
    if options.area:
        areas = {area: areas.get(area, [area]) for area in options.area}
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [_copy(Path(folder) / f"tree{number}") for number in range(options.workers + 1)]
        original = trees.pop()
        by_module = {path: area for area, paths in areas.items() for path in modules(paths, original)}
        _prepare(
            original, settings["tests"], options.workers, options.reached, [str(path) for path in by_module]
        )
        print(f"tests measured after {time.monotonic() - started:.0f} s", flush=True)
        os.chdir(original)
        with use_db(str(original / "all.sqlite")) as database:
            found = candidates(database, list(by_module), settings)
        chosen = draw(found, options.sample, options.seed)
        places = sum(map(len, found.values()))
        print(f"{len(chosen)} mutants drawn from {places} places, seed {options.seed}", flush=True)
        _compile(trees, settings["tests"]["paths"])
        results = _run(
            trees, chosen, original, time.time() + 60 * options.minutes - (time.monotonic() - started)
        )
    mutants = [_told(item, result, by_module) for item, result in results]
    return _report(mutants, options.floor, time.monotonic() - started)


def _environment(tree: Path) -> dict[str, str]:
    """Processes that tests start import the tree, too; every hash is the same in each run."""
    return {
        **os.environ,
        "PYTHONPATH": str(tree),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HF_HUB_OFFLINE": "1",
    }


def _copy(tree: Path) -> Path:
    """The files of the working tree that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
    return tree


def _prepare(
    original: Path, tests: dict[str, list[str]], workers: int, kept: Path | None, files: list[str]
) -> None:
    """Measure which test runs which line, or take it from an earlier run."""
    if kept is not None and (kept / "seconds.json").exists():
        for name in ("seconds.json", "reached.coverage"):
            shutil.copyfile(kept / name, original / name)
        seconds = json.loads((original / "seconds.json").read_text(encoding="utf-8"))
    else:
        packages = sorted({Path(file).parts[0] for file in files})
        seconds = measure(original, packages, tests, workers, _environment(original))
        if kept is not None:
            kept.mkdir(parents=True, exist_ok=True)
            for name in ("seconds.json", "reached.coverage"):
                shutil.copyfile(original / name, kept / name)
    notes = {"modules": files, "seconds": seconds, "laws": tests["laws"]}
    (original / "reached.json").write_text(json.dumps(notes), encoding="utf-8")


def _compile(trees: list[Path], tests: list[str]) -> None:
    """Keep the compiled form of tests and modules, which would else be made anew for each mutant.

    Modules are compared by the hash of their source: two versions may share a second and a size.
    """
    for tree in trees:
        environment = _environment(tree)
        del environment["PYTHONDONTWRITEBYTECODE"]
        collect = [sys.executable, "-m", "pytest", "-q", "--co", "-p", "no:cacheprovider", *tests]
        subprocess.run(collect, cwd=tree, env=environment, stdout=subprocess.DEVNULL, check=False)
        packages = [path.name for path in tree.iterdir() if (path / "__init__.py").exists()]
        hashed = ["-m", "compileall", "-q", "-f", "--invalidation-mode", "checked-hash", *packages]
        subprocess.run([sys.executable, *hashed], cwd=tree, env=environment, check=True)


def _run(
    trees: list[Path], chosen: list[WorkItem], original: Path, deadline: float
) -> list[tuple[WorkItem, WorkResult]]:
    """Each tree has a session of Cosmic Ray with its part of the sample."""
    running = []
    for number, tree in enumerate(trees):
        (tree / "cosmic-ray.toml").write_text(
            CONFIGURATION.format(timeout=TIMEOUT, python=sys.executable), encoding="utf-8"
        )
        with use_db(str(tree / "session.sqlite")) as database:
            database.add_work_items(chosen[number :: len(trees)])
        command = [sys.executable, "-m", "cosmic_ray.cli", "exec", "cosmic-ray.toml", "session.sqlite"]
        environment = {
            **_environment(tree),
            "MUTANTS_ORIGINAL": str(original),
            "MUTANTS_DEADLINE": str(deadline),
        }
        running.append(subprocess.Popen(command, cwd=tree, env=environment))
    if any(process.wait() for process in running):
        raise SystemExit("cosmic-ray did not get through")
    results: list[tuple[WorkItem, WorkResult]] = []
    for tree in trees:
        with use_db(str(tree / "session.sqlite"), WorkDB.Mode.open) as database:
            results += [
                pair for pair in database.completed_work_items if NOT_RUN not in (pair[1].output or "")
            ]
    if len(results) < len(chosen):
        print(f"there was time for {len(results)} of {len(chosen)}", flush=True)
    return results


def _told(item: WorkItem, result: WorkResult, areas: dict[Path, str]) -> Mutant:
    [mutation] = item.mutations
    lines = (result.diff or "").splitlines()[3:]
    # White space aside, which Cosmic Ray does not keep.
    removed = [" ".join(line[1:].split()) for line in lines if line.startswith("-")]
    added = [" ".join(line[1:].split()) for line in lines if line.startswith("+")]
    output = (result.output or "").strip().splitlines()
    failed = [line for line in output if line.startswith(("FAILED", "ERROR"))]
    source = (ROOT / mutation.module_path).read_text(encoding="utf-8")
    return Mutant(
        areas[mutation.module_path],
        str(mutation.module_path),
        _function(source, mutation.start_pos[0]),
        "\n".join(filter(None, removed)),
        "\n".join(filter(None, added)),
        result.test_outcome is not TestOutcome.SURVIVED,
        "\n".join(line for line in lines if line[:1] in "+-"),
        (failed or output[:1] or ["no output"])[0][:150],
    )


def _function(source: str, line: int) -> str:
    """The qualified name of the function or class around a line."""
    names = [
        (node.lineno, node.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and min([node.lineno, *(each.lineno for each in node.decorator_list)])
        <= line
        <= (node.end_lineno or line)
    ]
    return ".".join(name for _, name in sorted(names))


def _report(mutants: list[Mutant], floor: float, seconds: float) -> int:
    listed = tomllib.loads((HERE / "known.toml").read_text(encoding="utf-8"))
    same, left = (
        {(each["function"], each["was"], each["becomes"]): each["reason"] for each in listed[kind]}
        for kind in ("equivalent", "left")
    )
    killed, equivalent, total = Counter[str](), Counter[str](), Counter[str]()
    for mutant in sorted(mutants, key=lambda each: (each.file, each.function, each.diff)):
        total[mutant.area] += 1
        killed[mutant.area] += mutant.killed
        key = mutant.function, mutant.was, mutant.becomes
        if not mutant.killed:
            equivalent[mutant.area] += key in same
            print(f"\n{mutant.file} {mutant.function}\n{mutant.diff}\n  {mutant.note}")
            print(
                f"  equivalent: {same[key]}"
                if key in same
                else f"  SURVIVED: {left.get(key, 'no reason yet')}"
            )
    print(f"\n{'area':<14}{'drawn':>7}{'killed':>8}{'equivalent':>12}{'survived':>10}")
    for area in [*total, "all"]:
        counts = [sum(each.values()) if area == "all" else each[area] for each in (total, killed, equivalent)]
        drawn, dead, equal = counts
        print(f"{area:<14}{drawn:>7}{dead:>8}{equal:>12}{drawn - dead - equal:>10}")
    share = killed.total() / max(1, total.total() - equivalent.total())
    print(f"killed {share:.1%} of those that change something, in {seconds:.0f} s")
    return 0 if share >= floor else 1


if __name__ == "__main__":
    sys.exit(main())
