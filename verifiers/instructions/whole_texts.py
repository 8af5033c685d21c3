"""Length of a response and its paragraphs, their beginnings and ends, and what they repeat.

And signs that stand nowhere in it.
"""

from __future__ import annotations

import re

from ..language.instruction_words import JAPANESE_COMMA, JAPANESE_STOP
from .counted_texts import Piece, Text, split_at
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, kind

_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_DIVIDING_LINE = re.compile(r"^[ \t]*\*(?:[ \t]*\*){2}[ \t]*$", re.MULTILINE)
_TWO_BREAKS = re.compile(r"\n\n")
_CUT = frozenset(".,?!'\"")


@KINDS.register
@kind("length_constraints:number_words")
class NumberOfWords(Kind):
    """The response has so many words.

    The official counting cuts a word at every sign (don't and 3.5 are two words each).

    Args:
        num_words: Number of words.
        relation: Comparison with their count.
    """

    num_words: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        words = text.words
        if text.official and text.language == "es":
            words = [each for each in words if not each.text.isdigit()]
        return counted(len(words), self.relation, self.num_words, "words")


@KINDS.register
@kind("length_constraints:number_sentences")
class NumberOfSentences(Kind):
    """The response has so many sentences.

    The official counting is Punkt's, for which the number of a list's item ("1.") is a sentence, and a
    heading and the line after it are one. Spanish ones it does not judge: they are those of a parser (spaCy).

    Args:
        num_sentences: Number of sentences.
        relation: Comparison with their count.
    """

    num_sentences: int = REQUIRED
    relation: str = "at least"

    def unusable(self, language: str, official: bool) -> str:
        if official and language == "es":
            return "the official Spanish splitter is a parser whose model no well-kept package brings"
        return ""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        return counted(len(text.sentences), self.relation, self.num_sentences, "sentences")


@KINDS.register
@kind("length_constraints:number_paragraphs")
class NumberOfParagraphs(Kind):
    """Dividers of three asterisks part the response into so many paragraphs.

    The official counting takes three asterisks anywhere, those of ***bold italics*** too.

    Args:
        num_paragraphs: Number of paragraphs.
    """

    num_paragraphs: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = split_at(_DIVIDER if text.official else _DIVIDING_LINE, text.text)
        filled = [each for each in found if each.text.strip()]
        inner = next((each for each in found[1:-1] if not each.text.strip()), None)
        if inner is not None:
            return Outcome(False, "nothing stands between two dividers", (inner.start, inner.end))
        return counted(len(filled), "exactly", self.num_paragraphs, "paragraphs")


@KINDS.register
@kind("length_constraints:nth_paragraph_first_word")
class NthParagraphFirstWord(Kind):
    """Blank lines part the response into so many paragraphs, one of which begins with a given word.

    Args:
        num_paragraphs: Number of paragraphs.
        nth_paragraph: Which one, from 1.
        first_word: Its first word.
    """

    num_paragraphs: int = REQUIRED
    nth_paragraph: int = REQUIRED
    first_word: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = split_at(_TWO_BREAKS, text.text) if text.official else text.paragraphs
        count = sum(1 for each in found if each.text.strip())
        said = f"{count} of {self.num_paragraphs} paragraphs"
        if not 1 <= self.nth_paragraph <= count or count != self.num_paragraphs:
            return Outcome(False, said)
        # The official counting finds the place among all pieces, empty ones included.
        piece = found[self.nth_paragraph - 1]
        begins = self._begins(piece.text.strip(), text)
        span = (piece.start, min(piece.end, piece.start + 80))
        return Outcome(
            begins, f"{said}; number {self.nth_paragraph} begins with {piece.text.strip()[:40]!r}", span
        )

    def _begins(self, paragraph: str, text: Text) -> bool:
        wanted = self.first_word.strip().lower()
        if not text.official:
            return _begins_with(paragraph, wanted)
        if text.language == "ja":
            return paragraph.lstrip("\u300c").lstrip("\u300e").startswith(wanted)
        if text.language == "es":
            return paragraph.lower().startswith(wanted)
        word = paragraph.split(maxsplit=1)[0].lstrip("'").lstrip('"') if paragraph else ""
        end = next((place for place, letter in enumerate(word) if letter in _CUT), len(word))
        return bool(paragraph) and word[:end].lower() == wanted


def _begins_with(paragraph: str, wanted: str) -> bool:
    """Return whether a paragraph begins with a word or phrase, apart from its marks of dress."""
    start = paragraph.lower().lstrip("*_#>\"'“‘«「『( \t")
    if not start.startswith(wanted):
        return False
    rest = start[len(wanted) : len(wanted) + 1]
    return not (rest.isalnum() and ord(rest) < 0x0E00)


@KINDS.register
@kind("length_constraints:number_letters")
class NumberOfLetters(Kind):
    """The response has so many characters; for the right counting those that are no white space.

    Args:
        num_letters: Number of letters.
        relation: Comparison with their count.
    """

    num_letters: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        count = len(text.text) if text.official else sum(not each.isspace() for each in text.text)
        return counted(count, self.relation, self.num_letters, "characters")


def first_of(pattern: re.Pattern[str], text: str) -> Piece | None:
    """The first match of a pattern, with its place."""
    found = pattern.search(text)
    return None if found is None else Piece(found.group(), *found.span())


_SIX_STARS = re.compile(r"\*{6}")
_QUOTES = {"fr": ('"«', '"»'), "ja": ("「", "」")}
_MORE_QUOTES = '"“”«»„'
_COMMAS = re.compile("[,\uff0c\u3001\u060c\uff64]")


@KINDS.register
@kind("combination:repeat_prompt")
class RepeatPrompt(Kind):
    """The response first repeats the request, word for word, and then answers it.

    The official counting ignores case and is content with the repetition alone.

    Args:
        prompt_to_repeat: The request.
    """

    prompt_to_repeat: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted = self.prompt_to_repeat.strip()
        if text.official:
            # The Japanese grader minds the case.
            fold = str if text.language == "ja" else str.lower
            repeated = fold(text.stripped).startswith(fold(wanted))
            return Outcome(
                repeated, "the request is repeated" if repeated else "it does not begin with the request"
            )
        words, said = wanted.split(), text.text.split()
        lead = said[0].lstrip("\"'“*_>") if said else ""
        same = [lead, *said[1 : len(words)]]
        if len(same) != len(words) or [*same[:-1], same[-1][: len(words[-1])]] != words:
            wrong = next(
                (place for place, (a, b) in enumerate(zip(same, words, strict=False)) if a != b), len(same)
            )
            return Outcome(False, f"it departs from the request at its word {wrong + 1}")
        rest = text.text.split(maxsplit=len(words))[len(words) :]
        if not any(map(str.isalnum, "".join(rest))):
            return Outcome(False, "the request is repeated and nothing follows")
        return Outcome(True, "the request is repeated and an answer follows")


@KINDS.register
@kind("combination:two_responses")
class TwoResponses(Kind):
    """Two different responses, parted by six asterisks."""

    def judge(self, text: Text) -> Outcome:
        found = split_at(_SIX_STARS, text.text)
        filled = [each.text.strip() for each in found if each.text.strip()]
        if any(not each.text.strip() for each in found[1:-1]):
            return Outcome(False, "nothing stands between two separators")
        if len(filled) != 2:
            return Outcome(False, f"{len(filled)} of 2 responses")
        first, second = filled
        if not text.official:
            first, second = " ".join(first.split()).lower(), " ".join(second.split()).lower()
        return Outcome(first != second, "2 responses" if first != second else "both responses are the same")


@KINDS.register
@kind("startend:end_checker")
class EndPhrase(Kind):
    """The response ends with a given phrase, and with nothing after it.

    Args:
        end_phrase: The phrase.
    """

    end_phrase: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        end, wanted = text.stripped.strip('"').lower(), self.end_phrase.strip().lower()
        if text.official and text.language == "ja":
            end, wanted = text.stripped.strip("\u300d\u300f"), self.end_phrase.strip().strip("\u300d\u300f")
        elif text.official and text.language == "es":
            end, wanted = end.rstrip("."), wanted.rstrip(".")
        elif not text.official:
            end = text.stripped.strip("\"'“”*_` \n").lower()
            # A stop that closes the sentence is no further word.
            end = end if wanted[-1:] in ".!?" else end.rstrip(".")
        good = end.endswith(wanted)
        if good and not text.official and wanted[0].isalnum() and end[: -len(wanted)][-1:].isalnum():
            good = ord(wanted[0]) >= 0x0E00
        return Outcome(good, f"it ends with {text.stripped[-60:]!r}")


@KINDS.register
@kind("startend:quotation")
class Quotation(Kind):
    """The whole response stands in quotation marks: double ones, 「」 in Japanese.

    The official counting takes straight ones only, and guillemets in French.
    """

    def judge(self, text: Text) -> Outcome:
        left, right = _QUOTES.get(text.language, ('"', '"'))
        if not text.official and text.language != "ja":
            left = right = _MORE_QUOTES
        body = text.stripped
        good = len(body) > 1 and body[0] in left and body[-1] in right
        if good and not text.official and not body[1:-1].strip():
            return Outcome(False, "nothing stands in the quotation marks")
        return Outcome(good, f"it begins with {body[:1]!r} and ends with {body[-1:]!r}")


@KINDS.register
@kind("punctuation:no_comma")
class NoComma(Kind):
    """The response has no comma.

    The official counting knows the ASCII comma, and in Japanese the ideographic one.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            pattern = re.compile(JAPANESE_COMMA if text.language == "ja" else ",")
            return absent(first_of(pattern, text.text), "comma")
        return absent(first_of(_COMMAS, text.text), "comma")


@KINDS.register
@kind("punctuation:no_period")
class NoPeriod(Kind):
    """The response has no ideographic full stop."""

    def judge(self, text: Text) -> Outcome:
        pattern = JAPANESE_STOP if text.official else f"[{JAPANESE_STOP}\uff61]"
        return absent(first_of(re.compile(pattern), text.text), "full stop")
