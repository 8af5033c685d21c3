"""ROUGE: how many n-grams, or how long a subsequence, a text shares with the reference.

And how texts become tokens that are counted.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rapidfuzz.distance import LCSseq

from ..core.owners import NamedCode, load
from ..core.verifier_base import VERIFIERS
from ..errors import ConfigError
from ..language.maths_words import HANGUL
from ..language.normalization import INVISIBLE, clean, nfc, without_surrogates
from ..language.running_text import HANGUL_AND_JAMO, UNSPACED
from ..runtime.forks import new_lock
from ..runtime.packages import require
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

Tokenize = Callable[[str], list[str]]

_ASCII = re.compile("[0-9a-z]+")
# In ASCII text this and split() take half the time of the pattern.
_TO_SPACES = {code: " " for code in range(128) if not chr(code).isalnum()}
_LATIN = "0-9a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff"
# Written without spaces: each character is a token.
_SINGLE = f"{UNSPACED}\u3005"
_WORD = re.compile(f"[{_LATIN}]+|[{HANGUL_AND_JAMO}]+|[{_SINGLE}]|[^\\W_{_LATIN}{HANGUL_AND_JAMO}{_SINGLE}]+")
_SIGN = re.compile(r"[\W_]")
MAX_SIGNS = 32
"""Different signs up to which each is replaced in a pass of its own."""
_NOT_HANGUL = re.compile(f"[^{HANGUL_AND_JAMO}\\s]")
_NIKL_DROPPED = re.compile(f"[^A-Za-z0-9{HANGUL}]")
NIKL_WORDS = 1_000
"""Words after which the contest's scorer stops reading."""
STEMMED_FROM = 4
"""Characters from which rouge-score stems a token."""
STEMMED_TO = 200
"""Characters of a token that the stemmer is given: older ones recurse over it."""
MAX_ANALYSED = 20_000
"""Characters of a text that are taken apart into morphemes: more than ten pages."""
_ENDLESS = re.compile(r"(\S{200})(?=\S)")
_loading, _tagging = new_lock(), new_lock()


def default(text: str) -> list[str]:
    """Lower-cased words of any script; Hangul with lone jamo, and Han, kana and Thai by character.

    English text gives the tokens of rouge-score, whose own tokenizer drops every letter outside a-z.

    >>> default("March 15, type B")
    ['march', '15', 'type', 'b']
    """
    if text.isascii():
        return text.lower().translate(_TO_SPACES).split()
    text = nfc(text)
    others = set(_NOT_HANGUL.findall(text))
    if len(others) > MAX_SIGNS or any(map(str.isalnum, others)):
        return _WORD.findall(INVISIBLE.sub("", text).lower())
    # Hangul and a few signs, as most Korean sentences are: half the time of the pattern.
    for sign in others:
        text = text.replace(sign, "" if INVISIBLE.match(sign) else " ")
    return text.split()


def characters(text: str) -> list[str]:
    """Letters and digits, one by one: kind to spacing and particles, and to wrong answers too.

    >>> characters("It can.")
    ['i', 't', 'c', 'a', 'n']
    """
    text = clean(text).lower()
    signs = set(_SIGN.findall(text))
    if len(signs) > MAX_SIGNS:
        return list(_SIGN.sub("", text))
    for sign in signs:
        text = text.replace(sign, "")
    return list(text)


def rouge_score(text: str) -> list[str]:
    """The tokens of the rouge-score package: a-z and 0-9 only, so that Korean text has none.

    >>> rouge_score("Über is not B")
    ['ber', 'is', 'not', 'b']
    """
    text = text.lower()
    return text.translate(_TO_SPACES).split() if text.isascii() else _ASCII.findall(text)


def rouge_score_stemmed(text: str) -> list[str]:
    """The same with the Porter stemmer for longer tokens, as ``use_stemmer=True`` there.

    Raises:
        MissingDependencyError: nltk is not installed.
    """
    stem = _porter()
    return [stem(token) if len(token) >= STEMMED_FROM else token for token in rouge_score(text)]


def morphemes(text: str) -> list[str]:
    """Morphemes by kiwipiepy without punctuation: a noun is one whatever its particle.

    Raises:
        MissingDependencyError: kiwipiepy is not installed.
    """
    kiwi = _analyser("kiwipiepy", "Kiwi")
    tokens = kiwi.tokenize(_bounded(clean(without_surrogates(text))))
    # S* are signs; foreign letters, Hanja and digits among them are words.
    return [token.form.lower() for token in tokens if token.tag[0] != "S" or token.tag in ("SL", "SH", "SN")]


def nikl(text: str) -> list[str]:
    """The tokens of the National Institute of Korean Language's contest scorer, by MeCab-ko.

    The first 1,000 words, lower-cased; whatever is not a-z, 0-9 or a precomposed Hangul syllable becomes a
    space. So lone jamo and Hanja do not count, and text in NFD has no tokens at all.

    Raises:
        MissingDependencyError: python-mecab-ko is not installed.
    """
    words = text.replace("\n", " ").split()[:NIKL_WORDS]
    plain = _bounded(_NIKL_DROPPED.sub(" ", " ".join(words).lower()).strip())
    tagger = _analyser("mecab", "MeCab")
    with _tagging:  # the tagger holds one sentence at a time
        return list(tagger.morphs(plain)) if plain else []


def _bounded(text: str) -> str:
    """A text for an analyser whose time grows faster than its input: cut off, and without endless words."""
    return _ENDLESS.sub(r"\1 ", text[:MAX_ANALYSED])


TOKENIZERS: dict[str, Tokenize] = {
    "default": default,
    "rouge_score": rouge_score,
    "rouge_score_stemmed": rouge_score_stemmed,
    "characters": characters,
    "morphemes": morphemes,
    "nikl": nikl,
}
"""Tokenizers by name."""
ERASING = frozenset({"rouge_score", "rouge_score_stemmed", "nikl"})
"""Tokenizers that are there to agree with another scorer, also where that one erases a whole text."""


def tokenizer(name: str) -> Tokenize:
    """A tokenizer by name, or a function of yours by its import path.

    Raises:
        ConfigError: There is none.

    >>> tokenizer("characters")("a b")
    ['a', 'b']
    """
    known = TOKENIZERS.get(name)
    if known is None and ":" in name:
        known = load(name)
    if not callable(known):
        raise ConfigError(
            f"tokenizer must be one of {', '.join(TOKENIZERS)}, or a function's 'package.module:name'; "
            f"got {name!r}"
        )
    return known


@functools.cache
def _porter() -> Callable[[str], str]:
    stem: Callable[[str], str] = require("nltk.stem.porter", extra="metrics").PorterStemmer().stem
    return functools.lru_cache(maxsize=65_536)(lambda token: stem(token[:STEMMED_TO]) + token[STEMMED_TO:])


def _analyser(module: str, name: str) -> Any:
    """A morphological analyser, which is loaded once."""
    with _loading:
        return _loaded_analyser(module, name)


@functools.cache
def _loaded_analyser(module: str, name: str) -> Any:
    return getattr(require(module, extra="korean"), name)()


def token_places(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """The places of each token, as the bits of an integer.

    >>> token_places("aba")
    {'a': 5, 'b': 2}
    """
    found: dict[Hashable, list[int]] = {}
    for place, token in enumerate(tokens):
        found.setdefault(token, []).append(place)
    bits = {}
    for token, places in found.items():
        row = bytearray(len(tokens) // 8 + 1)
        for place in places:
            row[place >> 3] |= 1 << (place & 7)
        bits[token] = int.from_bytes(row, "little")
    return bits


def common_places(
    one: Sequence[Hashable], other: Sequence[Hashable], places: Mapping[Hashable, int] | None = None
) -> Iterator[int]:
    """The places in `one` of a longest common subsequence of both, last first.

    Of several it is the one that the published ROUGE scorers take: from the end, equal tokens are taken,
    else `other` is shortened if that leaves more, and otherwise `one`. One row of the table is one integer
    (Hyyrö, 2004), so a table costs ``len(one) * len(other) / 64`` steps. `places` are the `token_places` of
    `other`, for those who have them.

    >>> list(common_places("abcd", "axcd"))
    [3, 2, 0]
    """
    places = token_places(other) if places is None else places
    full = (1 << len(other)) - 1
    row, rows = full, [full]
    for token in one:
        shared = row & places.get(token, 0)
        row = ((row + shared) | (row - shared)) & full
        rows.append(row)
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            yield i
        # The length for the first i and j tokens is the number of zeros among the j lowest bits of row i.
        elif (
            j - 1 - (rows[i] & ((1 << (j - 1)) - 1)).bit_count()
            > j - (rows[i - 1] & ((1 << j) - 1)).bit_count()
        ):
            j -= 1
        else:
            i -= 1


MAX_STEPS = 10_000_000
"""Steps that rougeLsum may take to compare sentences: about two seconds."""
KEPT = 16
"""References that are kept while pairs are measured: those of a group come together."""
Figure = Literal["fmeasure", "precision", "recall"]
_KIND = re.compile("rouge(?:[1-9]|L|Lsum)")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Rouge(TextMetric):
    """Overlap with the reference: ROUGE (Lin, 2004, https://aclanthology.org/W04-1013).

    With a tokenizer of the rouge-score package, the values equal that package's to the last bit. ROUGE
    measures wording: it cannot tell a right reason from a wrong one in the same words.

    Args:
        kind: ``rouge1`` ... ``rouge9`` (n-grams), ``rougeL`` (longest common subsequence), or ``rougeLsum``
            (the same by sentences, one per line).
        figure: ``fmeasure``, ``precision`` or ``recall``. Recall alone rewards long texts.
        tokenizer: ``default`` (words of any script), ``rouge_score`` and ``rouge_score_stemmed`` (that
            package's; they erase Korean), ``characters``, ``morphemes`` (kiwipiepy), ``nikl`` (the Korean
            contest's, MeCab-ko), or a function's ``package.module:name``.

    Raises:
        ConfigError: The kind, figure or tokenizer is unknown.

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
        """Return functions that count a text's items, keep a reference's, and count shared ones."""
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
