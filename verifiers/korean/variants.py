"""What completions write in place of the template, and which sentence they claim all the same."""

from __future__ import annotations

from collections.abc import Sequence

from ..runtime.patterns import lazy
from .statements import CLOSERS, Statement, read_statement, tidy

DEPARTURES = {
    "unquoted": "the sentence is not quoted",
    "quoted_whole": "the quotes are around more than the sentence",
    "both_particles": "the particle is not chosen: 이(가), (이)가, 이/가",
    "space_before_particle": "a space stands between the closing quote and the particle",
    "markup": "there are signs of markup around the statement",
    "label_in_front": "a label such as 정답: comes first",
}
"""How a statement may depart from the template, with the same sentence claimed."""
MOST_PLACES = 3
"""Places where an unquoted sentence may end: it may itself say that something is right."""
_LABEL = lazy(
    r"\A[#>\s*_`\[【(]*+(?:최종\s?)?(?:정답|답변|답안|답)[\]】)*_`]*+\s?(?:은|는)?[*_`]*+\s?[:：][*_`\s]*+"
)
_END = lazy(
    r"(?P<particle>이\(가\)|\(이\)가|가\(이\)|\(가\)이|이/가|이|가)(?P<right>\s옳다[.,!]?)(?=\s|[\"'”]|\Z)"
)
_CHOSEN = ("이", "가", "으가")


def read_given(text: str, accepted: Sequence[str]) -> Statement | None:
    """The statement of a completion, in the template or one of its usual departures.

    Like the contest's scorer it does not ask where the quotes are; unlike it, it says what is wrong with them.

    Args:
        text: What the model wrote.
        accepted: The accepted sentences: where an unquoted sentence ends may be open, and then the end that
            makes it one of them is taken.

    >>> read_given("꽃잎이 지다.가 옳다. 합성어이다.", []).departure
    'unquoted'
    >>> read_given('정답: "꽃잎이 지다."가 옳다. 합성어이다.', []).sentence
    '꽃잎이 지다.'
    """
    text = tidy(text)
    label = _LABEL.match(text)
    rest = text[label.end() :] if label else text
    found = read_statement(rest)
    if found is not None:
        departure = _departure(found)
    elif (found := _whole(rest, accepted)) is not None:
        departure = "quoted_whole"
    elif (found := _unquoted(rest, accepted)) is not None:
        departure = "unquoted"
    else:
        return None
    return found._replace(departure="label_in_front" if label else departure)


def _departure(found: Statement) -> str:
    if found.form.startswith("*"):
        return "markup"
    if found.particle not in _CHOSEN:
        return "both_particles"
    return "space_before_particle" if found.form.startswith(" ") else ""


def _whole(text: str, accepted: Sequence[str]) -> Statement | None:
    """A statement in quotes that are around its 옳다 as well, or around all of the text."""
    plain = text.strip("#>*_` ")
    if not plain or plain[0] not in "\"'「『":
        return None
    if plain[-1] in CLOSERS and (inner := read_statement(plain[1:-1])) is not None:
        return inner
    found = _unquoted(plain[1:], accepted)
    if found is None:
        return None
    reason = found.reason.lstrip(CLOSERS + "*_ ")
    if reason != found.reason:
        return found._replace(reason=reason.lstrip(".,! "))
    return found._replace(reason=reason[:-1].rstrip()) if plain[-1] in CLOSERS else None


def _unquoted(text: str, accepted: Sequence[str]) -> Statement | None:
    plain = text.lstrip("#>*_` ")
    ends = []
    for end in _END.finditer(plain):
        ends.append(end)
        if len(ends) == MOST_PLACES:
            break
    if not ends or not plain[: ends[0].start()].strip():
        return None
    known = {without_quotes(each) for each in accepted}
    end = next((each for each in ends if without_quotes(plain[: each.start()].strip()) in known), ends[0])
    reason = plain[end.end() :].lstrip("*_ ")
    return Statement(plain[: end.start()].strip(), "", end["particle"], end.group(), reason)


def without_quotes(sentence: str) -> str:
    """A sentence as the contest's scorer sees it where its own quotes are not there to be told from others.

    >>> without_quotes('"가자."라고 했다.')
    '가자.라고 했다.'
    """
    return sentence.replace('"', "")
