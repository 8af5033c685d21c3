"""The library's exceptions; each message says what is wrong, the value, and the cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class VerifierError(Exception):
    """Base of every exception that this library raises on purpose."""


class ConfigError(VerifierError, ValueError):
    """A verifier, reward, recipe or call is configured in a way that cannot work."""


class MissingDependencyError(VerifierError, ImportError):
    """An optional package is not installed; the message holds the install command."""


class SandboxError(VerifierError, RuntimeError):
    """Untrusted work cannot be isolated or started here."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that ends an "unknown name" message: the nearest known name, or all of them.

    >>> nearest("TagFromat", ["TagFormat", "Regex"])
    "; did you mean 'TagFormat'?"
    >>> nearest("zzz", ["TagFormat", "Regex"])
    '; known: Regex, TagFormat'
    """
    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {folded[close[0]]!r}?"
    return f"; known: {', '.join(names)}" if names else ""
