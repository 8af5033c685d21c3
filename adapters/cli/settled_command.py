"""Commands whose options ``verify.toml`` settles where the command line does not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from .console import failing_clearly, say
from .settings import found_settings

SETTLED = "DEFAULT_MAP"
"""What click calls the origin of a value that is not on the command line, and no default of the command."""


def origin(context: Any, name: str) -> str:
    """Where the value of an option comes from, as click calls it: COMMANDLINE, DEFAULT, `SETTLED` ..."""
    source = context.get_parameter_source(name)
    # Some releases of typer have a click of their own, so its names are compared, and not its objects.
    return "DEFAULT" if source is None else source.name


class PlainCommand(TyperCommand):
    """A command whose switches have no type in the help: what they take is nothing."""

    def __init__(self, *given: Any, **said: Any) -> None:
        super().__init__(*given, **said)
        for each in self.params:
            if getattr(each, "is_flag", False):
                each.metavar = ""

    def get_help_option(self, ctx: Any) -> Any:
        """The option of the help, as the others."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.metavar = ""
        return found


class SettledCommand(PlainCommand):
    """A command that takes what the nearest ``verify.toml`` says, and tells what it took."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context, with what the file settles.

        Raises:
            SystemExit: The file cannot be read.
        """
        with failing_clearly():
            settings = found_settings(Path(os.getcwd()))
        # A file's one recipe is no default of a command that takes several.
        own = {each.name for each in self.params if not getattr(each, "multiple", False)}
        settled = {name: value for name, value in settings.options.items() if name in own}
        context = super().make_context(info_name, args, parent, default_map=settled, **extra)
        used = [name for name in settled if origin(context, name) == SETTLED]
        if used:
            say(settings.told(used))
        return context
