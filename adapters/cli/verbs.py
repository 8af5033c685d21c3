"""The verbs of ``verify-cli``, each imported when it is called: listing them imports none."""

from __future__ import annotations

import ast
import inspect
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from reward_verifiers.verifiers.runtime.packages import uncollected

from .console import USAGE, say
from .settled_command import PlainCommand, SettledCommand, made_plain


def flowing(said: str) -> str:
    """Return a docstring as paragraphs without its own line breaks, for terminals of any width."""
    return "\n\n".join(" ".join(each.split()) for each in inspect.cleandoc(said).split("\n\n"))


class Verb(NamedTuple):
    """A verb's location and place in the list.

    Args:
        module: Its module, below this package.
        function: The function that runs it, or the `typer.Typer` of its own verbs.
        settled: Whether ``verify.toml`` settles its options.
        panel: Below which head it is listed.
    """

    module: str
    function: str
    settled: bool = False
    panel: str = "Verifiers"

    def load(self, name: str) -> Any:
        """Return the command that typer makes."""
        found = getattr(uncollected(import_module, f"{__package__}.{self.module}"), self.function)
        if isinstance(found, typer.Typer):
            group: Any = typer.main.get_command(found)
            group.name = name
            return group
        one = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        kind = SettledCommand if self.settled else PlainCommand
        one.command(name, cls=kind, help=flowing(inspect.getdoc(found) or ""))(found)
        return typer.main.get_command(one)

    def listed(self, name: str) -> TyperCommand:
        """Return the command as a list of verbs shows it, read from its code, which nothing runs."""
        spec: Any = find_spec(f"{__package__}.{self.module}")
        coded = getattr(spec.loader, "get_code", None)  # which Python keeps since the last run
        for each in () if coded is None else coded(spec.name).co_consts:
            if isinstance(each, CodeType) and each.co_name == self.function and each.co_consts[0]:
                return TyperCommand(
                    name, help=inspect.cleandoc(str(each.co_consts[0])), rich_help_panel=self.panel
                )
        source = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
        return TyperCommand(name, help=self._said(source), rich_help_panel=self.panel)

    def _said(self, source: ast.Module) -> str:
        for node in source.body:
            if isinstance(node, ast.FunctionDef) and node.name == self.function:
                return inspect.cleandoc(ast.get_docstring(node) or "")
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and any(
                    isinstance(target, ast.Name) and target.id == self.function for target in node.targets
                )
            ):
                said = {each.arg: each.value for each in node.value.keywords}.get("help")
                return str(ast.literal_eval(said)) if said is not None else ""
        return ""


VERBS = {
    "score": Verb("score", "score", True, "Score"),
    "explain": Verb("explain", "explain", True, "Score"),
    "references": Verb("references", "references", True, "Score"),
    "demo": Verb("demo", "demo", panel="Score"),
    "report": Verb("scored.report", "report", True, "Inspect"),
    "show": Verb("scored.show", "show", True, "Inspect"),
    "diff": Verb("scored.diff", "diff", True, "Inspect"),
    "groups": Verb("scored.groups", "groups", True, "Inspect"),
    "audit": Verb("scored.audit", "audit", True, "Inspect"),
    "publish": Verb("scored.report", "publish", True, "Inspect"),
    "certify": Verb("certify", "certify", panel="Inspect"),
    "trust": Verb("certify", "trust", panel="Inspect"),
    "select": Verb("scored.select", "select", True, "Select"),
    "prefer": Verb("scored.select", "prefer", True, "Select"),
    "cases": Verb("scored.cases", "cases", True, "Select"),
    "list": Verb("listing", "list_verifiers"),
    "recipe": Verb("recipe", "app"),
    "new": Verb("authoring", "new"),
    "test": Verb("authoring", "run_cases"),
    "check-verifier": Verb("authoring", "check_verifier"),
    "serve": Verb("serve", "serve", panel="Serve and environment"),
    "doctor": Verb("doctor", "doctor", panel="Serve and environment"),
    "sandbox": Verb("sandbox", "sandbox", panel="Serve and environment"),
    "completion": Verb("listing", "completion", panel="Serve and environment"),
}
"""In the order in which they are listed."""


class _Commands(dict[str, Any]):
    """Commands by name, each made when it is asked for."""

    listing = False

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        if isinstance(found, Verb):
            if self.listing:
                return found.listed(name)
            found = found.load(name)
            self[name] = found
        return found

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401  # it would ask itself

    def values(self) -> Any:
        return [self[name] for name in self]

    def items(self) -> Any:
        return [(name, self[name]) for name in self]


class Verbs(TyperGroup):
    """The group of all verbs."""

    def __init__(self, **said: Any) -> None:
        super().__init__(**said)
        self.commands = _Commands(VERBS)
        made_plain(self.params)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the verb, of which typer adds some to a group that is made."""
        made_plain(self.params)
        return super().parse_args(ctx, args)

    def main(self, *given: Any, **more: Any) -> Any:
        """Run a verb; wrong usage is one sentence, as every other error is."""
        if not more.get("standalone_mode", True):
            return super().main(*given, **more)
        try:
            status = super().main(*given, **{**more, "standalone_mode": False})
        except Exception as error:
            # Releases of typer have classes of their own for this: an error is asked for what it has.
            if not hasattr(error, "format_message"):
                raise
            if type(error).__name__ == "NoArgsIsHelpError":
                return super().main(*given, **more)
            context: Any = getattr(error, "ctx", None)
            program = "verify-cli" if context is None else context.command_path
            say(f"error: {' '.join(error.format_message().split())} ({program} -h lists what there is)")
            status = getattr(error, "exit_code", USAGE)
        sys.exit(status if isinstance(status, int) else 0)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the help option, which takes no value."""
        found = super().get_help_option(ctx)
        made_plain([] if found is None else [found])
        return found

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the completions for a shell without uncollected any verb."""
        commands: Any = self.commands
        commands.listing = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            commands.listing = False

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help without uncollected any verb."""
        commands: Any = self.commands
        commands.listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            commands.listing = False
