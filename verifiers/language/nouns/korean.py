"""Korean nouns after a number: what may be counted, and what is no noun.

Nouns are an open class (팩, 학점, 꼭짓점). What is no noun is closed: endings of verbs and adjectives, particles of
comparison and bounds, and a number of words that deny, bound or change what they follow (표준국어대사전: 어미, 보조사,
의존 명사).
"""

from __future__ import annotations

from ...runtime.patterns import lazy
from .korean_counters import COUNTERS

_SYLLABLES = lazy("[가-힣]{1,8}")
_LONGEST = 2
"""Words of what is counted: 빨간 구슬."""
_ENDINGS = tuple(
    "다 요 까 죠 네 고 며 면 서 게 히 든 나 니 라 군 걸 데 자 음 듯 즉 든지 거나 지만 의 으로 에서 에게".split()
)
"""Endings of predicates and particles; 가자 and 이나 change what they follow."""
_BOUNDS = tuple(
    """이상 이하 미만 초과 이내 이외 내외 남짓 만큼 보다 부터 까지 마다 뿐 밖 처럼 대로 이후 이전 여 승 제곱 제곱근
    분의 배수 약수 역수 나머지 진법 진수 근처 부근 언저리 안팎""".split()
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
    """What is counted, without its plural and particle; None if it is no noun.

    Args:
        text: What follows a number or a counter.
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
    """Whether a text is a noun that may deny what stands before it: 오답, 무효, 부분.

    >>> is_denial("오답"), is_denial("부분"), is_denial("이상")
    (True, True, False)
    """
    word = _bare(text)
    if not _SYLLABLES.fullmatch(word) or word in _DENYING or word.endswith((*_ENDINGS, *_BOUNDS)):
        return False
    return word in _DENIALS or (len(word) > 1 and word.startswith(_NEGATING))


def is_bound(text: str) -> bool:
    """Whether a text is a word that bounds or changes the number before it: 이상, 제곱근.

    >>> is_bound("제곱근"), is_bound("제곱미터")
    (True, False)
    """
    return text in _BOUNDS


def is_particle(text: str) -> bool:
    """Whether a text is a particle, or two, as they follow a unit: 로, 에서는, 까지의 (표준국어대사전: 조사).

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
    """Whether a word may say of what kind a noun is: 빨간, 큰; what was done to it is none of that: 할인된."""
    if word.endswith(_DONE):
        return False
    return word not in _DENYING | _DENIALS | _COUNTERS and _final(word) == _final("은")


def _final(word: str) -> int:
    """The number of the final consonant of the last syllable; 0 for none."""
    return (ord(word[-1]) - _HANGUL_FIRST) % _FINALS if word else 0
