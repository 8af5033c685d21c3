"""Whose code a module is, which object an import path names, and how what none names goes to another process.

Code is this library's, Python's, an installed distribution's, or the user's own; files count by what they
hold. A worker has no notebook, no closure and not the script that started it: what is defined there travels
by value, by cloudpickle. Only a worker unpickles what was written here; nothing that comes back from one is
unpickled. Code takes its place along: cloudpickle replaces the name of the file from 3.1.3 on, and a fault
has to lead to the line where it arose.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import importlib.util
import io
import linecache
import os
import pickle
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Annotated, Any, Literal, NamedTuple

from ..errors import ConfigError
from ..runtime.records import dataclass

Owner = Literal["library", "standard", "installed", "own"]

LIBRARY = "reward-verifiers"
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = {"reward_verifiers", "verifiers", "rewards", "adapters", "training"}
_INSTALLED = {"site-packages", "dist-packages"}
_SCRIPTS = {"__main__", "__mp_main__"}
SERVICES = frozenset(
    "socket socketserver http.client urllib.request ftplib smtplib imaplib poplib xmlrpc.client requests "
    "urllib3 httpx aiohttp websockets grpc openai anthropic litellm cohere mistralai together boto3".split()
)
"""Modules by which code asks another machine: Python's own, and the clients that judges are written with."""


def owner_of(module: str) -> Owner:
    """Whose code a module is. What is in no file, as in a notebook, is the user's own."""
    return _owner_of(module, str(file_of(module) or ""))


@functools.lru_cache(maxsize=4096)
def _owner_of(module: str, file: str) -> Owner:
    top = module.partition(".")[0]
    if top in _SCRIPTS:
        return "own"
    if top in _PACKAGES and file and Path(file).resolve().is_relative_to(_ROOT):
        return "library"
    if _INSTALLED & set(Path(file).parts):
        return "installed"
    if top in sys.stdlib_module_names:
        return "standard"
    return "own"


def file_of(module: str) -> Path | None:
    """The source, or compiled, file of a module, which is not imported for it."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
        return Path(file) if isinstance(file, str) else None
    top, *below = module.split(".")
    if top == "reward_verifiers" and below:  # which is loaded, and knows where its parts are
        top = f"{top}.{below.pop(0)}"
    try:
        spec = importlib.util.find_spec(top)  # a top-level name is found without importing anything
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None:
        return None
    if not below:
        return Path(spec.origin) if spec.has_location and spec.origin else None
    for folder in spec.submodule_search_locations or ():
        base = Path(folder, *below)
        for found in (base.with_suffix(".py"), base / "__init__.py"):
            if found.is_file():
                return found
    return None


@functools.cache
def version_of(distribution: str) -> str:
    """The installed version of a distribution, or "absent"."""
    from importlib.metadata import PackageNotFoundError, version  # it loads mail and sockets

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def library_version() -> str:
    """The version of this library, installed or not."""
    found = version_of(LIBRARY)
    return found if found != "absent" else str(sys.modules["reward_verifiers.verifiers"].__version__)


def installed_as(module: str) -> str:
    """The distribution and version that a module comes from, as signatures show them: ``numpy:2.1.0``."""
    return _installed_as(module.partition(".")[0])


@functools.cache
def _installed_as(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    try:
        return f"{package}:{version(package)}"
    except PackageNotFoundError:
        [name, *_] = packages_distributions().get(package) or [package]
        return f"{name}:{version_of(name)}"


def sources_of(module: str) -> dict[str, str]:
    """A digest of the source of a module, and of each module of the user's own that it imports, by name.

    The text counts and not what is loaded: which of a module's names are reached cannot be told, and what
    they hold may change while it is used.
    """
    found: dict[str, str] = {}
    _collect(module, found)
    return found


def _collect(module: str, found: dict[str, str]) -> None:
    if module in found:
        return
    file = file_of(module)
    if file is None or owner_of(module) != "own":
        return
    try:
        source = file.read_bytes()
    except OSError:
        return
    found[module] = hashlib.blake2b(source, digest_size=16).hexdigest()
    if file.suffix == ".py":
        for name in _imported(module, source, is_package=file.name == "__init__.py"):
            _collect(name, found)


def _imported(module: str, source: bytes, *, is_package: bool) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _prefixes(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from _prefixes(base)
            for alias in node.names:
                yield f"{base}.{alias.name}" if base else alias.name


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".") if name else []
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


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


_BLOCK = 1 << 20
_REVISION = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Names:
    """Marks a field, in its annotation, whose text names something that a verdict depends on.

    Args:
        what: "files" (a file or a folder, or the id of a model in the local cache of a hub), or "code" (an
            import path, ``"package.module:name"``).
    """

    what: str


NamedFiles = Annotated[str, Names("files")]
"""The type of a field that names a file, a folder or a model: its content counts in `Component.identity`."""
NamedCode = Annotated[str, Names("code")]
"""The type of a field that names an object by its import path: its code counts in `Component.identity`."""


def files_digest(path: str | Path, *, folders: bool = True) -> str:
    """A digest of what a file or a folder holds; of a model's id, of its revision; else "".

    A model that the hub's local cache holds is known by its commit, which is the name of its folder there.

    Args:
        path: A path, or the id of a model.
        folders: Whether a folder, or a model, is read, too.
    """
    try:
        root = Path(path)
        if root.is_file():
            return _file_digest(root)
        if not folders:
            return ""
        if root.is_dir():
            digest = hashlib.blake2b(digest_size=16)
            for each in _files(root):
                digest.update(f"{each.relative_to(root).as_posix()}\0{_file_digest(each)}\0".encode())
            return digest.hexdigest()
        return _revision(str(path))
    except (OSError, ValueError):
        return ""  # a name, not a path


def _files(root: Path) -> Iterator[Path]:
    return iter(sorted(each for each in root.rglob("*") if each.is_file()))


def _file_digest(file: Path) -> str:
    seen = file.stat()
    return _content_digest(str(file.resolve()), seen.st_size, seen.st_mtime_ns)


@functools.lru_cache(maxsize=4096)
def _content_digest(file: str, _size: int, _changed: int) -> str:
    """A file is read once for each state that it is found in: weights are large."""
    digest = hashlib.blake2b(digest_size=16)
    with open(file, "rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _revision(name: str) -> str:
    """The commit of a model in the local cache of the Hugging Face hub."""
    if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)?", name):
        return ""
    folder = _hub_cache() / f"models--{name.replace('/', '--')}"
    try:
        commit = (folder / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return commit if _REVISION.fullmatch(commit) else ""


def _hub_cache() -> Path:
    if given := os.environ.get("HF_HUB_CACHE"):
        return Path(given)
    home = os.environ.get("HF_HOME")
    return Path(home or Path.home() / ".cache" / "huggingface") / "hub"


MAIN = ("__main__", "__mp_main__")
_LOCAL = threading.local()
_KEPT = 32
"""Different payloads that a worker keeps unpacked."""


def found_by_name(value: Any, module: str, name: str) -> bool:
    """Return whether another process finds this very object by importing it."""
    if module not in sys.modules or not importable(module):
        return False
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


@functools.lru_cache(maxsize=1024)
def importable(module: str) -> bool:
    """Return whether another process can import a module: not the running script, nor modules made in it."""
    if module in MAIN:
        return False
    if getattr(sys.modules.get(module), "__file__", None):
        return True
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def packed(value: Any, what: str, reaches: tuple[str, ...] = ()) -> bytes:
    """An object by value.

    Args:
        value: A function, a class, or what holds some.
        what: Kind of thing, for the message.
        reaches: Known obstacle, for the message.

    Raises:
        ConfigError: It holds what cannot travel: an open file, a socket, a lock.
    """
    import cloudpickle

    stream = io.BytesIO()
    outer = packing()
    _LOCAL.packing = True
    try:
        with _by_value(cloudpickle, sys.modules.values()):
            _pickler(cloudpickle)(stream).dump(value)
    except Exception as error:
        named = f"; {'; '.join(reaches)}" if reaches else ""
        raise ConfigError(
            f"{what} cannot go to another process ({error}){named}; open files, connections and locks inside "
            "the function, at its first call, or pass a path"
        ) from error
    finally:
        _LOCAL.packing = outer
    return stream.getvalue()


def packing() -> bool:
    """Return whether this thread is inside `packed`: whatever it meets goes into the same payload."""
    return bool(getattr(_LOCAL, "packing", False))


def unpacked(payload: bytes) -> Any:
    """Unpack the object that `packed` wrote; a worker does so once."""
    return _unpacked(payload)


@functools.lru_cache(maxsize=_KEPT)
def _unpacked(payload: bytes) -> Any:
    return pickle.loads(payload)  # noqa: S301  (written by our parent)


class _Place(NamedTuple):
    """Place in the source where code was written.

    Args:
        file: As tracebacks name it.
        name: Name of the function.
        qualified: The same with what it stands in.
        line: The first one.
        source: All lines of a file that only this process can read, such as a cell of a notebook.
    """

    file: str
    name: str
    qualified: str
    line: int
    source: list[str]


def _place_of(code: CodeType) -> _Place:
    file = code.co_filename
    source = [] if os.path.isabs(file) and os.path.isfile(file) else linecache.getlines(file)
    return _Place(file, code.co_name, code.co_qualname, code.co_firstlineno, source)


def _placed(place: _Place, make: Any, parts: tuple[Any, ...]) -> CodeType:
    """Code that travelled, at the place where it was written."""
    if place.source:
        size = sum(map(len, place.source))
        linecache.cache[place.file] = (size, None, place.source, place.file)
    made: CodeType = make(*parts)
    return made.replace(
        co_filename=place.file,
        co_name=place.name,
        co_qualname=place.qualified,
        co_firstlineno=place.line,
    )


def _pickler(cloudpickle: ModuleType) -> Any:
    class Pickler(cloudpickle.Pickler):  # type: ignore[misc, name-defined]
        def reducer_override(self, obj: Any) -> Any:
            if isinstance(obj, CodeType):  # each function's, and that of each function inside it
                return _placed, (_place_of(obj), *self.dispatch_table[CodeType](obj))
            if isinstance(obj, io.IOBase) and not isinstance(obj, io.BytesIO | io.StringIO):
                # cloudpickle would send what the file holds now, and the child would read a copy.
                raise pickle.PicklingError("an open file")
            return super().reducer_override(obj)

    return Pickler


@contextlib.contextmanager
def _by_value(cloudpickle: ModuleType, modules: Any) -> Iterator[None]:
    """Take along what stands in modules that were made while the program ran, and that no file holds."""
    made = [
        module
        for module in list(modules)
        if isinstance(module, ModuleType)
        and getattr(module, "__spec__", None) is None
        and getattr(module, "__file__", None) is None
        and module.__name__ not in MAIN
        and sys.modules.get(module.__name__) is module
    ]
    known = cloudpickle.list_registry_pickle_by_value()
    # By name: one module may be loaded under two (pyexpat.model, xml.parsers.expat.model).
    new = {module.__name__: module for module in made if module.__name__ not in known}.values()
    for module in new:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in new:
            cloudpickle.unregister_pickle_by_value(module)
