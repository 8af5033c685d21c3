"""The language of a response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..language.running.letters import running_letters
from ..language.running.scripts import is_latin, words_of
from .kinds import KINDS, REQUIRED, Kind, Outcome
from .texts import Text

LEAST_SHARE = 0.9
"""Share of letters of running words that are of the language's script."""
SHARED_SCRIPTS = {"ru", "uk", "bg", "sr", "mn", "ar", "fa", "ur", "hi", "mr", "ne"}
"""Languages whose script others share, so that letters do not tell them apart."""
_LATIN = frozenset("fi sw de it pt vi en es fr nl pl sv tr id da no cs ro hu".split())
_SISTERS = {"mr": "hi", "ne": "hi"}
"""Languages in the script of another one."""


@KINDS.register
@dataclass(frozen=True, repr=False)
class ResponseLanguage(Kind):
    """The whole response is in a language.

    The official counting asks langdetect, takes what that cannot tell for right, and Chinese (``zh``) for
    wrong, since langdetect calls it zh-cn. The right counting looks at the script, and asks langdetect for
    languages that share one.

    Args:
        language: The language, by its ISO 639-1 code.
    """

    ids: ClassVar[tuple[str, ...]] = ("language:response_language",)
    language: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        base = self.language.strip().lower().partition("-")[0]
        if official or _script_of(base) is not None:
            return ""
        return f"the script of the language {self.language!r} is not known here"

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        base = self.language.strip().lower().partition("-")[0]
        shared = base in SHARED_SCRIPTS or _script_of(base) == "en"
        return ("langdetect",) if official or shared else ()

    def judge(self, text: Text) -> Outcome:
        wanted = self.language.strip().lower()
        if text.official:
            detected = text.detected
            return Outcome(detected in (None, self.language), f"langdetect takes it for {detected!r}")
        base = wanted.partition("-")[0]
        script = _script_of(base) or "en"
        own, foreign = running_letters(text.text, script)
        said = f"{own:,} of {own + foreign:,} letters of its script"
        if own == 0 or own < LEAST_SHARE * (own + foreign):
            return Outcome(False, said)
        if script == "en" or base in SHARED_SCRIPTS:
            detected = (text.detected or "").partition("-")[0]
            return Outcome(detected == base, f"{said}; langdetect takes it for {detected or 'no language'}")
        return Outcome(True, said)


def _script_of(language: str) -> str | None:
    """A language that is written in the script of another one and is known by it; None for an unknown one."""
    if language in _LATIN or is_latin(language):
        return "en"
    known = _SISTERS.get(language, language)
    return known if words_of(known) is not None else None
