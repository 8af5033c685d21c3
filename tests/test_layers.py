"""Imports run one way: between packages, between the folders of each, and between modules."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support import ROOT, in_groups
from verifiers.language.signs import FUNCTION_NAMES, SUPERSCRIPTS, TEXT_COMMANDS

LAYERS = ["verifiers", "rewards", "adapters", "training"]

ORDER = {
    "verifiers": "errors runtime visible core language units formulas reading extract text maths code metrics instructions answers box_iou process judge tools korean",
    "verifiers.maths": "question decide explanation equivalence",
    "verifiers.process": "steps step_layout step_model orm_score prm_score calculation_signs calculation_reader claim_judging claims derivations equation_chain numbers_grounded answer_follows",
    "verifiers.code": "jail engine suites rows programs pass_rate",
    "rewards": "trainer_arguments cache tree shape group_rewards advantages select recipe",
    "adapters": "files known_sets comparison audit report hosts serve cluster certify trl trl_rewards cases cli",
    "training": "environment config data models small_models arithmetic chains word_sums instruction_tasks tool_task r1 generation agent_tools tasks run research watch stages dry_run demo cli grpo",
}
"""The folders and modules of each package from the bottom up: each may import those before it."""

CORE = (
    *("verifiers.errors", "verifiers.runtime", "verifiers.visible", "verifiers.core", "verifiers.language"),
    *("verifiers.units", "verifiers.formulas", "verifiers.reading", "verifiers.extract", "verifiers.text"),
    *("verifiers.maths", "rewards", "adapters.files", "adapters.hosts.trainers.trl", "adapters.trl_rewards"),
    *("adapters.cli.score", "adapters.cli.explain"),
)
"""What nearly everybody imports."""
GUESTS = (
    *("verifiers.process.step_model", "verifiers.process.prm_score", "verifiers.process.orm_score"),
    *("adapters.cluster", "adapters.serve", "adapters.comparison", "adapters.report", "training"),
)
"""What few programs need: it may change, or be absent, and the core goes on."""

LONGEST_FILE = 500
"""Lines of a module: one subject, read in a sitting."""

MOST_LINES = 60
"""Lines of a function, its docstring included."""

HEAVY = {"torch", "transformers", "trl", "datasets", "bert_score", "sympy", "latex2sympy2_extended", "numpy",
         "flint"}  # fmt: skip
# They run in a worker process or load on request, so a module of theirs may import at its top.
HEAVY_ALLOWED = {
    "verifiers/maths/decide/symbolic.py": {"sympy", "latex2sympy2_extended"},
}
# What may be imported inside a function: packages that are heavy or optional, and what one system lacks.
LATE = HEAVY | {*("accelerate", "anyio", "asyncio", "cloudpickle", "fastapi", "importlib", "httpx",
                  "inspect_ai", "jinja2", "jsonschema", "lighteval", "lm_eval", "matplotlib", "openenv",
                  "packaging", "peft", "pyarrow", "ray", "referencing", "rich", "skyrl_gym", "starlette",
                  "tokenizers", "uvicorn", "verl", "vl_convert", "yaml"), *("fcntl", "resource")}  # fmt: skip
# Children of processes and what they run, where every module that is loaded early is time before the first
# answer; and what pytest loads in every environment, with or without a case file.
LATE_EVERYTHING = {"verifiers/code/jail", "verifiers/runtime/packages.py", "training/environment.py",
                   "adapters/cases/pytest_plugin.py"}  # fmt: skip
# What runs inside the sandbox; and what compiles the names of fields, no text that anybody writes.
EXECUTES = {"verifiers/code/jail/guest.py", "verifiers/code/jail/tester.py", "verifiers/runtime/records.py"}


class Import(NamedTuple):
    """One name that a module imports."""

    target: str
    late: bool
    level: int


@functools.cache
def _modules() -> dict[str, Path]:
    found = {}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_modules()[module].read_text(encoding="utf-8"))


@functools.cache
def _imports(module: str) -> tuple[Import, ...]:
    """Everything that a module imports: at its top, inside functions, and for type checkers."""
    is_package = _modules()[module].name == "__init__.py"
    return tuple(_found(_tree(module), module.split(".") if is_package else module.split(".")[:-1], False))


def _short(module: str) -> str:
    """Without the name of the package that holds the four."""
    return module.removeprefix("reward_verifiers.")


def _found(node: ast.AST, package: list[str], late: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        inside = late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.Import):
            yield from (Import(_short(alias.name), inside, 0) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            above = package[: len(package) - child.level + 1] if child.level else []
            source = _short(".".join([*above, *([child.module] if child.module else [])]))
            for alias in child.names:
                name = f"{source}.{alias.name}"
                yield Import(name if name in _modules() else source, inside, child.level)
        yield from _found(child, package, inside)


def _ours(module: str) -> list[Import]:
    return [each for each in _imports(module) if each.target in _modules() and each.target != module]


def _by_path(path: Path) -> str:
    return str(path.relative_to(ROOT))


MODULES = sorted(_modules())


@in_groups(MODULES, str, len(MODULES))
def test_no_module_imports_upwards(module: str) -> None:
    """A lower layer that reached back could not be used, or understood, by itself."""
    layer = module.partition(".")[0]
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    for each in _imports(module):
        assert each.target.partition(".")[0] not in above
        inside = each.target.partition(".")[0] == layer
        assert not inside or each.level or layer == "adapters", "inside a package imports are relative"


@in_groups(MODULES, str, len(MODULES))
def test_folders_are_entered_in_their_order(module: str) -> None:
    """A folder imports those before it in `ORDER`, never one after it."""
    for package, order in ORDER.items():
        place = _place(module, package, order.split())
        for each in _ours(module) if place is not None else ():
            other = _place(each.target, package, order.split())
            assert other is None or other <= place, f"{each.target} is above {module} in {package}"


def _place(module: str, package: str, order: list[str]) -> int | None:
    if not module.startswith(package + "."):
        return None
    name = module.removeprefix(package + ".").partition(".")[0]
    assert name in order or name == "__main__", f"{package}.{name} has no place in ORDER"
    return order.index(name) if name in order else len(order)


def test_there_are_no_circles() -> None:
    """At any depth, counting imports inside functions and those for type checkers."""
    finished: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " imports ".join((*way[way.index(module) :], module))
        if module not in finished:
            for each in _ours(module):
                visit(each.target, (*way, module))
            finished.add(module)

    for module in MODULES:
        visit(module, ())


def test_the_core_imports_no_guest() -> None:
    """Nor does what it imports; the faces of the packages name everything, and load what is asked for."""
    assert all(any(_lies_in(module, each) for module in MODULES) for each in CORE + GUESTS)
    ways = {module: module for module in MODULES if any(_lies_in(module, each) for each in CORE)}
    waiting = list(ways)
    while waiting:
        module = waiting.pop()
        for each in _ours(module) if module not in LAYERS else ():
            if each.target not in ways:
                ways[each.target] = f"{ways[module]} imports {each.target}"
                waiting.append(each.target)
    assert [way for module, way in ways.items() if any(_lies_in(module, each) for each in GUESTS)] == []


def _lies_in(module: str, place: str) -> bool:
    return module == place or module.startswith(place + ".")


@in_groups(MODULES, str, len(MODULES))
def test_only_heavy_packages_are_imported_late(module: str) -> None:
    """An import inside a function hides what a module needs; only what is heavy, or missing somewhere, may."""
    path = _by_path(_modules()[module])
    if any(path.startswith(each) for each in LATE_EVERYTHING):
        return
    late = {each.target.partition(".")[0] for each in _imports(module) if each.late}
    assert not late - LATE


@in_groups(MODULES, str, len(MODULES))
def test_no_private_module_of_another_package_is_imported(module: str) -> None:
    """Other packages stand on what is public, as third parties do."""
    package = module.partition(".")[0]
    for each in _imports(module):
        if each.target.partition(".")[0] in LAYERS and not each.target.startswith(package):
            assert "._" not in each.target


def test_no_function_is_long() -> None:
    """What does not fit on a screen does several things."""
    lines = {
        f"{_by_path(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for module, path in _modules().items()
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_no_module_is_longer_than_a_sitting() -> None:
    """A module holds one subject, and a stranger reads it in one go."""
    lines = {
        _by_path(path): len(path.read_text(encoding="utf-8").splitlines()) for path in _modules().values()
    }
    assert {path: count for path, count in lines.items() if count > LONGEST_FILE} == {}


WRITTEN_INTO_PROGRAMS = {"_pytest_function", "_pytest_method"}
"""Called by name from what `pytest_stand_in` writes."""


def test_no_private_name_of_a_module_is_unused() -> None:
    unused = [
        f"{path.relative_to(ROOT)}: {name}"
        for package in ("verifiers", "rewards", "adapters", "training")
        for path in sorted((ROOT / package).rglob("*.py"))
        if (text := path.read_text(encoding="utf-8"))
        for name in re.findall(r"^(?:def |class )?(_[A-Za-z]\w*)(?:\(| = |: )", text, re.MULTILINE)
        if name not in WRITTEN_INTO_PROGRAMS and len(re.findall(rf"\b{name}\b", text)) == 1
    ]
    assert unused == []


def test_every_folder_says_what_lives_there() -> None:
    """In more than a name."""
    for module, path in _modules().items():
        if path.name == "__init__.py":
            assert len((ast.get_docstring(_tree(module)) or "").split()) >= 8, module


def test_the_design_names_every_folder() -> None:
    """docs/design.md has a sentence for each folder of the packages, and for none that is gone."""
    _, *tables = (ROOT / "docs/design.md").read_text(encoding="utf-8").split("\n| `")
    named: set[str] = set()
    package = ""
    for row in tables:
        if (head := re.match(r"(\w+)/` \| \|\n", row)) is not None:
            package = head[1]
        else:
            names = re.findall(r"`?(\w+)`", row.partition(" | ")[0])
            named |= {f"{package}.{name}" for name in names}
    gone = {each for each in named if each not in _modules() and not (ROOT / each.replace(".", "/")).is_dir()}
    folders = {
        each for each, path in _modules().items() if path.name == "__init__.py" and each.count(".") == 1
    }
    assert gone == set()
    assert folders <= named


# Modules that are called after what they are of: a verb, a language, the trainer that a door leads to.
NAMED_AFTER = ("adapters.cli.", "verifiers.language.spoken_languages.", "adapters.trl")


def test_every_name_stands_once_in_the_tree() -> None:
    """A module's or folder's name says what it holds without the folders above it."""
    folders = {module.rpartition(".")[0] for module in MODULES if "." in module}
    named = [*MODULES, *(each for each in folders if each not in _modules())]
    names = Counter(
        each.rpartition(".")[2] for each in named
        if not each.startswith(NAMED_AFTER) and not each.endswith((".__main__", ".cli"))
    )  # fmt: skip
    assert [name for name, count in names.items() if count > 1] == []


@in_groups(MODULES, str, len(MODULES))
def test_no_module_loads_heavy_packages_at_its_top(module: str) -> None:
    """They load where they are used."""
    top = {each.target.partition(".")[0] for each in _imports(module) if not each.late}
    assert not (top & HEAVY) - HEAVY_ALLOWED.get(_by_path(_modules()[module]), set())


@in_groups(MODULES, str, len(MODULES))
def test_model_text_is_never_evaluated(module: str) -> None:
    """No eval, exec, parse_expr or sympify, and no SIGALRM, anywhere."""
    if _by_path(_modules()[module]) in EXECUTES:
        return
    banned = {"eval", "exec", "parse_expr", "sympify", "SIGALRM", "alarm"}
    for node in ast.walk(_tree(module)):
        names = (
            {node.id} if isinstance(node, ast.Name)
            else {node.attr} if isinstance(node, ast.Attribute)
            else {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom)
            else set()
        )  # fmt: skip
        assert not names & banned


SCRIPTS = re.compile(
    "[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|\\u(?:11[0-9a-f]{2}|31[3-8][0-9a-f]|a[c-f][0-9a-f]{2}|[bc][0-9a-f]{3}|d[0-7][0-9a-f]{2}|[4-9][0-9a-f]{3})",
    re.IGNORECASE,
)
"""Hangul and Han, as they are or escaped."""
SPOKEN = ("verifiers/language/", "verifiers/units/", "verifiers/korean/")


@in_groups([module for module in MODULES if module.startswith("verifiers")], str, len(MODULES))
def test_words_of_a_language_are_in_one_place(module: str) -> None:
    """Hangul and Han stand where languages, units and Korean are, so that adding a language is one file."""
    path = _by_path(_modules()[module])
    if not path.startswith(SPOKEN):
        text = _modules()[module].read_text(encoding="utf-8")
        found = [number for number, line in enumerate(text.splitlines(), 1) if SCRIPTS.search(line)]
        assert not found, f"{path}: lines {found}"


# A module outside `language` and `reading` that writes what they know, and why it has to.
WRITES_ITS_OWN = {
    "adapters/cli/conditions.py": "a threshold on the command line",
    "training/config/config_files.py": "YAML's floats",
    "verifiers/extract/marked_answers.py": "what an answer begins with; no number is read",
    "verifiers/extract/phrases.py": "displays after an answer phrase",
    "verifiers/formulas/": "what each function is worth, by the evaluator's own names",
    "verifiers/maths/decide/": "what is decided of each function, by the evaluator's own names",
    "verifiers/korean/particles.py": "how a number ends when it is said",
    "verifiers/units/": "tables of units",
    "verifiers/answers/": "where items of a list and footnotes end; values are read by language.numerals",
    "verifiers/box_iou.py": "coordinates, which are numbers of JSON in any brackets",
    "verifiers/instructions/": "what official graders take for a number, and marks of a list",
}
NUMBER_PATTERN = re.compile(
    r"\\d(?:\{[^}]*\}|[+*?)(:])*(?:\\\.|\[[^\]]*[.,][^\]]*\])(?:\{[^}]*\}|[+*?)(:])*\\d"
    r"|(?<!\?[=!])(?<!<[=!])\[(?=[^\]]*\\d)[^\]]*[.,][^\]]*\]"
)
"""Digits, a point or comma, and digits; or a class of digits and points that is more than an edge."""
ENGLISH = {"max", "min", "abs", "arg", "exp", "log", "floor", "ceil", "text", "rm", "Re", "Im"}
"""Names of functions and commands that are words elsewhere."""
DELIMITERS = ("\\\\\\(", "\\\\\\[", "\\$\\$", "$$", "\\(", "\\[")
"""What sets a formula: the first three in a pattern, the others as they are."""


def _strings(node: ast.AST) -> Iterator[str]:
    """The strings of a module, each collection of them as one; no docstrings."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else " " for part in child.values)
        elif isinstance(child, ast.List | ast.Tuple | ast.Set | ast.Dict):
            items = (child.keys if isinstance(child, ast.Dict) else child.elts) or []
            yield "|".join(str(each.value) for each in items if isinstance(each, ast.Constant))
            yield from _strings(child)
        elif isinstance(child, ast.Constant):
            if isinstance(child.value, str):
                yield child.value
        else:
            yield from _strings(child)


def written_again(text: str) -> list[str]:
    """What a string says that the tables of `language.signs` say already.

    >>> written_again(r"\\d+(?:\\.\\d+)?"), written_again("sinh|cosh"), written_again("min|max"), written_again("⁰¹")
    (['a number'], ['functions'], [], ['superscripts'])
    """
    names = set(re.findall("[A-Za-z]+", text))
    kinds = {
        "a number": NUMBER_PATTERN.search(text) is not None,
        "functions": len(names & (FUNCTION_NAMES.keys() - ENGLISH)) > 1,
        "text commands": len(names & set(TEXT_COMMANDS)) > 1 and bool(names & set(TEXT_COMMANDS) - ENGLISH),
        "superscripts": len(SUPERSCRIPTS.keys() & set(text) - {"²", "³"}) > 1,
        "delimiters": any(each in text for each in DELIMITERS[:3]) or text in DELIMITERS[3:],
    }
    return [kind for kind, found in kinds.items() if found]


@in_groups(MODULES, str, len(MODULES))
def test_mathematics_is_written_in_one_place(module: str) -> None:
    """Numbers, functions, signs and formulas: what a box understands a sentence, a step and a unit understand."""
    path = _by_path(_modules()[module])
    if path.startswith(("verifiers/language/", "verifiers/reading/")):
        return
    if any(path.startswith(each) for each in WRITES_ITS_OWN):
        return
    found = [(text[:60], kinds) for text in _strings(_tree(module)) if (kinds := written_again(text))]
    assert not found, f"{path}: take them from language.signs or reading: {found}"


def test_what_writes_its_own_does_so() -> None:
    """An exception that is none any more is taken off the list."""
    idle = [
        each
        for each in WRITES_ITS_OWN
        if not any(
            written_again(text)
            for module, path in _modules().items()
            if _by_path(path).startswith(each)
            for text in _strings(_tree(module))
        )
    ]
    assert idle == []
