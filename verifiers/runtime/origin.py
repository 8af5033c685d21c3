"""Where this distribution was installed from, for hints that name what really installs it."""

from __future__ import annotations

from pathlib import Path

# Nothing of ours is imported here: a foreign package may have taken its place.
DISTRIBUTION = "reward-verifiers"


def install_command(extra: str | None = None) -> str:
    """The command that installs this distribution here, or an extra of it.

    An index may not have it, or have something else of that name. So the command names what this installation
    was made of: a clone, a wheel, a repository; its name only if an index gave it by name.

    Args:
        extra: The extra; None for the distribution itself.

    Source: direct_url.json, https://packaging.python.org/en/latest/specifications/direct-url/
    """
    import shlex

    return f"pip install {shlex.join(_wanted(f'[{extra}]' if extra else ''))}"


def missing_module(name: str | None) -> str | None:
    """What to say of a module that cannot be found: what installs it, if we or one of our extras need it.

    Args:
        name: The module, as ModuleNotFoundError names it.

    Returns:
        A sentence; None where none of our requirements is called so.
    """
    import re
    from importlib.metadata import PackageNotFoundError, requires

    top = (name or "").partition(".")[0]
    try:
        declared = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return None
    extras = []
    for requirement in declared:
        package, extra = re.match(r"[\w.-]*", requirement), re.search(r"extra == ['\"]([\w-]+)", requirement)
        if package and re.sub(r"[-.]", "_", package[0]).casefold() == top.casefold():
            extras.append(extra[1] if extra else None)
    if not extras:
        return None
    chosen = [None] if None in extras else extras
    return f"{top} is not installed; run: {' or '.join(map(install_command, chosen))}"


def _wanted(extras: str) -> list[str]:
    """What pip is asked for."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        record = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return ["-e", f"{Path(__file__).parents[2]}{extras}"]  # a checkout that is on the path
    named = f"{DISTRIBUTION}{extras}"
    if record is None:
        return [named]
    source = json.loads(record)
    url = str(source["url"])
    if "vcs_info" in source:
        how = source["vcs_info"]
        return [f"{named} @ {how['vcs']}+{url}@{how['commit_id']}"]
    here = _path(url)
    if here is None:
        return [f"{named} @ {url}"]
    if not here.exists():  # a wheel that was built for this once: then what a clone installs
        return [f".{extras}"]
    return [*(["-e"] if source.get("dir_info", {}).get("editable") else []), f"{here}{extras}"]


def _path(url: str) -> Path | None:
    """The file or folder that a URL names; None for what lies elsewhere."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(url)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None
