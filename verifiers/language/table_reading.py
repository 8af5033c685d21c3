"""Final statement of a text in a table's language: the value that it states, or that it states none.

The world is closed. Each word of a sentence has a kind (`_KINDS`), and a sentence states its value only where all
of them are known, and none speaks against it. The last statement counts; what takes it back leaves none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from ..runtime.patterns import lazy
from .recognised import table_of
from .spoken_languages.word_table import Table, number_at, words

Form = Literal["number", "label", "text"]
"""What is looked for: a number, the label of an option, or words."""

_AGAINST = ("denied", "doubted", "offered", "supposed", "reported", "bounded", "asked")
_KINDS = (
    "instead", "turns", *_AGAINST, "retracting", "because", "choose", "answer", "right", "options", "is_", "reckoned", "verbs", "opening", "fill", "counters"
)  # fmt: skip
_LONGEST = 6_000
"""Characters at the end of a text that are read."""
_COUNTED = 5
"""Words after a number that are what it counts."""
_STOP = lazy(r"[\n。！？]++|(?<![.!?…])[.!?…]++(?=[\s*_\"'”’»)]|\Z)")
_LABEL = lazy(r"[(（]?(?<![^\W_])(?P<label>[A-J])(?![^\W_]|['’])(?P<close>[)）.:：](?=\s?\w))?[)）]?")
_LABEL_NO_BLANKS = lazy(
    r"[(（]?(?<![A-Za-z])(?P<label>[A-J])(?![A-Za-z])(?P<close>[)）.:：](?=\s?\w))?[)）]?"
)
_NAME = lazy(r"[a-zA-Z]\s?=\s?(?=[-−\d])")
_SIGN = lazy(r"[\s*_`$\"'“”‘’«»„「」『』¿¡#>]+")
_COMMA = lazy(r"[,，、;；]|\s[-–—]\s")
_COLON = lazy(r"[:：=]")
_WORD = lazy(r"[^\W\d_]+")


class Said(NamedTuple):
    """Statement of a text.

    Args:
        start: Start of the value, or of the words against it.
        end: End of that.
        value: The value as everybody writes it; None where none is stated.
        why: Evidence against it: the name of a field of `Table`, or "not_understood", "several".
    """

    start: int
    end: int
    value: str | None
    why: str = ""


class _Piece(NamedTuple):
    kind: str
    start: int
    end: int
    value: str = ""
    figures: bool = True


class _Sentence(NamedTuple):
    marked: bool
    said: Said | None
    names: bool = True
    retracts: bool = False
    offers: bool = False


def said_in(text: str, form: Form) -> Said | None:
    """Return a text's statement if a table has its language; None if it says nothing of an answer.

    >>> said_in("La respuesta no es 41, sino 42.", "number")
    Said(start=28, end=30, value='42', why='')
    >>> said_in("Creo que la respuesta es la C.", "label").value, said_in("答えはCかもしれません。", "label").why
    ('C', 'doubted')
    """
    table = table_of(text)
    if table is None:
        return None
    answer: Said | None = None
    stated: Said | None = None
    waiting = False
    for start, end in _sentences(text):
        found = _judged(table, text, start, end, form)
        if found.retracts:
            answer, waiting = Said(start, end, None, "retracting") if answer else None, True
        if found.offers and answer is not None and answer.value is not None:
            answer = Said(start, end, None, "offered")
        elif found.said is not None and (found.marked or waiting):
            if found.said.value is None and not found.names and answer is None:
                continue  # "we look for the answer"
            other = answer.value if answer is not None and found.said.why == "denied" else None
            if other is None or not found.names or other in text[start:end]:  # another value is denied
                answer, waiting = found.said, False
        elif found.said is not None and found.said.value is None and not found.names:
            answer = found.said if answer is not None else None  # "that is wrong"
            stated = found.said if stated is not None else None
        elif found.said is not None:
            stated = found.said
    return answer or stated


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Sentences with their signs at the end."""
    start = max(0, len(text) - _LONGEST)
    for stop in _STOP.finditer(text, start):
        if text[start : stop.start()].strip(" *_#>\"'”’»)"):
            yield start, stop.end()
        start = stop.end()
    if text[start:].strip():
        yield start, len(text)


def _judged(table: Table, text: str, start: int, end: int, form: Form) -> _Sentence:
    """Judge one sentence."""
    pieces = _pieces(table, text, start, end, form)
    retracts = any(each.kind == "retracting" for each in pieces)
    if retracts:
        last = max(place for place, each in enumerate(pieces) if each.kind == "retracting")
        pieces = pieces[last + 1 :]
    known = [each for each in pieces if each.kind != "comma"]
    offers = bool(known) and known[0].kind == "offered"
    asks = text[start:end].rstrip(" *_\"'”’»)")[-1:] in ("?", "？") or any(
        each.kind == "asked" for each in pieces
    )
    marked = any(each.kind in ("answer", "choose", "right") for each in pieces)
    if asks and (marked or any(each.kind == "value" for each in pieces)):
        return _Sentence(marked, Said(start, end, None, "asked"), True, retracts)
    names = any(each.kind == "value" for each in pieces)
    pieces = _because(table, _without_openings(pieces))
    turns = [place for place, each in enumerate(pieces) if each.kind in ("turns", "instead")]
    if turns:
        denied_by = pieces[turns[-1]].kind == "instead"
        left, pieces = pieces[: turns[-1]], pieces[turns[-1] + 1 :]
        inherits = any(each.kind in ("answer", "choose") for each in left) and (
            not any(each.kind in ("answer", "choose") for each in pieces)
        )
        if inherits:
            denies = denied_by or any(each.kind == "denied" for each in left)
            # Of words the wrong ones are not known, either; a number or label has none around it.
            denies = denies and (form == "text" or all(each.kind != "unknown" for each in left))
            stated = (
                _statement(text, [_Piece("answer", start, start), *pieces], form, table) if denies else None
            )
            return _Sentence(
                True, stated or Said(start, end, None, "not_understood"), names, retracts, offers
            )
        marked = any(each.kind in ("answer", "choose", "right") for each in pieces)
    return _Sentence(marked, _statement(text, pieces, form, table), names, retracts, offers)


def _without_openings(pieces: list[_Piece]) -> list[_Piece]:
    """A sentence without clauses before it that only say when or how: "after checking all of it, "."""
    start = 0
    for place, each in enumerate(pieces):
        clause = pieces[start:place]
        if each.kind == "comma" and clause:
            if "opening" not in (clause[0].kind, clause[-1].kind) or any(
                other.kind in _AGAINST or other.kind in ("answer", "choose") for other in clause
            ):
                break
            start = place + 1
    return pieces[start:]


def _because(table: Table, pieces: list[_Piece]) -> list[_Piece]:
    """The side of a sentence that its reason does not stand on."""
    places = [place for place, each in enumerate(pieces) if each.kind == "because"]
    if not places:
        return pieces
    if table.reason_first:
        return pieces[places[-1] + 1 :]
    return pieces[: places[0]] if places[0] else pieces[1:]


def _statement(text: str, pieces: list[_Piece], form: Form, table: Table) -> Said | None:
    """Return the statement of a clause; None if it says nothing of a value."""
    values = [each for each in pieces if each.kind == "value"]
    marked = any(each.kind in ("answer", "choose") for each in pieces)
    if any(each.kind == "right" for each in pieces) and form == "label" and values:
        marked = True
    against = next(
        (
            each
            for each in pieces
            if each.kind in _AGAINST and not (form == "number" and _is_space(pieces, each))
        ),
        None,
    )
    against = against or _anothers(pieces)
    if against is not None:
        all_known = all(each.kind != "unknown" for each in pieces)
        if marked or values or (all_known and against.kind in ("denied", "doubted")):
            kind = "reported" if against.kind == "reckoned" else against.kind
            return Said(against.start, against.end, None, kind)
        return None
    if not marked:
        return _bare(table, pieces, values) if form == "number" else None
    if form == "text" or (form == "label" and not values):
        return _region(text, pieces)
    if len({each.value for each in values}) != 1:
        return Said(pieces[0].start, pieces[-1].end, None, "several" if values else "not_understood")
    value = values[-1]
    place = pieces.index(value)
    unknown = [number for number, each in enumerate(pieces) if each.kind == "unknown"]
    behind = [number for number in unknown if number > place]
    counted = behind == list(range(place + 1, place + 1 + len(behind))) and len(behind) <= _COUNTED
    if len(behind) != len(unknown) or (behind and not counted):
        return Said(value.start, value.end, None, "not_understood")
    if behind and form == "label" and not text[value.start : value.end].endswith((")", "）", ".", ":", "：")):
        return Said(value.start, value.end, None, "not_understood")
    return Said(value.start, value.end, value.value)


def _is_space(pieces: list[_Piece], offering: _Piece) -> bool:
    """Return whether a word for alternatives has no value at its side: the distance between two towns."""
    place = pieces.index(offering)
    sides = (reversed(pieces[:place]), iter(pieces[place + 1 :]))
    near = [next((each.kind for each in side if each.kind not in ("fill", "comma")), "") for side in sides]
    return offering.kind == "offered" and "value" not in near and near[1] == "unknown"


def _anothers(pieces: list[_Piece]) -> _Piece | None:
    """The verb of somebody who comes to a value, where no word of the table is the subject, and nothing is counted."""
    reckoned = next((each for each in pieces if each.kind == "reckoned"), None)
    values = [place for place, each in enumerate(pieces) if each.kind == "value"]
    if reckoned is None or not values:
        return reckoned
    subject = any(each.kind == "unknown" for each in pieces[: values[-1]])
    counted = any(each.kind == "unknown" for each in pieces[values[-1] + 1 :])
    return reckoned if subject and not counted else None


def _bare(table: Table, pieces: list[_Piece], values: list[_Piece]) -> Said | None:
    """The value of a sentence that names no answer: its verb is known, and it has no other number."""
    if values and values[-1].figures:  # "adding the two values we get 27"
        values = [each for each in values if each.figures or len(each.value) > 1]
    if len({each.value for each in values}) != 1:
        return None
    value = values[-1]
    place = pieces.index(value)
    before, after = pieces[:place], pieces[place + 1 :]
    kinds = [each.kind for each in before]
    if len(kinds) > 1 and (name := _inverted(before)) is not None:
        kinds[name] = "fill"
    tied = 0
    while tied < len(kinds) and kinds[-1 - tied] in ("fill", "verbs", "reckoned", "is_", "comma"):
        tied += 1
    verb = any(kind in ("verbs", "reckoned", "is_") for kind in kinds[len(kinds) - tied :])
    ends = [each.kind for each in after]
    if not verb and not any(kind in ("verbs", "reckoned", "is_") for kind in ends):
        return None
    if ends.count("unknown") > (_COUNTED if verb else not table.spaced):
        return None
    return Said(value.start, value.end, value.value)


def _inverted(before: list[_Piece]) -> int | None:
    """The place of a name that stands behind its verb as the subject: "folglich hat Hans noch 7"."""
    places = [place for place, each in enumerate(before) if each.kind == "unknown"]
    if len(places) != 1 or not places[0] or before[places[0] - 1].kind != "verbs":
        return None
    return places[0] if before[places[0]].value.istitle() else None


def _region(text: str, pieces: list[_Piece]) -> Said | None:
    """The words that are said to be the answer: after the link, or before it where it ends the sentence."""
    marks = [place for place, each in enumerate(pieces) if each.kind in ("answer", "choose")]
    unknown = [place for place, each in enumerate(pieces) if each.kind in ("unknown", "value")]
    if not unknown:
        return None
    first, last = unknown[0], unknown[-1]
    tied = any(each.kind in ("is_", "choose") for each in pieces) or pieces[0].start == pieces[0].end
    if not tied:
        return Said(pieces[first].start, pieces[last].end, None, "not_understood")
    if last < marks[0] or first > marks[-1]:
        inside = pieces[first : last + 1]
        if any(each.kind in ("answer", "choose", "comma") for each in inside):
            return Said(pieces[first].start, pieces[last].end, None, "not_understood")
        start, end = pieces[first].start, pieces[last].end
        before = next((each for each in reversed(pieces[:first]) if each.kind != "fill"), None)
        if (
            first
            and before is not None
            and before.kind not in ("is_", "choose", "answer", "options", "right", "comma")
        ):
            return Said(start, end, None, "not_understood")
        return Said(start, end, text[start:end].strip(" *_\"'“”«»「」『』"))
    return Said(pieces[first].start, pieces[last].end, None, "not_understood")


def _pieces(table: Table, text: str, start: int, end: int, form: Form) -> list[_Piece]:
    """The words of a sentence with their kinds, in order."""
    found: list[_Piece] = []
    at = start
    stop = _STOP.search(text, start, end)
    end = stop.start() if stop else end
    labels = _LABEL if table.spaced else _LABEL_NO_BLANKS
    pattern, kinds = _known(table)
    while at < end:
        if (sign := _SIGN.match(text, at, end)) is not None:
            at = sign.end()
            continue
        if form == "label" and (label := labels.match(text, at, end)) is not None:
            found.append(_Piece("value", at, label.end(), label["label"]))
        elif form != "label" and (name := _NAME.match(text, at, end)) is not None:
            found.append(_Piece("is_", at, name.end()))
        elif form == "number" and (number := number_at(table, text, at)) is not None and number.end <= end:
            value = number.text
            unit = _unit(table).match(text, number.end)
            found.append(_Piece("value", at, unit.end() if unit else number.end, value, text[at].isdigit()))
        elif (known := pattern.match(text, at, end)) is not None:
            word = " ".join(known.group().lower().replace("’", "'").split())
            found.append(_Piece(kinds[word], at, known.end()))
        elif (comma := _COMMA.match(text, at, end)) is not None:
            found.append(_Piece("comma", at, comma.end()))
        elif (colon := _COLON.match(text, at, end)) is not None:
            found.append(_Piece("is_", at, colon.end()))
        elif (letters := _WORD.match(text, at, end)) is not None:
            begin = at
            if found and not table.spaced and found[-1].kind == "unknown" and found[-1].end == at:
                begin = found.pop().start  # one stretch, however many words it has
            found.append(_Piece("unknown", begin, letters.end() if table.spaced else at + 1, letters.group()))
        elif text[at].isdigit():
            found.append(_Piece("unknown", at, at + 1))
        else:
            found.append(_Piece("fill", at, at + 1))
        at = found[-1].end
    return found


@cache
def _known(table: Table) -> tuple[re.Pattern[str], dict[str, str]]:
    """The words of a table, longest first, and the kind of each."""
    kinds = {word: kind for kind in reversed(_KINDS) for word in words(getattr(table, kind))}
    edge = r"(?!\w)" if table.spaced else ""
    spelled = "|".join(_spelled(word, edge) for word in sorted(kinds, key=len, reverse=True))
    return re.compile(spelled, re.IGNORECASE), kinds


def _spelled(word: str, edge: str) -> str:
    plain = re.escape(word).replace(r"\ ", r"\s{1,3}").replace("'", "['’]")
    return plain if word.endswith(("'", "’")) else plain + edge


@cache
def _unit(table: Table) -> re.Pattern[str]:
    known = sorted(table.pairs["units"], key=len, reverse=True)
    spelled = "|".join(map(re.escape, known)) or "(?!)"
    return re.compile(rf"\s{{0,2}}(?:{spelled})(?!\w)" if table.spaced else f"(?:{spelled})", re.IGNORECASE)
