"""English number words (forty-two, two thirds, an hour and a half), and nouns by their shape: what they may count.

A plural is known by its ending, or as one of the irregular ones, which are few and closed. So are the words of
grammar (determiners, prepositions, auxiliaries, adverbs of degree) and the verbs by which one says something
about a number: ``42 apples`` counts, ``42 fails`` and ``42 at least`` do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from ...runtime.patterns import lazy

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()
_TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety
    """.split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_MAX_WORDS = 40
"""Words of a number that is spelled out to the last."""
_SIZES: dict[str, int] = {"hundred": 10**2, "thousand": 10**3, "lakh": 10**5, "crore": 10**7, **{
    f"{prefix}illion": 10 ** (3 * power + 3)
    for power, prefix in enumerate(("m", "b", "tr", "quadr", "quint", "sext", "sept", "oct", "non", "dec"), 1)
}}  # fmt: skip
SHARE_WORDS = (
    *(f"{part}s" for part in _PARTS if part != "half"),
    "halves",
    "sevenths",
    "hundredths",
    "thousandths",
)
"""Words of parts that stand after a number: 7 thirds."""
SIZE_WORDS = tuple(_SIZES)
"""Words of powers of ten that stand after a number: million, thousand."""
_NUMERAL = lazy(
    rf"(?:{'|'.join((*_TENS, *_ONES, *_SIZES))}|\w+illion|googol)s?|halves|[\w-]*(?:{'|'.join(_PARTS)}|seventh|twelfth|teenth|tieth|undredth"
    r"|ousandth|illionth)s?"
)


def size(word: str) -> int | None:
    """Return the size of a hundred, a lakh or a quadrillion; None for any other word.

    >>> size("million"), size("dozen")
    (1000000, None)
    """
    return _SIZES.get(word.casefold())


def share(word: str) -> int | None:
    """The denominator that a word names in the singular or plural; None if it names none.

    >>> share("sixteenths"), share("halves"), share("apples")
    (16, 2, None)
    """
    word = "half" if word.casefold() == "halves" else word.casefold().removesuffix("s")
    if word in _PARTS:
        return _PARTS[word]
    for stem, value in (*_VALUES.items(), *_SIZES.items()):
        if word in (f"{stem}th", f"{stem[:-1]}ieth", f"{stem[:-2]}fth"):
            return value
    return None


def is_numeral(word: str) -> bool:
    """Return whether a word is a numeral or part of one, singular or plural: tens, sixteenths, trillion."""
    return _NUMERAL.fullmatch(word) is not None


def read_words(text: str) -> Fraction | None:
    """The number that English words say; None if they say none.

    >>> read_words("forty-two"), read_words("two thirds"), read_words("to")
    (Fraction(42, 1), Fraction(2, 3), None)
    >>> read_words("one hundred and five"), read_words("three and a half"), read_words("minus two point five")
    (Fraction(105, 1), Fraction(7, 2), Fraction(-5, 2))
    """
    words = re.split(r"[\s-]+", text.casefold().strip())
    if len(words) > _MAX_WORDS:
        return None
    negative = words[0] in ("minus", "negative") and len(words) > 1
    found = _positive(words[negative:])
    return -found if negative and found is not None else found


_ORDINALS = {"first": 1, "second": 2}
_MOST = 16
"""Words of a number with what it counts."""
SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(sorted(_ONES[1:], key=len, reverse=True))}"
    rf"|(?:oh|zero)[\s-](?:{'|'.join(_ONES[1:10])}))(?![a-z])"
)
"""A number below a hundred as a pattern: of hours, minutes and days."""

ORDINAL = rf"(?:(?:{'|'.join(_TENS)})[\s-])?(?:first|second|(?:{'|'.join(_PARTS)}|seventh|eleventh|twelfth|[a-z]{{3,5}}teenth)|twentieth|thirtieth)"
"""A place in a row as a pattern."""


def small(text: str) -> int | None:
    """The number below a hundred that a text is; None for anything else.

    >>> small("thirty-five"), small("oh five"), small("five hundred")
    (35, 5, None)
    """
    words = re.split(r"[\s-]+", text.casefold().strip())
    if len(words) == 2 and words[0] in ("oh", "zero"):
        words = words[1:]
    return _tens(words)


def ordinal(text: str) -> int | None:
    """Which place a word or two say; None where they say none.

    >>> ordinal("third"), ordinal("twenty-first"), ordinal("half")
    (3, 21, None)
    """
    *tens, last = re.split(r"[\s-]+", text.casefold().strip())
    ones = _ORDINALS.get(last) or (share(last) if last not in ("half", "quarter") else None)
    if ones is None or last.endswith("s") or len(tens) > 1:
        return None
    above = _tens(tens) if tens else 0
    return None if above is None or (tens and (above < 20 or above % 10 or ones > 9)) else above + ones


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each, as what is counted.

    Args:
        text: A text.

    >>> next(readings("two and a half hours")), next(readings("an hour and a half"))
    ((Fraction(5, 2), 'hours'), (Fraction(3, 2), 'hour'))
    >>> next(readings("half an hour")), next(readings("three quarters of a mile")), list(readings("half of it"))
    ((Fraction(1, 2), 'hour'), (Fraction(3, 4), 'mile'), [])
    """
    words = text.casefold().split()
    if not 0 < len(words) <= _MOST:
        return
    if words[0] == "half" and words[1:2] in (["a"], ["an"]) and words[2:]:
        yield Fraction(1, 2), " ".join(words[2:])
    if "and" in words[1:] and (whole := _with_part(words)) is not None:
        yield whole
    for end in range(len(words), 0, -1):
        number = Fraction(1) if words[:end] in (["a"], ["an"]) else read_words(" ".join(words[:end]))
        if number is None:
            continue
        if words[end : end + 1] == ["of"] and words[end + 1 : end + 2] in (["a"], ["an"]):
            if number.denominator > 1:
                yield number, " ".join(words[end + 2 :])
        else:
            yield number, " ".join(words[end:])


def _with_part(words: list[str]) -> tuple[Fraction, str] | None:
    """An hour and a half, two miles and three quarters: what is counted stands before the part."""
    place = len(words) - 1 - words[::-1].index("and")
    part = read_words(" ".join(words[place + 1 :]))
    if part is None or part.denominator == 1:
        return None
    for end in range(place - 1, 0, -1):
        many = _after_article(words[:end], _written)
        if many is not None and part < 1:
            return many + part, " ".join(words[end:place])
    return None


def _positive(words: list[str]) -> Fraction | None:
    """A whole number, a decimal, a part, or a whole number and a part."""
    if len(words) == 3 and words[0] == "half" and words[1] in ("a", "an") and words[2] in _SIZES:
        return Fraction(_SIZES[words[2]], 2)
    if "point" in words:
        place = words.index("point")
        whole = _whole(words[:place])
        digits = [_VALUES.get("zero" if word == "oh" else word, 10) for word in words[place + 1 :]]
        if whole is None or not digits or max(digits) > 9:
            return None
        return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))
    if len(words) > 1 and (below := share(words[-1])) is not None:
        # The last "and" stands before the part of a mixed number: two and three quarters.
        place = len(words) - 1 - words[::-1].index("and") if "and" in words else -1
        above = _after_article(words[place + 1 : -1], _whole)
        whole = 0 if place < 0 else _written(words[:place])
        # Two hundred and fifty-six thousandths may be 0.256.
        is_unsure = place > 0 and words[place - 1] in _SIZES and below >= 100
        return None if above is None or whole is None or is_unsure else whole + Fraction(above, below)
    whole = _whole(words)
    return None if whole is None else Fraction(whole)


def _written(words: list[str]) -> int | None:
    """A whole number in words or digits, where a part in words follows: 3 and a half."""
    digits = words[0].replace(",", "") if len(words) == 1 else ""
    return int(digits) if digits.isascii() and digits.isdigit() else _whole(words)


def _whole(words: list[str]) -> int | None:
    """A cardinal number: up to three digits, each with its size, which falls: two million three hundred."""
    total, section, least = 0, [], 10**36
    for word in words:
        size_of = _SIZES.get(word, 0)
        if size_of < 1000 or size_of == least:
            section.append(word)
            continue
        many = _after_article(section, _hundreds)
        if not many or size_of >= least:
            return None
        total, section, least = total + many * size_of, [], size_of
    if not section:
        return total or None
    rest = _hundreds(section[1:] if total and section[0] == "and" else section)
    return None if rest is None or (total and rest == 0) or rest >= least else total + rest


def _hundreds(words: list[str]) -> int | None:
    """A number below a thousand: five, twenty-five, a hundred, three hundred and two, fifteen hundred."""
    if "hundred" not in words:
        return _tens(words)
    place = words.index("hundred")
    many, rest = _after_article(words[:place], _tens), words[place + 1 :]
    if many is None or not 0 < many < 100 or many % 10 == 0:
        return None
    below = _tens(rest[1:] if rest[:1] == ["and"] else rest) if rest else 0
    return None if below is None or (rest and below == 0) else many * 100 + below


def _after_article(words: list[str], read: Callable[[list[str]], int | None]) -> int | None:
    """Return the number before a counted word, 1 for an article: a million, two million."""
    return 1 if words in (["a"], ["an"]) else read(words)


def _tens(words: list[str]) -> int | None:
    values = [_VALUES.get(word, -1) for word in words]
    if len(values) == 1 and values[0] >= 0:
        return values[0]
    # Ones may follow twenty; nothing may follow twelve or five.
    return sum(values) if len(values) == 2 and values[0] >= 20 and 0 < values[1] < 10 else None


_IRREGULAR = {
    "children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "teeth": "tooth",
    "geese": "goose", "mice": "mouse", "lice": "louse", "dice": "die", "oxen": "ox", "sheep": "sheep", "fish": "fish",
    "deer": "deer", "moose": "moose", "salmon": "salmon", "trout": "trout", "shrimp": "shrimp", "squid": "squid",
    "bison": "bison", "aircraft": "aircraft", "spacecraft": "spacecraft", "offspring": "offspring",
    "data": "datum", "criteria": "criterion", "phenomena": "phenomenon", "bacteria": "bacterium",
    "media": "medium", "strata": "stratum", "polyhedra": "polyhedron", "tetrahedra": "tetrahedron", "octahedra": "octahedron",
    "maxima": "maximum", "minima": "minimum", "extrema": "extremum", "optima": "optimum", "quanta": "quantum",
    "vertices": "vertex", "indices": "index", "matrices": "matrix", "radices": "radix", "apices": "apex",
    "axes": "axis", "analyses": "analysis", "bases": "base", "hypotheses": "hypothesis", "parentheses": "parenthesis",
    "loci": "locus", "radii": "radius", "foci": "focus", "nuclei": "nucleus", "cacti": "cactus", "fungi": "fungus",
    "alumni": "alumnus", "stimuli": "stimulus", "genera": "genus", "formulae": "formula", "larvae": "larva", "algae": "alga",
    "antennae": "antenna", "lives": "life", "wives": "wife", "knives": "knife", "leaves": "leaf", "loaves": "loaf",
    "wolves": "wolf", "calves": "calf", "shelves": "shelf", "elves": "elf", "scarves": "scarf",
    "buses": "bus", "gases": "gas", "lenses": "lens", "cases": "case", "quizzes": "quiz", "pence": "penny",
    "series": "series", "species": "species", "cookies": "cookie", "movies": "movie", "pies": "pie", "ties": "tie",
    "dies": "die", "brownies": "brownie", "calories": "calorie", "zombies": "zombie", "selfies": "selfie",
    "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "mangoes": "mango", "echoes": "echo",
    "volcanoes": "volcano", "mosquitoes": "mosquito", "dominoes": "domino", "tornadoes": "tornado",
    "millennia": "millennium", "henries": "henry", "centuries": "century", "pennies": "penny",
    "horsepower": "horsepower", "hertz": "hertz", "siemens": "siemens", "lux": "lux", "gross": "gross",
}  # fmt: skip
"""Plurals that no rule makes, or whose singular none finds (Quirk et al., 1985, 5.78 to 5.103)."""
_GRAMMAR = frozenset(
    """a an the this that these those it its he his him she her hers they them their theirs we us our ours you your
    yours i me my mine who whose whom which what where when while why how there here both
    is are was were be been being am isn aren wasn weren do does did done has have had having can could may might
    must shall should will would cannot
    and or but nor if unless except excluding exclusive than then though although because since so as whether
    not no never none nothing neither either hardly only just even also too very quite rather almost nearly about
    approximately approx roughly around perhaps maybe possibly probably likely exactly precisely yes ok okay
    more most less least fewer fewest another such other others
    else enough mille plus minus times multiplied divided by mod modulo over under above below beyond between within
    without against versus via out off up down again once twice thrice instead actually wait always sometimes
    perhaps besides otherwise thus hence therefore overall ish
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
    trillion half halves double triple quadruple twofold threefold squared cubed root factorial infinity pi sqrt
    sin cos tan cot sec csc sinh cosh tanh sech csch coth arcsin arccos arctan asin acos atan log ln exp gcd lcm
    max min abs sgn floor ceil lim det erf deg base binary octal hexadecimal hex where
    negative imaginary unknown wrong false true""".split()
)
"""Words of grammar, numerals, and signs of a formula read aloud (Quirk et al., 1985, chapters 5 to 10)."""
_DETERMINERS = frozenset("much many few several some any all every".split())
"""They say how many, and so no adjectives of what is counted."""
_COMPLEMENTS = frozenset(
    "of in on at for from to with per each every among across inside into onto along through".split()
)
"""Prepositions after which a noun says of what, where or for whom."""
ALL_TOLD = frozenset("each apiece total altogether overall".split()) | {"in total", "in all", "all told"}
"""What may stand after a number alone and says nothing more."""
_HARMLESS = frozenset(
    """each apiece total altogether tall long wide high deep thick old apart away across together per head
    remaining left in""".split()
)
"""What may stand after a quantity and says nothing about its size."""
_DIRECTIONS = frozenset(
    """north south east west northeast northwest southeast southwest northward southward eastward westward ago later
    earlier early late before after ahead behind clockwise counterclockwise anticlockwise upstream
    downstream upward downward inland""".split()
)
"""What turns a quantity: two of them differ."""
_VERBS = frozenset(
    """works fails holds seems appears looks feels sounds becomes remains stays lies goes comes gets gives makes takes
    needs wants means says tells shows proves implies follows suggests indicates equals exceeds differs lacks
    misses breaks matches fits suits satisfies verifies violates contradicts contains includes excludes divides
    multiplies adds sums rounds overestimates underestimates overshoots undershoots overcounts undercounts
    requires assumes depends varies changes increases decreases doubles triples halves wins loses
    belongs exists happens occurs results ends begins starts stops guesses ignores forgets neglects denies rejects
    refutes disproves vanishes diverges converges""".split()
)
"""Verbs in the third person by which one says something about a number that stands before them."""
_VERB_ENDINGS = ("ifies", "ceeds", "dicts", "quals", "tisfies", "izes", "ises")
_NO_PLURAL = ("ss", "us", "is", "wards", "ways", "ness")
_POWERS = {"squared": "square", "cubed": "cubic"}
_WORD = lazy(r"[a-zà-ɏ]+(?:'s)?")
MAX_MODIFIERS = 4


def singular(word: str) -> str:
    """The singular of an English plural; any other word as it is.

    Args:
        word: One word without capitals.

    >>> [singular(word) for word in ("boxes", "berries", "children", "glass", "ways")]
    ['box', 'berry', 'child', 'glass', 'way']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Return whether a word has the shape of a plural noun.

    >>> [is_plural(word) for word in ("packs", "geese", "rejected", "less", "exceeds")]
    [True, True, False, False, False]
    """
    if word in _IRREGULAR or word == "ways":
        return True
    if len(word) < 3 or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return False
    if is_grammatical((word, singular(word))):
        return False
    return word not in _VERBS and not word.endswith(_VERB_ENDINGS)


def is_grammatical(words: Iterable[str]) -> bool:
    """Return whether any of the words is a word of grammar, so that they are more than a noun or a remark."""
    return any(word in _GRAMMAR or is_numeral(word) for word in words)


def words_of(text: str) -> list[str] | None:
    """The words of a phrase without capitals and articles; None if there is anything but words.

    >>> words_of("Points per game"), words_of("x + 1")
    (['points', 'per', 'game'], None)
    """
    words = text.casefold().replace("-", " ").rstrip(".!").split()
    if not words or not all(map(_WORD.fullmatch, words)):
        return None
    kept = [
        word
        for at, word in enumerate(words)
        if at == 0 or word not in ("the", "a", "an") or at == len(words) - 1
    ]
    return kept if kept and all(len(word) > 1 for word in kept) else None


def complement(words: list[str]) -> str | None:
    """Normalise the complement of a counted noun or unit: "" if optional, None if it changes the noun.

    >>> complement(["of", "sugar"]), complement(["each"]), complement(["rejected"])
    ('of sugar', '', None)
    """
    if not words or _HARMLESS.issuperset(words):
        return ""
    if words[0] in _DIRECTIONS and len(words) == 1:
        return words[0]
    if words[0] in _COMPLEMENTS and len(words) > 1 and not is_grammatical(words[1:]):
        if words[-1] in _HARMLESS and len(words) > 2:
            words = words[:-1]
        return " ".join((words[0], *map(singular, words[1:])))
    return None


@lru_cache(maxsize=4096)
def counted(phrase: str, one: bool = False) -> tuple[str, str] | None:
    """Return the counted noun, in the singular, and its complement; None if the phrase has no such noun.

    Args:
        phrase: Text after the number.
        one: Whether the number is one, so that the noun is in its singular.

    >>> counted("red marbles in the bag"), counted("rejected"), counted("apple", one=True)
    (('red marble', 'in bag'), None, ('apple', ''))
    """
    words = words_of(phrase)
    if words is None:
        return None
    if words == ["times"]:
        return "time", ""
    if len(words) > 1 and words[-1] in _POWERS:
        words = [_POWERS[words[-1]], *words[:-1]]
    for head in _heads(words, one):
        rest = complement(words[head + 1 :])
        if rest is not None:
            return " ".join((*words[:head], singular(words[head]))), rest
    return None


def remark(phrase: str) -> str | None:
    """Words that count nothing, in one spelling; None where they make a clause, or are no words.

    >>> remark("rejected"), remark("is wrong"), remark("with doubt")
    ('rejected', None, None)
    """
    words = words_of(phrase)
    if words is None or is_grammatical(words) or words[0] in _COMPLEMENTS:
        return None
    return " ".join(map(singular, words))


def _heads(words: list[str], one: bool) -> Iterator[int]:
    """The places of the noun that is counted, later ones first."""
    stop = next(
        (at for at, word in enumerate(words) if word in _DETERMINERS or is_grammatical((word,))), len(words)
    )
    inner = next((at for at, word in enumerate(words[:stop]) if word in _COMPLEMENTS), stop)
    for at in range(min(inner, MAX_MODIFIERS + 1) - 1, -1, -1):
        if is_plural(words[at]):
            yield at
    if one and inner == len(words) and not is_adjective(words[-1]) and len(words) <= MAX_MODIFIERS:
        yield len(words) - 1


_ADJECTIVES = lazy(
    r".*(?:ed|ing|ly|ble|ful|less|ous|ive|ical|ish|ward|wise|ant|ent|fold|th|valid|correct)"
    r"|(?:too )?(?:high|low|large|small|big|short|long|missing|left|right|off|down|up|out|more|mille|permille|googol)"
)


def is_adjective(word: str) -> bool:
    """Return whether a word has the shape of an adjective, a participle or an adverb."""
    return _ADJECTIVES.fullmatch(word) is not None


NUMBERED = lazy(
    r"(?:(?:the )?(?:day|room|step|page|level|grade|chapter|question|problem|case|number|year|week|month|row|column|box"
    r"|floor|line|team|group|class|bus|seat|stage|round|section|table|figure|no\.)\s?|#)(?P<number>\d{1,6})",
    re.IGNORECASE,
)
"""A thing that its number names: Day 7, page 12, #3."""
