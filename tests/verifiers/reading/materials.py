"""Ways to say a value, values, and what stands around numbers: fixtures/frames as objects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.support import FIXTURES, rows
from verifiers import MathEquivalence, Verdict
from verifiers.korean import josa

FOLDER = FIXTURES / "frames"
LANGUAGES = {"en": "english", "ko": "korean", "zh": "chinese"}
_PARTICLE = re.compile(r"\{([^{}/]+/[^{}/]+)\}")


@dataclass(frozen=True)
class Frame:
    """A way to say an answer: ``{}`` is the value, ``{이/가}`` a particle that agrees with it."""

    language: str
    text: str
    takes: frozenset[str]
    but: frozenset[str]

    def fits(self, value: dict[str, Any]) -> bool:
        """Whether people say this value in this way."""
        if self.language not in value.get("languages", LANGUAGES) or value["kind"] in self.but:
            return False
        return "any" in self.takes or value["kind"] in self.takes or value["value"] in self.takes

    def says(self, value: dict[str, Any]) -> str:
        """The sentence; particles agree with the last sound of the value as it is read aloud."""
        text = _PARTICLE.sub(lambda pair: josa(value["read"], pair[1]), self.text)
        return text.replace("⏎", "\n").replace("{}", value["value"])


@cache
def frames(language: str) -> tuple[Frame, ...]:
    """All frames of a language; a line in brackets says which kinds of value the next ones take."""
    found, takes, but = [], frozenset[str](), frozenset[str]()
    for line in (FOLDER / f"{LANGUAGES[language]}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and "{}" not in line:
            kinds, _, without = line.strip("[]").partition(" but ")
            takes, but = frozenset(kinds.split()), frozenset(without.split())
        elif line:
            found.append(Frame(language, line, takes, but))
    return tuple(found)


@cache
def values() -> tuple[dict[str, Any], ...]:
    """Values as they are written, the reference that each equals, and others that none may be paid for."""
    return tuple(rows(FOLDER / "values.jsonl"))


def judged(pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
    """Verdicts of completions and references, with the verifier as it comes."""
    return MathEquivalence().verify_batch([text for text, _ in pairs], [reference for _, reference in pairs])


def boxed(text: str) -> str:
    """The text as the content of a box."""
    return rf"\boxed{{{text}}}"


def report(wrong: Iterable[tuple[str, str, Verdict]], of: int, shown: int = 40) -> str:
    """What failed, for a message: how many, by kind, and the first of them."""
    found = list(wrong)
    kinds = Counter(kind for kind, _, _ in found)
    lines = [f"{len(found)} of {of}", " ".join(f"{kind}: {many}" for kind, many in kinds.most_common())]
    return "\n".join(lines + [f"{kind}: {pair}: {verdict}" for kind, pair, verdict in found[:shown]])


@cache
def surroundings() -> tuple[dict[str, Any], ...]:
    """What may stand around a number; ``is`` says whether the whole is surely something other than the number."""
    return tuple(rows(FOLDER / "surroundings.jsonl"))


PLAIN = (
    "So the value is {}.", "so it equals {}", "The answer is {}.", "I get {}.", "Hence, {}.", "In total she has {}.", "따라서 {}이다.",
    "답은 {}입니다.", "所以是{}。",
)  # fmt: skip
"""Sentences that add nothing to what stands in them."""
