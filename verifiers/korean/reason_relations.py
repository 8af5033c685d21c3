"""Statements of a reason about forms: which is right, which is wrong, which is short for which.

A relation is told by the words between two quoted forms ("'A'는 'B'의 잘못", "'B'의 준말이 'A'"), so it has a direction.
What contradicts the reference's relations, or its sentence, turns the reason round, however many words it shares.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ..runtime.patterns import lazy

_Q = r"(?<![\w.!?)])['‘\"“]([^'’\"”]{1,80})['’\"”]"
_FALSE = r"(?:잘못|틀린|틀렸|비표준|표준어가\s?아니|표준어로\s?(?:보지|인정하지)\s?않|(?:올?바른|맞는)\s?(?:표기|말|형태)(?:가|이)\s?아니|바르지\s?않|그른|그릇된|옛\s?표기|맞지\s?않|옳지\s?않)"
_WRITE = r"(?:적|쓰|써|쓴|표기|발음하)"
_NOT = r"[^.,;'‘]{0,16}(?:않|아니|못[하한해]|안\s|잘못|틀[리렸린]|어긋|그르)"
_WRONG_FOR = lazy(
    rf"{_Q}(?:은|는|이|가)\s{_Q}의\s?(?:잘못|옛\s?표기|비표준어|틀린)[가-힣]{{0,4}}(?:\s?표기)?"
)
_WRONG = (
    _WRONG_FOR,
    re.compile(rf"{_Q}(?:은|는|이|가|도)?\s?{_FALSE}"),
    re.compile(rf"{_Q}(?:이|가)?\s?(?:아니라|아닌|아니고|아니며)(?=\s?['‘\"“])"),
    re.compile(rf"{_Q}(?:으)?로(?:는)?\s?{_WRITE}{_NOT}"),
)
_RIGHT = (
    re.compile(rf"{_Q}의\s?(?:잘못|옛\s?표기|비표준어|틀린)"),
    re.compile(
        rf"(?:아니라|아닌|아니고)\s?{_Q}(?=(?:으?로|을|를|이|가|만)?\s?(?:이?다|{_WRITE}|맞|옳|표준))"
    ),
    re.compile(rf"{_Q}(?:으)?로(?:만)?\s?{_WRITE}(?!{_NOT})"),
    re.compile(
        rf"{_Q}(?:이|가|만|은|는)?\s?(?:더\s|가장\s)?(?:맞(?!지)|올바(?!르지)|바른(?!\s?(?:표기|말|형태)(?:가|이)\s?아니)|표준어(?!가\s?아니|로\s?(?:보지|인정하지)))"
    ),
    re.compile(
        rf"(?:활용형|준말|명사형|표준어|본음|과거형)(?:은|는|이|가)\s?{_Q}(?=이다|이며|이고|이므로|입|다|$|[.,])"
    ),
)
_SHORT = (
    re.compile(rf"{_Q}(?:[은는]\s(?:[가-힣]{{1,4}}\s){{0,2}}|[이가]\s){_Q}(?:의\s?준말|(?:이|가)\s?줄)"),
    re.compile(rf"()(?<!['’\"”][은는이가]\s){_Q}(?:의\s?준말|(?:이|가)\s?줄)(?!(?:이|은|는)\s?['‘\"“])"),
)
_SHORT_OF = lazy(rf"{_Q}의\s?준말(?:이|은|는)\s?{_Q}")
_INSTEAD = lazy(
    rf"(?:(?<=므로 )|(?<=[,.] )|\A)[^.,'‘]{{0,40}}{_Q}(?:이|가)?\s?(?:아니라|아닌)\s?(?=[가-힣\s]{{0,12}}['‘])"
)
_IS = lazy(rf"([가-힣]{{2,6}})(?:은|는|이|가)\s{_Q}(?=이다|이며|이고|이므로|이기|입니다|이어서|다\b)")
_TOPIC = lazy(rf"{_Q}(?:은|는)\s")
_WRITTEN = lazy(rf"{_Q}(?:으)?로(?:만)?\s?(?:적는다|적어야|써야|쓴다|표기한다)")
_KIND = lazy(
    r"(의존\s?명사|조사|접미사|접두사|어미|보조(?!사)|부사|관형사(?!형)|감탄사|대명사)(?!(?:이|가)\s?아[니닌])(?![가-힣]{0,3}\s?뒤)"
)
"""Parts of speech: a form is one of these, and no other."""
_PARTICLES = frozenset("이가은는을를의에도로와과만으")
_LIST = lazy(rf"{_Q}(?:(?:\s?[,·]\s?|와\s|과\s|나\s|이나\s){_Q}){{1,12}}")
_ONE = lazy(_Q)


class Relations(NamedTuple):
    """Statements of a text about forms.

    Args:
        wrong: Forms that are not to be written.
        right: Forms that are.
        short: Pairs of a form and the longer one that it is short for; the first is empty where it is not named.
        named: Pairs of a noun and the form that it is said to be: "어미는 '-오'이다".
        topics: Forms that something is said of.
        written: Forms that are to be written: "'-이'로 적는다".
        kinds: Names of what a form is: 의존 명사, 조사.
        forms: All that is quoted.
    """

    wrong: frozenset[str]
    right: frozenset[str]
    short: frozenset[tuple[str, str]]
    named: frozenset[tuple[str, str]]
    topics: frozenset[str]
    written: frozenset[str]
    kinds: frozenset[str]
    forms: frozenset[str]


def relations(text: str) -> Relations:
    """Return the statements of a text about the forms that it quotes.

    >>> said = relations("'금새'는 '금세'의 잘못이다. '금시에'의 준말이 '금세'이다.")
    >>> sorted(said.wrong), sorted(said.right), sorted(said.short)
    (['금새'], ['금세'], [('금세', '금시에')])
    """
    wrong = {bare(found[1]) for pattern in _WRONG for found in pattern.finditer(text)}
    right = {bare(found[1]) for pattern in _RIGHT for found in pattern.finditer(text)}
    # "'A'는 'B'의 잘못": the second form is not the one that is wrong.
    wrong -= {bare(found[2]) for found in _WRONG_FOR.finditer(text)}
    turned = {(bare(found[2]), bare(found[1])) for found in _SHORT_OF.finditer(text)}
    short = {(bare(found[1]), bare(found[2])) for pattern in _SHORT for found in pattern.finditer(text)}
    named = {longer for name, longer in short | turned if name}
    return Relations(
        frozenset(wrong),
        frozenset(right),
        frozenset(turned | {each for each in short if each[0] or each[1] not in named}),
        frozenset((found[1], bare(found[2])) for found in _IS.finditer(text)),
        frozenset(bare(found[1]) for found in _TOPIC.finditer(text)),
        frozenset(bare(found[1]) for found in _WRITTEN.finditer(text)),
        frozenset(kind.replace(" ", "") for kind in _KIND.findall(text)),
        frozenset(quoted(text)),
    )


def without_corrections(text: str) -> str:
    """A text without what only says that one form is a mistake for another, which denies nothing else.

    >>> without_corrections("'나뭇꾼'은 '나무꾼'의 잘못이며 접미사이다.")
    ' 접미사이다.'
    """
    return _INSTEAD.sub("", _WRONG_FOR.sub("", text))


def contradiction(reason: Relations, gold: Relations, sentence: str) -> str | None:
    """Return a reason's statement about a form that the sentence or the reference contradicts, or None.

    >>> gold = relations("'금세'는 '금시에'가 줄어든 말이다.")
    >>> contradiction(relations("'금새'는 '금시에'의 준말이다."), gold, "금세 왔다.")
    "'금새' is not what is short for '금시에'"
    """
    defended = reason.right | (reason.topics - reason.wrong)
    for form in sorted(defended & (gold.wrong - gold.topics | gold.wrong & reason.right)):
        if not _shown(form, sentence):
            return f"it calls {form!r} right"
    for form in sorted(reason.wrong):
        if len(form) > 1 and form not in gold.wrong and (_shown(form, sentence) or form in gold.right):
            return f"it calls {form!r} wrong"
    for form in sorted(reason.written - gold.written - gold.right):
        if gold.written and not is_known(form, sentence, "") and not reason.forms & gold.written:
            return f"it asks for {form!r}"
    for form, longer in sorted(reason.short):
        known = [other for other, whole in gold.short if _same(whole, longer)]
        fits = any(not other or _same(other, form) for other in known)
        if form and (
            form in gold.wrong or (known and not fits) or (known == [""] and not _shown(form, sentence))
        ):
            return f"{form!r} is not what is short for {longer!r}"
    heads = dict(gold.named)
    for noun, form in sorted(reason.named):
        if noun in heads and not _same(heads[noun], form):
            return f"its {noun} is {form!r}"
    if reason.kinds and gold.kinds and not reason.kinds & gold.kinds:
        return f"it speaks of {sorted(reason.kinds)[0]} instead of {sorted(gold.kinds)[0]}"
    return None


def agreement(reason: Relations, gold: Relations, sentence: str) -> int:
    """Points for what a reason says of forms as the reference does.

    A short form weighs two, and what is to be written one, unless the sentence shows it as a word.
    """
    short = any(
        _same(longer, whole) and (not form or not other or _same(form, other))
        for form, longer in reason.short
        for other, whole in gold.short
    )
    shown = sentence.split()
    written = any(
        not any(word.startswith(form) for word in shown)
        for form in reason.written & (gold.written | gold.right)
    )
    return 2 * short + written


def _same(one: str, other: str) -> bool:
    """Return whether two forms are of one word: one contains the other, or the stem of a verb."""
    if one in other or other in one:
        return True
    return any(
        a.endswith("다") and len(a) > 1 and b.startswith(a[:-1]) for a, b in ((one, other), (other, one))
    )


def without_lists(text: str, sentence: str, gold: str) -> str:
    """A text without rows of forms of which some are neither the sentence's nor the reference's.

    Such a row stands after any sentence that has one of them.

    >>> without_lists("'수', '지', '만큼'은 의존 명사이다.", "할 수 있다.", "의존 명사 '수'는 띄어 쓴다.")
    '은 의존 명사이다.'
    """

    def kept(row: re.Match[str]) -> str:
        forms = [bare(found[1]) for found in _ONE.finditer(row.group())]
        return row.group() if all(is_known(form, sentence, gold) for form in forms) else ""

    return _LIST.sub(kept, text)


def quoted(text: str) -> set[str]:
    """The forms that a text quotes, without phrases: those are meanings and examples."""
    parts = [part for found in _ONE.finditer(text) for part in found[1].split("+")]
    return {form for part in parts if (form := bare(part)) and " " not in form}


def unquoted(text: str) -> str:
    """A text without what it quotes."""
    return _ONE.sub(" ", text)


def is_known(form: str, sentence: str, gold: str) -> bool:
    """Return whether a form, or all its letters, stands in the sentence or the reference: 코 in 콧등."""
    letters = _letters(form)
    if len(form) == 1:  # a syllable of its own stands in any text
        gold = " ".join(quoted(gold)) or ("" if form in _PARTICLES else gold)
    return letters in _letters(sentence) or letters in _letters(gold)


def bare(form: str) -> str:
    """A form without its hyphens, brackets and source word."""
    return re.sub(r"\([^)]{0,20}\)|[-~.]", "", form).strip()


def _shown(form: str, sentence: str) -> bool:
    return form in sentence if len(form) > 1 else any(word.startswith(form) for word in sentence.split())


def _letters(text: str) -> str:
    return unicodedata.normalize("NFD", bare(text).replace(" ", ""))
