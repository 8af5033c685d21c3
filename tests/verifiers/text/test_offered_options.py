"""Where a sentence begins, and which labels are offered rather than chosen."""

from __future__ import annotations

from tests.support import from_table
from verifiers.text.offered_options import Choice, offered
from verifiers.text.option_labels import LONGEST_SENTENCE, group_at, sentence_start


def test_a_sentence_begins_after_the_last_stop() -> None:
    """Or with the text, or where nobody looks further back."""
    assert sentence_start("Answer B", 5) == 0
    assert sentence_start("No. Answer B", 7) == 3
    assert sentence_start("x" * 1000, 900) == 900 - LONGEST_SENTENCE


@from_table()
def test_labels_between_which_one_may_choose(text: str, offered: bool) -> None:
    """An "or" and a range offer; a list says all of them."""
    group = group_at(text, 0)
    assert group is not None
    assert len(group.choice.labels) == 2
    assert group.offered is offered


def test_one_label_is_no_list_of_options() -> None:
    """A question that ends with "Plan A." offers nothing."""
    wanted = frozenset({Choice("letter", frozenset("A"))})
    assert offered("Pick one. A. red", wanted) == ()
    assert offered("Pick one. A. red B. blue", wanted) == (("A", "red"), ("B", "blue"))
