"""What there is to know of a language in order to read which option a text takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceWords:
    r"""The words around the label of an option in one language, as regular expressions.

    A field holds alternatives, joined with those of the other languages. What a language does not need stays empty.
    Only what is about options stands here; what is about any answer is in `Language`. Every repetition is bounded or
    possessive, as there.

    Args:
        direct: An answer's noun with its label right after it: "정답 ③".
        choosing: What a label follows that is chosen: "choose", "선택은", "选". A verb is the group ``verb``.
        titles: The same as a title before a colon: "final choice".
        answer_titles: The same before a closing bracket: "answer)".
        chooser: Before such a verb: the speaker, nobody, or that it is to be done. What others choose says nothing.
        others_choose: Before it: who speaks of others, or of what was or may be.
        not_chosen: Directly before such a word: it is not chosen.
        adverbs: Words between such a phrase and its label that change nothing.
        denied_before: Before a label that is not the one: "not".
        but: Between "not B" and the label that is right.
        either: Before labels of which none is chosen: "one of".
        both: Before labels that are all chosen.
        one_of: After labels of which none is chosen: "③번과 ④번 중 하나".
        answer_denied: In the sentence of an option that is put first: that it is not the answer.
        sentence_denied: At the end of a sentence that says "the answer is": that it is not.
        second_thoughts: Between two answers: the first is taken back.
        verdicts: At an option's text: that it is not the one.
        otherwise: Before a second label that is offered beside the first.
        reasons: Words that go on after a label that is chosen: "because".
        causes: Those that give a reason and nothing else, for a label without a mark: "since".
        topic: Ends the words that a label is said to be: "the culprit is", "범인은".
        leading: The same where the clause may be denied: "this corresponds to".
        pitfall: Names of what people fall for: what is said to be one is not chosen: "mistake".
        denying: In such a clause: that it does not.
        topic_corrected: The same with what it is not in between: "범인은 A가 아닌".
        connectors: What a conclusion begins with: "therefore".
        answer_noun: In what is said of a label: that it is the answer, or is chosen.
        judged: In what is said of a label: that it is right.
        judging: After a label in an exam's own style: "②로 보는 것이 타당하다", "is the best choice".
        nominal: After a label: what singles it out, and what it is said to be, the group ``noun``.
        not_nominal: A noun phrase in which another clause ends.
        cases: In a sentence before a label: it holds only under a condition, or in what another says.
        hypothetical: The same before a mark of the answer itself.
        sole: Before a label that alone does what follows: "only".
        suits: After such a label, or one that concludes: that it fits, at the end of the sentence.
        hardly: After a label, without a sign between: that it does not quite.
        contrast: Between a label and another one that is not the one: ", not".
        negated: After a word that states: it does not after all.
        described: After a label that is spoken of, and not singled out: "①은 옳다".
        verbless: After a label, a word that is no verb of a sentence about it.
        only: After labels that are all of the answer.
        person: What a line of somebody's words begins with, before its colon.
        text_stated: An option's text after its label, and the ending of a sentence: "2. 그러나입니다".
        said_by_others: Ends what is said of a label when somebody says it; the verb that follows must be known to hold.
        because: Ends what is said of a label in a clause that gives the reason for another.
        taken_back: After a label: another may be right as well, or the label only counts: "the third sentence".
        but_another: The same before another label: "but maybe".
        against: Where a clause begins that what was supposed before it does not reach: "but".
        no_label_after: Before a letter, a word that makes no label of it: "vitamin" C, "plan" B.
        noun_before: What an option may be announced by: "option", "선택지".
        noun_after: What may stand at a label itself: "3번", "B项".
        option_noun: What may follow a label and say no more than that it is one: "②번 선택지".
        ordinals: Words that count, each with its number.
        ordinal_before: Before such a word.
        ordinal_noun: After it.
        places: Nouns by whose number something is found or counted, and no option chosen: "2번 지문".
        and_: Between labels that are named together.
        or_: Between labels of which one is meant.
    """

    direct: str = ""
    choosing: str = ""
    titles: str = ""
    answer_titles: str = ""
    chooser: str = ""
    others_choose: str = ""
    not_chosen: str = ""
    adverbs: str = ""
    denied_before: str = ""
    but: str = ""
    either: str = ""
    both: str = ""
    one_of: str = ""
    answer_denied: str = ""
    sentence_denied: str = ""
    second_thoughts: str = ""
    verdicts: str = ""
    otherwise: str = ""
    reasons: str = ""
    causes: str = ""
    topic: str = ""
    leading: str = ""
    pitfall: str = ""
    denying: str = ""
    topic_corrected: str = ""
    connectors: str = ""
    answer_noun: str = ""
    judged: str = ""
    judging: str = ""
    nominal: str = ""
    not_nominal: str = ""
    cases: str = ""
    hypothetical: str = ""
    sole: str = ""
    suits: str = ""
    hardly: str = ""
    contrast: str = ""
    negated: str = ""
    described: str = ""
    verbless: str = ""
    only: str = ""
    person: str = ""
    text_stated: str = ""
    said_by_others: str = ""
    because: str = ""
    taken_back: str = ""
    but_another: str = ""
    against: str = ""
    no_label_after: str = ""
    noun_before: str = ""
    noun_after: str = ""
    option_noun: str = ""
    ordinals: tuple[tuple[str, str], ...] = ()
    ordinal_before: str = ""
    ordinal_noun: str = ""
    places: str = ""
    and_: str = ""
    or_: str = ""
