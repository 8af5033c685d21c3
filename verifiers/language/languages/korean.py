"""Korean: particles, the copula and reporting verbs stand after a value, titles and topics before it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from .korean_choices import KOREAN_CHOICES
from .korean_endings import Mood, Predicate, attached, copulas, forms, negations, pattern
from .korean_turns import (
    ADDED,
    ADDING,
    CONCLUDING,
    HESITATING,
    JUDGED_AFTER,
    REPORTED,
    REPORTED_BEFORE,
    RETHINKING,
    RETRACTING,
    RIGHTED,
    SHARING,
    UNDOING,
    UNSAID,
    WAVERING,
)
from .model import Language
from .tries import Later, any_of

_END = "(?![가-힣])"
_START = "(?<![가-힣])"


def _verbs(text: str, *, descriptive: bool = False) -> list[Predicate]:
    """Predicates from a table of stem/infinitive/opened stem."""
    return [
        Predicate(stem, rest[0], descriptive, *rest[1:])
        for stem, *rest in (each.replace("_", " ").split("/") for each in text.split())
    ]


_CAN = [Predicate("수 있", "수 있어", True)]
# 계산하다, 판단되다 ...: Sino-Korean nouns of finding, judging and saying, with 하다 and 되다.
_FINDING = "계산 도출 산출 결정 확인 판단 생각 추정 추론 예상 예측 간주 결론 정리 표현 표시 정의 확정 선택 선정 증명 추리 판별 유추 해석 귀결 환산 변환".split()
_FOUND = [
    *(
        Predicate(noun + stem, noun + end)
        for noun in _FINDING
        for stem, end in (("하", "해"), ("되", "돼"), ("되", "되어"))
    ),
    *_verbs(
        "구하/구해 구해지/구해져 얻/얻어 얻어지/얻어져 나오/나와 나타나/나타나 나타내/나타내 정해지/정해져 주어지/주어져"
    ),
    *_verbs(
        "보이/보여 보/봐 보/보아 알/알아 되/돼 되/되어 하/해 쓰/써 찾/찾아 여겨지/여겨져 좁혀지/좁혀져 수렴하/수렴해"
    ),
    *_verbs(
        "답하/답해 고르/골라 선택하/선택해 밝혀지/밝혀져 드러나/드러나 남/남아 떨어지/떨어져 읽/읽어 말하/말해"
    ),
]
_PREDICATES = [
    *_FOUND,
    *_verbs(
        "맞/맞아 걸리/걸려 해당하/해당해 해당되/해당돼 성립하/성립해 있/있어 생기/생겨 들/들어 정답이_되/정답이_돼 답이_되/답이_돼"
    ),
    *_verbs(
        "얻게_되/얻게_돼 택하/택해 가지/가져 갖/가져 의미하/의미해 뜻하/뜻해 제시하/제시해 부르/불러 적/적어 확신하/확신해"
    ),
    *_verbs(
        "결론짓/결론지어/결론지으 결론내리/결론내려 결론_내리/결론_내려 주장하/주장해 믿/믿어 여기/여겨 생각이_들/생각이_들어 내리/내려"
    ),
    *_verbs(
        "이끌어내/이끌어내 발견하/발견해 깨닫/깨달아 파악하/파악해 이르/이르러 도달하/도달해 다다르/다다라"
    ),
    *_verbs(
        "옳/옳아 맞/맞아 적절하/적절해 적합하/적합해 타당하/타당해 올바르/올바라 알맞/알맞아 정확하/정확해 같/같아",
        descriptive=True,
    ),
    *_verbs(
        "유일하/유일해 유력하/유력해 필요하/필요해 분명하/분명해 확실하/확실해 명백하/명백해 틀림없/틀림없어 자명하/자명해",
        descriptive=True,
    ),
]
"""What is said of a value that holds."""
_FACTS = "것 사실 점 결론 값 답 정답 결과 해".split()
_FACT = any_of(f"{said}{noun}" for said in ("이라는 ", "라는 ", "인 ") for noun in _FACTS)
_PARTICLES = any_of(
    [
        *"이 가 은 는 만 만이 도 을 를 으로 로 이라고 라고 이라 라 임을 임이 임은".split(),
        *("이라는 걸", "라는 걸", "인 걸", "이라는 게", "라는 게"),
    ]
)
_LINK = f"(?:{_FACT}(?:을|를|이|가|은|에|으로|로)|{_PARTICLES})"
"""What joins a value to its predicate. Every pair is taken: those that are no Korean occur nowhere."""
_HOW = "(?:가장|제일|최종|바로|최종적으로|모두|정확히|쉽게|바르게|각각|논리적으로)? "
"""Words that may stand between a particle and its predicate."""
_ANSWER = "(?:최종|올바른|옳은|맞는|바른)? (?:정답|해답|답안|답|해|정답 번호|(?<=은\\s)(?:선택지|보기)|옳은 것|맞는 것|적절한 것|알맞은 것)"
_EQUAL = _verbs("같/같아 동일하/동일해", descriptive=True)
_ROLE = _verbs("되/돼 되/되어 보이/보여 판단되/판단돼 생각되/생각돼 맞/맞아 적절하/적절해 타당하/타당해")


def _able(verb: Predicate) -> Iterable[str]:
    """구하다 as 구할, before 수 있다."""
    return (attached(verb.stem, ("ㄹ", "을"), verb.opened),)


def _stated(verb: Predicate) -> Iterable[str]:
    return forms(verb, "stated")


def _in(mood: Mood) -> tuple[Later]:
    """Everything after a value that has a mood: predicates with their particles, and the copula."""
    return (Later(lambda: "|".join(_all_in(mood))),)


def _all_in(mood: Mood) -> tuple[str, ...]:
    def said(verb: Predicate) -> Iterable[str]:
        return forms(verb, mood)

    end = "" if mood == "conceded" else _END  # 되지만, 되지만은
    found = f"(?:{pattern(_PREDICATES, said)}|{_can_be()} {pattern(_CAN, said)})"
    return (
        f"{_LINK} {_HOW}{found}{end}",
        rf"(?<=[\d)}}\]$%분초원])(?:과|와) {pattern(_EQUAL, said)}{end}",
        f"(?:이|가|은|는|만)? {_ANSWER}{any_of(copulas(mood))}{end}",
        f"(?:이|가)? {_ANSWER}(?:이|가|으로|로) {pattern(_ROLE, said)}{end}",
        f"(?:이|가|을|를|은|는) {_ANSWER}(?:이라고|라고|으로|로|임을|임이|이라는 (?:것|결론|사실|점)(?:이|을|에)) {_HOW}{found}{end}",
        f"(?:뿐)?{any_of(copulas(mood))}{end}",
    )


@cache
def _can_be() -> str:
    return pattern(_PREDICATES, _able)


@cache
def _is_not() -> str:
    """A predicate that is denied: 안 된다, 되지 않는다."""
    said = pattern(_PREDICATES, lambda verb: (verb.stem, verb.infinitive))
    return f"(?:(?:안|못) {said}|{pattern(_PREDICATES, negations)})"


_TAKEN_BACK = "아니(?!라(?![가-힣])|고(?![가-힣])|면)[가-힣]{0,3}|아닌|아닙|아님|아닐|아냐"
_FALSE = any_of(
    [
        *(form for each in _verbs("틀리/틀려") for form in forms(each, "stated")),
        *"틀린 틀렸 잘못 오답 거짓 부적절 부정확 불가능 불가하 옳지 맞지 적절하지 알맞지 올바르지 모순 제외 배제 기각".split(),
        *(
            "정답일 수 없",
            "안 되",
            "안 된",
            "안 됩",
            "안 돼",
            "될 수 없",
            "될 수는 없",
            "말이 안",
            "답이 아",
            "나올 수 없",
        ),
        *("성립하지", "성립 안"),
    ]
)

_MISTAKE = f"(?:{_FALSE}|착오|실수|오류|오해|오판|사실이 아니|사실과 다)"

_PAST = "".join(chr(code) for code in range(ord("가") + 20, ord("힣") + 1, 28))
"""Syllables that end in ㅆ: 렸, 었, 갔."""

_NO_VALUE = "(?:되|됩|된|돼|맞|틀|없|있|나오|나옵|나온|아니|아닙|아닌|무엇|뭐|뭔|필요|달라|다르|될|안 |아직|하나|여러|모두|어떻)"
"""How a sentence about the answer goes on that does not give it."""

KOREAN = Language(
    unsure=(
        "아마|혹시|(?:잘|확실히|정확히|정확하게) ?(?:는 )?(?:모르|알 수 없|기억나지 않)|모르겠|확실하지 ?않|확신할 수 ?없|확실치 ?않|자신은? ?없|추측|짐작|찍어|아닐까",
    ),
    name="Korean",
    script="[가-힣]",
    blank=r"\s{0,2}",
    edges=(_START, _END),
    keywords=("정답", "해답", "답", "것은", "선택지는", "보기는"),
    marks=(
        (
            "",
            f"{_START}(?:정답|해답|답)(?:을|를) (?:고르|말하|찾으|구하|적으|꼽으|들)(?:자)?면(?![가-힣])[,]?",
        ),
        ("", f"{_START}(?:정답|해답|답)(?:은|는)요,"),
        ("", f"{_START}(?:정답|해답|답안|답변|답)(?: 번호)?(?:은|는|이|가)(?![가-힣])(?! {_NO_VALUE})"),
        (
            f"{_START}(?:옳은|맞는|알맞은|올바른|적절한|않은|틀린|적합한|타당한) ",
            r"(?:것은|것|답은|선택지는|보기는)\s{1,8}(?=[\s*_(\[①-⑮A-Jㄱ-ㅎ\d])",
        ),
    ),
    labels=("정답", "답", "해답", "답안", "답변", "정답 번호"),
    final=("최종",),
    so=(
        "(?:따라서|그러므로|그래서|즉|결국|결론적으로|최종적으로|바로|역시|당연히|그러니까|그러면|그럼|고로|이제|(?:두말할|말할|더 말할) (?:것|필요)도? 없이|의심할 여지 ?없이|물론|분명히|확실히|틀림없이|사실은?)[,]?",
    ),
    links=("[가-힣](?:은|는|이|가|란|:) (?:약|대략|총|모두)?",),
    remarks=(),
    points_on=(
        any_of(
            f"{word} {form}"
            for word in ("다음과", "아래와", "이와")
            for each in _verbs("같/같아", descriptive=True)
            for form in forms(each, "stated")
        ),
        "(?:다음|아래|이와) ?과? 같이 [가-힣 ]{0,12}(?:다|요)",
        "(?:다음|아래)(?:입니다|이다)",
    ),
    stated=(
        *_in("stated"),
        f"(?:(?:이|가) {_ANSWER})?(?:이)?(?:라는|란) (?:것|점|데|사실|결론)(?:에|에는|은|는|이) (?:의심의|의심할|의문의|이론의|이견의)? (?:여지|의심|이견|이론|의문)(?:가|이|는|은)? 없[가-힣]{{1,3}}",
        f"(?:을|를|으로|로) {_HOW}(?:골라|선택해|택해|답해)야 (?:한다|합니다|해요|하며|하고|하므로|함)",
        "(?:이)?(?:라|라고) 하지 않을 수 없[가-힣]{1,3}",
        "에 틀림(?:이)? ?없[가-힣]{1,3}",
        "이라는 것(?:입니다|이다|이에요|임|이죠|이지요)",
        "(?:이)?(?:여|어)야(?:만)? (?:한다|합니다|해요|하며|하고|한다고 할 수 있다|맞다|맞습니다)",
        f" ?{pattern(_verbs('걸리/걸려 들/들어 남/남아'), lambda verb: forms(verb, 'stated'))}{_END}",
        "일 수 ?밖에 (?:없다|없습니다|없어요|없음|없으므로|없네요|없지요|없죠)",
        "밖에 (?:없다|없습니다|없어요|없음|없으므로|없네요|없지요|없죠|안 된다|안 됩니다)",
        "이(?:옵|올)니다|이외다|이로소이다|이올시다",
    ),
    denied_before=(
        f"{_START}(?:오답|(?:틀린|잘못된|그른|엉뚱한) (?:답|정답|번호|값)|{_ANSWER}이 (?:아닌|될 수 없는) (?:것|답|번호|값|보기|선택지))(?: 번호)?(?:은|는|이|:|：)?",
    ),
    denied=(
        "(?:으로|로|이라고|라고|이라|라) (?:착각|오해|혼동|잘못|속)",
        f"(?:이|가|은|는|도|만|ㄴ|인 것은|인 것이|인 건|란 것은|이라는 것은|라는 것은|일 리가|일 리는|일 수|일 수는)? (?:절대|결코|전혀|사실|더는|더 이상)? (?:{_ANSWER}(?:이|가|은|는|도)?)? (?:{_TAKEN_BACK})",
        "이지(?:는|도|가)? (?:않|못)|(?:일 리|일 수|일 수는|일 리가|일 리는) (?:없|만무)|(?:이|가)? 아님",
        f"(?:이|가|은|는|도|만|번은|번이)? {_HOW}{_FALSE}",
        Later(lambda: f"(?:을|를|이|가) {_ANSWER}(?:으로|로|이라고|라고|임을) {_HOW}{_is_not()}"),
        "(?:을|를) (?:정답|답|해답)(?:으로|이라고) [가-힣]{1,4}면 (?:안|틀|오답|곤란|큰일)|이?라고 [가-힣]{1,4}면 (?:안|틀|오답)",
        "(?:을|를) (?:제외|배제|버|뺀|빼|기각|제거|탈락)",
        f"(?:{_LINK} [가-힣]{{1,4}} |(?:이|이라|라)(?:고|는) (?:[가-힣]{{1,4}} )?)(?:것|말|주장|풀이|결론|생각|견해|답)(?:은|이|도) (?:모두|분명|명백한|명백히|완전히|완전한)? {_MISTAKE}",
        f"{_LINK} (?:보|말하|하|생각하|단정하)기(?:는|도|엔|에는|가)? (?:어렵|힘들|힘듭|무리|곤란|애매)(?!지)",
        Later(lambda: f"{_LINK} {_HOW}(?:{_is_not()}|{_can_be()} (?:수|수는|수가) 없)"),
        *(
            f"(?:이|가|은|는) {_ANSWER}" + word
            for word in (
                "이 아",
                "은 아",
                "일 수 없",
                "이 될 수 없",
                "일 수는 없",
                "일 리",
                "이라고 할 수 없",
                "이라고 보기",
            )
        ),
    ),
    corrected_before=(),
    corrected=(
        "(?:이|가|은|는|도|만)? (?:아니라|아니고|아닌|아니며|아니요|아니오)(?![가-힣])[,]?",
        "(?:이|가|은|는|을|를)? (?:말고|대신|대신에|빼고|제외하고|보다는|보다)(?![가-힣])[,]?",
        "(?:이|가)? (?:아니라는|아니라고)",
    ),
    but=(),
    doubted_before=(
        f"{_START}(?:아마도?|어쩌면|혹시|혹시나|추측건대|확실하지 않지만|확실하지는 않지만|잘 모르겠지만|모르겠지만|확실치 않지만)(?:,| )",
        f"{_START}(?:찍자면|대충 찍어서)",
        "(?:처럼|같아|듯이?) 보이는 (?:것|값|수|답|건)(?:은|는)?",
    ),
    doubted=(
        *_in("conceded"),
        f"이?라고 (?:하더라|하더라고요|하더군요|하던데요?|들었[가-힣]{{1,4}}|전해[가-힣]{{1,4}}|알려[가-힣 ]{{1,6}}){_END}",
        "(?:인지|일지|인가|일까|이라고|라고|인지는|일지는)? (?:확실하지|확실치|분명하지|확신하지|확신할 수|단정할 수|단정하기|알 수) (?:않|못|없|어렵)",
        "(?:인지|일지|인지는)? (?:잘 )?모르",
        "(?:이|가)? (?:의심|불확실)",
    ),
    supposed_before=(f"{_START}(?:만약|만일|가령|혹여)(?:에)?(?:,| )",),
    supposed=(*_in("supposed"), "(?:이라고|라고|이라|라|으로|로)? (?:가정|치|친다|하자|두자|놓|두면|하면)"),
    compared_before=(
        f"{_START}(?:적어도|많아야|많아봐야|기껏해야|어림잡아|어림으로|줄잡아|거의|음수|루트|제곱근|약수|배수)(?: |$)",
    ),
    compared=(
        r"(?:보다|(?:번|개)? ?(?:이외|외)(?:의|에) |(?:(?<=[십백천만억조])|(?<![가-힣\s]))여(?= ?[가-힣])| ?(?:남짓|가까이|안팎|내외|쯤|가량|정도(?! 비율| 차이))|의 (?:배수|약수|역수|제곱|세제곱|절반|두 배|세 배|제곱근)|이상|이하|이내|미만|초과|배(?:이|입)|분의|세?제곱(?![가-힣])|세?제곱(?:이|을|은|입)|(?:이|가|을|를|은|는)? ?(?:훌쩍|조금|약간)? ?넘|(?:이|가|은|는)? ?채 (?:안|못)|에 가깝|에 가까|을 초과|를 초과|과 다르|와 다르|과 다른|와 다른)",
    ),
    asked=_in("asked"),
    either=(f"{_START}(?:둘 중|중 하나)",),
    or_=("또는", "혹은", "이거나", "거나", "아니면", "이나", "(?<!으)나", "이든", "든"),
    and_=("그리고", "와", "과", "및", "하고", "이랑", "랑"),
    unknown=(
        "(?:알|구할|결정할|계산할|판단할|정할|답할|풀|특정할|찾을|제시할|확정할) 수(?:가|는)? 없",
        "(?:정답|답|해답|해)(?:은|는|이|가) 없",
        "모르겠|(?:정보|조건)(?:가|이|은|는)? 부족|결정(?:되|할) 수 없|정해지지 않",
    ),
    changing=(
        "영하|마이너스|음수|루트|제곱근|아마|절대|아니|아닌|아닙|없|틀|오후|또는|혹은|이상|이하|미만|초과|보다|두 배|세 배|절반|최소|최대|적어도|많아야|기껏|어림|가까이|남짓|안팎|내외|쯤|가량",
    ),
    about=("약", "대략", "대략적으로"),
    numerals=(
        r"(?:(?:영하|마이너스)\s{0,2})?(?<![\d.,])(?:(?:\d[\d,]*+(?:\.\d++)?\s?[십백천만억조경]++\s?){1,12}+(?:\d[\d,]*+(?:\.\d++)?)?"
        r"|(?<!\d)(?<!\d,)\d(?:,?\d)*+\s?분의\s?\d[\d,]*+|(?<!\d)\d++\s?할(?:\s?\d\s?푼)?(?:\s?\d\s?리)?"
        r"|(?<!\d)(?:\d++\s?(?:시간|분|초|년|개월|주|일)\s){1,6}+\d++\s?(?:분|초|개월|주|일))",
        r"(?:영하|마이너스)\s{0,2}\d[\d,]*+(?:\.\d++)?",
    ),
    prose=(
        # A particle, and an ending at the end.
        rf"[가-힣](?:은|는|이|가|을|를|면|로|서|고|의|총)\s[^\n]{{0,200}}?(?:[가-힣]\s|[\S])(?:{any_of(copulas('stated'))}|[{_PAST}]다)\s{{0,2}}[.!]?\s*+\Z",
        rf"\A(?:총|모두)\s[^\n]{{0,200}}[{_PAST}]다\s{{0,2}}[.!]?\s*+\Z",
        r"\d[\s가-힣]{0,4}(?:말고|대신|빼고|제외)",
        r"[가-힣\d](?:은|는)\s++\S{0,60}\d",
        r"\A[가-힣 ]{1,12}(?:은|는)\s++(?:[일이삼사오육칠팔구십백천만억영열]|하나|한|두|둘|세|셋|네|넷|다섯|여섯|여덟|아홉|스물|스무|서른|마흔|쉰|예순|여든|아흔)",
        r"\s[가-힣]{1,20}(?:습니다|는다|한다|된다|있다|없다|었다|았다|해요|어요|아요)\s*+(?:[.!]\s*+)?\Z",
        r"\d[^\n]{0,30}\s[가-힣]{1,6}(?:요|니다)\s*+(?:[.!]\s*+)?\Z",
    ),
    negators=(
        "않",
        "없",
        "아니",
        "아닌",
        "아닙",
        "아님",
        "아닐",
        "못 ?하",
        "못한",
        "못해",
        "불가",
        "틀리",
        "틀렸",
        "틀린",
        "오답",
        "잘못",
        "부정확",
        "부적절",
        "제외",
        "배제",
        "기각",
        "모순",
        "거짓",
        "어렵",
        "무효",
        "오인",
        "착각",
        "혼동",
        "면 안",
        "거리가 멀",
        "탈락",
        "오류",
        "어긋",
    ),
    objects=("[가-힣]{0,4}(?: [가-힣]{1,6})?(?:을|를) (?:(?:모두|다|전부) )?[가-힣]",),
    besides=("동시에|또한|또|역시|그리고|다시",),
    restated=("즉|곧|다시 말해서?|다시 말하면",),
    reporting=(),
    reported_before=REPORTED_BEFORE,
    reported=REPORTED,
    opposing=(),
    breaks=(),
    retracting=RETRACTING,
    hesitating=HESITATING,
    righted=RIGHTED,
    nouns=("번", "항", "보기", "선택지", "선지", "번째", "값", "숫자"),
    choices=KOREAN_CHOICES,
    conditional=(
        "만약|만일|가령|혹시|어쩌면|아마도?(?![가-힣])|(?:다|(?<![저나])라)면(?=[\\s,])|가정하면|(?:무시|생략|제외|간과)하면",
    ),
    turning=("지만(?=[,\\s])|하지만|그러나|그런데|(?:는데|은데|었?으나|더니)(?=[,\\s])",),
    unsaid=UNSAID,
    predicates=("[가-힣](?:다|요|까|죠|네|지|냐|군|음|함|됨|임)",),
    citing=("[가-힣]{0,3}(?:이?라고|이?라는|이?란)",),
    judged_after=JUDGED_AFTER,
    subject_first=(
        Later(
            lambda: (
                f"(?:이|가) {_ANSWER}(?:{any_of(copulas('stated'))}|(?:이라고|라고|임을|임이|이라는 (?:것|결론|사실)(?:이|을|에)) {_HOW}{pattern(_PREDICATES, _stated)}){_END}"
            )
        ),
    ),
    pointing=("이것|그것|저것|이게|그게|어느|무엇|어떤|만약|아닌|않|못|라고 |다고 ",),
    undoing=UNDOING,
    sharing=SHARING,
    wavering=WAVERING,
    rethinking=RETHINKING,
    concluding=CONCLUDING,
    adding=ADDING,
    added=ADDED,
    questions=("문제", "질문", "문항", "사용자"),
)
