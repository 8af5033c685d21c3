"""English words about options."""

from __future__ import annotations

from .choice_model import ChoiceWords

_LAST_LABEL = r"(?=[(*]{0,3}(?:option |choice )?[A-Z][)*]{0,3}[.]?[^\S\n]*+(?:\n|\Z))"
"""A label that ends its line."""
_ENDS = r"(?=\s*+(?:[.!]|\Z))"
_HYPOTHETICAL = r"\bif\b|\bsuppose|\bunless\b|\bwhether\b"

ENGLISH_CHOICES = ChoiceWords(
    choosing=(
        r"\b(?P<verb>choose|chose|choosing|pick|picking|select|selecting|opt for|go with|going with"
        r"|conclude(?=\s[(*]{0,3}(?:option |choice )?[A-Z][)*]{0,3}[.]?[^\S\n]*+(?:\n|\Z)))(?: (?:only|just))?"
        r"|\b(?:leaves|leaving)(?: us with)?(?: only)?(?=\s[(*]{0,3}(?:option |choice )?[A-Z][)*]{0,3}(?:[.,]|\s(?:as|alone)\b))"
        r"|\b(?:the|your|my) (?:final |correct )?answer\s?\?"
        rf"|[,;]\s(?:and\s)?(?:so|hence|thus|therefore)\s(?:it\s(?:is|must be)\s)?{_LAST_LABEL}"
    ),
    direct=rf"(?m:^)[*_\s>#]{{0,6}}ans\.\s*+{_LAST_LABEL}",
    titles=r"(?:(?:my|final|best|correct|right) ){0,2}(?:choice|selection|option|pick|response|solution)|final|conclusion",
    answer_titles="answer|ans",
    chooser=(
        r"(?:(?:\A|[,:;(]|\b(?:so|then|therefore|thus|hence|and|but|finally|now|answer|please|conclude|to))"
        r"|\b(?:i|we|let'?s|let us|let me|i'd|i'll|we'll|we'd|i'm|we're)"
        r"|\b(?:should|must|ha(?:ve|s) to|needs? to|(?:best|right|correct|only)\b.{0,40} (?:is|would be) to))"
        r"(?:[\s*_,]{1,12}+(?:would|will|can|shall|should|must|have to|need to|am|are|going to|do|so|then|thus|hence"
        r"|therefore|also|finally|now|only|just|confidently|definitely|clearly|safely|simply|go ahead and|here)){0,12}+"
        r"[\s*_>#-]{0,12}+\Z"
    ),
    others_choose=(
        r"\b(?:mistake|error|trap|wrong|tempt\w{0,8}|students|people|many|some|others?|most|was|were|might|may|could)\b.*+\Z"
    ),
    not_chosen=r"\bnot\s|n't\s|\bnever\s",
    adverbs=(
        "none other than|no other than|of course|naturally|as expected|clearly|obviously|definitely|certainly|indeed|simply|therefore|thus|hence|actually|really|just|then|only"
    ),
    denied_before=r"(?:definitely |certainly |clearly )?not|n't",
    but=r"(?:but(?: rather| instead)?|rather)(?:\s*+(?:rather|option))?",
    either="either|one of|among|not sure|maybe|perhaps|probably|possibly|likely",
    both="both",
    answer_denied=r"(?:not|n't|cannot be|never)\s(?:be\s)?(?:the\s)?(?:right|correct|best)?\s?(?:answer|choice|option)",
    second_thoughts=r"no\b|wait|actually|sorry|correct|instead|rather|but",
    verdicts=(
        r"wrong|incorrect|false|not\s(?![(]?[A-Z\d])|isn't|no(?![a-z])|is (?:not|wrong|incorrect|false|never)|or\s"
    ),
    otherwise=r"\b(?:or|then|alternatively|otherwise|maybe|perhaps)(?: maybe| perhaps)?",
    reasons=r"(?:because|since|as|for|which|where|due|given|so|that|with|and (?:not|none)|only|alone)\b",
    causes=r"(?:because|since|given\sthat|as\s(?:it|the|this|that|they|we)|due\sto)\b",
    topic=r"(?:\b(?:is|was|must be|would be|should be|has to be)|\b(?:it|that|this)['’]s)(?: (?:clearly|obviously|definitely|certainly|simply|indeed|therefore|thus|then|actually|really|just))?",
    pitfall=r"\b(?:mistake|trap|distractor|pitfall|decoy|temptation|error)s?\b",
    leading=r"\b(?:corresponds? to|match(?:es)?|agrees? with|(?:leads?|points?) (?:us )?to)",
    denying=r"\b(?:no|not|never|nothing|none|nobody|neither|nor|cannot|hardly|scarcely|barely|fails?)\b|n['’]t\b",
    topic_corrected=r"\b(?:is|was|be)(?:\snot|n['’]t)\s[^.!?\n]{0,30}\bbut\s",
    connectors="so|therefore|thus|hence|finally|in conclusion|overall|consequently",
    answer_noun="answer|option|choice|chosen|selected|picked",
    negated=r"[\s,]{1,2}(?:(?:only )?if (?!and only)|unless |had (?:it|the|we) |were (?:it|the|we) )",
    against=r"\b(?:but|however)\b",
    judged=r"correct|right|true|best|\bit is\b",
    judging=(
        r"\s(?:is|are|was|were|would be|must be|seems to be)\s(?:(?:clearly|definitely|indeed|therefore|the|most|single"
        r"|only|correct|right|best|likely|appropriate|accurate|true)\s){0,4}(?:answer|choice|option|one|correct|right|best)\b"
        r"|\s(?:fits|works|matches)\s(?:the\s\w{1,12}\s)?best\b"
        r"|\s(?:should|must|has to|needs to|is to)\s(?:therefore\s|then\s|thus\s)?be\s(?:chosen|selected|picked)\b"
        rf"|\s(?:seems|looks|appears|sounds)(?: to be)?(?: the)? (?:best|correct|right){_ENDS}|\sit\sis{_ENDS}"
        r"|\s(?:is|was)\swhat\s(?:i|we)\s(?:get|got|find|found|choose|chose|arrive\sat)(?:\sas\s(?:the|my|our)\s(?:final\s|correct\s)?(?:answer|choice))?"
        r"|\sas\s(?:the|my|our)\s(?:final\s|correct\s|best\s|right\s){0,2}(?:answer|choice)\b"
    ),
    cases=rf"{_HYPOTHETICAL}|\bassum|\baccording to [A-Z]\b",
    hypothetical=_HYPOTHETICAL,
    sole=r"(?<!\bnot\s)(?<!n't\s)\bonly(?: the)?",
    suits=(
        r"\s(?:fits|works|matches|holds|applies|remains|stands"
        rf"|(?:satisfies|meets|matches|fits) (?:all|both|every|each|the|these|those)\b[^.!?,;\n]{{0,40}}){_ENDS}"
    ),
    hardly=r"\s(?:hardly|scarcely|barely|never|rarely|seldom|partly|partially|almost|nearly)\b",
    contrast=r",?\s(?:(?:and|but) )?(?:not|rather than|instead of|as opposed to)\s",
    verbless=(
        r"[.):\]]?\s++(?!(?:is|are|was|were|be|seems|looks|remains|can|cannot|could|may|might|will|would|should|must|does|do|did"
        r"|has|have|had|fails?|contradicts?|violates?|which|that|it)(?![a-z]))[a-z]"
    ),
    only=r"\s(?:only|alone)",
    person="[A-Z]",
    but_another=r"(?:but|or maybe)(?:\s{1,2}(?:maybe|perhaps|it may be))?",
    no_label_after=(
        r"\b(?!(?:is|are|be|was|not|but|or|and|option|choice|answer|answers|choose|chose|pick|select|with|than|both"
        r"|either|except|so|thus|hence|therefore|only|of|that|like|to|for|why|because|letter|options|choices|says|saying"
        r"|s|means?|conclude|then|[a-z]{2,12}ly)\b)"
        r"[A-Za-z]++[ ]\Z"
    ),
    noun_before=r"(?:the\s++)?(?:option|choice|answer|letter)s?(?=\s)",
    option_noun=r"(?:option|choice)\b",
    ordinals=(
        ("first", "1"),
        ("second", "2"),
        ("third", "3"),
        ("fourth", "4"),
        ("fifth", "5"),
        ("sixth", "6"),
    ),
    ordinal_before=r"the\s++",
    ordinal_noun=r"(?:option|choice|one|answer)\b",
    and_=r"and\b",
    or_=r"or\b",
)
"""See `ChoiceWords` for what each field is."""
