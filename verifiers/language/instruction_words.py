"""Words in which instructions are written, the closed lists that some of them name, and Korean as they count it.

`verifiers.instructions` reads them: relations ("at least", "以上", "이상"), the three answers of a constrained
response, abbreviations that end no sentence, forms of address; levels of speech, particles, initials, spacing and
words of respect. A level is told by the end of a sentence's last word (국립국어원, 외국인을 위한 한국어 문법 2: 종결
어미), not by a dictionary: what ends in none of them has no level.
"""

from __future__ import annotations

import re
from typing import Literal

from ..runtime.patterns import lazy

Relation = Literal["at least", "at most", "less than", "more than", "exactly", "around"]

_RELATIONS: dict[Relation, tuple[str, ...]] = {
    "at least": ("at least", "al menos", "au moins", "au minimum", "以上", "이상", "최소", "적어도"),
    "at most": ("at most", "como máximo", "au plus", "au maximum", "以下", "이하", "최대"),
    "less than": ("less than", "menos de", "moins de", "未満", "미만"),
    "more than": ("more than", "más de", "plus de", "超", "초과"),
    "exactly": ("exactly", "exactamente", "exactement", "ちょうど", "정확히", "딱"),
    "around": ("around", "alrededor de", "environ", "前後", "약", "안팎"),
}
RELATIONS: dict[str, Relation] = {word: name for name, words in _RELATIONS.items() for word in words}
"""How an instruction compares a count, in its own language, and what that means."""

CONSTRAINED: dict[str, tuple[str, ...]] = {
    "en": ("My answer is yes.", "My answer is no.", "My answer is maybe."),
    "es": ("Sí.", "No.", "Quizás."),
    "fr": ("Oui.", "Non.", "Peut-être."),
    "ja": ("はい、そうです。", "いいえ、違います。", "どちらとも言えません。"),
    "ko": ("제 대답은 예입니다.", "제 대답은 아니요입니다.", "제 대답은 모르겠습니다입니다."),
}
"""The three answers of `detectable_format:constrained_response`."""

ABBREVIATIONS = frozenset(
    # English
    "mr mrs ms dr prof st jr sr vs etc e.g i.e cf al ca no vol fig eq sec ch pp p ed eds inc ltd co corp dept est approx "
    "gen col sgt capt lt rev hon pres gov sen rep mt ft jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m u.s u.k ph.d "
    # French and Spanish
    "m mm mme mlle sra srta dra ud uds av pág págs ee.uu env chap art réf".split()
)
"""Words after which a full stop ends no sentence, in lower case and without the stop."""

FRENCH_TU = "tu|toi|te|ton|ta|tes"
FRENCH_VOUS = "vous|votre|vos|vôtre|vôtres"
FRENCH_MARKS = "àâäéèêëîïôöùûüÿçœæ"
"""Letters with an accent, a cedilla or a ligature."""
FRENCH_ACCENTED = "àâäéèêëîïôöùûüÿ"

KANSUUJI = "〇一二三四五六七八九十百千万億兆"
JAPANESE_STOPS = "。！？"
JAPANESE_COMMA, JAPANESE_STOP = "、", "。"
SECTION_ORDINAL = "第"
"""What stands before the number of a section in Japanese."""
KOREAN_SECTION_ORDINAL = "제"
KOREAN_OTHERS = lazy(
    r"[A-Za-z\u00c0-\u024f\u0370-\u052f\u0600-\u06ff\u0e00-\u0e7f\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+"
)
"""Words of scripts other than Hangul."""
HANGUL = "가-힣"
"""The syllables, as a class of a regular expression."""
NOUN = "名詞"
"""How Japanese analysers call a noun."""


INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
"""The consonants with which syllables begin, in the order of Unicode."""
FIRST_SYLLABLE, LAST_SYLLABLE, SYLLABLES_AN_INITIAL = 0xAC00, 0xD7A3, 588
SYLLABLE = lazy("[가-힣]")
HANGUL_WORD = lazy("[가-힣]+")
CIRCLED = lazy("[0-9０-９①-⑳㉠-㉻ⅰ-ⅹⅠ-Ⅻ]")
"""Digits of any width, and numbers in circles or of Rome."""
ORDINAL = "제"
"""What may stand before the number of a chapter."""

LEVELS: dict[str, re.Pattern[str]] = {
    "합쇼체": re.compile("(?:니다|니까|십시오|시오|[가-힣]시다)$"),
    "해요체": re.compile("(?:요|죠)$"),
    "해라체": re.compile(
        "(?:다|[느으]?냐|는가|던가|은가|인가|구나|아라|어라|여라|거라|해라|와라|렴|마라|지어다)$"
    ),
    "반말": re.compile(
        "(?:[아어여야해돼와워봐줘가자네지군걸게래까니라마써커나]|거든|잖아|는데|은데|인데|던데|ㄹ게|을게|할게|더라|구나|거야|려고|다며|다)$"
    ),
}
"""How the last word of a sentence ends at each level; of several the first one that is named counts."""
NOUNS_IN_YO = frozenset("필요 중요 주요 수요 개요 강요 동요 민요 소요 긴요 불필요 요 담요 추요 고요".split())
"""Words that end as 해요체 does, and are no predicates."""
NOUNS_IN_DA = frozenset("바다 소다 판다 다 캐나다 혼다 사이다 람다 수다".split())
LEVEL_NAMES = {
    "해요체": ("해요체",),
    "합쇼체": ("합쇼체",),
    "하십시오체": ("합쇼체",),
    "존댓말": ("합쇼체", "해요체"),
    "높임말": ("합쇼체", "해요체"),
    "반말": ("반말", "해라체"),
    "해체": ("반말", "해라체"),
    "해라체": ("해라체",),
    "평서체": ("해라체",),
}
"""What an instruction may call a level, and which levels that takes."""


def level_of(sentence: str) -> str:
    """The level of speech at which a sentence ends; "" without one.

    >>> level_of("저는 서울에 살아요."), level_of("감사합니다!"), level_of("밥 먹었어?"), level_of("매우 필요")
    ('해요체', '합쇼체', '반말', '')
    """
    words = HANGUL_WORD.findall(sentence)
    word = words[-1] if words else ""
    # What a stop or a closing mark follows, and nothing else, is the end.
    if not word or any(map(str.isalnum, sentence[sentence.rfind(word) + len(word) :])):
        return ""
    if word in NOUNS_IN_YO or word in NOUNS_IN_DA:
        return ""
    return next((name for name, ending in LEVELS.items() if ending.search(word)), "")


PARTICLES: dict[str, tuple[str, ...]] = {
    "은/는": ("은", "는"),
    "이/가": ("이", "가"),
    "을/를": ("을", "를"),
    "와/과": ("와", "과"),
    "으로/로": ("으로", "로"),
    "이나/나": ("이나", "나"),
    "이랑/랑": ("이랑", "랑"),
}
"""Pairs of particles by the sound before them."""
AFTER_CONSONANT = frozenset("은 이 을 과 으로 이나 이랑".split())
AFTER_VOWEL = frozenset("는 가 를 와 나 랑".split())
ENDS_LIKE_A_PARTICLE = frozenset(
    # Nouns, adverbs and adnominals that end as a particle does.
    "마을 가을 노을 고을 을 겨를 은 같은 많은 작은 좋은 높은 낮은 젊은 늙은 깊은 얕은 넓은 좁은 짧은 맑은 밝은 붉은 검은 옳은 굳은 "
    "있는 없는 하는 되는 가는 오는 보는 먹는 사는 아는 모르는 지은 는 나이 아이 사이 놀이 높이 깊이 길이 넓이 같이 많이 없이 고양이 "
    "호랑이 어린이 젊은이 늙은이 종이 이 차이 먹이 오이 거의 회의 강의 정의 주의 논의 합의 동의 의 국가 작가 평가 휴가 가 증가 아가 "
    "누가 사과 결과 효과 과 학과 와 기와 도 온도 속도 정도 제도 지도 태도 각도 농도 나도 아무도 별로 바로 서로 새로 스스로 로 도로 진로 "
    "실제로 진짜로 너무나 언제나 누구나 하나 나 만 백만 불만 오만 까지 부터".split()
)

_BEHIND = (
    "은|는|이|가|을|를|에|에서|에게|에겐|께|께서|한테|의|와|과|도|만|으로|로|까지|부터|보다|마다|처럼|같이|만큼|밖에|조차|마저|이나|나|이랑|랑|하고"
    "|이라도|라도|이든|든지|뿐|대로|커녕|야|아|이여|여|요"
)
_MADE_OF_IT = "이|입|인|일|임|였|예|하|해|했|한|할|함|합|되|돼|됐|된|될|됨|됩|스럽|답|라고|란"
AFTER_A_WORD = f"(?=(?:들|님|씩|쯤)?(?:{_BEHIND}){{0,3}}(?:(?:{_MADE_OF_IT})[가-힣]{{0,6}})?(?![가-힣]))"
"""What may stand behind a word that is looked for: particles, and the verb that is made of it (사랑해요, 물입니다)."""

INITIAL_LAW = lazy(
    r"(?<![가-힣])(?:녀(?:자|성|인|학생|왕)|년(?:도별|대별)|뇨(?:소|도)|력(?:사|시|할|학|량)|량(?:심|반|식|해)|례(?:의|절|외|배)|로(?:동|인정|년|사|력)"
    r"|리(?:론|유|익|용|해|성|별|자율|혼)|류(?:행|학|사성|전)|륙(?:지|군|십)|륜(?:리|곽)|률(?:법|동)|련(?:습|결|락|애|합)|렬(?:차|거)|렴(?:치|원)|령(?:토|혼|감|역)"
    r"|락(?:원|관|엽|제)|란(?:초|간|리)|래(?:일|년|빈|주)|랭(?:면|장고|방|동)|뢰(?:성|물)|루(?:각|락|추)|릉(?:묘|선))"
)
"""Words that begin as the law of initial sounds forbids (한글 맞춤법, 제10항 to 제12항)."""

_FINAL_RIEUL = "".join(map(chr, range(FIRST_SYLLABLE + 8, LAST_SYLLABLE + 1, 28)))
"""Syllables that end in ㄹ, as what a verb says of 때 does."""
SPACING: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=[가-힣])수(?=[가는도]? ?(?:있|없)[가-힣])"), "the bound noun 수"),
    (re.compile(r"(?<=[는은을])것(?=[이을은도만]|\s|$)"), "the bound noun 것"),
    (re.compile(r"(?<=[가-힣])(?<!이)(?<!그)(?<!기)때문(?=에|이)"), "the bound noun 때문"),
    (
        re.compile(r"(?<=[가-힣]) (?:을|를|은|는|에서|에게|에는|으로|까지|부터|처럼|에)(?=[\s.,!?]|$)"),
        "a particle",
    ),
    (
        re.compile(rf"(?<=[{_FINAL_RIEUL}])때(?=[에의는가도만]|마다|부터|까지|쯤|[\s.,!?]|$)"),
        "the bound noun 때",
    ),
    (re.compile(r"(?<=[가-힣]) (?=[.,!?](?:\s|$))"), "a blank before a sign"),
    (re.compile(r"(?<=[가-힣]),(?=[가-힣])"), "a comma"),
    (re.compile(r"(?<=[가-힣])[.!?](?=[가-힣])"), "a full stop"),
    (re.compile("(?<=\\S)[ \u3000]{2,}(?=\\S)"), "two blanks"),
)
"""Places where a blank is missing or too many, with what stands there."""
NOT_THE_NOUN_SU = frozenset(
    "가수 교수 박수 점수 함수 변수 정수 실수 홀수 짝수 다수 소수 횟수 개수 장수 필수 선수 호수 음료수 순수 우수".split()
)
"""Nouns that end in 수: what follows them may be 있다."""

HONOURED_SUBJECT = ("이", "가", "은", "는")
PLAIN_DATIVE = ("에게", "한테", "보고", "더러")
RESPECTFUL = lazy(
    "께|시(?:다|고|며|면|는|니|ㄴ|지|었|던|오|겠|므로)|(?:으|하|가|오|보|되|이|주|아|계|드|무|잡수|편찮으)(?:시|신|실|셨|세|십)|계시|계신|계셨|계세"
    "|드리|드렸|드린|드려|드릴|모시|모신|모셨|모셔|뵙|뵈|뵀|뵌|여쭈|여쭙|여쭤|주무|잡수|잡숫|말씀|진지|댁|연세|성함|생신"
)
"""Forms of respect: -시-, and words that are used of people above one's own place."""
RESPECTFUL_PREDICATE = lazy(
    "(?:시|신|실|셨|세|십|심|드리|드렸|드린|드려|드립|드릴|모시|모셨|모셔|뵙|뵈|뵀|뵌|여쭈|여쭙|여쭤|여쭸)[가-힣]{0,12}$|주무[가-힣]{0,12}$|계[시신실셨세십][가-힣]{0,12}$"
)


def initial_of(letter: str) -> str:
    """The consonant with which a syllable begins; "" of what is no syllable.

    >>> initial_of("꽃"), initial_of("a")
    ('ㄲ', '')
    """
    place = ord(letter) - FIRST_SYLLABLE
    return INITIALS[place // SYLLABLES_AN_INITIAL] if 0 <= place <= LAST_SYLLABLE - FIRST_SYLLABLE else ""


def ends_in_consonant(word: str) -> bool:
    """Return whether a word's last syllable has a final consonant.

    >>> ends_in_consonant("책"), ends_in_consonant("나무")
    (True, False)
    """
    place = ord(word[-1]) - FIRST_SYLLABLE if word else -1
    return 0 <= place <= LAST_SYLLABLE - FIRST_SYLLABLE and place % 28 > 0


def has_particle(word: str, particle: str) -> bool:
    """Return whether a word of a text ends with a particle, as far as its shape shows.

    >>> has_particle("사과를", "를"), has_particle("마을", "을"), has_particle("물을", "을"), has_particle("물를", "를")
    (True, False, True, False)
    """
    if word in ENDS_LIKE_A_PARTICLE or not word.endswith(particle) or len(word) <= len(particle):
        return False
    stem = word[: -len(particle)]
    closed = ends_in_consonant(stem)
    if particle == "으로":
        return closed
    if particle == "로":
        return not closed or (ord(stem[-1]) - FIRST_SYLLABLE) % 28 == 8  # after ㄹ
    if particle in AFTER_CONSONANT:
        return closed
    return not (particle in AFTER_VOWEL and closed)
