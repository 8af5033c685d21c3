"""Other versions of a sentence that a text also calls right: hedging."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rapidfuzz.fuzz import partial_ratio_alignment, ratio

from .statements import tidy

NEAR = 84.0
"""Likeness in letters and jamo, of 100, from which a stretch of text is a version of the sentence."""
LONG = 8
"""Syllables from which a version is known by its likeness alone; shorter ones occur by chance."""
SHORT_NEAR = 60.0
"""Likeness from which a quoted text that is called right is a version of a short sentence."""
MOST = 12
"""Versions that are looked for in one text."""
READ = 4_000
"""Characters of a reason that are searched: ten times the longest real one."""
_WINDOW = 60
# A reason may name the wrong version, to say that it is wrong, or what it was changed from or into.
_DOUBLE_DENIAL = re.compile(
    r"(?:틀리|틀린|잘못|문제|나쁘|어긋나|그르|오류|무리)(?:[가-힣]{0,3}\s?){0,2}(?:않|아니|없)"
)
_DENIAL = re.compile(
    r"틀리|틀린|틀렸|잘못|않|안 되|안 된|안 돼|아니|아닌|못|어긋|없|오류|비문|어색|부적|대신|보다|말고|고치|고쳐|고친|바꾸|바꾼|바꿔|수정|교정|"
    r"→|쉽|쉬우|쉬운|착각|오해|혼동|헷갈|하더라도|할지라도|듯하|같지만|띄어|붙여"
)
_DENIED_BEFORE = re.compile(r"(?:틀린|잘못|비표준|오기|흔히|자주)[^.!?]{0,12}\Z")
_EXAMPLE_BEFORE = re.compile(r"(?:같은|마찬가지|예를|예컨대|가령|예시|처럼)[^.!?]{0,12}\Z")
_ALSO = re.compile(r"[\"'」』》〉»›)\]`*]*\s?(?:도|또한|역시|이나|나)(?![가-힣])|\s*(?:둘|모두|다)\s")
_SENTENCE_END = re.compile(r"[.!?。](?=\s|\Z)|\n|\Z")
_RIGHT = re.compile(r"옳|올바|바르|바른|맞|적절|알맞|정답|가능|허용|무방|괜찮|표준")
_QUOTED = re.compile(
    r"\"(?P<double>[^\"]{1,400})\"|'([^']{1,400})'|「([^」]{1,400})」|『([^』]{1,400})』|《([^》]{1,400})》"
    r"|〈([^〉]{1,400})〉|«([^»]{1,400})»|‹([^›]{1,400})›|`([^`]{1,400})`|\[([^\]]{1,400})\]|\*\*([^*]{1,400})\*\*"
)


def rivals(reason: str, sentence: str, accepted: Sequence[str], excused: str = "") -> list[str]:
    """Other versions of a sentence that a reason puts forward instead of denying them.

    Args:
        reason: What follows the claim of `sentence`.
        sentence: The claimed sentence.
        accepted: Sentences that may be called right.
        excused: A reference's own reasons: versions that stand there are no hedging.

    >>> rivals("'오늘이 몇 월 몇일이야?'도 옳다.", "오늘이 몇 월 며칠이야?", [])
    ['오늘이 몇 월 몇일이야']
    >>> rivals("'오늘이 몇 월 몇일이야?'는 옳지 않다.", "오늘이 몇 월 며칠이야?", [])
    []
    """
    text = tidy(reason)[:READ]
    known = [tidy(each) for each in dict.fromkeys((sentence, *accepted))]
    found = [*_versions(text, sentence, known), *_claimed(text, sentence, known)]
    allowed = _letters(excused)
    return [version for version in dict.fromkeys(found) if _letters(version) not in allowed]


def _versions(text: str, sentence: str, known: list[str]) -> Iterator[str]:
    """Stretches of the text that are nearly the sentence and not denied, whatever stands around them."""
    wanted, _ = _spelled(sentence)
    if sum(map(str.isalpha, sentence)) < LONG:
        return
    spelled, places = _spelled(text)
    for _ in range(MOST):
        near = partial_ratio_alignment(wanted, spelled, score_cutoff=NEAR)
        if near is None or near.dest_end <= near.dest_start:
            return
        start, end = places[near.dest_start], places[near.dest_end - 1] + 1
        # What was found is not looked at again.
        spelled = f"{spelled[: near.dest_start]}{chr(0) * (near.dest_end - near.dest_start)}{spelled[near.dest_end :]}"
        version = text[start:end]
        if _same(text, start, end, known) or _denied(text, start, end):
            continue
        yield version


def _same(text: str, start: int, end: int, known: list[str]) -> bool:
    """Whether a stretch is an accepted sentence; a sign less at its ends is no version, unless 도 sets it beside."""
    for each in known:
        at = text.find(each, max(0, start - len(each)), end + len(each))
        if at >= 0 and at < end and at + len(each) > start:
            return True
    stretch = text[start:end]
    return any(core(each) == stretch for each in known) and not _ALSO.match(text, _behind(text, end))


def _claimed(text: str, sentence: str, known: list[str]) -> Iterator[str]:
    """Quoted texts that are called right: versions of a short sentence, and other sentences."""
    size = len(_letters(sentence))
    for quoted in _QUOTED.finditer(text):
        inside = next(group for group in quoted.groups() if group is not None).strip()
        clause = _clause(text, quoted.end())
        if not _RIGHT.search(clause) or _denied(text, *quoted.span()) or inside in known:
            continue
        if any(core(inside) == core(each) for each in known) and not _ALSO.match(text, quoted.end()):
            continue
        alike = ratio(_spelled(inside)[0], _spelled(sentence)[0])
        short = size < LONG and alike >= SHORT_NEAR and 2 * len(_letters(inside)) >= size
        other = (
            quoted["double"] is not None
            and 2 * len(_letters(inside)) >= size
            and _letters(inside) not in _letters(sentence)
            and not _EXAMPLE_BEFORE.search(text[max(0, quoted.start() - 30) : quoted.start()])
        )
        if short or other:
            yield inside


def _denied(text: str, start: int, end: int) -> bool:
    """Whether what is said of a stretch is that it is wrong, or what it was changed from."""
    clause = _DOUBLE_DENIAL.sub("", _clause(text, end))
    return bool(_DENIAL.search(clause) or _DENIED_BEFORE.search(text[max(0, start - 20) : start]))


def _clause(text: str, end: int) -> str:
    """What follows a stretch in its sentence."""
    behind = _behind(text, end)
    stop = _SENTENCE_END.search(text, behind)
    return text[behind : min(stop.start() if stop else len(text), behind + _WINDOW)]


def _behind(text: str, end: int) -> int:
    """The place behind the signs and quotes that close a stretch."""
    while end < len(text) and not text[end].isalnum() and text[end] != " ":
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
