"""Question words by expected answer: a choice, ratio, selection count, person, place or several things."""

from __future__ import annotations

import re

from ..runtime.patterns import lazy

ASKS_CHOOSING = lazy(
    r"\bwhich\b|\bfollowing\b|\bwrite an?\b|\bexpression\b|\bset up\b|다음 중|哪", re.IGNORECASE
)
"""One of several, or a form: what repeats the question may be the answer."""
ASKS_RATIO = lazy(r"\bratios?\b|\bproportions?\b|\bodds\b|\bscale\b|比|비율|비를|비는", re.IGNORECASE)
"""A ratio, written as times of day are."""
ASKS_SELECTING = lazy(
    r"\b(?:permut|combination|arrange|choos|chosen|select|probabilit|committee|how many ways)"
    r"|\b(?:expan|coefficient)"
    r"|排列|组合|种|概率|选|조합|순열|경우의 수|확률",
    re.IGNORECASE,
)
"""In how many ways: an index and a power are a number of selections."""

_SEVERAL = lazy(
    r"\b(?:who|what|which|where|whose)\s++(?:\w++\s++){0,3}?(?:are|were|have)\b|\b(?:names|types|kinds|sorts|examples|ways|members|list|both|several)\b"
    r"|\b(?:what|which)\s++(?:\w++\s++){0,2}?(?:kind|type|sort)s?\s++of\b|\b(?:what|which)\s++(?:\w++\s++){0,2}?\w{2,30}(?<!s)s\b(?!\s++(?:is|was|has|does)\b)(?<!\bdoes)(?!\s++(?:through|into|the|an?|it|in|from|to|by|at|on|over|under|with|his|her|its|their|him|them|this|that|between|out|up|down|off)\b)"
    r"|\b(?:all|some|many|name|the|top|last|first|give|are)\s++(?:of\s++)?(?:the\s++)?(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b"
    r"|\b(?:what|which)\s++(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b|\bname\s++(?:\w++\s++){0,3}?\w{2,30}(?<!s)s\b"
    "|들[은을이의]|모두|나열|종류|哪些|列出|列举|几种",
    re.IGNORECASE,
)
_PERSON = lazy(
    r"\bwho(?:se|m)?\b|\b(?:actor|actress|author|singer|person|man|woman|president|king|queen|emperor|player|politician|scientist|composer|painter|director)\b|\b(?:which|what|this)\s++(?:\w++\s++){0,4}?(?:artist|chemist|physicist|mathematician|astronomer|philosopher|poet|writer|novelist|playwright|inventor|explorer|musician|rapper|drummer|guitarist|pianist|general|admiral|dictator|footballer|golfer|boxer|athlete|swimmer|cyclist|comedian|architect|sculptor|biologist|economist|psychologist|rock\s++star|designer|journalist|detective|criminal|outlaw|pope|saint|minister|chancellor|senator|governor|mayor|prince|princess|duke)\b|누구|누가|谁|誰",
    re.IGNORECASE,
)
_PLACE = lazy(
    r"\bwhere\b|\b(?:setting|located|location|venue)\b|\b(?:what|which|in)\s++(?:\w++\s++){0,2}?(?:city|town|state|country|county|place|region|province|island|village|continent)\b"
    "|어디|어느 (?:도시|나라|지역)|哪里|哪儿|在哪|哪个(?:城市|国家|省)",
    re.IGNORECASE,
)
_YEAR = lazy(
    r"\b(?:what|which)\s++year\b|\byear\s++(?:did|was|were|is)\b|몇 년도?에?|哪(?:一)?年", re.IGNORECASE
)
_TIME = lazy(
    r"\bwhen\b|\bdates?\b|\bwhat\s++(?:day|month)\b|\byear\b|언제|며칠|什么时候|何时|几月", re.IGNORECASE
)


def asks_several(question: str) -> bool:
    """Return whether a question asks for several things, so that a list is one answer.

    >>> asks_several("What are the colours of the flag?"), asks_several("What is the colour of the sky?")
    (True, False)
    >>> asks_several("Which countries border it?"), asks_several("Which country borders it?")
    (True, False)
    """
    return _SEVERAL.search(question) is not None


def asks_person(question: str) -> bool:
    """Return whether a question asks for a person."""
    return _PERSON.search(question) is not None


def asks_place(question: str) -> bool:
    """Return whether a question asks for a place."""
    return _PLACE.search(question) is not None


def asks_year(question: str) -> bool:
    """Return whether a question asks for a year, so that a day says more than is asked."""
    return _YEAR.search(question) is not None


def asks_time(question: str) -> bool:
    """Return whether a question asks for a time."""
    return _TIME.search(question) is not None or asks_year(question)


_REQUESTS = lazy(
    r"\b(?:can|could|will|would|won't)\s++(?:you|we|i\s++ask\s++you)\b|줄\s?수\s?있|주실|줄래|주겠|주시겠|(?:能|可以)(?:不能)?(?:帮|告诉|教|给)我?",
    re.IGNORECASE,
)
_WHETHER = lazy(
    r"(?:\A|[.!,:;\n])\s{0,3}(?:so\s++|and\s++|but\s++|well\s++)?(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn't|aren't|don't|doesn't|didn't|why)\s++[^.!?\n]{1,300}\?"
    "|[왜]\\s|为什么|为何|是不是|能不能|可不可以|会不会|有没有|该不该|对不对",
    re.IGNORECASE,
)
_MAY_ASK_WHETHER = lazy(r"(?:까요?|나요|가요|습니까|[니냐지죠요])\s?[?？]?\s*+\Z|[吗嗎么]\s?[?？]?\s*+\Z")
_WH = lazy("어떻게|무엇|무슨|뭐|뭘|누구|누가|언제|어디|몇|어느|어떤|방법|怎么|如何|什么|谁|哪|多少")


def asks_whether(question: str) -> bool:
    """Return whether "no" answers a question: it asks whether something is so, or why, not for a service.

    >>> [asks_whether(each) for each in ("Is it legal?", "Can you hack it?", "How does it work?", "Write a poem.")]
    [True, False, False, False]
    >>> asks_whether("여기서 써도 되나요?"), asks_whether("방법 좀 알려 줘"), asks_whether("这样可以吗？")
    (True, False, True)
    """
    if _REQUESTS.search(question):
        return False
    may = _MAY_ASK_WHETHER.search(question) is not None and not _WH.search(question)
    return may or _WHETHER.search(question) is not None
