"""The answer that a sentence states in a language that is read by its table alone."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor
from ..language.table_reading import Form, said_in


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OtherLanguage(Extractor):
    """What a text in a table's language says last of the answer; see `verifiers.language.table_reading`.

    Args:
        form: What is looked for. A number is given in figures with a decimal point, whatever words and signs
            it had; of an option, its label, or the words that are said to be the answer.

    >>> OtherLanguage().extract("La réponse est quatre-vingt-dix-sept.").text
    '97'
    >>> OtherLanguage().extract("Die Antwort ist vielleicht 42.").problem
    'the sentence is doubted'
    >>> OtherLanguage().extract("The answer is 42.")
    """

    form: Form = "number"

    def extract(self, text: str) -> Extraction | None:
        said = said_in(text, self.form)
        if said is None:
            return None
        span = (said.start, said.end)
        if not said.value:
            return Extraction(None, span, "refused_phrase", f"the sentence is {said.why.replace('_', ' ')}")
        raw = text[said.start : said.end]
        whole = None if raw == said.value else Extraction(raw, span, "other_language")
        return Extraction(said.value, span, "other_language", whole=whole)
