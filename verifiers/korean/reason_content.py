"""Content of a reason, against the reference's: its rule, its forms, its terms, and not their denial.

No parser of Korean is asked. A word is known by its first two syllables, which its particles and endings leave
alone; whether a clause affirms or denies is the parity of its negations; what is said of forms is `reason_relations`.
That is enough to tell a reason from words that could stand after any sentence, which name no form of it or many that
are not, and from the reference's own words turned round.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from ..runtime.patterns import lazy
from .reason_relations import (
    agreement,
    bare,
    contradiction,
    is_known,
    quoted,
    relations,
    unquoted,
    without_corrections,
    without_lists,
)
from .template_statements import ALIKE

POINTS = 2
"""Points that a reason needs: a rule or a form that the sentence does not show, or two terms."""
FOREIGN, ALLOWED = 2, 6
"""Words of a reason that neither the reference nor the sentence has: as many for each one that they have, and besides."""
SAME_WORDS = 80.0
"""Likeness from which a reason is the reference's own, which need not name a form where that does not."""
_QUOTED = lazy(
    r"'([^']{1,40})'|\"([^\"]{1,40})\"|「([^」]{1,40})」|\[([^\]]{1,40})\]|‘([^’]{1,40})’|\(([^)]{1,40})\)"
)
_WRITTEN = lazy(
    r"['‘]([가-힣\s]{2,20})['’](?:으)?로\s?(?:만\s)?(?:적는다|적어야|써야|쓴다|표기한다|표기해야)"
)
_CALLED_RIGHT = lazy(
    r"[\"'“‘]([가-힣\s]{2,20})[\"'”’](?:이|가|은|는|도)?\s?(?:더\s|가장\s)?(?:맞|옳|올바|바르|바른|정답|표준어)"
)
_FORM_NEAR = 70.0
"""Likeness in jamo from which a form that is called right is another form of a word."""
_SAID_OVER = lazy(r"(?<![가-힣])([가-힣]{1,10})(?:\s{1,4}\1(?![가-힣])){2}")
_ARTICLE = lazy(r"제\s?(\d+)\s?(?:항|조|절)")
_WORD = lazy(r"[가-힣]{2,}|[A-Za-z]{2,}|[\u4e00-\u9fff]{1,}")
# Words with which any answer is framed: they say that something is right, or that a rule says so, and no more.
_FRAME = frozenset(
    "문장 표현 표기 맞춤 규정 규범 어문 한글 이유 까닭 때문 경우 따라 따른 따르 의하 의해 그러 그래 그렇 이러 이렇 이는"
    " 이것 그것 저것 여기 옳다 옳은 옳지 옳게 옳으 옳고 바른 바르 바로 올바 맞다 맞는 맞지 맞게 맞으 적는 적으 적지 적어 적기"
    " 적은 적다 적고 적을 쓰는 쓰이 쓰다 쓰면 쓰지 쓰고 쓰기 쓴다 써야 쓰인 쓸수 것이 것은 것을 것으 것도 말이 말은 말로 말을 있다"
    " 있는 있으 있지 없다 없는 없으 하는 한다 하여 해야 하므 하기 하다 하겠 하지 되는 된다 되어 되므 이다 이므 대한 위해 위하 통해"
    " 나타 뜻을 뜻이 뜻하 뜻의 사용 원칙 정해 정하 정한 아래 같은 같이 이와 그와 다음 모두 두루 보다 본다 보면 틀린 틀리 잘못 어긋"
    " 아니 않는 않으 않다 못하 설명 해당 자연 읽으 들리 낫게 이쪽 저쪽 의미 규칙 올려 정답 생각 보고 이라 라고 라는 으로".split()
)
# Words by which reasons of different rules differ.
_TERMS = frozenset(
    "의존 명사 대명 조사 어미 어간 어근 접미 접두 준말 본말 줄어 합성 파생 사이 된소 예사 거센 어원 원형 표준 보조 본용 관형 부사 수사"
    " 외래 한자 고유 띄어 붙여 받침 모음 자음 두음 활용 불규 탈락 축약 따옴 쉼표 마침 쌍점 물음 느낌 괄호 소괄 중괄 물결 가운 줄임"
    " 주격 격조 품사 단어 체언 용언 인용 발음 음절".split()
)
_NEGATION = lazy(
    r"않|아니|아닌|못[하한해]|없(?!이)|(?:^|\s)(?:안|못)\s|틀[리렸린]|잘못|어긋|어긴|위반|벗어|불가|금[하지한]|그르|그른|말아야"
)
# Each other's denial: written together or apart, lax or tense.
_OPPOSITE = lazy(
    r"(?P<together>붙여|붙이|붙인|붙는)|예사소리|(?P<sound>(?<!된소리[는를가]\s)소리\s?(?:나는\s)?대로(?!\s?된소리))|(?P<un>불(?=분명|확실|명확))"
)
# Other words for the same: a word of the grammar's, a verb's other stems.
_SYNONYM = lazy(r"(?P<word>낱말)|(?P<apart>띄[우운울움워])|(?P<origin>(?:본래|원래|본디)의?\s음)")
_SYNONYMS = {"word": "단어", "apart": "띄어", "origin": "본음"}
_NO_SUCH = lazy(r"[가-힣](?:이|가)\s?아[니닌님닙]")
_CLAUSE = lazy(
    r"[.!?;,]\s*|(?<=므로)\s|(?<=지만)\s|(?<=는데)\s|(?<=은데)\s|(?<=으나)\s|(?<=이나)\s|(?<=며)\s|(?<=라서)\s|(?<=면)\s(?!안\s|못|아니\s?되)"
    r"|(?<=에는)\s|(?<=에서는)\s|(?<=[이하되나오우기])고\s|(?<=아니라)\s|(?<=때문에)\s|(?<=어서)\s|(?<=라도)\s|(?<=아서)\s|(?<=않아)\s(?!야)|(?<=없어)\s(?!야)|(?<=반면)\s|(?<=다고)\s(?=해서)"
    # What is denied in front of a noun or verb is not what is said of it.
    r"|(?<=않은)\s|(?<=않는)\s|(?<=아닌)\s|(?<=없는)\s|(?<=못한)\s|(?<=않고)\s(?!['‘])"
)
_AXES = frozenset(("띄어", "된소", "원형", "밝혀", "밝히"))
"""Words that carry a rule's direction: clauses of which one has them and the other does not are no denial of each other."""
_COARSE = lazy(r"[.,;]\s*|(?<=[쓰하이되])고\s|(?<=므로)\s|(?<=반면)\s")
_USED = lazy(r"['‘]([^'’]{1,40})['’](?:을|를|으?로|(?:이?라고?))\s?(?:쓴|써|쓰|적|한다|해야|부른)")
_MODIFYING = ("않은", "않는", "아닌", "없는", "못한")
_TOPIC = lazy(r"(?:'[^']{1,40}'|[가-힣]{1,10})(?:은|는)\s")
# A sentence that is nothing but the denial of the claim.
_DENIAL = lazy(
    r"(?:\A|[.!?]\s*)(?:(?:그러나|하지만|사실|사실은|다만)\s)?"
    r"(?:(?:이|위|해당|앞|본|그)\s?(?:문장|표현|표기|답|정답|것|말)?(?:은|는|이|가|도)?\s)?"
    r"(?:옳지\s?않|맞지\s?않|바르지\s?않|올바르지\s?않|틀렸|틀리다|틀린다|틀린\s?(?:문장|표현|답)(?:이다|입니다|임)|잘못[된이]|그르다|옳다고\s?(?:볼|할)\s?수\s?없)"
    r"|(?:\A|[.!?]\s*)(?:사실\s?|그런데\s?)?(?:잘\s)?(?:모르겠|자신이\s?없|확실하지\s?않)"
)


class Clause(NamedTuple):
    """Topic of a clause, whether it denies it, and its last word, which in Korean says most about the topic.

    Args:
        words: Its terms and forms.
        denied: Whether it has an odd number of negations.
        last: The last of the words.
        is_none: Whether it says that its subject is no such thing: 의존 명사가 아니다.
    """

    words: frozenset[str]
    denied: bool
    last: str
    is_none: bool = False


def content_problem(reason: str, gold: str, sentence: str) -> tuple[str, str] | None:
    """Return the fault of a reason's content, as a code and a detail; None if there is none.

    Args:
        reason: The completion's.
        gold: The reference's; one that has no content asks for none.
        sentence: The sentence that is claimed: its own words are no reason.

    >>> gold = "'오랜만'은 '오래간만'의 준말이므로 '오랫만'으로 적지 않는다."
    >>> content_problem("본말이 '오래간만'이기 때문이다.", gold, "오랜만에 만났다.")
    >>> content_problem("아래와 같은 까닭으로 그러하다고 하겠다.", gold, "오랜만에 만났다.")[0]
    'no_content'
    >>> content_problem("'오래간만'의 준말이 아니다.", gold, "오랜만에 만났다.")[0]
    'reversed'
    """
    if _DENIAL.search(reason) and not _DENIAL.search(gold):
        return "reversed", "it takes the claim back"
    reason, gold = (
        _SYNONYM.sub(lambda found: _SYNONYMS[found.lastgroup or ""], text) for text in (reason, gold)
    )
    said, known = relations(reason), relations(gold)
    if (wrong := contradiction(said, known, sentence)) is not None:
        return "reversed", wrong
    wanted = _weights(gold, sentence)
    available = sum(wanted.values())
    given = {*_words(reason), *_forms(reason), *(f"§{article}" for article in _ARTICLE.findall(reason))}
    found = sum(
        weight for term, weight in wanted.items() if term in given or (len(term) > 2 and term in reason)
    )
    found += agreement(said, known, sentence)
    need = min(POINTS, available)
    if found < need:
        return "no_content", f"{found} of {need} points of what the reference's reason rests on"
    if (problem := _for_any_sentence(reason, gold, sentence, said=given, wanted=wanted)) is not None:
        return "no_content", problem
    if _SAID_OVER.search(reason):
        return "no_content", "it says the same word over and over"
    if (
        other := _other_form(reason, gold, sentence) or _other_called_right(reason, gold, sentence)
    ) is not None:
        return "reversed", f"it asks for {other!r}, which the sentence does not have"
    if _crossed(reason, gold):
        return "reversed", "it says of one form what the reference says of another"
    if _reversed(without_corrections(reason), without_corrections(gold)):
        return "reversed", "it denies what the reference's reason affirms, or the other way round"
    return None


def _for_any_sentence(
    reason: str, gold: str, sentence: str, *, said: set[str], wanted: dict[str, int]
) -> str | None:
    """Why a reason could stand after any sentence; None where it is about this one."""
    articles = {term for term in said if term.startswith("§")}
    if len(articles - wanted.keys()) > 1:
        return "it names articles that the reference does not"
    rest = without_lists(reason, sentence, gold)
    named = quoted(rest)
    own = {form for form in named if is_known(form, sentence, gold)}
    if rest != reason and not own:
        return "it lists forms that neither the sentence nor the reference has"
    every = quoted(reason)
    foreign = sum(not is_known(form, sentence, gold) for form in every)
    if len(named - own) > len(own) + bool(own) or foreign > FOREIGN * (len(every) - foreign) + bool(own):
        return "most of its forms are of other sentences"
    shown = {_key(word) for word in _WORD.findall(sentence)}
    denied = {word for clause in _clauses(reason) if clause.is_none for word in clause.words}
    words = {word for word in _words(_QUOTED.sub(" ", unquoted(reason))) if word not in gold} - shown - denied
    if own:
        strange = len(words) > FOREIGN * len(said - words) + ALLOWED
    else:  # only its terms tell it from the reasons of other sentences
        strange = len(words & _TERMS) > len(said & wanted.keys() & _TERMS) + (len(words) < ALLOWED)
    if strange:
        return "most of its words are of other reasons"
    # Where the reference has no content, a reason is about the sentence, or the reference's own.
    if sum(wanted.values()) < POINTS and ratio(reason, gold) < SAME_WORDS and not own and not said & shown:
        return "it names nothing of the sentence"
    return None


def _other_form(reason: str, gold: str, sentence: str) -> str | None:
    """A form that a reason says is to be written, though neither the sentence nor the reference has it."""
    for part in _CLAUSE.split(reason):
        written = _WRITTEN.search(part)
        if written is None or len(_NEGATION.findall(_QUOTED.sub(" ", part))) % 2:
            continue
        form = written[1].strip(" -~.")
        rivals = [word for word in sentence.split() if ratio(form, word.strip(".,!?")) >= ALIKE]
        if rivals and form not in sentence and form not in gold:
            return form
    return None


def _other_called_right(reason: str, gold: str, sentence: str) -> str | None:
    """Another form of a word of the sentence that a reason calls right, and the reference does not."""
    for part in _CLAUSE.split(reason):
        called = _CALLED_RIGHT.search(part)
        if called is None or len(_NEGATION.findall(_QUOTED.sub(" ", part))) % 2:
            continue
        form = called[1].strip(" -~.")
        if form in sentence or any(form == each[1].strip(" -~.") for each in _CALLED_RIGHT.finditer(gold)):
            continue
        letters = unicodedata.normalize("NFD", form)
        starts = (unicodedata.normalize("NFD", word[: len(form)]) for word in sentence.split())
        if any(ratio(letters, start) >= _FORM_NEAR for start in starts):
            return form
    return None


def has_content(gold: str, sentence: str) -> bool:
    """Return whether a reference's reason rests on something that can be required.

    >>> has_content("규정에 따라 그렇게 적는다.", "오랜만에 만났다.")
    False
    """
    return sum(_weights(gold, sentence).values()) >= POINTS


def _weights(gold: str, sentence: str) -> dict[str, int]:
    """Return the points of a reason: articles and forms weigh 2, terms and forms of the sentence 1."""
    weights: dict[str, int] = {}
    for article in _ARTICLE.findall(gold):
        weights[f"§{article}"] = 2
    shown = sentence.split()
    for form in _forms(gold):
        known = form in sentence if len(form) == 1 else any(word.startswith(form) for word in shown)
        weights[form] = 1 if known else 2
    for word in _words(_QUOTED.sub(" ", gold)):
        if word not in sentence:
            weights.setdefault(word, 1)
    return weights


def _forms(text: str) -> set[str]:
    """Return the forms in quotes or brackets."""
    quoted = (
        next(group for group in found.groups() if group is not None) for found in _QUOTED.finditer(text)
    )
    return {form for each in quoted if (form := each.strip(" -~."))}


def _words(text: str) -> set[str]:
    return {
        word
        for word in map(_key, _WORD.findall(_OPPOSITE.sub(_turned, _ARTICLE.sub(" ", text))))
        if word not in _FRAME and not _NEGATION.match(word)
    }


def _turned(word: re.Match[str]) -> str:
    if word["un"]:
        return ""
    return "띄어" if word["together"] else "원형 밝혀" if word["sound"] else "된소리"


def _key(word: str) -> str:
    return word[:2] if "가" <= word[0] <= "힣" else word.lower()


def _clauses(text: str) -> list[Clause]:
    found = []
    topic = ""
    for each in _CLAUSE.split(text):
        part, topic = topic + each, ""
        if each.endswith(_MODIFYING) and (subject := _TOPIC.match(each)):
            # It is the subject of what follows, too, and nothing denies it here.
            part, topic = part[subject.end() :], subject.group()
        words = _words(part) | _forms(part)
        if words and not part.endswith("라도"):  # what is conceded is not affirmed
            turns = len(_NEGATION.findall(_QUOTED.sub(" ", part))) + len(_OPPOSITE.findall(part))
            plain = _OPPOSITE.sub(_turned, part)
            last = max(words, key=plain.rfind)
            denied = turns % 2 == 1
            found.append(Clause(frozenset(words), denied, last, denied and _NO_SUCH.search(part) is not None))
    return found


def _reversed(reason: str, gold: str) -> bool:
    """Return whether clauses reverse the reference's: its conclusion, one in all its words, or most."""
    wanted, given, forms = _clauses(gold), _clauses(reason), _forms(gold)
    if wanted:
        about = [
            clause
            for clause in given
            if (wanted[-1].last == clause.last or clause.last in wanted[-1].words - forms)
            and _comparable(clause, wanted[-1])
        ]
        if about and all(clause.denied != wanted[-1].denied for clause in about):
            return True
    if any(_denies_a_term(clause, wanted) for clause in given):
        return True
    agreeing, against, in_all_words = set(), [], set()
    for clause in given:
        near = _nearest(clause, wanted)
        if near is None or not _comparable(clause, near):
            continue
        if near.denied == clause.denied:
            agreeing.add(near)
        else:
            against.append(near)
            if len(near.words) > 1 and near.words <= clause.words:
                in_all_words.add(near)
    return bool(in_all_words - agreeing) or len(against) > len(agreeing)


def _comparable(one: Clause, other: Clause) -> bool:
    return (one.words & _AXES != frozenset()) == (other.words & _AXES != frozenset())


def _crossed(reason: str, gold: str) -> bool:
    """Return whether a clause ties to a form words that the reference ties to another and not to it."""
    tied: dict[str, set[str]] = {}
    for part in _COARSE.split(gold):
        forms = _forms(part)
        if len(forms) == 1 and not _denies(part):
            tied.setdefault(forms.pop(), set()).update(_words(_QUOTED.sub(" ", part)))
    for part in _COARSE.split(reason):
        named = {bare(form[1]) for form in _USED.finditer(part)} & tied.keys()
        if len(tied) < 2 or len(named) != 1 or _denies(part):
            continue
        own = tied[named.pop()]
        others = set().union(*tied.values()) - own
        words = _words(_QUOTED.sub(" ", part))
        if words & others and not words & (
            own - set().union(*(each for each in tied.values() if each is not own))
        ):
            return True
    return False


def _denies(part: str) -> bool:
    return len(_NEGATION.findall(_QUOTED.sub(" ", part))) % 2 == 1


def _denies_a_term(clause: Clause, wanted: list[Clause]) -> bool:
    """Return whether a clause denies of its subject a term that the reference only affirms: 의존 명사가 아니므로."""
    about = [each for each in wanted if clause.last in each.words]
    return (
        clause.is_none
        and any(each.last == clause.last and len(each.words & clause.words) > 1 for each in about)
        and not any(each.denied for each in about)
    )


def _nearest(clause: Clause, wanted: list[Clause]) -> Clause | None:
    """The clause of the reference that says most of the same, and first of all the last word of it."""
    near = max(
        wanted, key=lambda each: (clause.last in each.words, len(each.words & clause.words)), default=None
    )
    if near is None:
        return None
    shared = len(near.words & clause.words)
    return near if shared and 2 * shared >= min(len(near.words), len(clause.words)) else None
