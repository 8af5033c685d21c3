"""The names that type checkers and editors see in `verifiers` and `rewards`, written from the registries.

python -m tests.public_names            say whether they are up to date; `make lint` does
python -m tests.public_names --write    bring them up to date; `make format` does
"""

from __future__ import annotations

import importlib
import re
import sys

from tests.support import ROOT

PACKAGES = ("verifiers", "rewards")
_BLOCK = re.compile(r"(if TYPE_CHECKING:\n).*?(    # end of public names\n)", re.DOTALL)


def block(package: str) -> str:
    """The import lines of a package's public names, in the order that the style check wants."""
    module = importlib.import_module(package)
    names = [each for each in module.__all__ if not each.startswith("_")]
    homes = {
        name: getattr(module, name).__module__.removeprefix(f"reward_verifiers.{package}") for name in names
    }
    ordered = sorted(names, key=lambda name: (homes[name], not name[0].isupper(), name))
    return "".join(f"    from {homes[name]} import {name} as {name}\n" for name in ordered)


def with_names(text: str, names: str) -> str:
    """The source of a package with the import lines of its public names."""
    return _BLOCK.sub(lambda found: found[1] + names + found[2], text)


def main() -> int:
    """Check or write; the exit status says whether all is well."""
    stale = []
    for package in PACKAGES:
        path = ROOT / package / "__init__.py"
        old = path.read_text(encoding="utf-8")
        new = with_names(old, block(package))
        if new != old:
            stale.append(package)
            if "--write" in sys.argv:
                path.write_text(new, encoding="utf-8")
    if stale and "--write" not in sys.argv:
        print(f"the public names of {' and '.join(stale)} are out of date; run: make format", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
