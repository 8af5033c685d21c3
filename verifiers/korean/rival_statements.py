"""Other versions of a sentence that a text also calls right: hedging."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rapidfuzz.fuzz import partial_ratio_alignment, ratio

from ..runtime.patterns import lazy
from .statements import tidy

NEAR = 84.0
"""Likeness in letters and jamo, of 100, from which a stretch of text is a version of the sentence."""
LONG = 8
"""Syllables from which a version that is a sentence by itself is recognized by its likeness; shorter ones occur by chance."""
SHORT_NEAR = 70.0
"""Likeness from which a quoted text that is called right is a version of a short sentence."""
MOST = 12
"""Versions that are looked for in one text."""
_WINDOW = 60
# What follows a version that is put forward, up to the next quote. A reason may also name the wrong version, to
# say what is wrong with it, in more ways than could be listed.
_AFFIRMED = lazy(
    r"옳|맞(?!춤)|정답|올바|바르|바른|(?<!부)적절|알맞|(?<!부)정확|허용|인정|가능|괜찮|무방|(?<!비)표준어|답으로|답한"
    r"|도\s?(?:된|되|좋)|둘 다|모두"
)
_ALSO = lazy(r"[\"'」』》〉»›)\]`*]*\s?(?:도|또한|역시|이나|나)(?![가-힣])|\s*(?:둘|모두|다)\s")
_ALSO_USED = lazy(r"[\"'」』》〉»›)\]`*]*\s?(?:도|또한|역시)\s(?:쓸|쓰|적|사용)")
# Denials of a denial: 틀리지 않다, 배제할 수 없다, 못 쓸 것은 아니다.
_DOUBLE_DENIAL = lazy(
    r"(?:틀리|틀렸|틀린|잘못|문제|나쁘|어긋|그르|오류|무리|부정|배제|버릴|빼)[가-힣]{0,4}\s?(?:고는|다고)?\s?(?:하지|보지|할 수|것이|것은|수)?\s?(?:않|아니|아님|없|안 )"
    r"|못\s?[가-힣]{1,4}\s것은\s아니"
)
# What takes an affirmation back: 옳지 않다, 옳다고 볼 수 없다, 맞다고 생각하기 쉽다, 옳다면.
_DENIED = lazy(
    r"않|아니|아닌|없|틀|잘못|우기|쉽|쉬우|어렵|하더라도|듯|일까|다면|라면|사람이? 많|안 된|안 되|지만"
)
_LEAD = lazy(
    r"(?:(?:정답|답|결론|(?:옳은|맞는|올바른) (?:문장|것|표현))(?:은|는|:|\s:)?|또는|혹은|아니[,.]?|아니면|오히려|사실은?|실은)\s*[\"'“‘「『《〈«‹(\[`*]*\Z"
)
_EXAMPLE = lazy(r"(?:같은|마찬가지|예를|예컨대|가령|예시|처럼)[^.!?]{0,12}\Z")
_RETRACTED = lazy(r"(?:위|이|앞의)\s?답[은는이을]?\s?(?:틀|철회|취소|옳지|잘못)")
_SENTENCE_END = lazy(r"[.!?。](?=\s|\Z)|\n|\Z")
_SENTENCE_START = lazy(r"(?:\A|[.!?。]\s|\n)\W*(?:\d+[.)]\s)?\W*\Z")
_QUOTED = lazy(
    r"\"(?P<double>[^\"]{1,400})\"|'([^']{1,400})'|「([^」]{1,400})」|『([^』]{1,400})』|《([^》]{1,400})》"
    r"|〈([^〉]{1,400})〉|«([^»]{1,400})»|‹([^›]{1,400})›|`([^`]{1,400})`|\[([^\]]{1,400})\]|\(([^)]{1,400})\)"
    r"|\*\*([^*]{1,400})\*\*"
)


def rivals(reason: str, sentence: str, accepted: Sequence[str], excused: str = "") -> list[str]:
    """Other versions of a sentence that a reason puts forward instead of denying them.

    Args:
        reason: What follows the claim of `sentence`.
        sentence: The claimed sentence.
        accepted: Sentences that may be called right.
        excused: A reference's own reasons: versions that occur there are not hedging.

    >>> rivals("'오늘이 몇 월 몇일이야?'도 옳다.", "오늘이 몇 월 며칠이야?", [])
    ['오늘이 몇 월 몇일이야']
    >>> rivals("'오늘이 몇 월 몇일이야?'는 옳지 않다.", "오늘이 몇 월 며칠이야?", [])
    []
    """
    text = tidy(reason)
    known = [tidy(each) for each in dict.fromkeys((sentence, *accepted))]
    found = [*_versions(text, sentence, known), *_claimed(text, sentence, known)]
    allowed = _letters(excused)
    if retracted := _RETRACTED.search(text):
        found.append(retracted.group())
    return [version for version in dict.fromkeys(found) if _letters(version) not in allowed]


def _versions(text: str, sentence: str, known: list[str]) -> Iterator[str]:
    """Stretches of the text that are nearly the sentence, and put forward."""
    wanted, _ = _spelled(sentence)
    long = sum(map(str.isalpha, sentence)) >= LONG
    spelled, places = _spelled(text)
    for _ in range(MOST):
        near = partial_ratio_alignment(wanted, spelled, score_cutoff=NEAR if long else SHORT_NEAR)
        if near is None or near.dest_end <= near.dest_start:
            return
        start, end = places[near.dest_start], places[near.dest_end - 1] + 1
        # What was found is not looked at again.
        spelled = f"{spelled[: near.dest_start]}{chr(0) * (near.dest_end - near.dest_start)}{spelled[near.dest_end :]}"
        version = text[start:end]
        within = not long and (
            5 * len(_letters(version)) < 4 * len(_letters(sentence))
            or any(_letters(version) in _letters(each) != _letters(version) for each in known)
        )
        if not within and not _same(text, start, end, known) and _put_forward(text, start, end, alone=long):
            yield version


def _same(text: str, start: int, end: int, known: list[str]) -> bool:
    """Whether a stretch is an accepted sentence; one sign less at an end does not make it another, unless 도 adds it."""
    for each in known:
        at = text.find(each, max(0, start - len(each)), end + len(each))
        if at >= 0 and at < end and at + len(each) > start:
            return True
    stretch = text[start:end]
    return any(core(each) == stretch for each in known) and not _ALSO.match(text, _after_signs(text, end))


def _claimed(text: str, sentence: str, known: list[str]) -> Iterator[str]:
    """Quoted texts that are called right: versions of a short sentence, and other sentences."""
    letters = _letters(sentence)
    for quoted in _QUOTED.finditer(text):
        inside = next(group for group in quoted.groups() if group is not None).strip()
        size = len(_letters(inside))
        if 2 * size < len(letters) or (_letters(inside) in letters and inside in known):
            continue
        if any(core(inside) == core(each) for each in known) and not _ALSO.match(text, quoted.end()):
            continue
        if not _put_forward(text, *quoted.span(), alone=False):
            continue
        alike = (
            len(letters) < LONG
            and 5 * size >= 4 * len(letters)
            and ratio(_spelled(inside)[0], _spelled(sentence)[0]) >= SHORT_NEAR
        )
        within = _letters(inside) in letters and any(core(inside) in each for each in known)
        other = quoted["double"] is not None and not _EXAMPLE.search(
            text[max(0, quoted.start() - 30) : quoted.start()]
        )
        if (alike or other) and not within:
            yield inside


def _put_forward(text: str, start: int, end: int, *, alone: bool) -> bool:
    """Whether a stretch is called right, or given as an answer.

    Args:
        text: The reason.
        start: Where the stretch begins.
        end: Where it ends.
        alone: Whether the stretch counts when it is a whole sentence by itself.
    """
    clause, lead = _clause(text, end), text[max(0, start - 20) : start]
    if _LEAD.search(lead) and not _DENIED.search(clause):
        return True
    if alone and not any(map(str.isalnum, clause)) and _SENTENCE_START.search(text[:start]):
        return True
    plain = _DOUBLE_DENIAL.sub("옳", clause)
    said = _AFFIRMED.search(plain)
    return (said is not None and not _DENIED.search(plain, said.start())) or bool(_ALSO_USED.match(text, end))


def _clause(text: str, end: int) -> str:
    """What follows a stretch in its sentence, up to the next quote."""
    start = _after_signs(text, end)
    stop = _SENTENCE_END.search(text, start)
    clause = text[start : min(stop.start() if stop else len(text), start + _WINDOW)]
    return re.split("[\"'「『《〈]", clause, maxsplit=1)[0]


def _after_signs(text: str, end: int) -> int:
    """The place after the signs and quotes that close a stretch."""
    while end < len(text) and not text[end].isalnum():
        if text[end] == " " and text[end + 1 : end + 2].isalnum():
            break
        end += 1
    return end


def core(text: str) -> str:
    """A text without the signs at its ends."""
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return text[start:end]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, tidy(text)))


def _spelled(text: str) -> tuple[str, list[int]]:
    """Letters and digits, syllables taken apart into jamo, and the place of each in the text."""
    spelled: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isalnum():
            parts = unicodedata.normalize("NFD", char)
            spelled.append(parts)
            places.extend([place] * len(parts))
    return "".join(spelled), places
