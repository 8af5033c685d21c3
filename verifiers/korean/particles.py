"""The form of a particle (조사) that a word takes: by what the word ends in when it is read aloud.

Latin words are read as a Korean reads them: letters by their names, words as loanwords. Chinese characters
are read by KS X 1001, which orders its 4,888 characters by their Korean reading; Python's codec knows that
order, so the first character of each reading is the whole table.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple

from ..errors import ConfigError
from ..language.normalization import clean, fold_jamo, fold_width
from ..runtime.patterns import lazy

_LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "이 비 시 디 이 프 지 치 이 이 이 엘 엠 엔 오 피 큐 르 스 티 유 이 유 스 이 트".split(),
        strict=True,
    )
)
"""Letter: the last syllable of its name (에이, 비, 시 ...)."""
_UNITS = {
    "g": "그램", "kg": "킬로그램", "mg": "밀리그램", "t": "톤", "m": "미터", "cm": "센티미터", "dm": "데시미터",
    "mm": "밀리미터", "km": "킬로미터", "nm": "나노미터", "L": "리터", "l": "리터", "mL": "밀리리터", "ml": "밀리리터",
    "dL": "데시리터", "dl": "데시리터", "cL": "센티리터", "cl": "센티리터", "kL": "킬로리터", "kl": "킬로리터",
    "h": "시간", "hr": "시간", "hrs": "시간", "min": "분", "sec": "초", "mA": "밀리암페어", "mAh": "밀리암페어시",
    "J": "줄", "kJ": "킬로줄", "Pa": "파스칼", "hPa": "헥토파스칼", "kPa": "킬로파스칼", "MPa": "메가파스칼",
    "GPa": "기가파스칼", "cal": "칼로리", "kcal": "킬로칼로리", "dB": "데시벨", "ha": "헥타르", "px": "픽셀", "mol": "몰",
    "F": "패럿", "nF": "나노패럿", "Bq": "베크렐", "rad": "라디안", "in": "인치", "yd": "야드", "mi": "마일",
    "oz": "온스", "mph": "마일",
}  # fmt: skip
# Words whose Korean form the rules below miss; capitals that are read as a word and end in another sound than
# the name of their last letter.
_WORDS = {
    "KOSDAQ": "닥", "NASDAQ": "닥", "OPEC": "펙", "APEC": "펙", "TOEIC": "익", "TOPIK": "픽", "JPEG": "펙", "MPEG": "펙",
    "POP": "팝", "TOP": "톱", "WEB": "웹", "APP": "앱", "web": "웹", "lab": "랩", "job": "잡", "club": "클럽", "tab": "탭",
    "pub": "펍", "bag": "백", "set": "세트", "bit": "비트", "hit": "히트", "type": "타입", "latex": "텍", "tex": "텍",
    "kit": "키트", "nut": "너트", "debut": "뷔", "app": "앱", "group": "룹", "ok": "이", "york": "욕", "ballet": "레",
    "buffet": "페",
}  # fmt: skip
# Spelling at the end of a word, and the last syllable of its loanword (외래어 표기법): the first that fits.
_ENDINGS = [
    (re.compile(pattern), spoken)
    for pattern, spoken in (
        (r"le$|l$", "ㄹ"),
        (r"ng$|n$|m$", "ㄴ"),
        (r"ck$|[aeiou]c$|ook$", "ㄱ"),
        # A short vowel before a closing p, t or k: 인터넷, 앱. Two vowels, or a consonant between: 보트, 테스트.
        (r"(?:^|[^aeiou])[aeiou][ptk]$", "ㅂ"),
    )
]
_MUTE_E = lazy(r"[^aeiou]e$")
_BEFORE_MUTE_E = {"n": "ㄴ", "m": "ㄴ"}


def latin_ends_in(word: str, *, measured: bool = False) -> tuple[str, bool]:
    """A syllable that ends as the word does when it is read aloud, and whether every reader agrees.

    Args:
        word: Latin letters.
        measured: A number comes before it, so that m is 미터 and not 엠.

    >>> latin_ends_in("LG"), latin_ends_in("apple"), latin_ends_in("cm", measured=True)
    (('지', True), ('을', False), ('센티미터', True))
    """
    if measured and word in _UNITS:
        return _UNITS[word], True
    word = word.replace("’", "'").removesuffix("'")
    known = _WORDS.get(word) or _WORDS.get(word.lower())
    if known and (word in _WORDS or not word.isupper()):
        return known, True
    if word.isupper() and len(word) > 2 and known is None and re.search("[AEIOUY]", word[:-1]):
        return _LETTERS[word[-1]], False  # by its letters, or as a word
    if word[-1].isupper() or not re.search("[aeiouy]", word.lower()):
        last = word[-1].upper()
        return _LETTERS[last], last != "R"  # 아르 or 알
    return _loanword(word.lower()), False


def _loanword(word: str) -> str:
    if len(word) > 2 and _MUTE_E.search(word) and not word.endswith("le"):
        closing = _BEFORE_MUTE_E.get(word[-2], "")
    else:
        closing = next((spoken for pattern, spoken in _ENDINGS if pattern.search(word)), "")
    return {"": "이", "ㄹ": "을", "ㄴ": "은", "ㄱ": "윽", "ㅂ": "읍"}[closing]


# A reading and the first character that has it, in the order of the standard.
_FIRST = (
    "가伽각刻간侃갈乫감勘갑匣강剛개介객喀갱坑갹醵거倨건乾걸乞검儉겁劫게偈격擊견堅결抉겸兼경京계係고古곡哭곤困골汨공供과寡곽廓관冠괄刮광侊괘卦괴乖굉宏교交구丘국國군君굴堀궁宮권倦궐厥궤机귀晷규叫균勻"
    "귤橘극克근僅금今급伋긍亘기企긴緊길佶김金끽喫나儺낙諾난暖날捏남南납納낭囊내乃녀女년年념念녕寧노努농濃뇌惱뇨尿눈嫩눌訥뉴杻능能니尼닉匿다多단丹달撻담啖답沓당唐대代댁宅덕德도倒독毒돈墩돌乭동仝두兜"
    "둔屯득得등嶝라喇락洛란亂랄剌람嵐랍拉랑廊래來랭冷략掠량亮려侶력力련憐렬冽렴廉렵獵령令례例로勞록碌론論롱壟뢰儡료了룡龍루壘류劉륙六륜侖률律륭隆륵勒름凜릉凌리俚린吝림林립砬마摩막寞만万말唜망亡매埋"
    "맥脈맹孟멱冪면免멸滅명冥몌袂모侮목木몰歿몽夢묘卯무務묵墨문們물勿미味민岷밀密박剝반伴발勃방倣배倍백伯번幡벌伐범凡법法벽僻변卞별別병丙보保복伏본本볼乶봉俸부不북北분分불佛붕崩비丕빈嚬빙憑사乍삭削"
    "산傘살乷삼三삽揷상上새塞색嗇생牲서墅석夕선仙설卨섬剡섭攝성城세世소召속俗손孫솔率송宋쇄刷쇠衰수修숙叔순巡술戌숭崇슬瑟습濕승丞시侍식埴신伸실失심審십什쌍雙씨氏아亞악堊안安알斡암唵압壓앙仰애厓액厄"
    "앵櫻야也약弱양佯어圄억億언偃얼孼엄俺업嶪엔円여予역亦연嚥열悅염厭엽曄영塋예乂오五옥屋온溫올兀옹壅와渦완婉왈曰왕往왜倭외外요僥욕慾용俑우于욱勖운云울蔚웅熊원元월月위位유乳육堉윤允율聿융戎은垠을乙"
    "음吟읍揖응凝의依이二익瀷인人일一임任입入잉仍자仔작作잔孱잠岑잡雜장丈재再쟁爭저佇적勣전佃절切점占접接정丁제制조俎족族존存졸卒종倧좌佐죄罪주主죽竹준俊줄茁중中즉卽즐櫛즙楫증增지之직直진唇질侄짐斟"
    "집執징徵차且착捉찬撰찰刹참僭창倉채債책冊처凄척倜천仟철凸첨僉첩堞청廳체剃초初촉促촌寸총叢촬撮최催추墜축丑춘春출出충充췌悴취取측側층層치侈칙則친親칠七침侵칩蟄칭秤쾌快타他탁倬탄呑탈奪탐探탑塔탕宕"
    "태兌택擇탱撑터攄토兎통慟퇴堆투偸특慝틈闖파坡판判팔八패佩팽彭퍅愎편便폄貶평坪폐吠포佈폭幅표俵품品풍楓피彼필匹핍乏하下학壑한寒할割함函합合항亢해亥핵劾행倖향享허噓헌憲헐歇험險혁奕현俔혈孑혐嫌협俠"
    "형亨혜兮호乎혹惑혼婚홀忽홍哄화化확擴환丸활活황凰회匯획劃횡宖효哮후侯훈勛훙薨훤喧훼卉휘彙휴休휼恤흉兇흑黑흔昕흘吃흠欠흡吸흥興희僖힐詰"
)
_READINGS = _FIRST[::2]
_STARTS = [char.encode("euc_kr") for char in _FIRST[1::2]]
SEVERAL = frozenset("北易惡識殺切讀宿食度說不復樂率契龜畫塞射數若暴刺炙著泌")
"""Characters whose readings end in different sounds: 패배와 북쪽의 北, 교역과 용이의 易."""


def reading(char: str) -> str | None:
    """The Korean reading of a Chinese character as one syllable; None where KS X 1001 lacks it.

    Where there are several readings, it is one under which the standard lists the character.

    >>> reading("學"), reading("國"), reading("A")
    ('학', '국', None)
    """
    try:
        code = char.encode("euc_kr")
    except UnicodeEncodeError:
        return None
    return _READINGS[bisect.bisect_right(_STARTS, code) - 1] if code >= _STARTS[0] else None


class Sound(StrEnum):
    """The last sound of a word, as far as particles depend on it."""

    VOWEL = "vowel"
    RIEUL = "rieul"
    """A closing ㄹ, after which 으로 loses its 으."""
    CONSONANT = "consonant"


class Ending(NamedTuple):
    """The last sound of a word, and whether every reader would read it so."""

    sound: Sound
    sure: bool


_DIGITS = "영일이삼사오육칠팔구"
_PLACES = {1: "십", 2: "백", 3: "천", 4: "만", 8: "억", 12: "조", 16: "경", 20: "해"}
"""Zeros at a number's end, and what the number then ends in when it is read."""
_JAMO_NAMES = {"ㄱ": "기역", "ㄷ": "디귿", "ㄹ": "리을", "ㅅ": "시옷"}
# Read as words, whatever comes before them. Latin units are in `latin`, since m is 미터 only after a number.
_SIGNS = {
    "%": "퍼센트", "‰": "퍼밀", "°": "도", "℃": "도", "℉": "도", "′": "분", "″": "초", "$": "달러", "₩": "원",
    "€": "유로", "£": "파운드", "¥": "엔", "²": "제곱", "³": "세제곱", "+": "플러스", "#": "샵",
    "&": "앤드", "∞": "무한대", "α": "알파", "β": "베타", "γ": "감마", "δ": "델타", "ε": "엡실론", "θ": "세타",
    "ζ": "제타", "η": "에타", "ι": "이오타", "κ": "카파", "λ": "람다", "μ": "뮤", "ν": "뉴", "ξ": "크시", "ο": "오미크론",
    "π": "파이", "ρ": "로", "υ": "입실론", "χ": "카이", "ψ": "프시", "∑": "시그마", "√": "루트", "σ": "시그마",
    "τ": "타우", "φ": "파이", "ω": "오메가", "Δ": "델타", "Σ": "시그마", "Ω": "옴",
}  # fmt: skip
_CURRENCY = "$₩€£¥"
_LETTERLIKE = str.maketrans({"ℓ": "L", "㏄": "cc", "Å": "A"})
_NUMBER = lazy(r"(?<![\d,]),*+(?P<number>(?P<top>\d[\d,]*+)/\d++|(?P<whole>\d[\d,]*+)(?P<point>\.\d++)?)\Z")
_LATIN = lazy(r"(?<![A-Za-z'’])['’]*+(?P<word>[A-Za-z][A-Za-z'’]*+)\Z")
_AREA = lazy(r"m(?:[²³]|\^?[23])\Z")
_SPEED = lazy(r"(?<![A-Za-z])[A-Za-z]{1,2}/(?:h|hr|s|sec|min)\Z")  # km/h: 시속 몇 킬로미터
# A gloss in parentheses is not read: the particle goes with the word before it.
_GLOSS = lazy(r"(?<=[^\s(])\s*\([^()]*\)\Z")
_SILENT = frozenset("\"'“”‘’`´「」『』《》〈〉()[]{}<>.?!…,;:~·*_-–—―ㆍ・†‡※ ")
# A number, a letter or a syllable in brackets is not a gloss, and is read: 문제 (3), f(x), 제시문 (가).
_LABEL = lazy(r"\(\s?(?:\d{1,3}|[A-Za-z가-힣ㄱ-ㅎ])\s?\)\W*\Z")
_MAX_TAIL = 60
"""Characters at the end of a word that are looked at."""


def ending(word: str) -> Ending | None:
    """Return the ending of a word as read aloud; None if it is unknown.

    Closing quotes, brackets and stops are silent, and so is a gloss in parentheses. Numbers are read in
    Sino-Korean, capitals by the names of the letters, other Latin words roughly as loanwords are written
    (and then not `sure`), Chinese characters by their Korean reading.

    >>> ending("책"), ending("2025"), ending("사과(apple)")
    (Ending(sound=..., sure=True), Ending(sound=..., sure=True), Ending(sound=..., sure=True))
    >>> ending("책").sound.value, ending("1,000").sound.value, ending("★")
    ('consonant', 'consonant', None)
    """
    text = fold_jamo(fold_width(clean(word[-4 * _MAX_TAIL :])))[-_MAX_TAIL:]
    shorter = _GLOSS.sub("", text.rstrip("\"'”’」』》〉.?!… "))
    if not _LABEL.search(text) and shorter != text and not all(char in _SILENT for char in shorter):
        text = shorter
    text = text.rstrip("".join(_SILENT)).translate(_LETTERLIKE)
    if not text:
        return None
    if _AREA.search(text):  # m², m2, m^3: 제곱미터
        return Ending(Sound.VOWEL, True)
    if unicodedata.decimal(text[-1], None) is not None:
        return _of_number(text)
    return _of_char(text) or _of_latin(text)


def _of_number(text: str) -> Ending | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    before = text[: found.start("number")].rstrip()
    if before and before[-1] in _CURRENCY:
        return _of_syllable(_SIGNS[before[-1]])
    if before[-2:].upper() == "MP" and found["number"] in ("3", "4"):  # 엠피스리, 엠피포
        return Ending(Sound.VOWEL, True)
    if found["point"]:
        return _of_syllable(_DIGITS[int(found["point"][-1])])
    # A small number after a Latin letter may be read in English: 아이폰 세븐, 에프원.
    named = before == text[: found.start("number")] and before[-1:].isascii() and before[-1:].isalpha()
    return _of_syllable(_whole(found["top"] or found["whole"]), sure=found["top"] is None and not named)


def _whole(digits: str) -> str:
    """The last syllable of a whole number as it is read."""
    plain = digits.replace(",", "")
    zeros = len(plain) - len(plain.rstrip("0"))
    if zeros == 0 or zeros == len(plain) or plain[0] == "0":
        return _DIGITS[int(plain[-1])]
    return _PLACES[max(place for place in _PLACES if place <= zeros)]


def _of_char(text: str) -> Ending | None:
    char = text[-1]
    if "가" <= char <= "힣":
        return _of_syllable(char)
    if char in _SIGNS:
        return _of_syllable(_SIGNS[char])
    if "ㄱ" <= char <= "ㅎ":
        return _of_syllable(_JAMO_NAMES.get(char, "니은"))  # the other names end in other consonants
    if "ㅏ" <= char <= "ㅣ":
        return Ending(Sound.VOWEL, True)
    if "\u3041" <= char <= "\u30ff":
        return Ending(Sound.CONSONANT if char in "んン" else Sound.VOWEL, True)
    if syllable := reading(char):
        return _of_syllable(syllable, sure=char not in SEVERAL)
    if (value := unicodedata.numeric(char, None)) is not None:  # ③, Ⅲ, ½
        if value == int(value):
            return _of_syllable(_whole(str(int(value))))
        return _of_number(unicodedata.normalize("NFKC", char).replace("\u2044", "/"))
    folded = fold_jamo(unicodedata.normalize("NFKC", char)).rstrip(")")  # ㉠, ㉮, ⓐ, ㎏, ㎡
    if folded and folded != char:
        # ㎏ is a unit, ⓖ a letter in a circle.
        unit = "\u3371" <= char <= "\u33df" or char == "ℓ"
        return ending(f"1{folded}" if unit else folded)
    return None


def _of_latin(text: str) -> Ending | None:
    found = _LATIN.search(text)
    if found is None:
        return None
    if _SPEED.search(text):
        return Ending(Sound.VOWEL, True)
    before = text[: found.start("word")].rstrip("μµ ")
    measured = before[-1:].isdigit() or (before[-1:] == "/" and before[-2:-1].isalpha())
    spoken, sure = latin_ends_in(found["word"], measured=measured)
    return _of_syllable(spoken, sure=sure)


def _of_syllable(text: str, *, sure: bool = True) -> Ending:
    closing = (ord(text[-1]) - ord("가")) % 28
    sound = Sound.RIEUL if closing == 8 else Sound.CONSONANT if closing else Sound.VOWEL
    return Ending(sound, sure)


_PAIRS = {
    "이": "가", "은": "는", "을": "를", "과": "와", "아": "야", "이여": "여", "이에요": "예요", "이어요": "여요",
    "이었": "였", "이었다": "였다", "이었습니다": "였습니다",
}  # fmt: skip
"""After a consonant: after a vowel. Particles that begin with 이 or 으 drop it, and need no row."""


def josa(word: str, pair: str) -> str:
    """The form of a particle that follows a word.

    Args:
        word: Word before the particle; `verifiers.korean.particles.ending` explains how it is read.
        pair: The two forms, in either order: ``이/가``, ``은/는``, ``을/를``, ``와/과``, ``으로/로``,
            ``아/야``, ``이나/나``, ``이에요/예요`` and the like.

    Returns:
        One of the two forms; where the reading of the word cannot be told, both, as in ``이(가)``.

    Raises:
        ConfigError: The pair is not a particle's two forms.

    >>> josa("책", "이/가"), josa("7", "으로/로"), josa("國家", "은/는"), josa("50%", "을/를")
    ('이', '로', '는', '를')
    >>> josa("★", "이/가")
    '이(가)'
    """
    closed, opened = _forms(pair)
    found = ending(word)
    if found is None:
        return (
            f"({closed.removesuffix(opened)}){opened}" if closed.endswith(opened) else f"{closed}({opened})"
        )
    if found.sound is Sound.RIEUL and closed.startswith("으"):
        return opened
    return opened if found.sound is Sound.VOWEL else closed


def josa_fits(word: str, particle: str, pair: str) -> bool:
    """Return whether a particle may follow a word; True for both forms where readers differ.

    >>> josa_fits("책", "가", "이/가"), josa_fits("R", "이", "이/가")
    (False, True)
    """
    closed, opened = _forms(pair)
    found = ending(word)
    if found is None or not found.sure:
        return particle in (closed, opened)
    return josa(word, pair) == particle


def _forms(pair: str) -> tuple[str, str]:
    """The form after a consonant, and the one after a vowel."""
    one, _, other = pair.partition("/")
    for closed, opened in ((one, other), (other, one)):
        if opened and (_PAIRS.get(closed) == opened or closed in (f"이{opened}", f"으{opened}")):
            return closed, opened
        # 이었/였 with any ending, 과의/와의, 은커녕/는커녕.
        for head, short in _PAIRS.items():
            if (
                len(closed) > len(head)
                and closed == head + opened.removeprefix(short)
                and opened.startswith(short)
            ):
                return closed, opened
    raise ConfigError(
        f"a particle is written as its two forms, such as '이/가' or '으로/로'; got {pair!r:.80}"
    )
