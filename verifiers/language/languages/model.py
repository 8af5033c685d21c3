"""What there is to know of a language in order to read an answer in it."""

from __future__ import annotations

from dataclasses import dataclass

from .choice_model import ChoiceWords
from .tries import Later


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
        edges: What comes before and after a word that is not part of a longer one.
        keywords: Words in lower case: each mark and each label begins with one.
        marks: What a value follows: "answer is", each with what has to come before it: "the best" "choice is".
        labels: The same as a title, before a colon, in brackets or on a line of its own: "Answer".
        final: What makes a label the last word: "final".
        so: Before a sentence that concludes: "therefore".
        links: Between the subject of a sentence and the value at its end, where no denial can follow it.
        remarks: After the value: what only rounds the sentence off, or goes on about it.
        points_on: What says that the answer is below: "as follows".
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
        prose: What shows that a short text is a sentence and not an answer.
        negators: What makes a clause after a value a denial, where no ending states the value.
        objects: After a value: what makes it, or what it counts, the object of a verb.
        besides: Before a second value that is said of the same: "동시에".
        restated: Between a value and another way to write it: "that is", "즉".
        reporting: Before an answer phrase, what it depends on: "doubt that", "认为".
        reported_before: Before an answer phrase: that another says it: "he said that".
        reported: After the value, where the verb stands there: "라고 했다"; empty where it stands before.
        opposing: In the clause of such words: each turns it round: "doubt", "not", "hard to".
        breaks: What such a clause does not reach across: "but".
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
        turning: Where such a sentence goes on to what is not under it: "but".
        unsaid: After a value: what the rest of its sentence takes back, doubts, or puts under a condition.
        wavering: After an answer, before another value that it may be as well: "then again, it could be".
        sharing: After another value: that it is the answer as well: "is also acceptable".
        predicates: How a sentence ends whose verb stands last; empty where the verb stands before the value.
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
