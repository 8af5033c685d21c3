"""Which part of a reward says whether the answer is right."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from verifiers import ConfigError, FunctionVerifier, Verifier
from verifiers.core import EXTRACTORS, VERIFIERS, find_class, nearest


def outcome_part(
    named: Mapping[str, Mapping[str, Any]], parts: Collection[str], wished: str | None
) -> str | None:
    """The part that is the accuracy.

    Args:
        named: The verdicts of the first row, by part.
        parts: Of the first row.
        wished: What the user says; it must be there.

    Returns:
        The strict twin of the outcome where training kept one; the first part whose verifier needs a
        reference where that is certain; None where it is not.

    Raises:
        ConfigError: There is no such part.
    """
    if wished is not None:
        if wished not in parts:
            raise ConfigError(f"no part is called {wished!r}{nearest(wished, parts)}")
        return wished
    strict = [name for name in parts if name.startswith("strict.")]
    if strict:
        return strict[0]
    kinds = {name: verifier_class(verdict.get("verifier")) for name, verdict in named.items()}
    unknown = [name for name, kind in kinds.items() if kind is None]
    sure = [name for name, kind in kinds.items() if kind is not None and kind.needs_reference]
    if sure and not unknown:
        return sure[0]
    found = [*sure, *unknown] or [*named]
    return found[0] if len(found) == 1 else None


def verifier_class(name: object) -> type[Verifier] | None:
    """A registered verifier by its name; None for one of somebody's own, or a function."""
    try:
        kind = find_class(str(name), VERIFIERS, EXTRACTORS)
    except ConfigError:
        return None
    return kind if issubclass(kind, Verifier) and kind is not FunctionVerifier else None
