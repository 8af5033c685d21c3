"""Objects by their import paths."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ...errors import ConfigError


def load(path: str) -> Any:
    """The object at ``"package.module:name"``, or at ``"folder/file.py:name"``.

    Raises:
        ConfigError: There is none.
    """
    module, colon, name = path.partition(":") if isinstance(path, str) else ("", "", "")
    if not (module and colon and name):
        raise ConfigError(f"an import path is written 'package.module:name', got {path!r}")
    try:
        found: Any = _of_file(Path(module)) if module.endswith(".py") else importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except ModuleNotFoundError as error:
        where = ""
        if error.name == module.partition(".")[0]:
            where = "; its folder must be the current one, the script's own, or on PYTHONPATH"
        raise ConfigError(f"{path!r} cannot be imported: {error}{where}") from error
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"{path!r} cannot be imported: {error}") from error
    except ConfigError:
        raise
    except Exception as error:  # whatever the module does when it is loaded
        raise ConfigError(f"{path!r} cannot be imported: {type(error).__name__}: {error}") from error
    return found


def _of_file(file: Path) -> ModuleType:
    """A file as the module that a script beside it would import, so that worker processes find it, too.

    Raises:
        ConfigError: There is no such file, or it breaks.
        ImportError: Another module has its name.
    """
    if not file.is_file():
        raise ConfigError(f"{file}: no such file")
    folder, known = str(file.resolve().parent), sys.modules.get(file.stem)
    if known is not None and Path(getattr(known, "__file__", None) or "").resolve() == file.resolve():
        return known
    if folder not in sys.path:
        sys.path.append(folder)
    found = importlib.util.find_spec(file.stem) if known is None else None
    if found is None or found.origin is None or Path(found.origin).resolve() != file.resolve():
        raise ImportError(f"another module is called {file.stem!r}; rename the file")
    try:
        return importlib.import_module(file.stem)
    except Exception as error:
        raise ConfigError(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
