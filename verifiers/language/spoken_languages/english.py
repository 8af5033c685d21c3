"""English: the words about a value stand before it, and its verdict may follow; words about options."""

from __future__ import annotations

from ..english_words import STOP_WORDS
from ..numerals.english_numerals import SMALL
from .model import ChoiceWords, Language

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
    connectors=r"(?:after|by|having) (?:eliminating|ruling out|excluding|crossing out|discarding)(?: (?:all|the|of|other|others|rest|wrong|options|choices|ones)){1,5}|so|therefore|thus|hence|finally|in conclusion|overall|consequently",
    answer_noun="answer|option|choice|chosen|selected|picked",
    negated=r"[\s,]{1,2}(?:(?:only )?if (?!and only)|unless |had (?:it|the|we) |were (?:it|the|we) )",
    against=r"\b(?:but|however)\b",
    judged=r"correct|right|true|best|\bmost\s[a-z]|\bit is\b",
    judging=(
        r"\s(?:is|are|was|were|would be|must be|seems to be)\s(?:(?:clearly|definitely|indeed|therefore|the|most|single"
        r"|only|correct|right|best|likely|appropriate|accurate|true)\s){0,4}(?:answer|choice|option|one|correct|right|best)\b"
        r"|\s(?:fits|works|matches)\s(?:the\s\w{1,12}\s)?best\b"
        r"|\s(?:should|must|has to|needs to|is to)\s(?:therefore\s|then\s|thus\s)?be\s(?:chosen|selected|picked)\b"
        rf"|\s(?:is|seems|looks|appears|sounds)(?: to be)? the (?:best|most (?:plausible|likely|reasonable|sensible|convincing|suitable|appropriate|accurate|probable|fitting)){_ENDS}"
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
        r"|s|means?|meant|conclude|then|[a-z]{2,12}ly)\b)"
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


_START, _END = r"(?<![a-z])", r"(?![a-z])"
_IS = "(?:is|was|are|were|be|being|been|would be|could be|can be|seems|looks|appears to be|remains|gets|got|has been|must be|should be|will be|(?:has|have|had|needs|ought|is|was) to be)"
_SURELY_IS = _IS.replace("could be|can be|", "")
_NOT = "(?:not(?![a-z])|n't|never|no longer|hardly|scarcely|n’t)"
_FALSE = (
    "(?:wrong|incorrect|false|invalid|impossible|rejected|excluded|extraneous|discarded|inadmissible|unacceptable"
    "|ruled out|out of the question|too (?:high|low|large|small|big|much|many|few|little)|refuted|contradictory|unlikely"
    "|inconsistent|disproved|tempting|a (?:distractor|trap|decoy|pitfall)|a mistake|an error|off|nonsense|eliminated|untrue|unreasonable|a (?:wrong|false|common) [a-z]{1,12})"
)
_THING = "(?:option|choice|answer|number|value|letter|statement|solution)"

_SAYING = (
    "(?:say|think|believe|conclude|claim|argue|assume|agree|accept|know|doubt|state|report|guess|suppose)(?:s|d|ed|ing)?"
    "|said|thought|knew|den(?:y|ies|ied)|see|mean|means"
)
_ABOUT = "(?: here)?(?: (?:that )?(?:i|we)(?:['’]re)? (?:get|got|want|need|seek|find|found|obtain|obtained|arrive at|arrived at|came to|come to|reach|(?:are |were )?looking for))?(?: (?:to|for) (?:the|this|your) (?:question|problem|exercise))?"
_LINK = (
    r"(?:['’]s(?= )|\s*+(?:(?:\*\*|__)\s*+)?(?:(?:is|are|was|were|(?:would|should|must|will)(?: (?:therefore|then|thus|hence|also|surely|clearly|certainly|obviously))? be|(?:has|have|had|needs|ought) to be|can only be|could only be|works out (?:as|to be|to)|equals|comes out (?:as|to be|to)"
    r"|turns out to be)(?!\w)(?! (?:that|wrong|incorrect|correct|right)(?![a-z]))|[=:：]))"
)

_RECKONER = "(?:student|pupil|solver|reader|beginner|novice|layman|person|classmate|candidate|tutor|amateur|clerk|schoolchild|guesser|friend|colleague|teacher|professor)s?|people|laymen|schoolchildren|folk"
"""Who works on a question, or speaks of it, without being in it."""
_RASH = "(?:careless|hasty|hurried|sloppy|inattentive|impatient|lazy|naive|rash|rushed|superficial|distracted|confused|forgetful|absent-minded|untrained|unwary|inexperienced|quick|tired|casual)"
_KIN = "(?:brother|sister|mother|father|mom|mum|dad|uncle|aunt|cousin|wife|husband|son|daughter|neighbou?r|boss|tutor|friend|teacher|classmate|professor|colleague|roommate|grandfather|grandmother)s?"
_WRITTEN = "(?:(?:old |first |new |original )?(?:textbook|book|answer key|key|answer sheet|author|solution manual|manual|edition|back of the book|internet|web|website|forum|rumou?r|legend))"
_SOMEBODY = (
    f"(?:(?:an?|some|many|most|several|few|the|other|one) (?:{_RASH},? ){{1,2}}[a-z]{{2,14}}|(?:some|many|most|several|few|other|lots of|plenty of) (?:of the )?(?:{_RECKONER})|an? (?:[a-z-]{{2,14}} )?(?:{_RECKONER})(?! each)"
    f"|(?:some|many|most|others|people|someone|somebody|anyone|everybody else|everyone else|the crowd|whoever)(?: (?:who|in|with|from|else) [a-z ]{{2,30}}?)?|(?:my|his|her|their|our|your|one of my) (?:[a-z]{{2,12}} )?{_KIN}|the {_WRITTEN})"
)
_THINKS = "(?:says?|said|writes?|wrote|puts?|answers?|answered|guess(?:es|ed)?|thinks?|thought|believes?|believed|claims?|claimed|insists?|insisted|suggests?|suggested|repl(?:y|ies|ied)|blurts?(?: out)?|c[oa]mes? up with|jumps? to|settles? (?:on|for)|assumes?|assumed|concludes?|concluded|reckons?|reckoned|swears? it is|prints?|quotes?|lists?|gives? as (?:the|its) answer|has it (?:as|that))"
_REACHES = "(?:gets?|got|finds?|found|obtains?|obtained|ends? up (?:with|at)|ended up (?:with|at)|arrives? at|arrived at|stops? at|stopped at|lands? (?:on|at)|landed (?:on|at)|calculates?|calculated|computes?|computed|makes? it|made it)"
_SAYS = (
    "(?:says?|said|claim(?:s|ed)?|insist(?:s|ed)?(?: on)?|swears?|swore|maintain(?:s|ed)?|assert(?:s|ed)?|argue[sd]?|contend(?:s|ed)?|allege[sd]?|shout(?:s|ed|ing)?|yell(?:s|ed|ing)?|cries|cried|whisper(?:s|ed)?|mutter(?:s|ed)?|mumble[sd]?|murmur(?:s|ed)?|repl(?:y|ies|ied)|exclaim(?:s|ed)?|announce[sd]?|declare[sd]?"
    "|guess(?:es|ed)?|suspect(?:s|ed)?|believe[sd]?|thinks?|thought|suppose[sd]?|imagine[sd]?|expect(?:s|ed)?|hope[sd]?|hoping|wish(?:es|ed)?|fear(?:s|ed)?|bets?|assume[sd]?|presume[sd]?|suggest(?:s|ed)?|hint(?:s|ed)?(?: at)?|propose[sd]?|reckon(?:s|ed)?|remember(?:s|ed)?|recall(?:s|ed)?|repeat(?:s|ed|ing)?|dream(?:s|ed|t)?(?: of)?|predict(?:s|ed)?|speculate[sd]?"
    "|report(?:s|ed)?|quote[sd]?|print(?:s|ed)?|post(?:s|ed)?|tweet(?:s|ed)?|blurts?(?: out)?|blurted(?: out)?|joke[sd]?|lied|(?:tell|told|tells) (?:me|us|him|her|them|you|everyone|everybody)|vote[sd]? for|promise[sd]?|pledge[sd]?|vow(?:s|ed)?|boast(?:s|ed)?|brag(?:s|ged)?|advertise[sd]?|warn(?:s|ed)?|admit(?:s|ted)?|confess(?:es|ed)?|complain(?:s|ed)?|mention(?:s|ed)?|prefer(?:s|red)?|demand(?:s|ed)?|wants? (?:it|this|that|them) to be|wanted (?:it|this|that|them) to be|taught (?:me|us)|forecast(?:s|ed)?|prophesied|pretend(?:s|ed)?|lean(?:s|ed)? towards?|toy(?:s|ed)? with|fanc(?:y|ies|ied)|doubt(?:s|ed)?|pleads? for|argue[sd]? for|opt(?:s|ed)? for|falls? for|fell for|lands? on|landed on|stops? at|stopped at|(?:is|are|was|were|seems?) (?:convinced|sold on|adamant|stuck on))"
)
"""Verbs of saying and thinking: a number that they lead to is somebody's, unless it is the writer's own."""
_OWN = "(?:i|we|us|let|one can|you can|this|that|which|these|it|problem|question|task|exercise|equation|formula|calculations?|computation|algebra|math|maths|theorem|definition|data|pattern|result|results|nobody (?:doubts|disputes|denies)|everyone agrees)"
_NOT_SURELY = "(?:hopes?|hoping|wish|fear|bet|suspect|guess|assume|assumed|imagine|imagined|dream(?:ed|t)?|remember(?:ed)?|recall|wonder|pray|wonder(?:ed)? if|feel like|want(?:ed)? (?:it|this|that) to be|tempted (?:by|to)|inclined to|leaning (?:towards?|to)|drawn to|torn|would (?:love|like)|would put it at|could swear|half expect(?:ed)?)"
_MAY = "(?:(?:would|might|may|could|will|often|usually|always|typically|probably|simply|just|once|first|also|then|easily|even|likely|tends? to|used to|is likely to|are likely to) ){0,3}"
_IT_IS = "(?:(?: that)?(?: it| the answer| this| there)(?:['’]s| is| was| would be| are| were))?(?: as)?"
_RESULTS = "(?:gives?|gave|yields?|leads? (?:us |one |you )?to|makes? (?:it|this)|produces?|results? in|(?:would|will|may|might|could) (?:give|yield|lead (?:us |one |you )?to|make it|produce|be)|(?:you|one|we|they|people|someone)(?:['’]d| would| will| might| could)? (?:gets?|obtains?|have|has|finds?|ends? up with|arrives? at)|it (?:would|will|may|might) be|it is|it['’]s)"
_HUNCH = "(?:gut(?: feeling| instinct)?|instincts?|intuition|hunch|guesswork|first impression|rumou?r|hearsay|superstition|inner voice|sixth sense|horoscope)"
_ERRING = "(?:forget|forgets|forgot|forgetting|misreads?|misreading|mistakes?|mistook|mistaking|confuses?|confused|confusing|overlooks?|overlooked|overlooking|miscounts?|miscounted|miscounting|misinterprets?|misinterpreting|misunderstands?|misunderstanding|mix(?:es|ed|ing)? up|rush(?:es|ed|ing)?|miscalculates?|miscalculating|(?:is|are|was|were) (?:careless|sloppy|in a hurry)|fails? to|failed to|failing to|(?:is|are|gets?) (?:forgotten|overlooked|misread|mistaken for|confused|miscounted|misplaced|mixed up))"
_SLIP = "(?:mistake|error|slip|misreading|misconception|oversight|blunder|trap|pitfall|fallacy|confusion|typo|misprint|miscount)"
_SAID_OF = "<>(?:,)? (?:is|was|would be|might be|may be|could be|seems(?: to be)?|looks like|must be|is merely|is only|is just)"
_BARE = r"<>(?: here| there| instead| down| on the board| in (?:the|his|her|their) (?:notebook|exam|margin|test))?(?=[\s*_\"'”’)$]{0,4}(?:[.,;:!]|\Z|\n))"
_COUNTING = (
    "is|are|was|were|be|been|being|has|have|had|having|gets?|got|getting|gives?|gave|giving|makes?|made|making|leaves?|left|leaving|holds?|held|takes?|took|taken|taking|pays?|paid|spends?|spent|sells?|sold|buys?|bought"
    "|eats?|ate|eaten|keeps?|kept|becomes?|became|finds?|found|comes?|came|coming|reads?|drives?|drove|driven|runs?|ran|equals?|th(?:inks?|ought) of|simplif(?:y|ies)"
    "|(?:yield|total|contain|weigh|need|earn|collect|sell|keep|buy|eat|pay|find|hold|receiv|scor|reach|ow|sav|produc|obtain|remain|measur|cover|includ|amount|work|end|arriv|add|count|stay|last|show|us|bak|pick|walk|travel|own|reduc|answer)(?:e?s|e?d|ing|e)?|costs?|turn(?:s|ed)? out"
)
"""Verbs that tie a number to what it is the number of: that somebody has it, gets it, that it is left."""
_DISOWNED = (
    rf"(?<![a-z])(?:(?:an?|some|many|most|several|few|the|other|one) (?:{_RASH},? ){{1,2}}[a-z]{{2,14}}|(?:some|many|most|few|other) (?:{_RECKONER}|people|of them)|an? (?:{_RECKONER})|someone|somebody|others|my (?:[a-z]{{2,12}} )?{_KIN})(?: in a [a-z]{{2,12}})? {_MAY}{_REACHES} {_BARE}",
    rf"(?:\A|[,;:]|\bthat|\bif|\bwhen|\bwhile|\band)[\s]{{0,2}}(?:(?!(?<![a-z])(?:{_OWN})(?![a-z]))[^.!?;,:<]){{2,50}}? {_SAYS}{_IT_IS} {_BARE}",
    rf"(?<![a-z])(?:i|we|i['’]m|we['’]re)(?: (?:just|still|really|only|do|am|are|kind of|sort of)){{0,2}} {_NOT_SURELY}[^.!?;<]{{0,20}} <>",
    r"(?<![a-z])(?<!not\s)(?<!n't\s)(?<!never\s)(?:hard|difficult|impossible|crazy|absurd|silly|foolish) to (?:believe|accept|imagine|see|think|say)[^.!?;<]{0,20} <>",
    r"(?<![a-z])(?:naively|carelessly|hastily|sloppily|mistakenly|wrongly|incorrectly|erroneously|blindly|superficially|intuitively|instinctively)(?![a-z])[^.!?;<]{0,40} <>|<>,? (?:naively|mistakenly|wrongly|incorrectly|erroneously)(?![a-z])|(?<![a-z])if only [^.!?;<]{1,30} <>",
    r"(?<![a-z])(?:may|might|could)(?: (?:well|yet|still|also|even|just|possibly|very)){0,2} (?:be|turn out|end up|prove|come out|work out|amount|equal|reach)(?: to be| to| as| at)? <>",
    r"(?:\A|[,;:] )[\s*_]{0,3}(?:perhaps|maybe|possibly|conceivably|presumably|probably|allegedly|supposedly|seemingly|apparently)(?![a-z])[^.!?;<]{0,40} <>",
    r"(?<![a-z])(?:some|many|most|several|various|other|certain) (?:websites|sites|sources|pages|posts|books|papers|blogs|forums|articles|textbooks|versions) (?:give|have|say|show|list|print|quote|claim) <>",
    rf"(?<![a-z])(?:nobody|no[- ]one|none|neither)(?: (?:of|in|from|else|at) [a-z ]{{2,20}}?)? {_MAY}(?:{_THINKS}|{_REACHES}|has|had|have|scored?|needs?|chose|picked|is|was) {_BARE}",
    rf"(?<![a-z])(?:by|on|from|at|going by|following|trusting|according to|in|out of|off) (?:(?:my|a|an|the|pure|sheer|mere|purely|his|her|one['’]s|some|first|blind|wild|vague) ){{0,3}}(?:{_HUNCH}|guess|memory|glance|sight|cuff|top of (?:my|the) head)(?![a-z])[^.!?;]{{0,30}}<>",
    rf"(?<![a-z])(?:according to|going by|as per) (?:the |a |my |his |her |some |our |one ){{0,2}}(?:[a-z]{{2,12}} )?(?:{_WRITTEN}|{_KIN}|{_RECKONER})(?![a-z])[^.!?;]{{0,30}}<>",
    rf"(?<![a-z])(?:(?:my|the|pure|sheer|a|his|her|our|your) ){{0,2}}{_HUNCH}(?: (?:says?|said|tells? (?:me|us)|suggests?|points? (?:me )?to|has it|whispers?|would be|might be|is))(?: that)?(?: (?:it|the answer)(?:['’]s| is| was)?)?:? <>",
    rf"(?<![a-z]){_ERRING}(?![a-z])[^.!?;<]{{0,60}} {_RESULTS}(?: exactly| just)? <>",
    r"(?<![a-z])(?:suppose|supposing|imagine|imagining|pretend|pretending|let us (?:say|suppose|pretend|imagine)|let['’]s (?:say|suppose|pretend|imagine)|what if)(?![a-z])[^.!?;,<]{0,40} <>",
    rf"{_SAID_OF} (?:exactly |precisely |also )?(?:what|how|where|(?:the|an?) (?:number|value|answer|figure|result|total|one|sum|reply|response)(?: (?:that|which))?) (?:{_SOMEBODY} {_MAY}(?:{_THINKS}|{_REACHES}|do|does|go|goes|fall|falls|stop|would|might)|(?:you|one|we|they|i) (?:would|might|could|may|will|only)(?: (?:wrongly|mistakenly))? [a-z]{{1,14}}(?: [a-z]{{1,14}})? (?:by|if|when|after|without|had)|(?:you|one|we|they) {_REACHES} (?:if|when|by) (?:(?:you|one|we|they) )?{_ERRING})",
    rf"{_SAID_OF} (?:(?:the|an?|my|his|her|our|their|one of the|just|only|another|but) ){{1,2}}(?:[a-z][a-z'’-]{{1,14}} ){{0,3}}(?:{_SLIP}|guess|hunch|decoy|distractor|bait|red herring|(?:stab|shot|leap) in the dark|long shot|joke|prank|lie|fib|rumou?r|bluff|myth|fluke|placeholder|fantasy|illusion|wishful thinking|lucky guess|(?:first|initial) (?:thought|idea|guess|impression)|(?:wrong|tempting|popular|naive|careless|usual|rumou?red) (?:answer|result|value|choice|reply))(?![a-z])",
    rf"{_SAID_OF} (?:what|how|(?:the|an?) (?:[a-z]{{2,10}} )?(?:number|value|answer|figure|result|total|sum|reply|response)(?: (?:that|which))?) (?!(?:of|in|at|left|for|number|amount|value|sum|{_OWN})(?![a-z]))[a-z'’ ]{{2,40}}? {_SAYS}(?![a-z])",
    r"<>[^.!?;,<\n]{0,20} (?:by mistake|in error|by accident|on a hunch|from memory|at a guess|as a guess|at first (?:glance|sight)|off the top of my head)(?![a-z])",
)
"""What a sentence says of a number that is a hunch, a slip, a supposition, or what somebody else reckons."""

ENGLISH = Language(
    disowned=_DISOWNED,
    asides=(
        "(?:(?:let['’]?s |let us |to |a |we )?(?:quick |sanity |double[- ]?)?(?:check|checking|verify|verification|verifying)(?: (?:it|this|that))?:|(?:this|that) is because(?![a-z]))",
    ),
    ties=(
        f"(?:{_COUNTING})(?: (?:him|her|them|us|you|me|it|there|only|just|exactly|precisely|still|now|then|also|thus|therefore|hence|all|left|over|back|up|out|in|down|to|at|with|of|as|for|on|about|together|altogether|total|a total of|a sum of|be|been|the|value)){{0,4}}",
        "[a-z]['’]s|they['’]re|there are|(?:(?:i|we)(?:['’]d| would| will|['’]ll)?|let['’]?s) (?:say|answer|go with|put|call it)",
        f"(?:{_COUNTING}) [^.!?,;:]{{1,40}} (?:with|of|at|to)",
    ),
    tied=(
        f"(?:{_COUNTING})(?![a-z])|of (?:them|these|those|the)|in (?:all|total)|altogether|total|left|because|since|as(?![a-z])|each",
    ),
    naming=(r"(?<![a-z])(?:number|no[.]|nr[.]|an?)|#",),
    ours=(
        "(?:my|our)(?= )(?! (?:final |own |last )?(?:answer|count|result|calculation|total|solution|sum|conclusion|reading|method|working|guess|estimate))",
    ),
    neutral=(
        _COUNTING,
        "total|sum|difference|product|quotient|remainder|answer|result|value|number|count|amount|area|volume|perimeter|length|width|height|distance|speed|time|age|price|cost|profit|change|weight|mass|altogether|together|remaining|rest|whole|final|average|mean|median|probability|ratio|percent|left|once|twice|half|first|last|next|also|would|get|we|since|times|plus|minus|divided|multiplied",
        *STOP_WORDS,
    ),
    stem=6,
    endings=("ing|ies|ed|es|s|y|e",),
    factorials=("factorial|permutations?|permuted?|arrangements?|arranged?",),
    name="English",
    script="[a-zA-Z]",
    blank=r"\s{1,4}",
    edges=(_START, _END),
    keywords=("answer", "solution", "choice", "option", "ans"),
    marks=(
        ("", f"answers?{_ABOUT}{_LINK}"),
        ("", "answer to be(?! (?:a|an|the|in|of|wrong|right|correct)(?![a-z]))"),
        (
            "",
            f"answer, (?:as far as i can (?:see|tell)|of course|in my (?:view|opinion)|i (?:think|believe)),{_LINK}",
        ),
        ("", "answer(?= (?:isn't|isn’t|wasn't|cannot be|can't be))"),
        (
            f"{_START}(?:the|my|our|its|your) (?:(?:final|correct|right|best|required|desired) ){{0,3}}",
            f"(?:solution|choice|option)s?{_ABOUT}{_LINK}",
        ),
    ),
    labels=("answer", "ans"),
    final=("final",),
    so=(
        "so|therefore|thus|hence|then|consequently|actually|indeed|simply|clearly|obviously|definitely|certainly|surely|undoubtedly|in fact|just|none other than|no other than",
        ",? ?(?:of course|naturally|as expected|as far as i can (?:see|tell)|without (?:a|any) doubt|in my (?:view|opinion)),?",
    ),
    links=(),
    remarks=(
        r"(?:(?<=,\s)|(?<=\())(?:and |but )?not(?! only)",
        "as (?:wanted|required|desired|claimed|needed|expected|requested|stated|asked)",
        "(?:so|and) we are done|which (?:completes|concludes|finishes) the (?:proof|solution)",
        "because|(?:which|since|where) (?:is|are|was|it|we|the|means|makes|matches|satisfies|equals|gives)",
        r"(?:since|as|given that)(?= [^,.;!?\n]{0,60}(?:=|\b(?:is|are|was|were|has|have|gives|makes|equals|we)\b))",
    ),
    reasons=("because|since|as|given that",),
    points_on=("(?:given |shown |stated |listed )?(?:as follows|below|the following|following)",),
    stated=(
        f"(?:, )?(?:which |that |it )?{_SURELY_IS} (?:the |my |our )?(?:final |correct |right |desired |required |best ){{0,4}}(?:answer|solution|result|correct|right|true){_END}",
        rf"it is{_END}(?=[\s*]*+[.!]?\s*+$)",
    ),
    denied_before=(
        f"(?:{_START}(?:not|never|hardly|scarcely|barely|rarely|seldom|cannot|can't|neither|nor|isn't|wasn't|aren't|doesn't|didn't|couldn't|wouldn't|no)|n't|n’t)"
        f"(?: (?:be|equal|to|exactly|simply|just|necessarily|a|an|the|as|at all|actually|really|always|in fact|give|yield|say|think|believe|{_THING}|it is|it's|that|ever|[a-z]{{2,10}}ly)){{0,8}}",
        f"{_START}(?:wrong|incorrect|false|mistaken|erroneous|(?:trap|tempting|popular|common|usual|naive|second[- ]best|apparent|alleged|supposed|initial|previous|earlier|intuitive)(?= (?:answer|solution|choice|option))|refuted|(?:least|most un) ?[a-z]{{1,12}})(?: {_THING})?(?: is| was| would be| could be| might be|:)?",
        f"{_START}impossible (?:for (?:it|this|x|the answer) )?(?:to be|that it is)",
    ),
    rejecting=(
        f"{_START}(?:rul(?:e|es|ed|ing) out|(?:reject|discard)(?:s|ed|ing)?|(?:exclud|eliminat|disprov)(?:e|es|ed|ing))(?: {_THING})?(?: is| was| would be| could be| might be|:)?",
    ),
    denied=(
        f"(?:, )?(?:which |that |it )?{_IS}(?:{_NOT}| {_NOT}| not necessarily| definitely not| certainly not| clearly not)(?: (?:be|the|a|an|my|our|quite|exactly|really|actually)){{0,8}}",
        f"(?:, )?(?:which |that |it )?{_IS} (?:also |clearly |obviously |definitely |just |simply |far |much |way |certainly |therefore |thus )?{_FALSE}",
        f"(?:would|could|does|do|did|can|may|might|should|will|has|have|had)(?:{_NOT}| {_NOT})(?: be| work| fit| hold| satisfy| make| count| qualify)?",
        "(?:cannot|can not|can't|can’t|won't|shan't|fails?|contradicts?|violates?)(?![a-z])",
        f"[^.!?\n]{{1,40}}but (?:that|this|it) (?:is|was|would be|cannot be)(?: not|n't)? ?{_FALSE}",
        f"not (?:possible|the answer|right|correct|it|valid|allowed|so){_END}|no(?=\\s{{0,2}}[.!]|\\s{{0,2}}$)",
        f"\\(?{_FALSE}{_END}",
    ),
    corrected_before=(
        f"(?:{_START}|(?=[(]))(?:rather than|instead of|(?<!none\\s)(?<!no\\s)other than|except(?: for)?|as opposed to|unlike|in place of|but not|and not|, not|\\(not"
        "|(?:any(?:thing|where|one|body)|all|everything|any number) (?:but|except|save)|far from)(?: {_THING})?",
    ),
    corrected=(
        "[,;.—–-] (?:no(?=[,:]| (?:wait|sorry|actually|it|that|this|\\d))|wait|actually|sorry|oops|scratch that|correction|i mean|i meant|or rather)(?:, wait|,| |:)",
    ),
    but=("but(?: rather| instead| actually)?", "rather", "instead"),
    doubted_before=(
        f"{_START}(?:maybe|perhaps|probably|presumably|(?:most|very|quite) likely|allegedly|supposedly|reportedly|seemingly|apparently|possibly|might be|may be|could be|may well be|might well be|could well be|i guess|i'm guessing|(?:thought|believed|said|supposed|assumed|reported|rumou?red|claimed|considered|expected|alleged) to be|my guess is|conceivably)"
        "(?: (?:it is|it's|that|the answer is|about|around))?",
        f"{_START}(?:used to (?:be|(?:think|believe|assume|suspect|say)(?: that)?(?: (?:it|the answer))?(?:['’]s| is| was)?)|once was|was (?:once|originally|formerly|previously|initially))",
        f"{_START}(?:not sure|unsure|uncertain|unclear|doubt|doubts|doubtful|do not know|don't know|unlikely|improbable|cannot tell)"
        "(?:,? but)?(?: (?:if|whether|that))?(?: [a-z]{1,8}){0,3}",
    ),
    doubted=(
        "(?:, )?(?:maybe|perhaps|possibly|i guess|or so|or thereabouts|give or take|or something(?: like that)?|more or less|if i had to guess|(?:though|although) (?:i am|i'm|i’m) (?:not|un)(?: quite| really| entirely)? ?(?:sure|certain)|i'm not sure|but i'm not sure|but i am not sure|not sure)(?![a-z])",
        "(?:may|might|could)(?: well)? (?:be|have)",
        f"{_IS} (?:uncertain|unclear|doubtful|questionable|a guess|just a guess|only a guess|possible)",
    ),
    supposed_before=(
        f"{_START}(?:if|unless|whether|suppose|supposing|assume|assuming|(?<!i\\s)(?<!i.d\\s)(?<!would\\s)say|were (?:it|this|that|x|we|you|there))(?: (?:that|the|it|this|answer|x|is|was|were|to be|be|had been|we|you|i|one|guess|try|take|choose|pick|use|assume|set|=)){{0,8}}",
    ),
    supposed=(),
    compared_before=(
        f"{_START}(?:less|more|greater|fewer|larger|smaller|higher|lower|bigger|(?<!none\\s)(?<!no\\s)other|different)(?: or equal)? (?:than|to|from)(?: or equal to)?",
        rf"(?<!add\s)(?<!adds\s)(?<!added\s)(?<!adding\s)(?<!come\s)(?<!comes\s)(?<!sum\s)(?<!sums\s){_START}up to",
        f"{_START}(?:at (?:the very )?(?:least|most)|somewhere (?:around|near|about|between)|upwards of|a (?:little|bit|tad) (?:over|under|more|less)|no (?:more|less|fewer) than|close to|near|under|over|below|above|beyond|past|within|(?:short|shy|upwards|in excess) of|exceeds?|exceeding|between|negative"
        "|minus|twice|thrice|half|double|triple|half of|nearly|almost|approaches|(?:a |one )?(?:third|quarter|fourth|fifth|sixth|eighth|tenth) of|(?:two|three) (?:thirds|quarters|fourths|fifths) of|(?:the )?(?:opposite|reciprocal|inverse|square|cube|negative|double|root|factorial|complement) of|a multiple of|multiples of|a factor of|divisible by|the square root of|square root of)",
    ),
    compared=(
        f"(?:(?<=\\d)-odd|-ish){_END}",
        "(?:factorial|or (?:more|less|fewer|greater|higher|lower|above|below)|at (?:most|least)|and (?:up|above|below)|squared"
        f"|cubed|doubled|tripled|quadrupled|halved|negative|quadrillion|quintillion|per mille|couples){_END}",
        "(?:minus|plus|times|divided by|multiplied by|to the power of) (?:[a-z0-9])",
    ),
    asked=(),
    either=(f"{_START}(?:either|one of|among)(?: of)?",),
    or_=("or", "or else", "or maybe", "or perhaps", "and/or", "alternatively", "or possibly"),
    and_=("and", "and also", "as well as", "plus"),
    unknown=(
        "(?:cannot|can't|can not|could not|couldn't|impossible to|not possible to|unable to|no way to)(?: be)? (?:determined?|known?|found|find|tell|say|computed?|solved?|answered?|decide)",
        "(?:do not|don't|no one|nobody) knows?",
        "not enough information",
        "insufficient information",
        "no (?:answer|solution) (?:exists|is)",
    ),
    changing=(
        "less|more|greater|fewer|at most|at least|negative|minus|plus|twice|thrice|half|double|triple|between|not|cannot"
        "|never|either|or|maybe|perhaps|than|squared|cubed|wrong|under|over|except|rejected|impossible|tripled|doubled"
        "|halved|incorrect|invalid",
        "[a-z]{1,8}n't",
    ),
    about=("about", "approximately", "approx\\.?", "roughly", "around", "nearly"),
    numerals=(
        rf"(?<![\d.,])\d[\d,]{{0,20}} and (?:an?|{SMALL}) "
        r"(?:hal(?:f|ves)|(?:third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?)\b",
    ),
    prose=(
        f"{_START}(?:is|are|was|were|equals?|makes?|gives?|has|have|had|gets?|got|comes?|leaves?|remains?|passed|costs?|needs?|takes?){_END}",
    ),
    negators=(),
    objects=(),
    besides=(),
    restated=("that is(?: to say)?|i\\.e\\.?|namely|in other words|or equivalently|which (?:is|equals)",),
    reporting=(
        f"(?:that|whether|if|{_SAYING})(?: (?:the|my|our|its|your|this))?(?: (?:final|correct|right|best))?",
    ),
    reported_before=(
        f"{_START}(?:he|she|they|somebody|someone|people|(?:the|my|his|her|their|our|a|one|another|some|most|many) "
        "(?:brother|sister|mother|father|mom|dad|uncle|aunt|neighbou?r|boss|tutor|book|textbook|author|assistant|student|teacher|friend|classmate|professor|pupil|person|people|boy|girl|other|solver|colleague)s?|some|others"
        "|(?-i:(?!(?:I|We|It|This|That|Which|What|You)\\b)[A-Z][a-z]{1,15})) (?:also |then |once |just )?"
        "(?:said|says|say|thinks?|thought|believe[sd]?|claim(?:s|ed)?|argue[sd]?|guess(?:es|ed)|insist(?:s|ed)|told (?:me|us|him|her)|answer(?:s|ed)|suggest(?:s|ed))"
        "(?: that)?(?: (?:the|his|her|their|my|our|its))?(?: (?:final|correct|right|best))?(?: it(?: is|'s|was))?",
    ),
    reported=(),
    opposing=(
        "not(?! only)|cannot|can't|can’t|never|no(?! hesitation)|none|nobody|nothing|hardly|scarcely|neither|nor|without|would have (?:said|thought|guessed|answered)",
        "doubt(?:s|ed|ful|fully)?|den(?:y|ies|ied|ying)|disagree[sd]?|disput(?:e|es|ed)|reject(?:s|ed)?|refut(?:e|es|ed)",
        "wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?|untrue|mistak(?:e|en|enly)|error|erroneous(?:ly)?|misleading|tempting",
        "unlikely|impossible|improbable|implausible|hard|difficult|unsure|uncertain|unclear|s[kc]eptical|refuse[sd]?|absurd",
        "question(?:s|ed|able)?|contradicts?|far from|[a-z]{1,8}n['’]t",
        "(?:you|one|people|students|some|many|others|readers?) (?:might|may|could|would) (?:be tempted to |even |well |easily |at first )?"
        "(?:think|say|argue|guess|believe|assume|suppose|conclude)",
    ),
    breaks=("so|then|therefore|thus|hence|but|because|since|and|while|although|though|yet|however",),
    retracting=(
        "no(?=[,.!:;—–…-]| (?:wait|sorry|actually|it))",
        "(?:that|this|it|my (?:answer|result))(?:'s|’s| is| was) (?:wrong|incorrect|not (?:right|correct)|(?:a |my )?mistaken?)",
        "(?:i|we) (?:made|have made) an? (?:[a-z]{1,12} )?(?:mistake|error|slip)|i (?:was|am) (?:wrong|mistaken)",
    ),
    hesitating=(
        "(?:wait|hold on|actually|sorry|oops|apologies|oh|hmm|but|well|correction|scratch that|strike that|my mistake|my bad)",
        "i (?:mean|meant|misspoke)|(?:or )?rather|on (?:reflection|second thoughts?|closer inspection)",
    ),
    righted=(
        "(?:it|that|this|the (?:right |correct )?(?:answer|value|result|number|one|option|choice))"
        "(?:'s|’s| is| was| should be| must be| should have been| would be| equals)(?: actually| really| in fact)?"
        "|make (?:it|that)|i (?:mean|meant)|option|choose",
    ),
    nouns=(
        "option",
        "choice",
        "answer",
        "number",
        "value",
        "the number",
        "the value",
        "letter",
        "statement",
        "area|speed|length|width|height|depth|distance|volume|perimeter|remainder|difference|product|quotient|average|mean"
        "|median|mode|weight|mass|age|score|ratio|rate|profit|loss|change|balance|amount|count|output|angle|time|total|sum",
    ),
    choices=ENGLISH_CHOICES,
    common=(
        "in total",
        "in all",
        *"the of and is are were be been have had with that this these those there their they them then than from for "
        "which who what when where how each every all both other one two three first second last half twice more less "
        "sum answer result value number cost costs price left right day days week weeks month months year years "
        "hour hours minute minutes dollars cents people she her his him we you your our it its will would can could should "
        "must does did not by to into after before only also if since because thus hence therefore about "
        "gives gives get gets got make makes made need needs take takes took spend spends spent buy buys bought sell sells sold "
        "pay pays paid earn earns earned remaining altogether makes equals equal times divided multiplied "
        "given find found let suppose correct between out up down any some many much most "
        "keep keeps kept weigh weighs picks picked covers and he she am my still at an but again himself herself itself walked ran read reads drove went came getting having being holds hold".split(),
    ),
    affirming=(
        "the|a|an|my|our|its|your|this|that|these|those|which|it|i|we|you|one|there|here|everyone|everybody|all|what|both",
        r"possible(?<=only\spossible)|final|correct|right|best|only|required|desired|exact|numerical|simplified|overall|full|complete|actual|true|proper",
        "is|are|am|was|be|has|have|had|can|must|will|would|should|do|does|to|as|in|of|from|for|at|by|on|with|(?:it|that|there|here)['’]s|i['’]m|we['’]re|(?:i|we)['’](?:ll|d|ve)",
        "think|thinks?|believe|conclude|see|sees|know|knows?|find|found|get|say|says|said|tells?|us|me|mean|means|meaning|follows|following|shows?|showing"
        "|gives?|giving|yields?|implies|implying|indicates?|confirms?|confirming|verif(?:y|ies|ied)|agree|agrees|agreed|determine|determined|deduce|infer|note|notice|claim(?<=\\bi\\sclaim)|guarantees?|proves?|establish(?:es|ed)?|conclusion|assert(?<=\\bi\\sassert)|argue(?<=\\bi\\sargue)|state(?<=\\bi\\sstate)|reveals?|concluded?|computed?|calculated?|figured?|decide|decided|convinced|opinion|view",
        "no(?= (?:doubt|question|hesitation))|hesitation|saying|stating|going|reasons?|sure|certain|confident|fairly|pretty|clear|clearly|obvious|obviously|evident|evidently|easy|easily|plain|plainly|safe|exactly|precisely|hmm|definitely|certainly|surely|indeed|fact|fair|reasonable|hence|therefore|thus|so|then|and|since|because|now|finally|also|again|consequently|accordingly|ultimately|really|simply|just|quite|very|absolutely|completely|well|yes|ok|okay|summary|conclude|end|short|total|result|results|case|above|this|problem|question|equation|exercise|calculations?|work|steps?|solution|doubt(?<=\\bno\\sdoubt)|question(?<=\\bno\\squestion)",
        "first|second|next|last|part|let|let's|write|box|boxed|put|submit|below|option|choice|answer|answers",
    ),
    conditional=(
        r"\b(?:if(?! and only)|unless|whether|suppos(?:e|ing)|assum(?:e|ing)|according to|imagine|pretend|provided that|in case|in a world|hypothetically)\b|(?:\A|[,;] )[\s*_]{0,3}(?:were|had|should) (?:the|it|we|i|you|this|that|there)\b",
    ),
    turning=(
        r"(?<!anything\s)(?<!anywhere\s)(?<!anyone\s)(?<!anybody\s)(?<!everything\s)(?<!nothing\s)(?<!all\s)(?<!none\s)but|however|yet",
    ),
    unsaid=(
        r"[,(;–—-]{1,2} ?(?:or so |at least )?(?:they|he|she|people|some|someone|somebody|my [a-z]{2,12}|the [a-z]{2,12}|(?-i:[A-Z][a-z]{2,12})) (?:says?|said|claims?|claimed|tells? me|told me|thinks?|thought|believes?|insists?)\b",
        r"[\s,(*_\"'”’]{0,6}\b(?:if (?!and only)|unless |assuming |provided |according to |or so )",
        r"[^.!?\n]{0,12}[(,;–—-]\s?(?:[^.!?\n]{0,24}\b)?(?:misprint|typo|incorrect|wrong|insufficient|not (?:correct|right)|rumou?r|can(?:no|['’])t (?:tell|say))\b",
    ),
    judged_after=(
        "(?:but |although |no,? |wait,? |hmm,? )?(?:this|that|it|the above|this answer|that answer|my answer)(?:['’]s| is| was| must be| seems| looks)(?: (?:just|simply|clearly|obviously|of course|probably|definitely|actually|surely|certainly|also|likely|most likely)){0,2} (?:wrong|incorrect|false|untrue|a (?:mistake|lie|joke|guess|trap|wild guess)|just a guess|only a guess|impossible|nonsense|not (?:right|correct|true|possible|it|so|certain))",
        "(?:but |although |no,? |wait,? |hmm,? )?(?:this|that|it|this answer|that answer|my answer)(?: can(?:not|['’]t| not) be| could(?: not|n['’]t) be| is(?: not|n['’]t)| was(?: not|n['’]t)| does(?: not|n['’]t) seem| seems un)(?: (?:really|quite|actually|possibly|the|a))? ?(?:right|correct|true|possible|so|answer|certain|likely|it(?=[.!]))",
        "no,? (?:it|that|this)(?: is(?: not|n['’]t)| was(?: not|n['’]t)| can(?:not|['’]t) be)(?=[.!])",
        "(?:but |although |though )?i(?:['’]m| am)(?: really| still| honestly)? (?:not (?:at all |really |entirely |too |so |very |completely )?(?:sure|certain|convinced|confident)|unsure|uncertain)(?: (?:about|of) (?:this|that|it)(?: at all)?)?(?=[.!,]|$| about| of| at all)",
        "i (?:doubt (?:it|that|this)|have (?:my )?doubts)|(?:just|only) (?:kidding|joking)|i(?:['’]m| am) (?:just |only )?(?:kidding|joking)|not really(?=[.!])",
        "i (?:have )?made an? (?:[a-z]{1,12} )?(?:mistake|error|slip)",
    ),
    subject_led=(
        "we (?:end up|are left|finish|finish up) with|(?:that|this) (?:leaves|gives|makes)(?: us)?(?: with)?|(?:i|we) (?:get|choose|pick|have|take)",
    ),
    subject_first=(
        "as (?:the|my|our) (?:(?:final|correct|right|only|best) ){0,2}answer",
        "(?:is|must be|has to be|would be)(?: (?:clearly|definitely|indeed|surely|therefore|thus|obviously))? (?:the|my|our) (?:(?:final|correct|right|only|best) ){0,2}answer(?: here)?",
        "is what (?:i|we) (?:get|got|find|found|have) as (?:the|my|our) (?:final |correct )?answer",
    ),
    pointing=(
        "this|that|it|which|what|who|there|these|those|they|he|she|says?|said|claims?|thinks?|if|whether|why|how|where|one|neither|none|finding|question",
    ),
    undoing=(
        "or(?: (?:maybe|perhaps|possibly|else|rather))?|alternatively(?!,? (?:we|you|one|i|using|note|by))|(?:sorry|apologies)(?! (?:for|about))|my (?:mistake|bad|apologies)|oops|scratch that|strike that|i(?:'m| am) sorry",
    ),
    answer=(
        r"(?<![</])(?<!\bi\swould\s)(?<!\bi['’]d\s)(?<!\bi['’]ll\s)(?<!\bi\swill\s)\banswers?\b(?!>| is that\b)",
    ),
    sharing=(
        "(?:is|are|was|would be|could be|might be|may be) (?:also|equally|just as|likewise) (?:acceptable|right|correct|valid|fine|good|possible|the answer|an answer|a (?:possible|valid|correct) answer)(?=\\s{0,2}(?:[.!,;]|$))",
        "(?:is|would be|works?|could be|may be|might be) (?:acceptable|right|correct|valid|fine|possible|ok|okay)? ?(?:too|as well)(?=\\s{0,2}(?:[.!,;]|$))",
        "(?:would|could|can|might|may) (?:also|equally|just as well) be(?: (?:right|correct|accepted|the answer|acceptable|valid))?(?=\\s{0,2}(?:[.!,;]|$))|can also be accepted",
    ),
    wavering=(
        "(?:then again|on the other hand|however|but|although|though|or|alternatively)?[, ]{0,3}(?:it|this|that|the answer)? ?(?:could|might|may)(?: (?:just )?as well| also| well| equally(?: well)?)? (?:be|have been)(?! (?:(?:re)?checked|verified|confirmed|shown|seen|proved|proven|derived|found|obtained|simplified|(?:re)?written|expressed|done|solved|computed|calculated|explained)\\b)",
    ),
    rethinking=(
        "(?:let me |i(?:'ll| will) |after |on )?(?:re-?(?:check|read|calculat|comput|count|consider|examin|verify)|double-?check|check(?:ing)? (?:it )?again)[a-z]{0,12}",
        "edit|correction|oops|hmm|wait|actually|sorry|(?:that|this)(?:'s|’s| is) (?:not right|not correct|wrong|incorrect)",
        "i (?:forgot|missed|overlooked|miscounted|misread|made a mistake)",
    ),
    concluding=(
        "(?:so |thus |hence |therefore )?(?:it|that|this|the (?:answer|result|total|value|sum))(?:'s|’s| is| must be| should be| comes out (?:to be|to|as))",
        "(?:so |thus )?i (?:now )?(?:get|find|obtain|have|mean|meant)|edit:|correction:",
    ),
    adding=(
        "(?:and|but|or) (?:also|maybe|perhaps|possibly)|as well as|along with|or(?: else)?|alternatively",
    ),
    added=(
        "(?:is|are|works?|would be|could be|may be|might be)(?: also| equally)? (?:fine|right|correct|ok|okay|possible|valid|acceptable|true)?(?: too| as well| also)?|too",
    ),
    unsure=(
        "maybe|perhaps|possibly|conceivably|(?:it|that|this|the answer) (?:could|might|may)(?: well)? (?:be|have been)",
        "(?:not|never|hardly|barely|far from|cannot be|can't be|hard to be|less than) (?:\\w{1,12} )?(?:sure|certain|confident)|unsure|uncertain|unclear|no (?:idea|clue)",
        "(?:i|we) (?:do not|don't|don’t|cannot|can't|can’t|could not) (?:really |actually |exactly )?(?:know|remember|recall|say|tell|be)",
        "(?:if (?:i|we) (?:had|have|were) to|(?:i|we) (?:can only|could only|would have to|might|'d|would)|let me|just|only a?|wild|my(?: best)?|best|at a|a) guess|i(?:'m| am) guessing|i guess|take a guess",
        "hard to (?:say|tell|know)|difficult to (?:say|tell|know)|cannot be (?:said|known|sure)|(?:one|you|we) could (?:think of|say|name|guess)|comes to mind",
        "(?:could|might|may) (?:also |well |just as well )?be (?:something|someone|anything|anyone|another)",
    ),
    questions=("question", "problem", "exercise", "q", "input", "user", "human", "instruction"),
)
