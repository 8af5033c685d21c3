"""Data model of a language: the words for reading an answer and the choice of an option."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ...runtime.records import dataclass


class Later:
    """A fragment that is put together when the first text asks for it: a string of one piece, as `join` sees it.

    Args:
        made: Makes the fragment.
    """

    def __init__(self, made: Callable[[], str]) -> None:
        self._made = made
        self._text: str | None = None

    def __iter__(self) -> Iterator[str]:
        if self._text is None:
            self._text = self._made()
        yield self._text


_Node = dict[str, "_Node"]


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first; a blank in a word stays a blank.

    >>> any_of(["다", "답", "다면"])
    '(?:다(?:면)?|답)'
    """
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _pattern(root)


def _pattern(node: _Node) -> str:
    branches = []
    ends = False
    for first, after in node.items():
        if not first:
            ends = True
            continue
        run, below = first, after
        while len(below) == 1 and "" not in below:  # a run without a fork
            (char,) = below
            run, below = run + char, below[char]
        start = run if run.isalnum() else re.escape(run).replace("\\ ", " ")
        branches.append(start + (_pattern(below) if set(below) != {""} else ""))
    if not branches:
        return ""
    inside = "|".join(branches)
    return f"(?:{inside})?" if ends else f"(?:{inside})" if len(branches) > 1 else inside


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceWords:
    r"""The words around the label of an option in one language, as regular expressions.

    A field holds alternatives, joined with those of the other languages. What a language does not need stays empty.
    Only what is about options stands here; what is about any answer is in `Language`. Every repetition is bounded or
    possessive, as there.

    Args:
        direct: An answer's noun with its label right after it: "정답 ③".
        choosing: Words before a chosen label: "choose", "선택은", "选". A verb is the group ``verb``.
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
        connectors: Words that begin a conclusion: "therefore".
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
        person: Beginning of a speaker's line, before its colon.
        text_stated: An option's text after its label, and the ending of a sentence: "2. 그러나입니다".
        said_by_others: Ends what is said of a label when somebody says it; the verb that follows must be known to hold.
        because: Ends what is said of a label in a clause that gives the reason for another.
        taken_back: After a label: another may be right as well, or the label only counts: "the third sentence".
        but_another: The same before another label: "but maybe".
        against: Words that end the reach of a supposition: "but".
        no_label_after: Before a letter, a word that makes no label of it: "vitamin" C, "plan" B.
        noun_before: Nouns before an option: "option", "선택지".
        noun_after: Nouns attached to a label: "3번", "B项".
        option_noun: Nouns after a label that add nothing: "②번 선택지".
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


@dataclass(frozen=True, eq=False)
class Language:
    r"""The words around an answer in one language, as pattern fragments.

    A fragment is a regular expression in which a blank stands for the white space that the language
    writes between words (`blank`), and ``<>`` for the place of the value, which has its own signs around it.
    Every repetition in a fragment is bounded or possessive (``\s{0,2}``, ``\s*+``), so that every search takes
    linear time; tests/verifiers/language/test_blanks.py reads all of them.

    Args:
        name: Its English name.
        script: One letter of its script: where none is, the language is not asked.
        blank: The white space between words: ``\s{1,4}`` where it is needed, ``\s{0,2}`` where it is not.
        edges: Boundaries of a word.
        keywords: Words in lower case: each mark and each label begins with one.
        marks: Words before a value: "answer is", each with its required beginning: "the best" "choice is".
        labels: The same as a title, before a colon, in brackets or on a line of its own: "Answer".
        final: Words that make a label final: "final".
        so: Before a sentence that concludes: "therefore".
        links: Between the subject of a sentence and the value at its end, where no denial can follow it.
        remarks: After the value: what only rounds the sentence off, or goes on about it.
        points_on: Words that point below: "as follows".
        stated: After a value: an ending that says it is so.
        denied_before: Before a value: "not".
        denied: After a value: "is wrong".
        corrected_before: Before the wrong one of two values: "rather than".
        corrected: After the wrong one, where the right one follows: "3이 아니라 4".
        but: Between "not 3" and the value that is right.
        doubted_before: Before a value that is not certain: "maybe".
        doubted: After one.
        supposed_before: Before a value that is only supposed: "if it were".
        supposed: After one.
        compared_before: Before a value that bounds or changes another: "at least", "twice".
        compared: After one: "or more", "이상".
        asked: After a value that is asked about, where a question mark may be missing.
        either: Before the first of several alternatives: "either".
        or_: Between alternatives.
        and_: Between parts of one answer.
        unknown: A sentence that says that there is no answer: "cannot be determined".
        changing: Words in a sentence that make its number another one, or none: "twice", "영하".
        about: Before a rounded value: "about".
        numerals: Numbers with words in them: "3만 5천".
        prose: Signs that a short text is a sentence and not an answer.
        negators: Words that make a clause after a value a denial, if no ending states the value.
        objects: After a value: what makes it, or what it counts, the object of a verb.
        besides: Before a second value that is said of the same: "동시에".
        restated: Between a value and another way to write it: "that is", "즉".
        reporting: Before an answer phrase, what it depends on: "doubt that", "认为".
        reported_before: Before an answer phrase: that another says it: "he said that".
        reported: After the value, where the verb stands there: "라고 했다"; empty where it stands before.
        opposing: In the clause of such words: each turns it round: "doubt", "not", "hard to".
        breaks: Words that end the reach of such a clause: "but".
        retracting: Opens a sentence that takes the last answer back: "no,", "that is wrong".
        hesitating: Opens one that does so only where another value follows at once: "wait", "actually".
        righted: Before that value: "it should be".
        nouns: Names of a value that may stand between such words and the value: "option", "number".
        choices: The words about options.
        rethinking: Opens a sentence in which the writer looks again, and whose last value counts: "rechecking".
        concluding: Before a value that such a sentence ends with: "so it's".
        adding: After an answer, before another one that is given beside it: "and also", "or".
        added: After an answer and another value, that this one is right, too: "is fine too".
        common: Everyday words that show the language where its script does not, and that no neighbour has.
        affirming: Words of the clause that a phrase depends on: "I think that", "it is clear that". Any other word
            there is not understood; none where what governs a phrase follows its value.
        conditional: In the sentence before a phrase: it holds only under a condition, or in what somebody says.
        turning: Words after which such a sentence no longer applies: "but".
        unsaid: After a value: what the rest of its sentence takes back, doubts, or puts under a condition.
        wavering: After an answer, before another value that it may be as well: "then again, it could be".
        sharing: After another value: that it is the answer as well: "is also acceptable".
        predicates: Endings of sentences with the verb at the end; empty if the verb precedes the value.
        citing: Directly after a value, where such a verb says who says so, or what of it: "이라고".
        undoing: Opens the sentence after an answer that offers another or excuses the first: "alternatively", "sorry".
        answer: The noun of an answer, where a sentence that has it must tie its value to it in known words.
        reasons: After a value: a clause that gives the reason, whose denials are of something else.
        subject_first: After the subject of a sentence: that it is the answer.
        subject_led: Before a value in such a sentence: "we end up with", before "as the answer".
        judged_after: Opens the sentence after an answer that says of it that it is wrong, or not certain.
        pointing: Words that only point at a value, or speak of one: "this", "which", "says".
        questions: Titles of a question, before a colon or on a line of its own: "Question".
        unsure: In a sentence, or in the one before an answer: that its writer only guesses: "I'm not sure".
        factorials: Words of a text that counts orders: an exclamation mark behind a number is a factorial there.
        disowned: A clause with its value, ``<>``, that is a hunch, a slip, or what somebody else reckons: "my gut says
            <>", "<> is what a careless reader gets".
        asides: Sentences after an answer that only check it, or give the reason: "check: ", "기 때문이다".
        rejecting: Before a value that is not the one, unless something is counted: "rejected 42", "42 applications".
        ties: Directly before a number without a noun: that somebody has it, that it is left, paid, obtained.
        tied: The same after it; without any of these words the number just stands there.
        naming: Directly before a number that only names a thing: "number", "a".
        named: The same after it: "호선", "楼".
        ours: Before a number: that a thing of the writer's is spoken of: "my locker".
        neutral: Words that may stand in any sentence about a number: "in total", "the value".
        stem: Characters in which a word's forms agree; 0 where no blanks are written, and pairs of signs are taken.
        endings: Endings that are cut off a word.
    """

    name: str
    script: str
    blank: str
    edges: tuple[str, str]
    keywords: tuple[str, ...]
    marks: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]
    final: tuple[str, ...]
    so: tuple[str, ...]
    links: tuple[str, ...]
    remarks: tuple[str, ...]
    points_on: tuple[str, ...]
    stated: tuple[str | Later, ...]
    denied_before: tuple[str, ...]
    denied: tuple[str | Later, ...]
    corrected_before: tuple[str, ...]
    corrected: tuple[str, ...]
    but: tuple[str, ...]
    doubted_before: tuple[str, ...]
    doubted: tuple[str | Later, ...]
    supposed_before: tuple[str, ...]
    supposed: tuple[str | Later, ...]
    compared_before: tuple[str, ...]
    compared: tuple[str, ...]
    asked: tuple[str | Later, ...]
    either: tuple[str, ...]
    or_: tuple[str, ...]
    and_: tuple[str, ...]
    unknown: tuple[str, ...]
    changing: tuple[str, ...]
    about: tuple[str, ...]
    numerals: tuple[str, ...]
    prose: tuple[str, ...]
    negators: tuple[str, ...]
    objects: tuple[str, ...]
    besides: tuple[str, ...]
    restated: tuple[str, ...]
    reporting: tuple[str, ...]
    reported_before: tuple[str, ...]
    reported: tuple[str, ...]
    opposing: tuple[str, ...]
    breaks: tuple[str, ...]
    retracting: tuple[str, ...]
    hesitating: tuple[str, ...]
    righted: tuple[str, ...]
    nouns: tuple[str, ...]
    choices: ChoiceWords
    questions: tuple[str, ...] = ()
    rethinking: tuple[str, ...] = ()
    concluding: tuple[str, ...] = ()
    adding: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    affirming: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    wavering: tuple[str, ...] = ()
    judged_after: tuple[str, ...] = ()
    subject_led: tuple[str, ...] = ()
    subject_first: tuple[str | Later, ...] = ()
    pointing: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    undoing: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    citing: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    disowned: tuple[str, ...] = ()
    factorials: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    rejecting: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    stem: int = 0
    endings: tuple[str, ...] = ()
