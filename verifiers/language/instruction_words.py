"""Words in which instructions are written, and the closed lists that some of them name, by language.

`verifiers.instructions` reads them: relations ("at least", "以上", "이상"), the three answers of a constrained
response, abbreviations that end no sentence, and the forms of address that a rule of style looks for.
"""

from __future__ import annotations

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
