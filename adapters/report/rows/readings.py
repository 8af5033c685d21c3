"""How the two sides of a verdict were read, for a person who asks why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reward_verifiers.adapters.files.candidates import verifier_class
from reward_verifiers.verifiers import Verdict, Verifier, VerifierError

MOST = 20_000
"""Pairs of sides that are read: some twenty seconds. Verdicts beyond are shown without."""


class Readings:
    """Reads the sides of verdicts once for each pair; equal texts need no reading."""

    def __init__(self) -> None:
        self._verifiers: dict[str, Verifier | None] = {}
        self._kept: dict[tuple[str, str, str], dict[str, str]] = {}
        self.left_out = 0

    def added(self, verdict: Mapping[str, Any]) -> Mapping[str, Any]:
        """The verdict with ``read``, where its verifier says how it reads."""
        sides = (verdict.get("extracted"), verdict.get("expected"))
        if not all(isinstance(each, str) for each in sides) or sides[0] == sides[1]:
            return verdict
        verifier = self._verifier(str(verdict.get("verifier")))
        if verifier is None:
            return verdict
        key = (type(verifier).__name__, str(sides[0]), str(sides[1]))
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST:
                self.left_out += 1
                return verdict
            found = self._kept[key] = _read(verifier, verdict)
        shown = {name: text for name, text in found.items() if text != verdict.get(name)}
        return {**verdict, "read": shown} if shown else verdict

    def _verifier(self, name: str) -> Verifier | None:
        if name not in self._verifiers:
            kind = verifier_class(name)
            own = kind is not None and kind.readings is not Verifier.readings
            try:
                self._verifiers[name] = kind() if kind is not None and own else None
            except (VerifierError, TypeError):  # it cannot be made without arguments
                self._verifiers[name] = None
        return self._verifiers[name]


def _read(verifier: Verifier, verdict: Mapping[str, Any]) -> dict[str, str]:
    plain = {"status", "verifier", "score", "reason", "extracted", "expected"}
    try:
        return verifier.readings(
            Verdict.from_dict({name: value for name, value in verdict.items() if name in plain})
        )
    except (VerifierError, KeyError, TypeError, ValueError):  # a verdict that somebody else wrote
        return {}
