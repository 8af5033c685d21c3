"""Korean predicates with their endings: what may stand after a value, generated from stems.

Endings have two shapes, after a vowel and after a consonant (한글 맞춤법, 제15항 to 제18항; 국립국어원,
외국인을 위한 한국어 문법 2). Tests compare what comes out with a morphological analyser. The words that take an
answer back, or make it another's, are made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from .model import any_of

Mood = Literal["stated", "asked", "supposed", "conceded"]

_FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_FIRST = ord("가")


class Predicate(NamedTuple):
    """A verb or adjective.

    Args:
        stem: Stem before endings with a consonant: 하, 맞, 어렵.
        infinitive: The form in -아/어: 해, 맞아, 어려워.
        descriptive: Whether it is an adjective: 옳다, not 옳는다.
        opened: The stem before endings with a vowel or 으, where it differs: 어려우.
    """

    stem: str
    infinitive: str
    descriptive: bool = False
    opened: str = ""


_Shapes = tuple[tuple[str, str], ...]


def _words(table: str) -> tuple[str, ...]:
    """The words of a table; a low line in a word is a blank."""
    return tuple(each.replace("_", " ") for each in table.split())


def _shapes(table: str) -> _Shapes:
    """Pairs of an ending after a vowel and after a consonant; a first letter becomes the syllable's final."""
    pairs = (each.split("/") for each in _words(table))
    return tuple((each[0], each[-1]) for each in pairs)


_ON_STEM: dict[Mood, _Shapes] = {
    "stated": _shapes(
        """
        ㅂ니다/습니다 ㄹ_것이다/을_것이다 ㄹ_것입니다/을_것입니다 ㅁ/음 ㄹ_거예요/을_거예요 ㄹ_것이에요/을_것이에요
        ㄹ_것으로_보인다/을_것으로_보인다 ㄹ_것으로_보입니다/을_것으로_보입니다 ㄹ_겁니다/을_겁니다 ㄹ_거야/을_거야
        므로/으므로 며/으며 니/으니 니까/으니까 지 지요 죠 네 네요 군 군요 구나 고 게_된다 게_됩니다 거든요
        면_된다/으면_된다 면_됩니다/으면_됩니다 면_돼/으면_돼 면_돼요/으면_돼요 면_되겠다/으면_되겠다 면_되겠습니다/으면_되겠습니다
        기_때문이다 기_때문입니다 기_때문에 기에 겠다 겠습니다 겠네요 겠네 겠군요 겠어요 겠지요 겠죠
        """
    ),
    "asked": _shapes(
        "ㅂ니까/습니까 ㄹ까/을까 ㄹ까요/을까요 ㄹ지/을지 나 나요 니까요 느냐 는가 는가요 는지 면_됩니까/으면_됩니까 면_되나요/으면_되나요 면_될까요/으면_될까요"
    ),
    "supposed": _shapes(
        """
        면/으면 려면/으려면 ㄴ다면/는다면 ㄹ_때/을_때 ㄹ_경우/을_경우 다면 더라도 거나 도록 거든
        """
    ),
    "conceded": _shapes("ㅂ니다만/습니다만 나/으나 지만 ㄹ_뻔/을_뻔 기_쉽 기_쉬"),
}
_PLAIN = _shapes(
    """
    ㄴ다/는다 는데 는_것이다 는_것입니다 ㄴ다고_할_수_있다/는다고_할_수_있다
    ㄴ다고_할_수_있습니다/는다고_할_수_있습니다
    """
)
_DESCRIBED = _shapes(
    """
    다 ㄴ데/은데 ㄴ_것이다/은_것이다 ㄴ_것입니다/은_것입니다 다고_할_수_있다 다고_할_수_있습니다
    다고_본다 다고_봅니다 다고_봐요 다고_생각한다 다고_생각합니다 다고_생각해요 다고_판단된다 다고_판단됩니다
    다고_판단한다 다고_판단합니다 다고_여겨진다 다고_여겨집니다
    """
)
_PAST: dict[Mood, tuple[str, ...]] = {
    "stated": _words(
        "다 습니다 어요 네요 네 음 지요 죠 지 군요 고 으며 으므로 으니 기_때문이다 기_때문에 던_것이다"
    ),
    "asked": _words("습니까 을까 을까요 나 나요 는가 는지"),
    "supposed": _words("다면 더라면 더라도 으면 을_때"),
    "conceded": _words("지만 으나 는데"),
}
_COPULA: dict[Mood, tuple[str, ...]] = {  # after 이, which people write or drop after a vowel
    "stated": _words(
        """
        다 야 지 지요 죠 네 네요 군 군요 구나 랍니다 란다 라네 라네요 라오 에요 예요 여요 어요 올시다 거든 거든요
        잖아 잖아요 고 고요 며 면서 므로 니 니까 라서 라 던 요 겠다 겠네 겠네요 겠습니다 겠군요 겠지요 겠죠 겠어요 겠고
        """
    ),
    "asked": _words("냐 니 나 나요"),
    "supposed": _words("라면 라도 더라도 거나 거든 든 든지 면"),
    "conceded": _words("지만 나"),
}
_FUSED: dict[Mood, tuple[str, ...]] = {
    "stated": _words(
        """
        입니다 입니당 임 인데 인데요 이기_때문이다 이기_때문입니다 이기_때문에 이기에 이_아닐_수_없다 가_아닐_수_없다
        일_것이다 일_것입니다 일_것이에요 일_거예요 일_겁니다 일_거야 일_것_같다 일_것_같습니다 일_것_같아요
        인_것이다 인_것입니다 인_것_같다 인_것_같습니다 인_것_같아요 인_것_같네요 인_듯하다 인_듯합니다 인_듯해요
        인_셈이다 인_셈입니다 인_게_맞다 인_게_맞습니다 인_것이_맞다 인_것이_맞습니다
        인_것을_알_수_있다 인_것을_알_수_있습니다 인_걸_알_수_있다 인_걸_알_수_있습니다
        """
    )
    + tuple(
        f"{start} 것으로 {end}"
        for start in ("인", "일")
        for end in _words(
            """
            보인다 보입니다 판단된다 판단됩니다 생각된다 생각됩니다 예상된다 예상됩니다 확인된다 확인됩니다 계산된다
            계산됩니다 추정된다 추정됩니다 나타났다 나타났습니다 밝혀졌다 알_수_있다 알_수_있습니다
            """
        )
    ),
    "asked": _words(
        "입니까 일까 일까요 인가 인가요 인지 일지 인_건가 인_건가요 일런지 일는지 인지는 인지도 인지를"
    ),
    "supposed": _words("일_때 일_경우 인_경우 일수록 이_아니라면 가_아니라면 인_상황"),
    "conceded": _words(
        """
        입니다만 일_수도 일_수_있 일지도 인_척 인_줄 일_줄 일_뻔 인_반면 인데도 일_가능성 인_가능성 일_확률 일_듯_말_듯
        """
    ),
}


def attached(stem: str, ending: tuple[str, str], opened: str = "") -> str:
    """A stem with an ending, in the shape that fits the stem's last sound.

    >>> attached("되", ("ㅂ니다", "습니다")), attached("맞", ("ㅂ니다", "습니다")), attached("만들", ("ㄴ다", "는다"))
    ('됩니다', '맞습니다', '만든다')
    """
    after_vowel, after_consonant = ending
    if opened and after_vowel != after_consonant and after_consonant[0] in "으을은음":
        stem = opened
    code = (ord(stem[-1]) - _FIRST) % 28
    if code and _FINALS[code] != "ㄹ":
        return stem + after_consonant
    if after_vowel[0] in "ㅂㄴㄹㅁ":
        syllable = ord(stem[-1]) - code
        if code and after_vowel[0] == "ㅁ":  # 만들다: 만듦
            return stem[:-1] + chr(syllable + _FINALS.index("ㄻ")) + after_vowel[1:]
        return stem[:-1] + chr(syllable + _FINALS.index(after_vowel[0])) + after_vowel[1:]
    if code and after_vowel[0] in "니네":  # 알다: 아니까
        return stem[:-1] + chr(ord(stem[-1]) - code) + after_vowel
    return stem + after_vowel


def past(infinitive: str) -> str:
    """The stem of the past: 해 gives 했, 맞아 gives 맞았.

    >>> past("해"), past("맞아")
    ('했', '맞았')
    """
    return infinitive[:-1] + chr(ord(infinitive[-1]) + _FINALS.index("ㅆ"))


def forms(predicate: Predicate, mood: Mood) -> Iterable[str]:
    """Every form of a predicate in a mood.

    >>> sorted(forms(Predicate("되", "돼"), "conceded"))
    ['됐는데', '됐으나', '됐지만', '되기 쉬', '되기 쉽', '되나', '되지만', '될 뻔', '됩니다만']
    """
    stem, infinitive, descriptive, opened = predicate
    yield from (attached(stem, ending, opened) for ending in _ON_STEM[mood])
    yield from (past(infinitive) + ending for ending in _PAST[mood])
    if mood == "stated":
        yield from (infinitive, f"{infinitive}요", f"{infinitive}서")
        yield from (attached(stem, each, opened) for each in (_DESCRIBED if descriptive else _PLAIN))
    if mood == "supposed" and descriptive:
        yield f"{stem}다면"


def negations(predicate: Predicate) -> Iterable[str]:
    """Yield a predicate's negations, each up to the point where the denial is plain."""
    stem, _infinitive, _, opened = predicate
    yield from (
        f"{stem}지{link}{word}"
        for link in ("", "는", "도", "를")
        for word in (" 않", " 못하", " 못한", " 못해")
    )
    yield from (
        f"{stem}지 말",
        f"{stem}지 마",
        f"{stem}지는 마",
        f"{stem}진 않",
        f"{stem}기 어렵",
        f"{stem}기는 어렵",
    )
    yield from (
        f"{stem}기 힘들",
        f"{stem}기엔",
        f"{stem}기에는",
        attached(stem, ("ㄹ 수 없", "을 수 없"), opened),
    )
    yield from (
        attached(stem, ("ㄹ 수는 없", "을 수는 없"), opened),
        attached(stem, ("ㄹ 리", "을 리"), opened),
    )
    yield from (
        attached(stem, ("ㄴ 것은 아니", "은 것은 아니"), opened),
        f"{stem}는 것은 아니",
        f"{stem}다고 할 수 없",
    )
    yield from (
        attached(stem, ("ㄴ다고 할 수 없", "는다고 할 수 없")),
        attached(stem, ("ㄴ다고 보기", "는다고 보기")),
    )


def copulas(mood: Mood) -> Iterable[str]:
    """Every form of 이다 in a mood."""
    for ending in _COPULA[mood]:
        yield f"이{ending}"
        if mood == "stated" or len(ending) > 1:
            yield ending
    yield from _FUSED[mood]
    if mood in _PAST:
        yield from (f"{start}{ending}" for start in ("이었", "였", "이였") for ending in _PAST[mood])


def pattern(predicates: Iterable[Predicate], said: Callable[[Predicate], Iterable[str]]) -> str:
    """A pattern for what `said` makes of any of the predicates: 계산하다 and 판단하다 share their last syllable."""
    groups: dict[Predicate, list[str]] = {}
    for each in predicates:
        # 고르다 and 골라 share nothing.
        same = [one == other for one, other in zip(each.stem, each.infinitive, strict=False)]
        before = min(len(each.stem) - 1, [*same, False].index(False))
        shared = Predicate(
            each.stem[before:], each.infinitive[before:], each.descriptive, each.opened[before:]
        )
        groups.setdefault(shared, []).append(each.stem[:before])
    return "(?:" + "|".join(any_of(starts) + any_of(said(shared)) for shared, starts in groups.items()) + ")"


REPORTED_BEFORE = (
    "(?<![가-힣])(?!(?:나|저|우리|저희|내|제|필자|본인|문제|정답|답|해답|결과|이것|그것|이|값|해)(?:은|는|이|가) )[가-힣A-Z]{1,6}(?:은|는|이|가|께서는?)",
    "(?<![가-힣])(?!여기|위|앞|이상)[가-힣]{1,8}(?:에서는|에는|에|에 따르면|에 의하면|(?:이|의) 말로는)",
)
REPORTED = (
    "라고 (?:합니다|한다|해요|하네요|하셨|우[기긴깁겼]|믿[는습어]|(?:나와|적혀|쓰여|써|실려|되어) ?있|나오|나옵|했|하였|했었|(?:말|주장|대답|답|얘기|이야기)(?:했|하였|한다|합니다|하고|하며)|(?:생각했|믿었|우겼|적었|외쳤))[가-힣]{0,4}",
)
RETRACTING = (
    "(?:아니|아뇨|아니요|아닙니다|아니다|아니네요|아니에요|틀렸습니다|틀렸어요|틀렸네요|틀렸다|잘못했습니다|잘못 (?:계산|풀)[가-힣]{1,4})(?=[\\s,.!…])",
    "(?:정정|수정)(?:합니다|하면|하겠습니다|할게요|한다|하자면)|(?:제가 )?(?:계산을 )?(?:실수|착각)(?:했습니다|했어요|했네요|했다)",
)
HESITATING = (
    "잠깐만?(?:요)?|다시 (?:보니|계산하면|계산하니|생각하니|생각해 보니)까?|정정|사실은?|죄송합니다|하지만|그런데",
)
RETHINKING = (
    "(?:아|앗|음|어|엇|이런|잠깐만?(?:요)?)(?=[\\s,.!…]{1,3}[가-힣\\d])|(?:아 )?맞다(?=,)",
    "(?:다시|재)(?: ?한 ?번)? ?(?:확인|계산|검토|생각|검산|세|풀|따져|읽|보)[가-힣]{0,4}|검산|정정|수정",
    "(?:단위|조건|계산|문제|부호)[을를이가]? (?:잘못|빠뜨|놓|실수|착각)[가-힣]{0,4}|실수|착각|틀렸",
)
CONCLUDING = (
    "(?:따라서|그러므로|그래서|그러면|그럼|결국|즉|실제로는|사실은)[, ]|(?:올바른|맞는|옳은|정확한|최종) (?:값|답|정답|결과)[은는]|(?:수정|정정)[:：]|(?:보니|보면|하니|니까|하면)[, ]",
)
ADDING = (
    "또는|혹은|아니면|그게 아니(?:라면|면)|그것이 아니라면|이?거나|(?:이고|이며|이면서|이자|그리고|및)",
)
ADDED = ("(?:번)?(?:도|역시|또한) (?:정답|답|맞|옳|가능|된|됩|괜찮)",)
RIGHTED = ("(?:최종 |실제 )?(?:정답|답|값|해답|맞는 답|올바른 답|결과)(?:은|는)|(?:사실|실제로)(?:은|는)?",)
UNSAID = (
    r"[가-힣]{0,8}[\"'”’」』]\s{0,2}(?:이?라고|이?라는|고)",
    r"\s{0,2}[(（](?:이것은|이 답은)?\s?(?:틀린|오답|잘못|정답이? ?아)",
    r"[^.!?\n]{0,16}[.\n`]{1,5}\s{0,2}(?:하지만 |그러나 )?(?:저는 |나는 |저도 )?(?:잘 )?(?:모르겠|모릅니다|몰라|확실하지|확신하지|자신이? 없|장담하지|장담할 수 없|확신이 없)",
)
WAVERING = ("(?:하지만|그러나|혹은|또는|아니면)?[, ]{0,2}(?:어쩌면|아마도?)",)
JUDGED_AFTER = (
    "(?:하지만 |그런데 |그러나 )?(?:이건|이것은|이게|그건|그것은|그게|이 답은|그 답은|위 답은|제 답은|방금 답은)? ?(?:완전히 |명백히 |아마 )?(?:틀렸|틀린|틀립|잘못됐|잘못되|잘못된|오답|사실이 아|말이 안|거짓)",
    "(?:하지만 |그런데 |그러나 )?(?:그럴|이럴) (?:리가?|리는) 없|농담|장난|(?:이건|그건) (?:아니|아닙|아닌)|(?:아닙니다|아니에요|아니네요|아니다)(?=[.!])|(?:하지만 |그런데 |그러나 )?(?:저도 |저는 )?(?:자신이? ?없|확신이? ?(?:없|안))",
)
UNDOING = ("(?:또는|혹은|아니면|죄송합니다|죄송해요|미안합니다|아차|정정하겠습니다|정정합니다|정정하자면)",)
SHARING = (
    r"(?:도|역시|또한) (?:정답|답|맞|옳|가능|됩니다|된다|돼요|되고|괜찮|인정)(?:이?ㅂ?니다|입니다|이다|이에요|예요|[가-힣]{0,4})?(?=[.!,。~ ]|$)",
)

_KIN = "(?:형|누나|언니|오빠|동생|친구|삼촌|이모|고모|엄마|아빠|어머니|아버지|할머니|할아버지|선생님?|짝꿍?|옆자리|이웃|동료|선배|후배|남들?|다른 (?:사람|학생|친구|아이))(?:들|분|네)?"
_PEOPLE = f"(?:{_KIN}|(?:많은|대부분의|여러|몇몇|어떤|일부|보통) (?:사람|학생|아이|이)(?:들)?|사람들|학생들|누군가|누구나|다들|모두들|대부분|대다수|과반수|반 친구들|(?:성급한|경솔한|부주의한|덜렁대는|덤벙대는|서두르는|방심한|미숙한|초보|게으른) [가-힣]{{1,6}})"
_WRITTEN = (
    "(?:교과서|해설지?|해설서|답지|답안지|정답지|문제집|참고서|인터넷|블로그|게시판|댓글|소문|풍문|책 뒤)"
)
_HUNCH = "(?:직감|직관|육감|느낌|감|촉|짐작|추측|어림|어림짐작|눈대중|눈짐작|기억|첫인상|첫 느낌|미신)"
_ERRING = "(?:빼먹|빠뜨리|빠트리|까먹|잊|잊어버리|놓치|착각하|실수하|실수를 하|실수로 [가-힣 ]{1,8}|헷갈리|혼동하|오해하|깜빡하|서두르|덤벙대|잘못 [가-힣]{1,5}|거꾸로 [가-힣]{1,4}|대충 [가-힣]{1,4}|찍)"
_QUOTED = "[가-힣]{0,2}(?:이?라고|이?라|으로|로|을|를)"
_CLAIMS = "(?:답하|답한|답했|대답하|대답한|대답했|말하|말한|말했|쓰|쓴|썼|쓸|적|적었|고르|고른|골랐|택하|택한|찍|찍었|생각하|생각한|생각했|여기|여긴|믿|우기|우긴|우겼|주장하|주장한|하더|한다|합니다|했|착각하|착각한|오해하|계산했|계산하더|구했|풀었|얻었|얻더)"
DISOWNED = (
    f"(?<![가-힣])(?:제|내|나의|순전히|그냥|막연한)? ?{_HUNCH}(?:적)?(?:으로는?|로는|상으로는|상|만으로는?|에는|에 따르면|에 의하면|에 의존하면|대로라면|대로면|으로만? [가-힣]{{2,4}}면)[, ][^.!?\n]{{0,30}}<>",
    "(?<![가-힣])(?:얼핏|언뜻|첫눈에|대충|얼추|어림잡아|눈대중으로|겉보기에는?|겉으로는)[, ][^.!?\n]{0,20}<>",
    "(?<![가-힣])(?:아마도?|어쩌면|혹시나?|모르긴 해도|잘은 모르지만|왠지)[,\\s][^.!?\\n<]{0,30}<>",
    f"(?<![가-힣])(?:{_WRITTEN}(?:에는|에선|에서는|에 따르면|에 의하면|에)|{_PEOPLE}(?:의)? (?:말|생각|의견|계산|주장|기억)(?:으로는|로는|에 따르면|에 의하면|대로라면|에는))[^.!?\n]{{0,30}}<>",
    "(?<![가-힣])[가-힣]{1,8}(?<!결과)(?<!풀이)(?<!계산)(?<!문제)(?<!표)(?<!그래프)(?:에는|에선|에서는|에)[,\\s][^.!?\\n<]{0,12}<>[가-힣]{0,2}(?:이?라고|으로|로) (?:나[오와왔온옵]|되어|돼|적혀|쓰여|실[려렸린]|표[시기]|인쇄|찍혀|알려)",
    "(?<![가-힣])(?:즉흥적으로|잠정적으로|임시로|일단은|누구에게 물어도|누구한테 물어도|되는대로|아무렇게나|순진하게|성급하게|성급히|무심코|직관적으로|막연히|피상적으로|무턱대고|섣불리|경솔하게|아무 생각 없이|별생각 없이|겉만|그림만|눈으로만|제목만|앞부분만)[,\\s][^.!?\\n]{0,20}<>",
    f"(?<![가-힣])(?:{_PEOPLE}(?:은|는|이|가|라면|이라면|이면)?|흔히|보통은?|대개는?|자칫하?면?)[^.!?\n<]{{0,24}}<>{_QUOTED} [^.!?\n<]{{0,12}}?{_CLAIMS}",
    f"{_ERRING}(?:으면|면|고서?|은 채|ㄴ 채|을 때|는 바람에|아서|어서)[^.!?\n<]{{0,20}}<>",
    "(?<![가-힣])(?:아무도|누구도|어느 누구도|단 한 명도|한 사람도)[^.!?\n<]{0,20}<>",
    "<>[^.!?\n<]{0,14}?(?:다고(?:들)?|라고들) ?(?:한다|합니다|하네요?|해요|하더|하던데|했다|했습니다|했어요|했었|하였다|들었|전해|주장|우[긴겼깁]|말했|말한다|말합니다)(?!고? 할 수)",
    "<>[가-힣]{0,2}(?:이?라고) [가-힣 ]{0,8}(?:싶어[지진질]|싶은 유혹|[쓰하답]?기 (?:쉽|쉬)|했다가|할 뻔|[썼했]다가|착각)",
    f"<>[가-힣]{{0,2}}(?:은|는|이|가)\\s(?:[가-힣]{{1,8}}\\s){{0,3}}(?:함정|오답|실수|착각|오해|어림값|어림수|찍은|찍어 본|미끼|오산|추측|오류|헛소문|소문|농담|거짓말|꿈|희망 사항|짐작|감|운|우연|{_PEOPLE}[이가]? (?:[가-힣]{{1,6}} )?(?:고른|쓴|적은|답한|말한|얻은|구한|계산한|생각한|착각하는|고르는|쓰는|답하는|얻는))[^.!?\n<]{{0,8}}(?:다|요|죠|네|지|임|음|함)(?![가-힣])",
)
"""A clause whose value is a hunch, a slip, or what somebody else reckons."""
