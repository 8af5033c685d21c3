"""Taking Korean answers apart, so that reasons meet reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from reward_verifiers.verifiers.extract.chain import PASSAGE
from reward_verifiers.verifiers.korean.answer_template import MAX_CHARS
from reward_verifiers.verifiers.korean.contest import split_answer
from reward_verifiers.verifiers.korean.template_statements import read_given
from reward_verifiers.verifiers.language.normalization import clean

from .splits import SPLITTERS, Splitter


@SPLITTERS.register
@dataclass(frozen=True, repr=False)
class StatementParts(Splitter):
    """Split ``"문장"이/가 옳다. 이유`` into ``answer`` and ``reason``; `KoreanAnswerTemplate` judges the form.

    The statement is in an answer tag, or the whole response.

    Args:
        mode: ``robust`` reads the sentence with or without quotation marks. ``official`` cuts as the
            contest's scorer does, which finds a (possibly empty) reason in any text.

    Raises:
        ConfigError: The mode is unknown.

    >>> StatementParts().split('"할 수 있다."가 옳다. 의존 명사는 띄어 쓴다.')["reason"]
    '의존 명사는 띄어 쓴다.'
    """

    mode: Literal["robust", "official"] = "robust"

    def names(self) -> tuple[str, ...]:
        return ("answer", "reason")

    def split(self, text: str) -> Mapping[str, str] | None:
        # Invisible characters go first: without them a piece of text may become a tag.
        found = PASSAGE.extract(clean(text[:MAX_CHARS]))
        if found is None or found.text is None:
            return None
        if self.mode == "official":
            return dict(zip(self.names(), split_answer(found.text), strict=True))
        statement = read_given(found.text, ())
        return None if statement is None else {"answer": statement.sentence, "reason": statement.reason}
