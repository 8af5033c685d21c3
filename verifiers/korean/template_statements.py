"""Statements of the form ``"문장"이/가 옳다. 이유``: which sentence is claimed, and why.

And what completions write in place of that form, and other versions of the sentence that a text also calls
right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.fuzz import partial_ratio_alignment, ratio

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
        sentence: Sentence that is called right, without its quotes.
        quotes: The opening and the closing quote.
        particle: Particle between the closing quote and 옳다.
        form: Text after the quote, from the particle to the full stop: ``가 옳다.`` in the template.
        reason: Text after it.
        departure: Departure from the template, if the sentence is clear (see `variants`).
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


DEPARTURES = {
    "unquoted": "the sentence is not quoted",
    "quoted_whole": "the quotes are around more than the sentence",
    "both_particles": "the particle is not chosen: 이(가), (이)가, 이/가",
    "space_before_particle": "a space stands between the closing quote and the particle",
    "markup": "there are signs of markup around the statement",
    "label_in_front": "a label such as 정답: comes first",
}
"""Departures of a statement from the template, with the same sentence claimed."""
MOST_PLACES = 3
"""Places where an unquoted sentence may end: it may itself say that something is right."""
_LABEL = lazy(
    r"\A[#>\s*_`\[【(]*+(?:최종\s?)?(?:정답|답변|답안|답)[\]】)*_`]*+\s?(?:은|는)?[*_`]*+\s?[:：][*_`\s]*+"
)
_END = lazy(
    r"(?P<particle>이\(가\)|\(이\)가|가\(이\)|\(가\)이|이/가|이|가)(?P<right>\s옳다[.,!]?)(?=\s|[\"'”]|\Z)"
)
_CHOSEN = ("이", "가", "으가")


def read_given(text: str, accepted: Sequence[str]) -> Statement | None:
    """The statement of a completion, in the template or one of its usual departures.

    Like the contest's scorer it does not ask where the quotes are; unlike it, it says what is wrong with them.

    Args:
        text: The model's text.
        accepted: The accepted sentences: where an unquoted sentence ends may be open, and then the end that
            makes it one of them is taken.

    >>> read_given("꽃잎이 지다.가 옳다. 합성어이다.", []).departure
    'unquoted'
    >>> read_given('정답: "꽃잎이 지다."가 옳다. 합성어이다.', []).sentence
    '꽃잎이 지다.'
    """
    text = tidy(text)
    label = _LABEL.match(text)
    rest = text[label.end() :] if label else text
    found = read_statement(rest)
    if found is not None:
        departure = _departure(found)
    elif (found := _whole(rest, accepted)) is not None:
        departure = "quoted_whole"
    elif (found := _unquoted(rest, accepted)) is not None:
        departure = "unquoted"
    else:
        return None
    return found._replace(departure="label_in_front" if label else departure)


def _departure(found: Statement) -> str:
    if found.form.startswith("*"):
        return "markup"
    if found.particle not in _CHOSEN:
        return "both_particles"
    return "space_before_particle" if found.form.startswith(" ") else ""


def _whole(text: str, accepted: Sequence[str]) -> Statement | None:
    """A statement in quotes that are around its 옳다 as well, or around all of the text."""
    plain = text.strip("#>*_` ")
    if not plain or plain[0] not in "\"'「『":
        return None
    if plain[-1] in CLOSERS and (inner := read_statement(plain[1:-1])) is not None:
        return inner
    found = _unquoted(plain[1:], accepted)
    if found is None:
        return None
    reason = found.reason.lstrip(CLOSERS + "*_ ")
    if reason != found.reason:
        return found._replace(reason=reason.lstrip(".,! "))
    return found._replace(reason=reason[:-1].rstrip()) if plain[-1] in CLOSERS else None


def _unquoted(text: str, accepted: Sequence[str]) -> Statement | None:
    plain = text.lstrip("#>*_` ")
    ends = []
    for end in _END.finditer(plain):
        ends.append(end)
        if len(ends) == MOST_PLACES:
            break
    if not ends or not plain[: ends[0].start()].strip():
        return None
    known = {without_quotes(each) for each in accepted}
    end = next((each for each in ends if without_quotes(plain[: each.start()].strip()) in known), ends[0])
    reason = plain[end.end() :].lstrip("*_ ")
    return Statement(plain[: end.start()].strip(), "", end["particle"], end.group(), reason)


def without_quotes(sentence: str) -> str:
    """A sentence as the contest's scorer sees it where its own quotes are not there to be told from others.

    >>> without_quotes('"가자."라고 했다.')
    '가자.라고 했다.'
    """
    return sentence.replace('"', "")


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
        reason: Text after the claim of `sentence`.
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
    """Return whether a stretch is an accepted sentence, even without an end sign, unless 도 adds it."""
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
    """Return whether a stretch is called right, or given as an answer.

    Args:
        text: The reason.
        start: Start of the stretch.
        end: Its end.
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
    """Return the text after a stretch in its sentence, up to the next quote."""
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
