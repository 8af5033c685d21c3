"""Korean instructions: levels of speech, syllables, particles, initials, spacing, respect, numbers in Hangul.

What is Korean here, endings and words, stands in `verifiers.language.instruction_words`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..language import instruction_words as style
from ..language.instruction_words import KOREAN_OTHERS
from .counted_texts import Piece, Text, item_mark, pieces
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, kind
from .whole_texts import first_of

_WHITE = re.compile(r"[^\S\n]")
_LINE_LABEL = re.compile(r"^(?:\s|[-*+•>#]|\d{1,3}[.)]|[\"'“(\[])+")
_CLOSERS = "\"'”’」』)]*_~ \t"


@KINDS.register
@kind("ko:style:speech_level", "style:speech_level")
class SpeechLevel(Kind):
    """Every sentence ends at one level of speech.

    A sentence without a predicate at its end counts against it, unless it is an item of a list; a heading is
    no sentence.

    Args:
        level: Its Korean name, such as the ones of haeyo-che, hapsyo-che and banmal.
    """

    level: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        if self.level.strip() in style.LEVEL_NAMES:
            return ""
        return f"there is no level {self.level!r:.60}; known: {', '.join(style.LEVEL_NAMES)}"

    def judge(self, text: Text) -> Outcome:
        taken = style.LEVEL_NAMES[self.level.strip()]
        good = 0
        for sentence in text.sentences:
            level = style.level_of(sentence.text.rstrip(_CLOSERS))
            if level in taken:
                good += 1
            elif level or not _is_item(text.text, sentence):
                said = f"{sentence.text[-40:]!r} is {level or 'at no level'}"
                return Outcome(False, said, (sentence.start, sentence.end))
        return Outcome(good > 0, f"{good} of {len(text.sentences)} sentences")


def _is_item(whole: str, sentence: Piece) -> bool:
    start = whole.rfind("\n", 0, sentence.start) + 1
    end = whole.find("\n", sentence.end)
    return bool(item_mark(whole[start : end if end >= 0 else len(whole)]))


@KINDS.register
@kind("ko:length_constraints:number_syllables", "length_constraints:number_syllables")
class NumberOfSyllables(Kind):
    """The response has so many syllables of Hangul; lone jamo are none.

    Args:
        num_syllables: Number of syllables.
        relation: Comparison with their count.
    """

    num_syllables: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        return counted(len(style.SYLLABLE.findall(text.text)), self.relation, self.num_syllables, "syllables")


@KINDS.register
@kind("ko:length_constraints:number_eojeol", "length_constraints:number_eojeol")
class NumberOfEojeol(Kind):
    """The response has so many eojeol: what stands between blanks and holds a letter or a digit.

    Args:
        num_eojeol: Number of eojeol.
        relation: Comparison with their count.
    """

    num_eojeol: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        return counted(len(_eojeol(text)), self.relation, self.num_eojeol, "eojeol")


def _eojeol(text: Text) -> list[Piece]:
    return [each for each in pieces(re.compile(r"\S+"), text.text) if any(map(str.isalnum, each.text))]


def _with_particle(text: Text, particle: str) -> list[Piece]:
    """Words that end with a particle, or with one of a pair such as those of the object."""
    wanted = style.PARTICLES.get(particle.strip(), tuple(each.strip() for each in particle.split("/")))
    words = pieces(style.HANGUL_WORD, text.text)
    return [word for word in words if any(style.has_particle(word.text, each) for each in wanted)]


@KINDS.register
@kind("ko:particles:frequency", "particles:frequency")
class ParticleFrequency(Kind):
    """So many words bear a particle.

    Args:
        particle: The particle, or a pair of them with a stroke between.
        frequency: Number of occurrences.
        relation: Comparison with their count.
    """

    particle: str = REQUIRED
    frequency: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        found = _with_particle(text, self.particle)
        first = (found[0].start, found[0].end) if found else None
        return counted(len(found), self.relation, self.frequency, f"words with {self.particle!r}", first)


@KINDS.register
@kind("ko:particles:forbidden", "particles:forbidden")
class ForbiddenParticles(Kind):
    """No word bears one of some particles.

    Args:
        particles: The particles, or pairs of them with a stroke between.
    """

    particles: tuple[str, ...] = REQUIRED

    def judge(self, text: Text) -> Outcome:
        for particle in self.particles:
            found = _with_particle(text, particle)
            if found:
                return absent(found[0], f"word with {particle!r}")
        return Outcome(True, f"none of {len(self.particles)} particles")


@KINDS.register
@kind("ko:initials:words", "initials:words")
class InitialConsonant(Kind):
    """Every word begins with a given consonant.

    Args:
        initial: The consonant.
    """

    initial: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        if len(self.initial.strip()) == 1 and self.initial.strip() in style.INITIALS:
            return ""
        return f"{self.initial!r:.60} is no consonant with which a syllable begins"

    def judge(self, text: Text) -> Outcome:
        wanted = self.initial.strip()
        words = [word.text for word in text.words]
        other = next((word for word in words if style.initial_of(word[0]) != wanted), None)
        return Outcome(
            bool(words) and other is None, f"{len(words)} words" if other is None else f"{other[:40]!r}"
        )


@KINDS.register
@kind("ko:initials:acrostic", "initials:acrostic")
class Acrostic(Kind):
    """The lines begin with the syllables of a word, one line for each.

    Args:
        word: The word.
    """

    word: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted = "".join(self.word.split())
        lines = [_LINE_LABEL.sub("", line).strip() for line in text.lines]
        found = "".join(line[0] for line in lines if line)
        return Outcome(found == wanted, f"the lines begin with {found[:40]!r}")


@KINDS.register
@kind("ko:initials:law", "initials:law")
class InitialSoundLaw(Kind):
    """No word begins as the law of initial sounds forbids, as far as a list of such words goes."""

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(style.INITIAL_LAW, text.text), "word against the law of initial sounds")


@KINDS.register
@kind("ko:startend:sentence_unified_end")
class KoreanUnifiedEnding(Kind):
    """Every sentence ends alike.

    Args:
        ending: How.
    """

    ending: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted = self.ending.strip().rstrip(".!?")
        for sentence in text.sentences:
            if not sentence.text.rstrip(_CLOSERS + ".!?\u2026").endswith(wanted):
                return Outcome(
                    False, f"{sentence.text[-40:]!r} ends otherwise", (sentence.start, sentence.end)
                )
        return Outcome(bool(text.sentences), f"all of {len(text.sentences)} sentences")


@KINDS.register
@kind("ko:language:no_foreign", "language:no_foreign")
class NoForeignWords(Kind):
    """Letters are of Hangul only; loanwords in Hangul are Korean.

    Args:
        allowed: Words of other scripts that may stand there.
    """

    allowed: tuple[str, ...] = ()

    def judge(self, text: Text) -> Outcome:
        allowed = {each.casefold() for each in self.allowed}
        found = (each for each in pieces(KOREAN_OTHERS, text.text) if each.text.casefold() not in allowed)
        return absent(next(found, None), "foreign word")


@KINDS.register
@kind("ko:spacing:basic", "spacing:basic")
class BasicSpacing(Kind):
    """No blank is missing or too many, by rules for bound nouns, particles and marks of punctuation."""

    def judge(self, text: Text) -> Outcome:
        for pattern, what in style.SPACING:
            for found in pattern.finditer(text.text):
                start = found.start()
                word = style.HANGUL_WORD.search(text.text[max(0, start - 2) : found.end()])
                if word is not None and word.group() in style.NOT_THE_NOUN_SU:
                    continue
                shown = text.text[max(0, start - 8) : found.end() + 6]
                return Outcome(False, f"{what} in {shown!r}", found.span())
        return Outcome(True, "no fault by these rules")


@KINDS.register
@kind("ko:spacing:none", "spacing:none")
class NoSpaces(Kind):
    """No blank stands in the response; line breaks may."""

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(_WHITE, text.stripped), "blank")


def _plain(sentence: str) -> str:
    return " ".join(re.sub(r"[\"'\u201c\u201d\u2018\u2019*_`]", "", sentence).split())


@dataclass(frozen=True, repr=False)
class _AtTheEdge(Kind):
    """A given sentence is the first or the last one; what dresses it counts for nothing.

    Args:
        sentence: The sentence.
    """

    place: ClassVar[int] = 0
    sentence: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted = _plain(self.sentence)
        # A given sentence may be several by the stops in it.
        whole = _plain(text.text)
        if self.place == 0:
            good = whole.startswith(wanted) and not whole[len(wanted) : len(wanted) + 1].isalnum()
            good = good and (
                wanted[-1] in ".!?\u2026" or whole[len(wanted) : len(wanted) + 1] in ("", ".", "!", "?")
            )
            return Outcome(good, f"it begins with {whole[:60]!r}")
        # A sentence that was given without its stop may have one.
        whole = whole if wanted[-1] in ".!?\u2026" else whole.rstrip(".!?\u2026")
        before = whole[: -len(wanted)].rstrip()
        good = whole.endswith(wanted) and (
            not before or before[-1] in ".!?\u2026:" or text.stripped.count("\n") > 0
        )
        return Outcome(good, f"it ends with {whole[-60:]!r}")


@KINDS.register
@kind("ko:startend:first_sentence", "startend:first_sentence")
class FirstSentence(_AtTheEdge):
    """A given sentence is the first one."""

    place: ClassVar[int] = 0


@KINDS.register
@kind("ko:startend:last_sentence", "startend:last_sentence")
class LastSentence(_AtTheEdge):
    """A given sentence is the last one."""

    place: ClassVar[int] = -1


@KINDS.register
@kind("ko:style:honorific_to", "style:honorific_to")
class HonorificTo(Kind):
    """A person is spoken of with respect: particles of respect, and a predicate of respect in that sentence.

    The person is to be mentioned at least once.

    Args:
        person: Name of the person.
    """

    person: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        name = self.person.strip()
        mentions = 0
        for sentence in text.sentences:
            if name not in sentence.text:
                continue
            mentions += 1
            problem = _disrespect(sentence.text, name)
            if problem:
                return Outcome(False, problem, (sentence.start, sentence.end))
        return Outcome(mentions > 0, f"{mentions} sentences about {name!r}")


def _disrespect(sentence: str, name: str) -> str:
    """Return the fault in a sentence about a person; "" if there is none."""
    after = re.escape(name)
    plain = re.search(
        f"{after}(?:{'|'.join((*style.HONOURED_SUBJECT, *style.PLAIN_DATIVE))})(?![^\\W_])", sentence
    )
    if plain:
        return f"{plain.group()!r} has a particle without respect"
    words = style.HANGUL_WORD.findall(sentence)
    if not any(style.RESPECTFUL_PREDICATE.search(word) for word in words):
        return f"no predicate of respect in {sentence[-40:]!r}"
    return ""


@KINDS.register
@kind("ko:numbers:in_hangul", "numbers:in_hangul")
class NumbersInHangul(Kind):
    """Numbers are written in Hangul: no digit stands there."""

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(style.CIRCLED, text.text), "digit")


@KINDS.register
@kind("ko:letters:hangul_only", "letters:hangul_only")
class HangulOnly(Kind):
    """The only letters and digits of the response are Hangul."""

    def judge(self, text: Text) -> Outcome:
        place = next(
            (at for at, letter in enumerate(text.text) if letter.isalnum() and not style.initial_of(letter)),
            None,
        )
        if place is None:
            return Outcome(True, "Hangul only")
        return absent(Piece(text.text[place], place, place + 1), "other letter")
