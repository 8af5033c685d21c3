"""ROUGE: how many n-grams, or how long a subsequence, a text shares with the reference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rapidfuzz.distance import LCSseq

from ..core.identity.owners import NamedCode
from ..core.verifier_base import VERIFIERS
from ..errors import ConfigError
from .common_subsequence import common_places, token_places
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError
from .tokenizers import ERASING, Tokenize, tokenizer

MAX_STEPS = 10_000_000
"""Steps that rougeLsum may take to compare sentences: about two seconds."""
KEPT = 16
"""References that are kept while pairs are measured: those of a group come together."""
Figure = Literal["fmeasure", "precision", "recall"]
_KIND = re.compile("rouge(?:[1-9]|L|Lsum)")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Rouge(TextMetric):
    """The overlap with the reference: ROUGE (Lin, 2004, https://aclanthology.org/W04-1013).

    With the tokenizer of the rouge-score package the values are those of that package, to the last bit. No
    ROUGE tells a right reason from a wrong one in the same words; it measures wording.

    Args:
        kind: ``rouge1`` ... ``rouge9`` (n-grams), ``rougeL`` (longest common subsequence), or ``rougeLsum``
            (the same by sentences, one a line).
        figure: ``fmeasure``, ``precision`` or ``recall``. Recall alone pays a text for being long.
        tokenizer: ``default`` (words of any script), ``rouge_score`` and ``rouge_score_stemmed`` (that
            package's: they erase Korean), ``characters``, ``morphemes`` (kiwipiepy), ``nikl`` (the Korean
            contest's, MeCab-ko), or a function's ``package.module:name``.

    Raises:
        ConfigError: An unknown kind, figure or tokenizer.

    >>> print(Rouge("rouge1").verify("the cat sat", "the cat sat down"))
    Rouge 0.86 overlap  'the cat sat' for 'the cat sat down'
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "equal": "the same n-grams, or the same sequence",
        "overlap": "some are shared",
        "no_overlap": "nothing is shared",
        "reference_erased": "the tokenizer leaves nothing of the reference, as in the scorer it agrees with",
        **METRIC_REASONS,
    }
    depends: ClassVar[tuple[str, ...]] = ("kiwipiepy", "python-mecab-ko")

    kind: str = "rouge1"
    figure: Figure = "fmeasure"
    tokenizer: NamedCode = "default"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _KIND.fullmatch(self.kind):
            raise ConfigError(
                f"Rouge: kind must be rouge1 ... rouge9, rougeL or rougeLsum, got {self.kind!r}"
            )
        tokenizer(self.tokenizer)

    def loads(self) -> str:
        return "a morphological analyser" if self.tokenizer in ("morphemes", "nikl") else ""

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure | UnusableError]:
        units, counted, shared = self._ways()
        references: dict[str, tuple[int, Any]] = {}
        out: list[Measure | UnusableError] = []
        for text, reference in pairs:
            if (wanted := references.get(reference)) is None:
                if len(references) == KEPT:
                    references.clear()
                size, listed = units(reference)
                wanted = references[reference] = size, counted(listed)
            if wanted[0]:
                size, listed = units(text)
                out.append(self._measure(size, wanted[0], shared(listed, wanted[1])))
            else:
                out.append(self._erased(reference))
        return out

    def _ways(
        self,
    ) -> tuple[Callable[[str], tuple[int, Any]], Callable[[Any], Any], Callable[[Any, Any], Any]]:
        """What is compared and how many of it a text has; what is kept of a reference; how much is shared."""
        tokenize = tokenizer(self.tokenizer)
        if self.kind == "rougeL":
            return lambda text: _sized(tokenize(text)), lambda tokens: tokens, LCSseq.similarity
        if self.kind == "rougeLsum":
            return lambda text: _sentences(text, tokenize), lambda lines: lines, _shared_by_sentences
        size = int(self.kind[5:])
        if size == 1:
            return lambda text: _sized(tokenize(text)), Counter, _shared_counts
        return lambda text: _grams(tokenize(text), size), Counter, _shared_counts

    def _measure(self, given: int, wanted: int, common: int | None) -> Measure:
        if common is None:
            return Measure(0.0, "over_limit", f"more than {MAX_STEPS:,} steps to compare the sentences")
        precision, recall = common / max(given, 1), common / wanted
        fmeasure = 2 * precision * recall / (precision + recall) if common else 0.0
        value = {"fmeasure": fmeasure, "precision": precision, "recall": recall}[self.figure]
        reason = "equal" if fmeasure == 1.0 else "overlap" if common else "no_overlap"
        return Measure(value, reason, f"{common} shared, of {given} and of {wanted} in the reference")

    def _erased(self, reference: str) -> Measure | UnusableError:
        if self.tokenizer in ERASING:
            return Measure(0.0, "reference_erased", f"{self.tokenizer} finds no token in {reference!r:.80}")
        return UnusableError("bad_reference", f"too few tokens for {self.kind} in {reference!r:.80}")


def _sized(tokens: list[str]) -> tuple[int, list[str]]:
    return len(tokens), tokens


def _grams(tokens: list[str], size: int) -> tuple[int, Iterable[tuple[str, ...]]]:
    grams = zip(*(tokens[start:] for start in range(size)), strict=False)
    return max(len(tokens) - size + 1, 0), grams


def _shared_counts(given: Iterable[Hashable], wanted: Counter[Hashable]) -> int:
    # Only what the reference has is counted: most n-grams of most texts are not in it.
    shared = Counter(filter(wanted.__contains__, given))
    return sum([min(count, wanted[gram]) for gram, count in shared.items()])


def _sentences(text: str, tokenize: Tokenize) -> tuple[int, list[list[str]]]:
    sentences = [tokenize(line) for line in text.split("\n") if line]
    return sum(map(len, sentences)), sentences


def _shared_by_sentences(given: list[list[str]], wanted: list[list[str]]) -> int | None:
    """Summary-level: for each reference sentence the union over all sentences; no token counts twice."""
    different = [list(sentence) for sentence in dict.fromkeys(map(tuple, given)) if sentence]
    steps = (
        sum(
            (len(sentence) + len(other)) * (1 + len(other) // 64)
            for sentence in wanted
            for other in different
        )
        if len(wanted) * len(different) <= MAX_STEPS
        else MAX_STEPS + 1
    )
    if steps > MAX_STEPS:
        return None
    masks = [token_places(other) for other in different]
    left = Counter(token for sentence in given for token in sentence)
    hits = 0
    for sentence in wanted:
        known = set(sentence)
        union = {
            place
            for other, places in zip(different, masks, strict=True)
            if not known.isdisjoint(places)
            for place in common_places(sentence, other, places)
        }
        for place in union:
            if left[sentence[place]] > 0:
                left[sentence[place]] -= 1
                hits += 1
    return hits
