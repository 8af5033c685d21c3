"""Which part of a reward says whether the answer is right."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from reward_verifiers.adapters.files.candidates import right_part
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest


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
    return right_part(named)
