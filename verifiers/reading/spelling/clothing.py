r"""TeX commands that change how a formula looks and not what it says: one table, taken off in one pass.

``\color{red}{17}``, ``{\bf 17}`` and ``17\phantom{0}`` are 17. What changes the meaning stays as it is, so
that it is read or refused later: ``\cancel``, ``\overline``, ``\mathbb``, ``\mathcal``. The commands of TeX's
package for quantities, ``\SI{5}{\meter}``, are spelled out.
"""

from __future__ import annotations

import re

from ...runtime.patterns import lazy

# What follows a command, one sign for each argument: k kept, c kept unless a script counts what its dots
# stand for, d dropped, o in square brackets and dropped, _ or ^ a script that is dropped, m a length without
# braces, . the sign of a bracket that is not there.
_ARGUMENTS = {
    **dict.fromkeys(
        """mathbf mathit mathsf mathtt mathnormal boldsymbol bm pmb symbf symit underline uline smash mathop
        mathord mathrel mathbin mathopen mathclose mathpunct mathinner ensuremath framebox
        highlight""".split(),
        "ok",
    ),
    **dict.fromkeys("colorbox textcolor scalebox href".split(), "odk"),
    **dict.fromkeys("fcolorbox resizebox".split(), "oddk"),
    "underbrace": "c_", "overbrace": "c^", "underbracket": "c_", "overbracket": "c^",
    **dict.fromkeys(
        "phantom hphantom vphantom tag label hspace vspace mspace pagecolor eqref hypertarget".split(), "d"
    ),
    "rule": "odd",
    **dict.fromkeys("kern mkern hskip mskip vskip".split(), "m"),
    **dict.fromkeys(
        """left right middle big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm
        Biggm""".split(),
        ".",
    ),
    **dict.fromkeys(
        """limits nolimits displaylimits strut mathstrut notag nonumber centering noindent hfill hfil relax
        protect allowbreak nobreak nolinebreak linebreak null boldmath unboldmath""".split(),
        "",
    ),
}  # fmt: skip
# These hold up to the end of the group, or for a group that follows directly.
_DECLARATIONS = {
    "color": "od",
    **dict.fromkeys("rm upshape mdseries".split(), ""),
    **dict.fromkeys(
        """bf it sf tt sl em bfseries itshape sffamily ttfamily displaystyle textstyle scriptstyle
        scriptscriptstyle tiny scriptsize footnotesize small normalsize large Large LARGE huge
        Huge""".split(),
        "",
    ),
}
_UPRIGHT = frozenset({"rm", "upshape", "mdseries"})
_SAME = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "nicefrac": "frac", "sfrac": "frac", "dbinom": "binom",
    "tbinom": "binom", "texttt": "text", "emph": "text", "textsc": "text", "textup": "text", "textmd": "text",
    "textsl": "text", "hbox": "text", "mathup": "mathrm", "ce": "mathrm", "symup": "mathrm",
}  # fmt: skip
_SPACES = frozenset(
    {"hspace", "vspace", "mspace", "hskip", "mskip", "kern", "mkern", "hfill", "hfil", "phantom", "hphantom"}
)
_RAISED, _RAISING = frozenset({"underline", "overline"}), re.compile(r"\^\s*+(?:\{\s*+)?\Z")
_DRESS = _ARGUMENTS.keys() | _DECLARATIONS.keys() | _SAME.keys()

_COMMAND = lazy(r"\\[a-zA-Z]+")
_TOKEN = lazy(r"\\(?P<name>[a-zA-Z]+)\*?|\\.|[{}]", re.DOTALL)
_BRACKETED = lazy(r"\s*\[[^\[\]{}]{0,60}\]")
_LENGTH = lazy(r"\s*+(?:=\s*+)?-?(?:\d++(?:\.\d++)?|\.\d++)\s*+(?:pt|em|ex|mu|cm|mm|in|pc|bp|sp)(?![a-z])\s*")
_NO_BRACKET = lazy(r"\s*(?:\.(?!\d))?")
_SINGLE = lazy(r"\s*(?:\\[a-zA-Z]+|[^\s{}\\])?")
_DOTS = lazy(r"\\[a-z]*dots|\.\.|…")
_EMPTY = lazy(r"\{\s*\}")
_INDEXED_NOTHING = lazy(r"\{\s*\}\s*[_^]")
_SPACE = lazy(r"\s*")
_NEEDS_BRACES = lazy(r"(?:[\^_}\]]|\\[a-zA-Z]+)\s*\Z")
_UPRIGHT_WORDS = lazy(r"[a-zA-Z][a-zA-Z .]*(?:[/^][a-zA-Z\d-]+)*")
_WIDEST = 40
"""Characters in which what needs an argument is looked for, with room to spare."""


def undressed(text: str) -> str:
    r"""A formula without what only sets it, in linear time; the text as it is if its groups do not close.

    >>> undressed(r"{\bf 17}"), undressed(r"\color{red}{x+1}+y"), undressed(r"5{\rm cm}\tag{1}")
    ('17', 'x+1+y', '5\\mathrm{cm}')
    """
    if not any(command[1:] in _DRESS for command in set(_COMMAND.findall(text))):
        return text
    return _Scan(text).run()


class _Group:
    """A group that is open: what its content becomes, and what is to come after it.

    Args:
        role: "group" (braces that stay), or a sign of `_ARGUMENTS`.
        rest: The arguments that follow.
    """

    def __init__(self, role: str, rest: str = "") -> None:
        self.role = role
        self.rest = rest
        self.pieces: list[str] = []
        self.declared = False
        self.upright_from: int | None = None


class _Scan:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.groups = [_Group("whole")]

    def run(self) -> str:
        text = self.text
        while (token := _TOKEN.search(text, self.position)) is not None:
            self.add(text[self.position : token.start()])
            self.position = token.end()
            sign = token.group()
            name = token["name"]
            if name in _SAME:
                self.add(f"\\{_SAME[name]}")
            elif name in _RAISED and _RAISING.search(text[: token.start()][-_WIDEST:]):
                self.add(sign)  # a falling or rising factorial
            elif name in _ARGUMENTS:
                self.add(" " if name in _SPACES else "")
                self.arguments(_ARGUMENTS[name])
            elif name in _DECLARATIONS:
                self.declaration(name)
            elif sign == "{":
                self.groups.append(_Group("group"))
            elif sign == "}":
                if len(self.groups) == 1:
                    return text  # a brace that nothing opened
                self.close()
            else:
                self.add(sign)
        self.add(text[self.position :])
        return self.content(self.groups[0]) if len(self.groups) == 1 else text

    def add(self, piece: str) -> None:
        """Put down a piece of the formula; a command and a letter stay apart."""
        if not piece:
            return
        pieces = self.groups[-1].pieces
        if piece[0].isalnum() and pieces and _COMMAND.fullmatch(pieces[-1]):
            pieces.append(" ")
        pieces.append(piece)

    def arguments(self, kinds: str) -> None:
        """Drop or open the arguments that follow, up to the first that is a group."""
        for place, kind in enumerate(kinds):
            if kind == "o":
                self.skip(_BRACKETED)
            elif kind == "m":
                self.skip(_LENGTH)
            elif kind == ".":
                self.skip(_NO_BRACKET)
            else:
                self.skip(_SPACE)
                script = kind in "_^"
                if script:
                    if self.text[self.position : self.position + 1] != kind:
                        continue
                    self.position += 1
                if kind in "ku" and _INDEXED_NOTHING.match(self.text, self.position):
                    return  # \color{red}{}_5C_2: what is dressed is more than the empty group
                if self.text[self.position : self.position + 1] == "{":
                    self.position += 1
                    self.groups.append(_Group("d" if script else kind, kinds[place + 1 :]))
                    return
                if script or kind == "d":
                    self.skip(_SINGLE)

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def declaration(self, name: str) -> None:
        """A group that follows is its argument; otherwise it holds for the group that it stands in."""
        kind = "u" if name in _UPRIGHT else "k"
        group = self.groups[-1]
        group.declared = True
        if self.brace_follows():
            self.arguments(_DECLARATIONS[name] + kind)
            return
        self.skip(_SPACE)
        if kind == "u":
            group.upright_from = len(group.pieces)

    def brace_follows(self) -> bool:
        space = _SPACE.match(self.text, self.position)
        at = space.end() if space else self.position
        if _EMPTY.match(self.text, at):
            return False  # {}_5C_2 begins so
        return self.text[at : at + 1] == "{" or _BRACKETED.match(self.text, at) is not None

    def content(self, group: _Group) -> str:
        """The text of a group; the part that was set upright as such."""
        if group.upright_from is None:
            return "".join(group.pieces)
        before, behind = group.pieces[: group.upright_from], "".join(group.pieces[group.upright_from :])
        return "".join(before) + _upright(behind)

    def close(self) -> None:
        group = self.groups.pop()
        content = self.content(group)
        if group.role == "c" and _DOTS.search(content):
            self.groups[-1].pieces.append(rf"\underbrace{{{content}}}")
            return
        if group.role == "u":
            self.kept(_upright(content))
        elif group.role in ("k", "c") or (group.role == "group" and group.declared):
            self.kept(content.strip())
        elif group.role == "group":
            self.groups[-1].pieces.append(f"{{{content}}}")
        if group.rest:
            self.arguments(group.rest)

    def kept(self, content: str) -> None:
        """Put down what was dressed: in braces only where a command, a power or an index takes it."""
        before = "".join(self.groups[-1].pieces[-3:])[-_WIDEST:]
        raised = self.text[self.position : self.position + 1] in ("^", "!")
        if _NEEDS_BRACES.search(before) or (raised and not content.isalnum()):
            self.groups[-1].pieces.append(f"{{{content}}}")
        else:
            self.add(content)


def _upright(content: str) -> str:
    r"""``\mathrm{cm}`` for words, which are no product of letters; numbers and formulas as they are."""
    stripped = content.strip()
    return f"\\mathrm{{{stripped}}}" if _UPRIGHT_WORDS.fullmatch(stripped) else content


_MACRO = lazy(r"\\(SI|qty|num|ang|si|unit)\s*+(?:\[[^\]\\]{0,60}\]\s*+)?\{([^{}]{0,200})\}")
_UNIT = lazy(r"\s*+(?:\[[^\]]{0,60}\]\s*+)?\{((?:[^{}]|\{[^{}]{0,60}\}){0,200})\}")
_SCIENTIFIC = lazy(r"\s*([-+]?[\d.,]*\d)\s*[eE]\s*([-+]?\d+)\s*")
_NAMES = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "hertz": "Hz", "volt": "V",
    "ohm": r"\Omega ", "coulomb": "C", "farad": "F", "tesla": "T", "weber": "Wb", "henry": "H",
    "siemens": "S",
    "liter": "L", "litre": "L", "minute": "min", "hour": "h", "day": "day", "degreeCelsius": r"^\circ C",
    "celsius": r"^\circ C", "percent": "%", "degree": r"^\circ", "electronvolt": "eV", "bar": "bar",
    "tonne": "t",
    "kilogram": "kg", "kg": "kg", "km": "km", "cm": "cm", "mm": "mm", "m": "m", "s": "s", "g": "g",
}  # fmt: skip
_PREFIXES = {
    "kilo": "k", "milli": "m", "micro": "µ", "centi": "c", "deci": "d", "nano": "n", "mega": "M", "giga": "G",
    "pico": "p", "tera": "T", "hecto": "h",
}  # fmt: skip
_UNIT_COMMAND = lazy(r"\\([a-zA-Z]+)")
_FRACTION = lazy(
    r"(?<=[\d}])(?:\\[,;: !]|\s|~)*\\[dt]?frac\s*"
    r"\{\s*((?:\\(?:text|mathrm)\s*\{[A-Za-z]{1,4}\}(?:\^(?:\{\d\}|\d))?(?:\s|\\cdot|\\,)*){1,4})\}\s*"
    r"\{\s*((?:\\(?:text|mathrm)\s*\{[A-Za-z]{1,4}\}(?:\^(?:\{\d\}|\d))?(?:\s|\\cdot|\\,)*){1,4})\}"
)
_SET = lazy(r"\\(?:text|mathrm)\s*\{([A-Za-z]+)\}")


def spelled(text: str) -> str:
    r"""A text with these commands as the number, and the unit as text.

    >>> spelled(r"\SI{5}{\meter\per\second\squared}"), spelled(r"\num{5e3}"), spelled(r"\ang{30}")
    ('5\\text{ m/s^2}', '5\\times 10^{3}', '30^\\circ')
    >>> spelled(r"9.8\,\frac{\text{m}}{\text{s}^2}")
    '9.8\\text{ m/s^2}'
    """
    pieces: list[str] = []
    at = 0
    while (found := _MACRO.search(text, at)) is not None:
        name, argument = found[1], found[2]
        unit = _UNIT.match(text, found.end()) if name in ("SI", "qty") else None
        if name in ("SI", "qty") and unit is None:
            break
        pieces.append(text[at : found.start()])
        if name == "ang":
            pieces.append(_angle(argument))
        elif name in ("si", "unit"):
            pieces.append(_unit(argument))
        else:
            pieces.append(_number(argument) + (_unit(unit[1]) if unit is not None else ""))
        at = found.end() if unit is None else unit.end()
    return _FRACTION.sub(_over, "".join([*pieces, text[at:]]))


def _number(text: str) -> str:
    scientific = _SCIENTIFIC.fullmatch(text)
    return text if scientific is None else rf"{scientific[1]}\times 10^{{{scientific[2]}}}"


def _angle(text: str) -> str:
    degrees, *rest = text.split(";")
    marks = zip(rest, ("'", "''"), strict=False)
    return rf"{degrees or 0}^\circ" + "".join(f" {part}{mark}" for part, mark in marks if part)


def _unit(text: str) -> str:
    """Names of units as symbols, with a slash before each that is divided by."""
    out = ""
    prefix = ""
    for part in _UNIT_COMMAND.findall(text) if "\\" in text else ():
        if part in _PREFIXES:
            prefix = _PREFIXES[part]
        elif part == "per":
            out = f"{out}/" if out else "1/"
        elif part in ("squared", "cubed"):
            out += "^2" if part == "squared" else "^3"
        else:
            gap = " " if out and out[-1] != "/" else ""
            out += f"{gap}{prefix}{_NAMES.get(part, part)}"
            prefix = ""
    return rf"\text{{ {out or text.strip()}}}"


def _over(found: re.Match[str]) -> str:
    above, below = (
        " ".join(_SET.sub(r"\1 ", part).replace("\\cdot", " ").replace("\\,", " ").split())
        for part in found.groups()
    )
    above, below = (re.sub(r" ?\^ ?\{?(\d)\}?", r"^\1", part) for part in (above, below))
    return rf"\text{{ {above}/{below}}}" if " " not in below else rf"\text{{ {above}/({below})}}"
