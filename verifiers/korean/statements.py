"""Reading statements of the form ``"문장"이/가 옳다. 이유``: which sentence is claimed, and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._text import clean, fold_jamo, fold_width

_QUOTES = str.maketrans("“”„‟＂‘’‚‛＇", "\"\"\"\"\"'''''")
_PAIRS = {'"': '"', "'": "'", "「": "」", "『": "』", "《": "》", "〈": "〉", "«": "»"}
_CLOSERS = "".join(_PAIRS.values())
_PARTICLE = r"(?P<particle>이\(가\)|이/가|가\(이\)|으가|이|가)"
# The plain statement, and what else says that a sentence is right. 옳다고, 옳다면 go on to something else.
_PLAIN = r"옳다(?=[\s.,!。]|\Z)"
_RIGHT = (
    r"(?:옳(?:다(?!고|는|면|기)|습니다|아요)|올바(?:르다|릅니다|른 (?:것|표현|문장|표기)(?:이다|입니다))"
    r"|바른 (?:것|표현|문장|표기)(?:이다|입니다)|맞(?:다(?!고|는|면|기)|습니다|아요|는 (?:것|표현|문장|표기)(?:이다|입니다))"
    r"|알맞(?:다|습니다)|적절(?:하다|합니다)|정답(?:이다|입니다))"
)
_ALTERNATIVES = re.compile(r"\"\s*(?:혹은|또는|이나|나|와|과|및|,|/)\s*\"")
_MARKED = re.compile(r"\"\s*#\s*\"|#")
_QUOTED = re.compile(
    r"(?:\"(?P<double>[^\"]{1,400})\"|'(?P<single>[^']{1,400})'|[「『](?P<corner>[^」』]{1,400})[」』])"
    rf"\s*(?:이|가|도|역시)\s*(?:더 |가장 |모두 |또한 )?{_RIGHT}"
)


class Statement(NamedTuple):
    """A statement, taken apart; positions and texts after `tidy`.

    Args:
        sentence: What is claimed to be right, without its quotes.
        quotes: The opening and the closing quote.
        particle: What stands between the closing quote and 옳다.
        plain: Whether it says ``가 옳다`` as the template does, with its spaces.
        stop: Whether a full stop follows.
        reason: What follows.
    """

    sentence: str
    quotes: str
    particle: str
    plain: bool
    stop: bool
    reason: str


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
    quotes, and 옳다. Quotes that match the opening one are tried first, and 옳다 before 맞다 and the like.

    >>> read_statement('"네 말이 옳다."가 옳다. 주격 조사를 쓴다.').sentence
    '네 말이 옳다.'
    >>> read_statement("며칠이 옳다.")
    """
    text = tidy(text)
    if not text or text[0] not in _PAIRS:
        return None
    closing = re.escape(_PAIRS[text[0]])
    anything = f"[{re.escape(_CLOSERS)}]"
    for quote, said in ((closing, _PLAIN), (closing, _RIGHT), (anything, _PLAIN), (anything, _RIGHT)):
        found = re.compile(rf"(?P<close>{quote})(?P<gap>\s?){_PARTICLE}(?P<space>\s?){said}").search(text, 1)
        if found:
            behind = text[found.end() :]
            return Statement(
                sentence=text[1 : found.start()].strip(),
                quotes=text[0] + found["close"],
                particle=found["particle"],
                plain=said == _PLAIN and not found["gap"] and found["space"] == " ",
                stop=behind.startswith("."),
                reason=behind.lstrip(".,!。 "),
            )
    return None


def alternatives(statement: str) -> list[str]:
    """The sentences that a reference accepts: one, or those that ``#``, 혹은 or 또는 set side by side.

    >>> alternatives('"1~3월" 혹은 "1-3월"이 옳다. 둘 다 쓸 수 있다.')
    ['1~3월" 혹은 "1-3월', '1~3월', '1-3월']
    """
    found: list[str] = []
    for one in re.split(r"#(?=\s*[\"“])", statement) if _several(statement) else [statement]:
        read = read_statement(one)
        sentence = read.sentence if read else tidy(one).strip("\"' ")
        found.append(sentence)
        for pattern in (_ALTERNATIVES, _MARKED):
            if pattern.search(sentence):
                found.extend(part.strip("\"' ") for part in pattern.split(sentence))
    return [sentence for sentence in dict.fromkeys(found) if sentence]


def _several(statement: str) -> bool:
    """Whether each ``#`` stands between whole statements."""
    return all(read_statement(part) is not None for part in re.split(r"#(?=\s*[\"“])", statement))


def claims(text: str) -> list[tuple[str, bool]]:
    """Every quoted text that is said to be right, and whether it stands in double quotes.

    >>> claims("'-든지'가 옳다. \\"몇일\\"도 맞다. \\"며칟\\"은 옳지 않다.")
    [('-든지', False), ('몇일', True)]
    """
    return [
        ((found["double"] or found["single"] or found["corner"]).strip(), found["double"] is not None)
        for found in _QUOTED.finditer(tidy(text))
    ]


def is_hedged(sentence: str) -> bool:
    """Whether a claimed sentence is several in one pair of quotes: ``"A" 또는 "B"가 옳다``."""
    return _ALTERNATIVES.search(sentence) is not None


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
