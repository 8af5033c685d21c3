"""Objects by their import paths."""

from __future__ import annotations

import importlib
from typing import Any

from ...errors import ConfigError


def load(path: str) -> Any:
    """The object at ``"package.module:name"``.

    Raises:
        ConfigError: There is none.
    """
    module, colon, name = path.partition(":") if isinstance(path, str) else ("", "", "")
    if not (module and colon and name):
        raise ConfigError(f"an import path is written 'package.module:name', got {path!r}")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except ModuleNotFoundError as error:
        where = ""
        if error.name == module.partition(".")[0]:
            where = "; its folder must be the current one, the script's own, or on PYTHONPATH"
        raise ConfigError(f"{path!r} cannot be imported: {error}{where}") from error
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{path!r} cannot be imported: {error}") from error
    return found
