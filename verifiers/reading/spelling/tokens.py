"""The tokens of an answer: numbers, commands, letters, words and signs, the names that are known, and parts.

Tokens are cut into parts outside brackets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ...formulas.cost_limits import MAX_TREE_TOKENS, UnreadableError
from ...language.maths_words import BETWEEN_WORDS, CONNECTIVES, SPOKEN_SIGNS
from ...language.signs import FUNCTION_NAMES, GREEK, NAMED_SIGNS, TEXT_COMMAND
from ...runtime.patterns import lazy

_TOKEN = lazy(
    r"\s*+(?:"
    r"(?P<grouped>(?!0)\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?)"
    r"|(?P<number>\d+(?:\.\d+|\.(?![.\d]))?|\.\d+)"
    rf"|{TEXT_COMMAND}\{{(?P<quoted>[^{{}}]*)\}}"
    r"|\\mathbb\s*+(?:\{\s*+)?(?P<set>[A-Z])\s*\}?"
    r"|\\(?P<edge>begin|end)\s*\{(?P<environment>[a-zA-Z*]+)\}(?:\s*+\{[clr|@ ]*+\}|\[[clrtb]\])?"
    r"|(?P<command>\\[a-zA-Z]+)"
    r"|(?P<word>[a-zA-Z]+'*|[^\W\d_a-zA-Z]+)"
    r"|(?P<sign>\\\\(?:\*?\s*\[-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|mu|bp|pc)\])?|\\[{}|]|\.{3,}|…|\*\*|<=|>=|!=|==|[-+*/^_(){}\[\]|!=<>,;:&%'$₩€£¥₹₽₺฿₫₪])"
    r")"
)
TIMES = frozenset({"*", "\\cdot", "\\times", "\\ast", "\\bullet"})
DIVIDED = frozenset({"/", "\\div", ":"})
CLOSING = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}
ORDINALS = frozenset({"st", "nd", "rd", "th"})
# Letters that together are a unit after a number, where three unknowns would also be possible.
SHORT_UNITS = frozenset(
    """cm mm km dm nm kg mg ml mL kL dL cc ft yd mi lb lbs oz hr hrs min mins sec secs mph kph sq cu usd USD in
    Hz kHz kW kWh Pa kPa eV th st nd rd deg rad rpm gal pts fps bps won yen day box men""".split()
)
_LONE_UNITS = frozenset("m g s h l L A V W N J K C F T M".split())
# Words that three letters could spell as well: alone or together they are not a product.
COMMON_WORDS = frozenset(
    """no yes on odd one two six ten not all any win tie sun mon tue wed thu fri sat dog god cat red big old new out
    hot top low few men day boy box egg pen cup tan ant act DNE dne""".split()
)
_ALIASES = {
    "\\leq": "<=", "\\le": "<=", "\\leqslant": "<=", "\\leqq": "<=", "\\lt": "<", "\\geq": ">=", "\\ge": ">=",
    "\\geqslant": ">=", "\\geqq": ">=", "\\gt": ">", "\\neq": "!=", "\\ne": "!=", "==": "=", "\\equiv": "=",
    "\\colon": ":", "\\ratio": ":", "\\vert": "|", "\\mid": "|", "\\lvert": "|", "\\rvert": "|", "**": "^",
    "\\ldots": "\\dots", "\\cdots": "\\dots", "\\dotsc": "\\dots", "\\dotsb": "\\dots", "\\dotsm": "\\dots",
    "\\vdots": "\\dots", "\\ddots": "\\dots", "…": "\\dots", "\\lor": "\\lor", "\\vee": "\\lor", "\\land": "\\land", "\\wedge": "\\land",
 "\\simeq": "\\approx", "\\doteq": "\\approx", "\\thickapprox": "\\approx",
    "\\smallsetminus": "\\setminus", "\\backslash": "\\setminus", "\\emptyset": "\\varnothing",
    "\\bigcup": "\\cup", "\\bigcap": "\\cap", "\\infin": "\\infty", "\\lbrack": "[", "\\rbrack": "]",
    "\\lbrace": "\\{", "\\rbrace": "\\}", "\\mod": "mod", "\\pmod": "mod", "\\pod": "mod", "\\And": "and",
    "\\iff": "\\Rightarrow", "\\implies": "\\Rightarrow", "\\Longrightarrow": "\\Rightarrow", "\\|": "|",
    "\\C": "\\mathbbC", "\\R": "\\mathbbR", "\\N": "\\mathbbN", "\\Q": "\\mathbbQ", "\\Z": "\\mathbbZ",
    "\\hline": "", "\\midrule": "", "\\toprule": "", "\\bottomrule": "",
    "\\cupdot": "\\cup", "\\sqcup": "\\cup", "\\bigsqcup": "\\cup", "\\centerdot": "\\cdot",
}  # fmt: skip
_VARIANTS = {
    "\\varepsilon": "\\epsilon",
    "\\vartheta": "\\theta",
    "\\varrho": "\\rho",
    "\\varkappa": "\\kappa",
    "\\varphi": "\\phi",
}
"""Other forms of a letter, which are the letter where a text does not have both."""
_SPOKEN = CONNECTIVES | SPOKEN_SIGNS
_REMAINDER = frozenset({"\\bmod"})
_OPENING, _CLOSING = frozenset({"(", "[", "\\{"}), frozenset({")", "]", "\\}"})
_CONNECTED = lazy(rf"(?:^|\s)(and|or|{'|'.join(BETWEEN_WORDS)})(?=\s|$)", re.IGNORECASE)
_KEPT = FUNCTION_NAMES.keys() | GREEK | NAMED_SIGNS


Grouping = Literal["outside", "everywhere", "nowhere"]
"""Places where ``1,234`` is one number, not two: outside brackets it mostly is, inside it mostly is not."""


def tokens(text: str, grouping: Grouping = "outside") -> list[str]:
    r"""The tokens of a cleaned answer.

    A token is a number, a command with its backslash, one letter, a word, a sign, or text that was set
    as such, after a double quote. Several spellings of one sign give one token.

    Args:
        text: A cleaned answer.
        grouping: Notations in which ``1,234`` is one number.

    Raises:
        UnreadableError: A character that means nothing here; or too many tokens.

    >>> tokens(r"3\le x\text{ cm}"), tokens("1,234", "nowhere")
    (['3', '<=', 'x', '"cm'], ['1', ',', '234'])
    """
    found: list[str] = []
    position, end = 0, len(text.rstrip())
    depth = 0  # of brackets that lists and points have
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnreadableError(f"{text[position]!r} is not read here")
        kind = match.lastgroup
        token = match[kind] if kind else ""
        if kind == "command":
            if token := _command(token, text):
                found.append(token)
        elif kind == "grouped":
            joined = grouping == "everywhere" or (grouping == "outside" and depth <= 0)
            found.extend([token.replace(",", "")] if joined else re.findall(r"[^,]+|,", token))
        elif kind == "number":
            found.append(token)
        elif kind == "quoted":
            said = token.strip()
            found.append("\\bmod") if said == "mod" and _is_remainder(found, text) else _quote(said, found)
        elif kind == "set":
            found.append(f"\\mathbb{token}")
        elif kind == "environment":
            found.append(f"\\{match['edge']}:{token.rstrip('*')}")
        elif kind == "word" and token in _CROSSES and _stands_between(found, match, text):
            found.append("*")
        elif kind == "word" and match["word"] == "mod" and _is_remainder(found, text):
            found.append("\\bmod")
        elif kind == "word":
            found.append(f'"{token}' if _is_of_a_sentence(token, match, text) else _word(token))
        else:
            depth += token in _OPENING
            depth -= token in _CLOSING
            factorial = kind == "sign" and match["sign"] == "!=" and found[-1:] and found[-1].isdecimal()
            found += ["!", "="] if factorial else [_sign(token)]  # 5!=120
        position = match.end()
        if len(found) > MAX_TREE_TOKENS:
            raise UnreadableError("too long")
    if not found:
        raise UnreadableError("empty")
    if "\\equiv" in text and _UNSAID_MODULUS.search(text):
        found += ["mod", "?"]
    return found


def _command(command: str, text: str) -> str:
    """A command by its one name; after a congruence a remainder is a class of numbers."""
    name = "mod" if command in _REMAINDER and "\\equiv" in text else _ALIASES.get(command, command)
    plain = _VARIANTS.get(name)
    return name if plain is None or re.search(rf"\{plain}(?![a-zA-Z])", text) else plain


def _sign(sign: str) -> str:
    """A sign by its one name; of what ends a row, without the space between rows that may follow it."""
    if sign.startswith("\\\\"):
        return "\\\\"
    return "\\dots" if sign.startswith("...") else _ALIASES.get(sign, sign)


def _is_of_a_sentence(token: str, match: re.Match[str], text: str) -> bool:
    """Return whether blanks part two or three letters from other words, as in "I see it": a word.

    Letters that a blank parts from letters are no product: nobody writes ab cd for abcd.
    """
    if token in _LINKING and _APART.match(text, max(0, match.start("word") - 2)):
        return True
    if not 1 < len(token) < 4 or not token.isascii() or token in _KEPT or token in _JOINING:
        return False
    start = match.start("word")
    before, after = _BEFORE.search(text, max(0, start - _NEAR), start), _AFTER.match(text, match.end())
    if token in SHORT_UNITS and before is None:
        return False  # 5 sq ft
    if token[0] == "d" and len(token) == 2:
        return False  # x dx
    if before is not None and before[1] in _LONE_WORDS:
        return True
    beside = {each[1] for each in (before, after) if each is not None}
    return any(len(each) > 1 for each in beside - _KEPT - _JOINING)


_LINKING = frozenset("at by is as an".split())
_APART = lazy(r"\S?[\w%)}\]$]\s[a-z]{2}\s[\w({\[$\\]")
"""A word between two values, "500 at 5%", where nobody writes a product."""
_UNSAID_MODULUS = lazy(r"\\equiv\s*-?\d++\s*\Z")
"""A congruence without its modulus says too little to be one number."""
_BEFORE = lazy(r"(?<![\\a-zA-Z\d])([a-zA-Z]+(?:['’][a-z]+)?)[,;]?\s+\Z")
_AFTER = lazy(r"[,;]?\s+([a-zA-Z]+)(?![a-zA-Z(])")
_NEAR = 24
"""Characters in which a word before another one is looked for."""
_LONE_WORDS = frozenset("aAI")
_JOINING = frozenset("and or mod for if in is to of where with when choose lim".split())
"""Words that stand between formulas."""


def _stands_between(found: list[str], cross: re.Match[str], text: str) -> bool:
    """Return whether an x is typed for a cross: between two numbers, or before a power of ten."""
    after = _FACTOR.match(text, cross.end())
    if not found or not found[-1][0].isdecimal() or after is None or found[-1] == "0":
        return False
    return bool(after["ten"]) or cross.group()[0].isspace() == bool(after["apart"])


_CROSSES = frozenset("xX")
_FACTOR = lazy(r"(?P<apart>\s*)(?:(?P<ten>10\s*\^)|\.?\d)")


def _word(token: str) -> str:
    """A word as a command if it names a function or a constant; Korean particles as what they join."""
    if not token.isascii():
        return _SPOKEN.get(token, token)
    if token in _KEPT:
        if token in ("inf", "infinity", "oo"):
            return "\\infty"
        return f"\\{token}"
    return token


def _is_remainder(found: list[str], text: str) -> bool:
    """Return whether a mod between two numbers is the operation, 10 mod 7, and no class: (mod 7)."""
    return bool(found) and (found[-1].isdecimal() or found[-1] in _CLOSING) and "\\equiv" not in text


def _quote(token: str, found: list[str]) -> None:
    """Text that was set as such: words, or what a formula would hold as well."""
    before, connective, after = _connected(token.strip(" ,."))
    if connective:
        # "7 stuffed goats and" is set as one text before the 4.
        for each in (before, connective, after):
            if each:
                found.append(each) if each == connective else _quote(each, found)
    elif token.casefold().strip("( )") == "mod":
        found.append("mod")
    elif token and not any(map(str.isalpha, token)) and '"' not in token:
        if sign := token.strip(". "):
            found.extend(tokens(sign))
    elif token in _KEPT and not (token in SHORT_UNITS and found and _ends_value(found[-1])):
        found.append(_word(token))
    elif "," in token:
        for place, part in enumerate(token.split(",")):
            found.extend([","] if place else [])
            _quote(part.strip(), found)
    elif len(token) == 1 and token.isalpha() and token.isascii():
        # A lone upright letter is a unit after a number, and otherwise the letter.
        found.append(f'"{token}' if token in _LONE_UNITS and found and _ends_value(found[-1]) else token)
    elif token:
        found.append(f'"{token}')


def _connected(token: str) -> tuple[str, str, str]:
    """Text cut at an "and" or "or" with which it begins or ends."""
    match = _CONNECTED.search(token)
    if match is None or (match.start() > 0 and match.end() < len(token)):
        return token, "", ""
    connective = BETWEEN_WORDS.get(match[1], match[1].casefold())
    return token[: match.start()].strip(), connective, token[match.end() :].strip()


def _ends_value(token: str) -> bool:
    return token[0].isdecimal() or token in (")", "}", "]", "\\pi")


def is_word(token: str) -> bool:
    """Return whether a token is text, rather than a part of a formula.

    >>> is_word('"cm'), is_word("apples"), is_word("xy")
    (True, True, False)
    """
    return token[0] == '"' or (
        token[0].isalpha()
        and (
            len(token) > 3
            or token in SHORT_UNITS
            or token in COMMON_WORDS
            or not token.isascii()
            or (token[1:].islower() and token.casefold() in COMMON_WORDS)
        )
        and "'" not in token
    )


_OPEN = frozenset({"(", "[", "{", "\\{", "\\langle", "\\lfloor", "\\lceil"})
_CLOSE = frozenset({")", "]", "}", "\\}", "\\rangle", "\\rfloor", "\\rceil"})


def split(words: Sequence[str], at: frozenset[str]) -> list[list[str]]:
    """Tokens cut at some of them, but not inside brackets.

    Raises:
        UnreadableError: A bracket closes that was not opened, or the other way round.
    """
    return cut(words, at)[0]


def cut(words: Sequence[str], at: frozenset[str]) -> tuple[list[list[str]], list[str]]:
    """As `split`, and the tokens at which it cut.

    Raises:
        UnreadableError: A bracket closes that was not opened, or the other way round.
    """
    parts: list[list[str]] = [[]]
    found = []
    depth = 0
    for word in words:
        if word in _OPEN or word.startswith("\\begin:"):
            depth += 1
        elif word in _CLOSE or word.startswith("\\end:"):
            depth -= 1
            if depth < 0:
                raise UnreadableError(f"{word!r} closes a bracket that was not opened")
        if depth == 0 and word in at:
            parts.append([])
            found.append(word)
        else:
            parts[-1].append(word)
    if depth:
        raise UnreadableError("a bracket is not closed")
    return parts, found


def parts_at(words: list[str], at: str) -> list[list[str]]:
    """Tokens cut at one of them, without empty parts."""
    return [part for part in split(words, frozenset({at})) if part] if at in words else [words]


def encloses(words: Sequence[str]) -> bool:
    """Return whether the first token is a bracket that the last one closes."""
    if len(words) < 2 or words[0] not in _OPEN or words[-1] not in _CLOSE:
        return False
    depth = 0
    for position, word in enumerate(words):
        depth += word in _OPEN
        depth -= word in _CLOSE
        if depth == 0:
            return position == len(words) - 1
    return False


def closings(words: Sequence[str]) -> dict[int, int]:
    """Map each closed bracket to its closing one, in one pass.

    >>> closings(["(", "1", ",", "(", "2", ")", ")"])
    {3: 5, 0: 6}
    """
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, word in enumerate(words):
        if word in _OPEN:
            opened.append(position)
        elif word in _CLOSE and opened:
            found[opened.pop()] = position
    return found


def all_words(words: Sequence[str]) -> bool:
    """Return whether tokens are text and not a formula."""
    return any(map(is_word, words)) and all(
        word[0] == '"' or word[0].isalpha() or word in ",'-" for word in words
    )
