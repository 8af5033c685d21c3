"""Whether labels that follow each other are the list of options, copied, and no choice of one."""

from __future__ import annotations

from collections.abc import Iterator

from ...runtime.patterns import lazy
from .groups import Group, group_at
from .labels import Label, is_item, label_at, next_name

_LONGEST = 300
"""Characters of a line that are looked through."""
_ENUMERATED = 40_000
"""Characters in which the next item of an enumeration may begin."""
_BULLET = lazy(r"[ \t>•\-]*")
_LEADING = lazy(r"[\s>:#•\-–]*")
_PLACE = lazy(r"(?<=[\s,;/|.)])(?=\S)")


def is_copied(text: str, group: Group, *, anywhere: bool = False) -> bool:
    """Whether the list of options follows a label: the next one, written as the first is.

    Args:
        text: A text without its setting.
        group: What may be the list's first label.
        anywhere: Whether the next label may begin any later line, as in an enumeration.
    """
    first = group.labels[0]
    following = next_name(first)
    if len(group.labels) > 1 or following is None or first.shape == "text":
        return False
    line_end = text.find("\n", group.end)
    line_end = line_end if line_end >= 0 else len(text)
    names = {each.name for each in _in_line(text, first, group.end, min(line_end, group.end + _LONGEST))}
    if first.name in names:
        return False  # the options are gone through
    if following in names or len(names) > 1:
        return True
    alone = not text[group.end : line_end].strip(" .)")
    at, limit = line_end, min(len(text), line_end + (_ENUMERATED if anywhere else _LONGEST))
    while 0 <= at < limit:
        bullet = _BULLET.match(text, at + 1)
        at = bullet.end() if bullet else at + 1
        label = label_at(text, at)
        if label is not None and label.kind == first.kind and is_item(text, label):
            stop = text.find("\n", label.end)
            column = not text[label.end : stop if stop >= 0 else len(text)].strip(" .)")
            return label.name == following and column == alone
        if not anywhere:
            return False
        at = text.find("\n", at)
    return False


def _in_line(text: str, first: Label, start: int, end: int) -> Iterator[Label]:
    """Labels in a line that stand before a text, as the first does."""
    for place in _PLACE.finditer(text, start, end):
        label = label_at(text, place.end())
        if (
            label is not None
            and label.kind == first.kind
            and label.shape == first.shape
            and is_item(text, label)
        ):
            yield label


def follows_label(text: str, line: int) -> bool:
    """Whether the line before holds nothing but a label, too: a column of labels chooses none."""
    end = len(text[:line].rstrip())
    leading = _LEADING.match(text, text.rfind("\n", 0, end) + 1)
    group = group_at(text, leading.end() if leading else 0)
    return group is not None and group.end <= end and not text[group.end : end].strip(" .)*")
