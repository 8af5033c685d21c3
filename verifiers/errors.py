"""The library's exceptions; each message says what is wrong, the value, and the cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager


class VerifierError(Exception):
    """Base of every exception that this library raises deliberately."""


class ConfigError(VerifierError, ValueError):
    """A verifier, reward, recipe or call is configured in a way that cannot work."""

    path: tuple[str | int, ...] = ()
    """Place in the plain data that was read: keys and positions, outermost first."""


class MissingDependencyError(VerifierError, ImportError):
    """An optional package is not installed; the message holds the install command."""


class SandboxError(VerifierError, RuntimeError):
    """Untrusted work cannot be isolated or started here."""


class CompletionWarning(UserWarning):
    """A function reads `completion`, which includes thinking, and not `response`, where answers belong."""


@contextmanager
def located(*path: str | int) -> Iterator[None]:
    """Add to a ConfigError where in the plain data it arose."""
    try:
        yield
    except ConfigError as error:
        error.path = (*path, *error.path)
        raise


def renamed(owner: str, name: str, names: Mapping[str, str]) -> AttributeError:
    """The error of an attribute that is not there; of one with an old name, with what it is called now."""
    now = f"; it is called {names[name]!r} now" if name in names else ""
    return AttributeError(f"{owner} has no attribute {name!r}{now}")


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that ends an "unknown name" message: the nearest known name, or all of them.

    >>> nearest("TagFromat", ["TagFormat", "Regex"])
    "; did you mean 'TagFormat'?"
    >>> nearest("zzz", ["TagFormat", "Regex"])
    '; known: Regex, TagFormat'
    """
    names = sorted(known)
    return close_match(name, names) or (f"; known: {', '.join(names)}" if names else "")


def close_match(name: object, known: Iterable[str]) -> str:
    """A hint that names the one known name that is close; empty where no name is.

    >>> close_match("eihter", ["either", "exact"])
    "; did you mean 'either'?"
    """
    if not isinstance(name, str):
        return ""
    folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""
