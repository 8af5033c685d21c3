"""Texts that only announce an answer: titles and first phrases with nothing after them.

A judge that is asked about such a text often pays it (Zhao et al., One Token to Fool LLM-as-a-Judge,
arXiv:2507.08794, whose table has signs alone, "Thought process:", "Let's solve this problem step by step.",
"Solution" and the same in other languages). What is taken off is of two kinds: a title, which a colon ends or
which names a part of a solution; and a sentence in which the writer says that work is about to begin.
"""

from __future__ import annotations

import re

from ..runtime.patterns import lazy

# What the parts of a written solution are called.
_TITLES = (
    r"(?:the\s++)?(?:final\s++|short\s++|full\s++|detailed\s++|step[- ]by[- ]step\s++)?"
    r"(?:answers?|solutions?|reasoning|explanations?|analysis|thoughts?|thinking|thought\s++process|"
    r"response|result|conclusion|proof|steps?)",
    "(?:최종\\s*+|자세한\\s*+)?(?:정답|답|답변|풀이|해설|해답|설명|풀이\\s*+과정|사고\\s*+과정|생각|분석|결론|증명|결과)",
    "(?:最终|详细|最終|詳細)?(?:答案|解答|解|解析|分析|思路|思考过程|思考|解题过程|推理过程|结论|证明|回答)",
)
# "Let us begin to work": an invitation with a verb of working, its object, and how.
_WORK = r"(?:solve|think|work|go|break|analy[sz]e|start|begin|look|reason|find|figure|approach|tackle|answer|consider|see)"
_THING = r"(?:(?:this|the|that|your|it|problem|question|task|puzzle|equation|answer|solution|out|down|through|about|at|by|on|to|into|with|for)\s++){0,8}"
_INVITATIONS = (
    rf"(?:(?:ok|okay|sure|alright|well|first|now)[,.!]?\s++){{0,2}}(?:let'?s|let\s++(?:us|me)|i(?:'ll|\s++will)|we(?:'ll|\s++will))\s++(?:first\s++|now\s++|carefully\s++)?{_WORK}\s+{_THING}"
    r"(?:it|this|problem|question|task|out|through|down|carefully|logically|together|analy[sz]ing|thinking|solving|step[- ]by[- ]step|step\s++by\s++step|steps?)?",
    r"(?:그럼\s*+|먼저\s*+|자,?\s*+|이제\s*+|우선\s*+){0,2}(?:이\s*+|주어진\s*+)?(?:문제를?|질문을?|답을?)?\s*+(?:차근차근|단계별로|단계적으로|하나씩|천천히|함께|같이)?\s*+"
    r"(?:풀어|생각해|분석해|살펴|알아|구해)\s*+(?:보겠습니다|봅시다|보자|보죠|볼게요|보도록\s*+하겠습니다)",
    r"(?:首先|现在|好的)?[，,]?\s*+(?:让我们|我们|让我)(?:来|先)?(?:一步一步|一步步|逐步|仔细)?地?(?:解决|思考|分析|解答|看|想)(?:一下)?(?:这个|这道|该)?(?:问题|题目|题)?(?:一步一步|逐步)?",
)
# What says the beginning of a sentence and leaves out its end.
_BEGINNINGS = (
    r"(?:(?:so|therefore|thus|hence),?\s++)?(?:the|my)\s++(?:final\s++|correct\s++)?(?:answer|solution|result)\s++is",
    "(?:따라서\\s*+|그러므로\\s*+)?(?:최종\\s*+)?(?:정답|답|결과)[은는]",
    "(?:所以|因此)?[，,]?(?:最终)?(?:答案|结果)[是为]",
)
# Signs that no reader takes for an answer; ∅, √ or ✓ may be one.
_SIGNS = lazy(r"(?:[^\w\u00a1-\u00bf\u02b0-\u02ff\u2070-\u2bff\u3012-\u303f\U0001f000-\U0001ffff]|_)+")
_LINE_TITLE = lazy(r"^[^\n]{0,80}[:：]\s*$")
_WHOLE = lazy(rf"(?:{'|'.join((*_TITLES, *_INVITATIONS, *_BEGINNINGS))})", re.IGNORECASE)
_MOST = 400
"""Characters above which a text is more than an opening."""


def only_opens(text: str) -> bool:
    r"""Return whether a text says nothing: signs alone, or only titles and announcements.

    >>> [only_opens(each) for each in (":", "Thought process:", "Let's solve this problem step by step.", "**풀이**")]
    [True, True, True, True]
    >>> [only_opens(each) for each in ("42", "Answer: 42", "-", "The solution is x.", "Yes")]
    [False, False, True, False, False]
    """
    if len(text) > _MOST:
        return _SIGNS.fullmatch(text) is not None
    for line in re.split(r"[\n.!?。！？]", text):
        bare = _SIGNS.sub(" ", line).strip()
        if bare and not _LINE_TITLE.match(line.strip(" *_#`")) and not _opens(line):
            return False
    return True


def _opens(line: str) -> bool:
    words = " ".join(line.strip(" \t*_#`~->:：,，\"'()[]").split())
    return _WHOLE.fullmatch(words) is not None
