"""Reading statements of the form ``"문장"이/가 옳다. 이유``: which sentence is claimed, and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from ..language.normalization import clean, fold_jamo, fold_width
from ..runtime.patterns import lazy

ALIKE = 60.0
"""Likeness, of 100, from which two texts are forms of one sentence that a reference sets side by side."""
_QUOTES = str.maketrans("“”„‟＂〝〞″‘’‚‛＇′", '""""""""\'\'\'\'\'\'')
_PAIRS = {'"': '"', "'": "'", "「": "」", "『": "』", "《": "》", "〈": "〉", "«": "»", "‹": "›"}
CLOSERS = "".join(_PAIRS.values())
"""Quotes that close a sentence."""
# Around the statement and its quotes; in a sentence such signs are its own.
_MARKUP = lazy(
    r"\A[#>\s*_`]+|(?<=[\"'」』》〉])(?:\*\*|__)|(?:\*\*|__)(?=[\"'「『《〈])|(?<=옳다[.])(?:\*\*|__)"
)
_PARTICLE = r"(?P<particle>이\(가\)|\(이\)가|이/가|가\(이\)|\(가\)이|으가|이|가)"
# The plain statement, and what else says that a sentence is right. 옳다고, 옳다면 lead on to something else.
_PLAIN = r"옳다(?=[\s,!。]|[.](?!고|라|일까|는\s|면)|\Z)"
_THING = r"(?:것|표현|문장|표기|답)(?:이다|입니다|이에요)"
_RIGHT = (
    rf"(?:{_PLAIN}|옳(?:습니다|아요|은 {_THING})|올바(?:르다(?=[\s.,!。]|\Z)|릅니다|른 {_THING})|바른 {_THING}"
    rf"|맞(?:다(?=[\s.,!。]|\Z)|습니다|아요|는 {_THING})|알맞(?:다(?=[\s.,!。]|\Z)|습니다)|적절(?:하다(?=[\s.,!。]|\Z)|합니다)"
    r"|정답(?:이다(?=[\s.,!。]|\Z)|입니다))"
)
# A reference says 혹은 or 또는; a completion that claims several may join them in any way.
_EITHER = lazy(r"\"\s*(?:혹은|또는)\s*\"")
_JOINED = lazy(r"\"\s*(?:혹은|또는|이나|나|와|과|및|,|/)\s*\"")
_BETWEEN = lazy(r"\"\s*#\s*\"")


class Statement(NamedTuple):
    """A statement, taken apart; texts after `tidy`.

    Args:
        sentence: What is claimed to be right, without its quotes.
        quotes: The opening and the closing quote.
        particle: What is between the closing quote and 옳다.
        form: How it continues after the quote, from the particle to the stop: ``가 옳다.`` in the template.
        reason: What follows.
        departure: How it departs from the template, where the sentence is clear (see `variants`).
    """

    sentence: str
    quotes: str
    particle: str
    form: str
    reason: str
    departure: str = ""


def tidy(text: str) -> str:
    """NFC, straight quotes, no invisible characters, every run of white space one space; nothing else.

    Never NFKC: it turns … into ..., and ㅁ into another character, and such differences are graded.

    >>> tidy("“할\u00a0 수 있다…”")
    '"할 수 있다…"'
    """
    return clean(text.translate(_QUOTES))


def read_statement(text: str) -> Statement | None:
    """The statement that a text begins with; None where it does not begin with a quoted sentence.

    The sentence ends at the first closing quote after which it is said to be right, so it may itself hold
    quotes, and 옳다. Quotes that match the opening one are tried before others.

    >>> read_statement('"네 말이 옳다."가 옳다. 주격 조사를 쓴다.').sentence
    '네 말이 옳다.'
    >>> read_statement("며칠이 옳다.")
    """
    text = tidy(text)
    plain = _MARKUP.sub("", text)
    if not plain or plain[0] not in _PAIRS:
        return None
    for closers in (re.escape(_PAIRS[plain[0]]), f"[{re.escape(CLOSERS)}]"):
        found = re.compile(rf"(?P<close>{closers})\s?{_PARTICLE}\s?(?:{_PLAIN}|{_RIGHT})").search(plain, 1)
        if found and (sentence := plain[1 : found.start()].strip()):
            rest = plain[found.end() :]
            stop = "." if rest.startswith(".") else ""
            return Statement(
                sentence=sentence,
                quotes=plain[0] + found["close"],
                particle=found["particle"],
                form=("" if plain == text else "*") + plain[found.start() + 1 : found.end()] + stop,
                reason=rest.lstrip(".,!。 "),
            )
    return None


def accepted_sentences(reference: str) -> list[str]:
    """The sentences that a reference accepts: one, or those that ``#``, 혹은 or 또는 set side by side.

    Empty where it is neither a statement nor a bare sentence.

    >>> accepted_sentences('"1~3월" 혹은 "1-3월"이 옳다. 둘 다 쓸 수 있다.')
    ['1~3월" 혹은 "1-3월', '1~3월', '1-3월']
    >>> accepted_sentences("할 수 있다.#할 만하다.")
    ['할 수 있다.#할 만하다.', '할 수 있다.', '할 만하다.']
    """
    statements = re.split(r"#(?=\s*[\"“])", reference)
    read = [read_statement(each) for each in statements]
    found: list[str] = []
    if all(read):
        for each in read:
            assert each is not None  # noqa: S101
            found += _side_by_side(each.sentence)
    elif whole := read_statement(reference):
        found = _side_by_side(whole.sentence)
    else:
        bare = tidy(reference)
        if re.search(r"[이가] 옳다[.,]? \S", bare):
            return []  # a statement of some other form, whose sentence cannot be told from its reason
        if len(bare) > 1 and bare[0] == bare[-1] == '"':
            bare = bare[1:-1].strip()
        found = [bare, *(part.strip() for part in bare.split("#"))]
    return [sentence for sentence in dict.fromkeys(found) if sentence]


def _side_by_side(sentence: str) -> list[str]:
    """A claimed sentence, and its parts where it is several: each well quoted, or forms of one another."""
    found = [sentence]
    for pattern in (_BETWEEN, _EITHER):
        parts = [part.strip() for part in pattern.split(sentence)]
        if len(parts) > 1 and all(part.count('"') % 2 == 0 for part in parts):
            return [*found, *parts]
    parts = [part.strip() for part in sentence.split("#")]
    if len(parts) > 1 and all(ratio(parts[0], part) >= ALIKE for part in parts):
        found += parts
    return found


def claimed_together(sentence: str) -> list[str]:
    """The sentences in one claim: ``"A" 또는 "B"가 옳다`` has two.

    >>> claimed_together('할 수 있다." 또는 "할수 있다.')
    ['할 수 있다.', '할수 있다.']
    """
    parts = [part.strip() for part in _JOINED.split(sentence)]
    return parts if all(part.count('"') % 2 == 0 for part in parts) else [sentence]


_MIDDOTS = str.maketrans(dict.fromkeys("ㆍ・•⋅‧∙", "·"))
_TILDES = str.maketrans(dict.fromkeys("∼〜～", "~"))
FOLDS = {
    "width": fold_width,
    "middot": lambda text: text.translate(_MIDDOTS),
    "tilde": lambda text: text.translate(_TILDES),
    "jamo": fold_jamo,
}
"""Differences that may be overlooked on request: full-width forms, kinds of middle dot and tilde, and
conjoining jamo in place of the letters themselves."""
