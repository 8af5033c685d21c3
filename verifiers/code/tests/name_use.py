"""How tests use names: by calling them, by looking at them, as classes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

Nodes = Sequence[ast.AST]
"""All of a tree, walked once for all that is asked of it."""
PROGRAM_MODULES = ("solution", "main", "candidate_solution")
"""Names under which tests import the program."""


def used_as_classes(nodes: Nodes, names: Collection[str]) -> set[str]:
    """Those of the names that tests use as classes: what tests make of a class is theirs to use operators on.

    They look at the name itself (``isinstance(x, Node)``, ``Node.count``), at attributes and items of what a
    call of it gave, call that, use it in a ``with``, or combine or compare two such objects. A capital letter
    alone says nothing: the answer of a function that has one must not get to see what it is compared with.

    Args:
        nodes: The tests.
        names: Candidates.
    """
    if not names:
        return set()
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    made_by: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for maker in _makers(node.value, names, {}):
                for target in targets:
                    made_by.setdefault(ast.unparse(target), set()).add(maker)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names and id(node) not in called:
            found.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            found |= _makers(node.value, names, made_by)
        elif isinstance(node, ast.Call) and not isinstance(node.func, ast.Call):
            found |= _makers(node.func, names, made_by)
        elif isinstance(node, ast.withitem):
            found |= _makers(node.context_expr, names, made_by)
        for one, other in _sides(node):
            found |= _inside(one, names, made_by) & _inside(other, names, made_by)
    return found


def _makers(node: ast.expr, names: Collection[str], made_by: dict[str, set[str]]) -> set[str]:
    """The candidates whose call an expression is, or the variable that holds what they gave."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
        return {node.func.id}
    return made_by.get(ast.unparse(node), set()) if isinstance(node, ast.Name | ast.Attribute) else set()


def _inside(node: ast.expr, names: Collection[str], made_by: dict[str, set[str]]) -> set[str]:
    return {
        maker
        for each in ast.walk(node)
        if isinstance(each, ast.expr)
        for maker in _makers(each, names, made_by)
    }


def _sides(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.BinOp):
        yield node.left, node.right
    elif isinstance(node, ast.Compare):
        for other in node.comparators:
            yield node.left, other


def looked_at_in(nodes: Nodes) -> set[str]:
    """Names that are used otherwise than by calling them."""
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called
    }
    modules = program_names(nodes)
    return found | {node.attr for node in attributes_of(nodes, modules) if id(node) not in called}


def called_in(nodes: Nodes) -> set[str]:
    """Names that are called."""
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return {each.id for each in calls if isinstance(each, ast.Name)}


def bases_in(nodes: Nodes) -> set[str]:
    """Classes that tests derive others from."""
    return {
        base.id
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Name)
    }


def program_names(nodes: Nodes) -> set[str]:
    """What tests call the program's module, where they import it whole."""
    return {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in PROGRAM_MODULES
    }


def attributes_of(nodes: Nodes, modules: set[str]) -> list[ast.Attribute]:
    """Attributes of these names."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    ]
