"""Korean numerals: native (스물셋), Sino-Korean (이백오십만), with digits (3만 5천), 분의, 할푼리; and what they count.

Counters (단위성 의존 명사) are a list. Nouns are an open class (팩, 학점, 꼭짓점). What is no noun is closed: endings of
verbs and adjectives, particles of comparison and bounds, and a number of words that deny, bound or change what they
follow (표준국어대사전: 어미, 보조사, 의존 명사).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...runtime.patterns import lazy
from ..normalization import clean, fold_width
from . import spoken_formulas

COUNTERS = """
    개 명 번 살 세 시 주 월 달 배 점 권 장 자루 대 마리 그루 송이 병 잔 컵 상자 봉지 켤레 쌍 가지 종류 칸 층 도 회 차례 페이지 쪽 줄 문제 조각 모 알 채 톤
    평 인분 통 판 세트 그릇 포기 다발 묶음 벌 척 사람 학생 번째 째 위 등 가구 곳 팀 바퀴 걸음 방울 군데 자리 가닥 토막 두름 끼 박 호 편 곡 건 분 초 시간 일 년
    개월 주일 원 달러 엔 유로 위안 미터 센티미터 밀리미터 킬로미터 그램 킬로그램 리터 밀리리터 개년 학년 학급 표 글자 자 칼로리 행 열 차 마디 포대 가마
    되 말 홉 근 관 냥 돈 자 척 리
    """.split()

COUNTER = lazy("|".join(sorted(set(COUNTERS), key=len, reverse=True)))
"""One counter word."""
JOINED = {
    "한두세네석넉서너": "개 명 번 살 시 달 배 권 장 병 잔 컵 쌍 칸 줄 곳 팀",
    "일이삼사오육륙칠팔구": "년 월 일 분 초 층 등 세",
    "십백천": "개 명 번 배 년 월 일 시 분 초 원 점 살 세 권 층 등 회",
    "만": "개 명 번 배 원",
}
"""Counters of one syllable that are written together with a numeral of one; with any other such pair it is a word.

So 두개 and 삼년 are counted, and 칠판, 네모, 공원 and 사회 are not. 칠 판 with a blank is.
"""
_SYLLABLES = lazy("[가-힣]{1,8}")
_LONGEST = 2
"""Words of what is counted: 빨간 구슬."""
_ENDINGS = tuple(
    "다 요 까 죠 네 고 며 면 서 게 히 든 나 니 라 군 걸 데 자 음 듯 즉 든지 거나 지만 의 으로 에서 에게".split()
)
"""Endings of predicates and particles; 가자 and 이나 change what they follow."""
_BOUNDS = tuple(
    """이상 이하 미만 초과 이내 이외 내외 남짓 만큼 보다 부터 까지 마다 뿐 밖 처럼 대로 이후 이전 여 승 제곱 제곱근
    분의 배수 약수 역수 나머지 진법 진수 근처 부근 언저리 안팎 가까이""".split()
)
"""What bounds or changes a number, also after a counter: 8개 이상."""
_DONE = ("된", "는", "던", "받은")
"""Endings of verbs before a noun: 42% 할인된 값 is not 42 %."""
_DENYING = frozenset(
    """아니 아닌 없는 틀린 초과 과다 과소 과대 정도 쯤 가량 약 대략
    거의 아마 혹시 또는 혹은 그리고 그러나 하지만 더 덜 매우 너무 가장 절대 결코 전혀 절반 반 여러 몇 만 천 백 십 억 조 경 할 푼
    프로 퍼센트 퍼밀 마이너스 플러스 빼기 더하기 곱하기 나누기 음수 양수 영하 영상 루트 근호 아래 위 앞 뒤 전 후 사이 중
    잘못 허수 증가 감소 최소 최대 추정 예상 근사 반올림 올림 버림 거꾸로""".split()
)
_DENIALS = frozenset(
    """오답 오류 오차 거짓 반대 제외 취소 실패 탈락 기각 거부 거절 각하 폐기 정정 수정 변경 오산 착오 착각 모순 과반 만점""".split()
)
"""Nouns that take back what stands before them, unless they are what is asked for."""
_NEGATING = tuple("불부비무미")
"""Sino-Korean prefixes that deny: 불가능, 부적합, 비정상, 무효, 미정."""
_FINAL_M = 16
"""The final consonant ㅁ, with which predicates become nouns: 아님, 없음, 틀림."""
_NOUNS_IN_M = tuple("점람램팀밤곰봄섬품함삼")
_HANGUL_FIRST, _FINALS = 0xAC00, 28
_AFTER_CONSONANT, _AFTER_VOWEL = ("을", "은", "이"), ("를", "는", "가")
_COPULA = ("입니다", "이다", "이에요", "예요", "이며", "이고")
_COUNTERS = frozenset(COUNTERS)
_PLACES = frozenset("십백천만억조경")


def noun(text: str, in_digits: bool = True) -> str | None:
    """Return the counted noun without its plural and particle; None if it is no noun.

    Args:
        text: Text after a number or a counter.
        in_digits: Whether it follows digits, so that 천, 만 and the like belong to the number: 5천만 명.

    >>> noun("팩"), noun("꼭짓점들을"), noun("이상"), noun("불가능"), noun("빨간 구슬")
    ('팩', '꼭짓점', None, None, '빨간 구슬')
    """
    words = text.split()
    if not 0 < len(words) <= _LONGEST or not all(map(_SYLLABLES.fullmatch, words)):
        return None
    *before, last = words
    last = _bare(last)
    if (
        not _is_noun(last)
        or not all(map(_is_modifier, before))
        or (in_digits and text[0] in _PLACES and text not in _COUNTERS)
    ):
        return None
    return " ".join((*before, last))


def is_denial(text: str) -> bool:
    """Return whether a text is a noun that may deny the words before it: 오답, 무효, 부분.

    >>> is_denial("오답"), is_denial("부분"), is_denial("이상")
    (True, True, False)
    """
    word = _bare(text)
    if not _SYLLABLES.fullmatch(word) or word in _DENYING or word.endswith((*_ENDINGS, *_BOUNDS)):
        return False
    return word in _DENIALS or (len(word) > 1 and word.startswith(_NEGATING))


def is_bound(text: str) -> bool:
    """Return whether a text is a word that bounds or changes the number before it: 이상, 제곱근.

    >>> is_bound("제곱근"), is_bound("제곱미터")
    (True, False)
    """
    return text in _BOUNDS


def is_particle(text: str) -> bool:
    """Return whether a text is one or two particles as they follow a unit: 로, 에서는, 까지의 (표준국어대사전: 조사).

    >>> is_particle("로"), is_particle("에서는"), is_particle("루")
    (True, True, False)
    """
    return _PARTICLES.fullmatch(text) is not None


_PARTICLE = "으?로|[을를은는이가의에와과도만]|에서|까지|부터|보다|마다|씩"
_PARTICLES = lazy(rf"(?:{_PARTICLE})(?:[은는도만의])?")


def without_particle(text: str) -> str:
    """A counter or noun without the particle or copula that its last sound takes.

    >>> without_particle("개를"), without_particle("명이"), without_particle("마리")
    ('개', '명', '마리')
    """
    for ending in _COPULA:
        if text.endswith(ending) and len(text) > len(ending):
            return text[: -len(ending)]
    if len(text) > 1 and text not in _COUNTERS:
        particles = _AFTER_CONSONANT if _final(text[-2]) else _AFTER_VOWEL
        if text[-1] in particles:
            return text[:-1]
    return text


def _bare(word: str) -> str:
    word = without_particle(word)
    return word.removesuffix("들") if len(word) > 1 else word


def _is_noun(word: str) -> bool:
    if word in _COUNTERS:
        return True
    if word in _DENYING or word in _DENIALS or word.endswith((*_ENDINGS, *_BOUNDS, "적")):
        return False
    if len(word) > 1 and word.startswith(_NEGATING):
        return False
    return _final(word) != _FINAL_M or word.endswith(_NOUNS_IN_M)


def _is_modifier(word: str) -> bool:
    """Return whether a word may modify a noun by kind: 빨간, 큰; but not by what was done to it: 할인된."""
    if word.endswith(_DONE):
        return False
    return word not in _DENYING | _DENIALS | _COUNTERS and _final(word) == _final("은")


def _final(word: str) -> int:
    """The number of the final consonant of the last syllable; 0 for none."""
    return (ord(word[-1]) - _HANGUL_FIRST) % _FINALS if word else 0


SCRIPT = lazy("[가-힣]")
"""A character without which there is nothing to read here."""
MAX_CHARS = 200
"""Longest text that is read as a numeral."""
_DIGITS = {
    char: value
    for value, chars in enumerate(("영공", "일", "이", "삼", "사", "오", "육륙", "칠", "팔", "구"))
    for char in chars
}
_MULTIPLES = {"다스": 12}
_SMALL = {"십": 10, "백": 100, "천": 1_000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12, "경": 10**16}
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80,
    "아흔": 90,
}  # fmt: skip
_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "서": 3, "넷": 4, "네": 4, "넉": 4,
    "너": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_FEW = "".join(_DIGITS)
SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{'|'.join(sorted(_ONES, key=len, reverse=True))})?|{'|'.join(sorted(_ONES, key=len, reverse=True))}"
    rf"|[{_FEW}]?십[{_FEW}]?|[{_FEW}])"
)
"""A number below a hundred as a pattern: of hours, minutes and days."""
_TOKEN = lazy(
    r"\s*(?:(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|(?P<tens>{'|'.join(_TENS)})|(?P<ones>{'|'.join(_ONES)})"
    rf"|(?P<digit>[{''.join(_DIGITS)}])|(?P<small>[십백천])|(?P<large>[만억조경]))"
)
_NEGATIVE = lazy(r"\s*(?:마이너스|영하|[-−–])\s*")
_WORDS = {"반": Fraction(1, 2), "절반": Fraction(1, 2), "제로": Fraction(0)} | dict.fromkeys(
    ("첫째", "첫 번째", "첫번째"), Fraction(1)
)
# What may surround a number without changing it: 약 3만 원, 만 19세, 제3회, 20명쯤.
_BEFORE = lazy(
    r"(?:[₩$€£¥]|약|대략|총|모두|전체|섭씨|영상|[+＋]|제(?!곱|\s*영하|\s*마이너스)|한(?=\s*\d))\s*"
)
# Full years, and no ten thousands: 만 3년, 만 세 살. What belongs to the number is written with it: 만삼천 일.
_SPAN = "년|개월|달|주|일|시간|세|살"
_FULL = lazy(
    rf"만\s*(?=\d+\s*(?:{_SPAN}))|만\s+(?=(?:(?:{'|'.join(_TENS)})(?:{'|'.join(_ONES)})?|{'|'.join(_ONES)}|[일이삼사오육칠팔구십]{{1,3}})\s*(?:{_SPAN}))"
)
_AFTER = lazy(r"(?:(?<!\s)\s++)?(?:쯤|정도|가량)\Z")
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "열하루": 11, "열이틀": 12, "열사흘": 13, "열나흘": 14, "보름": 15, "스무날": 20,
}  # fmt: skip
"""Words that count days."""
BEGINNING = "|".join(
    (
        *("약", "대략", "총", "모두", "전체", "섭씨", "영상", "제", "만", "마이너스", "영하"),
        *(*_WORDS, *_DAYS, *_TENS, *_ONES, *_DIGITS, *_SMALL, *_LARGE),
    )
)
"""With what every numeral begins that is written in words alone, and what may stand before it, as a pattern."""
_DAY_WORD = lazy(rf"({'|'.join(_DAYS)})(?:간|\s*동안)?(\s*반)?")
_HALF_UNIT = lazy(r"반\s*(시간|년|개년)\Z")
_WHOLE_ONES = ("하나", "둘", "셋", "넷", "스물")
"""Numerals that stand by themselves: what is written with them is no counter."""
_IN_DIGITS = lazy(r"\A\D{0,12}\d")
_THIS = lazy(
    r"이\s*(?:사람|학생|책|집|곳|문제|그림|방|팀)|이\s+(?:개|마리|번|배|점|표|자리|편|달|시간|글자|조각|곡|도|칸|줄|알|층|모)"
)
"""이 as "this", before what is counted in native numerals (두 사람)."""
_SLASHED = lazy(r"([-−–])?\s*(?:(\d+)\s*(?:\s|과\s|와\s))?(\d+)\s*/\s*(\d+)")
_MIXED = lazy(r"\s*[와과]\s*")
_JOINED_WORD = lazy("[가-힣]+")
_PARTS = {"할": 10, "푼": 100, "리": 1_000}
_SHARES = lazy(
    r"(?:(\d+|[일이삼사오육칠팔구])\s*할)?\s*(?:(\d+|[일이삼사오육칠팔구])\s*푼)?\s*(?:(\d+|[일이삼사오육칠팔구])\s*리)?"
)
_COUNTED = frozenset({"일", "세", "열"})
"""Counters that are numerals, too."""
_POINT = lazy(rf"\s*점\s*([{''.join(_DIGITS)}]+)")
_HALF = lazy(
    r"(시간|년|개월|달|주|일|배|개|분|초|바퀴|판|장|잔|컵|병|쪽|평|리터|미터|킬로미터|그램|킬로그램|톤|근|되|말|큰술|작은술|인분|학기)\s*반"
)


def parse_number(text: str) -> int | Fraction | None:
    """The number of a Korean numeral, with or without a counter word after it; None if it is not a numeral.

    A whole number is an int, any other an exact `Fraction`.

    >>> parse_number("3만 5천 원"), parse_number("이백오십만 삼천"), parse_number("스물세 개")
    (35000, 2503000, 23)
    >>> parse_number("약 3만 원"), parse_number("이와 삼분의 일"), parse_number("영하 5도")
    (30000, Fraction(7, 3), -5)
    >>> parse_number("삼분의 일"), parse_number("3할 5푼"), parse_number("사과")
    (Fraction(1, 3), Fraction(7, 20), None)
    >>> parse_number("2의 10제곱"), parse_number("8팩"), parse_number("3다스")
    (1024, 8, 36)
    """
    for number, behind in quantities(text):
        multiple = next((each for each in _MULTIPLES if behind.startswith(each)), "")
        value, rest = number * _MULTIPLES.get(multiple, 1), behind.removeprefix(multiple).strip()
        if not rest or COUNTER.fullmatch(rest) or (in_digits(text) and " " not in rest and noun(rest)):
            return int(value) if value.denominator == 1 else value
    return None


def quantities(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers that a text may say, the likeliest first, and what is counted or measured.

    What surrounds a number without changing it is left out: 약 20명쯤 are 20명.

    >>> next(quantities("약 20명쯤")), next(quantities("만 14세"))
    ((Fraction(20, 1), '명'), (Fraction(14, 1), '세'))
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS:
        return
    while (before := _BEFORE.match(text) or _FULL.match(text)) and text not in _WORDS:
        text = text[before.end() :]
    for value, rest in (*_exactly(text), *readings(text)):
        yield value, _AFTER.sub("", rest)


def in_digits(text: str) -> bool:
    """Return whether a number begins with digits; after one in words, 천사 would be a thousand of something."""
    return _IN_DIGITS.search(fold_width(text)) is not None


def _exactly(text: str) -> Iterator[tuple[Fraction, str]]:
    """Words that are a number by themselves, and fractions in digits."""
    if text in _WORDS:
        yield _WORDS[text], ""
    if (spoken := spoken_formulas.value(text)) is not None:
        yield spoken, ""
    if (half := _HALF_UNIT.match(text)) is not None:
        yield _WORDS["반"], half[1]
    elif text.startswith("반 ") and COUNTER.fullmatch(text[2:]):
        yield _WORDS["반"], text[2:]
    if days := _DAY_WORD.fullmatch(text):
        yield _DAYS[days[1]] + (_WORDS["반"] if days[2] else Fraction(0)), "일"
    if (slashed := _SLASHED.match(text)) and int(slashed[4]):
        whole, top, bottom = (int(each or 0) for each in slashed.groups()[1:])
        yield (-1 if slashed[1] else 1) * (whole + Fraction(top, bottom)), text[slashed.end() :].strip()


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each.

    ``백 사람`` is 104 of an unknown thing, and then 100 people. Words around a number (약, 제, 만 19세) are left
    to `parse_number`.

    >>> [(int(value), rest) for value, rest in readings("백 사람")]
    [(104, '람'), (100, '사람')]
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS or _THIS.fullmatch(text):
        return
    negative = _NEGATIVE.match(text)
    if negative:
        text = text[negative.end() :]
    sign = -1 if negative else 1
    if shares := _share(text):
        yield sign * shares[0], shares[1]
        return
    for value, rest in reversed(list(_prefixes(text))):
        if _is_word(text[: len(text) - len(rest)], rest):
            continue
        if rest.lstrip().startswith("분의"):
            for part, after in _over(value, rest):
                yield sign * part, after
        elif (joined := _MIXED.match(rest)) is not None:
            for part, after in _fractions(rest[joined.end() :]):
                yield sign * (value + part), after
        elif (point := _POINT.match(rest)) is not None:
            digits = "".join(str(_DIGITS[char]) for char in point[1])
            yield sign * (value + Fraction(int(digits), 10 ** len(digits))), rest[point.end() :].strip()
        elif half := _HALF.fullmatch(rest.strip()):
            yield sign * (value + Fraction(1, 2)), half[1].strip()
            continue
        yield sign * value, rest.strip()


def _is_word(said: str, rest: str) -> bool:
    """Return whether a numeral begins a word, rather than counting what follows without a blank: 칠판, 둘리."""
    joined = _JOINED_WORD.match(rest)
    if joined is None or is_particle(joined.group()) or rest.startswith("분의"):
        return False
    if said.endswith(_WHOLE_ONES):
        return True
    counter = without_particle(joined.group())
    if len(said) > 1 or len(counter) > 1 or said.isdigit():
        return False
    return not any(said in each and counter in counters.split() for each, counters in JOINED.items())


def _fractions(text: str) -> Iterator[tuple[Fraction, str]]:
    """The fractions (삼분의 일) with which a text may begin, longest first."""
    for bottom, rest in reversed(list(_prefixes(text))):
        if rest.lstrip().startswith("분의"):
            yield from _over(bottom, rest)


def _over(bottom: Fraction, rest: str) -> Iterator[tuple[Fraction, str]]:
    """Yield the fractions that put the numbers after 분의 over `bottom`, each with the rest of the text."""
    for top, after in reversed(list(_prefixes(rest.lstrip().removeprefix("분의")))):
        if bottom:
            yield top / bottom, after.strip()


def _share(text: str) -> tuple[Fraction, str] | None:
    """할푼리: tenths, hundredths, thousandths."""
    match = _SHARES.match(text)
    if match is None or not (match[1] or (match[2] and match[3])):
        return None
    value = sum(
        (Fraction(int(each) if each.isdigit() else _DIGITS[each], size)
         for each, size in zip(match.groups(), _PARTS.values(), strict=True) if each),
        Fraction(0),
    )  # fmt: skip
    return value, text[match.end() :].strip()


def _prefixes(text: str) -> Iterator[tuple[Fraction, str]]:
    """Every beginning that is a numeral, shortest first."""
    total, section = Fraction(0), Fraction(0)  # finished sections of four places; the current section
    current: Fraction | None = None  # a digit or number that a place may follow
    small, large = 10_000, 10**20  # the last places, which only fall
    native = 0  # 1 after native tens, 2 after native ones
    empty = True  # nothing is in the current section
    position = 0
    while match := _TOKEN.match(text, position):
        kind, token = match.lastgroup, match.group().strip()
        if (
            token in _COUNTED
            and match.end() == len(text)
            and text[position : position + 1].isspace()
            and position
        ):
            return  # 백 일, 백 세: days and years, not ones
        if kind in ("number", "digit"):
            if current is not None or native:
                return
            current = Fraction(token.replace(",", "")) if kind == "number" else Fraction(_DIGITS[token])
            if current >= small and not (empty and not total):
                return  # 3천 1234 is not a number
        elif kind == "small":
            if _SMALL[token] >= small or native or (current is not None and not 0 < current < 10):
                return
            small = _SMALL[token]
            section += (Fraction(1) if current is None else current) * small
            current = None
        elif kind == "large":
            section += current or 0
            # 만 alone begins a number; 0만, 하나만 and 억만 are not numbers.
            if _LARGE[token] >= large or native or (not section and (total or not empty)):
                return
            large = _LARGE[token]
            total += (section or Fraction(1)) * large
            section, current, small, native, empty = Fraction(0), None, 10_000, 0, True
        else:
            step = 1 if kind == "tens" else 2
            if current is not None or native >= step or small <= 10:  # after the tens place
                return
            section += (_TENS if kind == "tens" else _ONES)[token]
            native = step
        if kind != "large":
            empty = False
        position = match.end()
        yield total + section + (current or 0), text[position:]
