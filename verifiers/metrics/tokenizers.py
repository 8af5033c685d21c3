"""How texts become tokens, for metrics that count them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from ..core.identity.owners import load
from ..errors import ConfigError
from ..language.maths_words import HANGUL
from ..language.normalization import INVISIBLE, clean, nfc, without_surrogates
from ..language.running.scripts import HANGUL_AND_JAMO, UNSPACED
from ..runtime.forks import new_lock
from ..runtime.packages import require

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
