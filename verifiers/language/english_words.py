"""Closed classes of English words: pronouns, conjunctions, stop words, titles of persons, verbs that begin.

`verifiers.instructions` and `verifiers.answers` read them.
"""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


CONJUNCTIONS = _words("for and nor but or yet so")
"""The coordinating ones."""

PERSONAL_PRONOUNS = _words(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    """
)
PRONOUNS = PERSONAL_PRONOUNS | _words(
    """
    this that these those who whom whose which what whoever whomever whatever whichever themself oneself one
    anybody anyone anything everybody everyone everything nobody nothing somebody someone something
    each either neither both all some any none many few several another others such
    """
)

STOP_WORDS = PERSONAL_PRONOUNS - _words("mine us") | _words(
    """
    what which who whom this that these those a an the
    am is are was were be been being have has had having do does did doing will just should now can
    and but if or because as until while of at by for with about against between into through during before after
    above below to from up down in out on off over under again further then once here there when where why how
    all any both each few more most other some such no nor not only own same so than too very
    s t d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won
    wouldn don aren't couldn't didn't doesn't hadn't hasn't haven't isn't mightn't mustn't needn't shan't shouldn't wasn't
    weren't won't wouldn't don't should've that'll it's she's you're you've you'll you'd
    """
)
"""Function words, as information retrieval leaves them out."""

MINOR_WORDS = _words(
    "a an the and but or nor for so yet as at by in of off on per to up via if than with from into over vs vs. v. de la"
)
"""Words that title case leaves in small letters, unless they come first."""

TITLES = _words(
    """
    dr mr mrs ms sir dame lord lady prof professor president king queen prince princess saint st rev reverend captain
    general colonel major emperor pope count duke philosopher author justice judge archduke abbot congressman
    congresswoman senator prime minister chancellor governor vice mayor bishop archbishop cardinal coach baron earl singer
    actor actress rapper driver center director hon commander admiral lieutenant sergeant
    """
)
"""What a person is called by before the name."""

DEGREES = _words("obe mbe cbe jr sr phd md esq")
"""... and behind it."""

_CALLED = """
    alexander alex sandy|andrew andy drew|anthony tony|barbara barb|benjamin ben benny|catherine katherine kathryn kate cathy kathy katie|charles charlie
    chuck|christopher chris kit|daniel dan danny|david dave davy|deborah debra deb debbie|dorothy dot dolly|edward ed eddie ted ned|elizabeth
    liz lizzie beth betty eliza bess|frederick fred freddie|gerald gerry jerry|gregory greg|harold harry hal|henry harry hank|jacob jake|james jim
    jimmy jamie|janet jan|jeffrey jeff|jennifer jen jenny|jessica jess jessie|john jack johnny|jonathan jon|joseph joe joey|joshua josh
    |judith judy|kenneth ken kenny|lawrence larry|leonard len lenny leo|louis lou|margaret maggie meg peggy|martin marty|matthew matt|michael
    mike mick mickey|nathaniel nathan nat|nicholas nick nicky|pamela pam|patricia pat patty tricia|patrick pat paddy|peter pete|philip phil|raymond ray
    |rebecca becky|richard rick dick rich ricky|robert bob rob bobby robbie|ronald ron ronnie|samuel sam sammy|samantha sam|stephen steven steve
    |susan sue suzie|theodore ted teddy|thomas tom tommy|timothy tim|victoria vicky|vincent vince|walter walt|william will bill billy willy|zachary zach
"""
CALLED = {
    each: frozenset(form for other in _CALLED.split("|") if each in other.split() for form in other.split())
    for group in _CALLED.split("|")
    for each in group.split()
}
"""Given names, each with the others that its bearer may be called by."""

KINDS = _words(
    """
    river mountain mount mountains lake sea ocean bay gulf strait island islands isle isles valley canyon desert forest park garden gardens
    city town village county state province republic kingdom empire territory region district area peninsula coast beach cape
    street avenue road square bridge castle cathedral church abbey palace tower hall house museum theatre theater stadium arena
    coliseum memorial center centre airport station port harbour harbor university college school institute academy hospital library
    company corporation corp inc ltd group limited bank organization organisation association society foundation union league club team
    party band orchestra quartet duo trio brothers sisters family tribe people nation dynasty house army navy force fleet
    war battle treaty act law amendment revolution movement festival prize award cup trophy championship games bowl series
    show film movie book novel story play poem song album single opera symphony musical magazine newspaper comic soundtrack
    game episode season chapter volume edition game brand model program programme project system process method theory effect
    principle theorem equation language dialect religion disease syndrome disorder virus fever acid oxide gas metal element
    mineral stone stones ore rock rocks gem resin wood tree trees plant plants flower flowers fruit seed seeds animal animals bird birds
    fish insect cell cells bone gland muscle nerve protein hormone enzyme vitamin drug medicine tea wine beer juice sauce cheese soup
    cake bread oil powder cloth hair fibre fiber engine machine device tool instrument weapon bomb plane aircraft ship boat
    currency coin unit degree century era period age day month year years color colour number name word letter term
    """
)
"""What a name may be called after it without becoming another one: what kind of thing it is."""

SUBSTANCES = _words(
    """
    gold silver copper iron steel bronze brass tin lead zinc nickel mercury wood stone marble granite glass paper plastic rubber clay sand salt
    cotton wool silk linen leather wheat corn maize rice oat rye barley soy potato tomato apple orange lemon grape cherry plum pear
    olive palm coconut cocoa coffee tea milk cream butter egg fish beef pork chicken lamb meat sugar honey maple vanilla chocolate
    pine oak cedar birch bamboo rose diamond ruby pearl amber coral jade emerald sapphire opal ice snow rain water air fire oxygen
    hydrogen carbon nitrogen helium human animal plant horse cow sheep goat pig dog cat bird lion tiger wolf bear elephant whale
    """
)
"""What a noun in front of another one says that it is of, but for two of this list, which are two things: wheat flour."""

_MODIFIERS = _words(
    """
    black white red green blue yellow brown grey gray orange purple pink golden silver dark light bright pale big small large little
    great tall short long high low deep wide narrow old new young early late first second third last main major minor chief upper lower
    left right north south east west hard soft hot cold warm cool dry wet fresh raw pure plain common simple whole full half single
    double true real good best famous former current modern ancient just only exactly probably north-west beautiful own free open wild
    """
)
_MODIFYING = (
    "al",
    "ic",
    "ous",
    "ive",
    "ary",
    "ory",
    "ent",
    "ant",
    "ed",
    "ing",
    "ful",
    "less",
    "ish",
    "ian",
    "ean",
    "ese",
    "able",
    "ible",
    "ern",
    "ly",
)
"""How adjectives and participles end."""
_SHORTEST_MODIFIER = 5


def is_modifier(word: str) -> bool:
    """Return whether a word before a noun only modifies it, by its form or as a well-known modifier.

    >>> is_modifier("yellow"), is_modifier("classical"), is_modifier("honey")
    (True, True, False)
    """
    return word in _MODIFIERS or (len(word) >= _SHORTEST_MODIFIER and word.endswith(_MODIFYING))


VERBS = _words(
    """
    accept access achieve act adapt add address adjust admit adopt advance advise agree aim allow analyze analyse announce
    answer appear apply appreciate approach argue arrange ask assemble assess assign assist assume assure attach attack attempt
    attend avoid await awake balance bake ban base be bear beat become beg begin believe belong bend bet bind bite blend
    bless blow boil boost borrow break breathe bring broadcast brush build burn buy calculate call capture care carry cast
    catch celebrate challenge change charge chase check cheer choose chop claim clarify classify clean clear click climb close
    collaborate collect combine come comment commit communicate compare compile complete compose compute conclude conduct
    confirm connect consider consist construct consult consume contain continue contribute control convert convince cook copy
    correct count cover craft create cross cry cultivate cut dance dare deal decide declare decorate decrease define deliver
    demonstrate deny depend describe deserve design destroy determine develop devise die differentiate dig dine direct
    disagree discover discuss display distinguish distribute dive divide do document double doubt download draft drag draw dream
    dress drink drive drop dry earn eat edit educate elaborate embark embrace emphasize employ empower enable encounter
    encourage end engage enhance enjoy ensure enter envision escape establish estimate evaluate examine exceed exchange
    execute exercise exist expand expect experience experiment explain explore expose express extend extract face facilitate
    fall feed feel fight figure fill find finish fit fix flip flow fly focus fold follow forget forgive form formulate foster
    found free freeze fulfill gain gather gaze generate get give go grab grant grasp greet grow guarantee guess guide handle
    hang happen harness have hear help hide hike hit hold honor hope host hug hunt hurry identify ignore illustrate imagine
    immerse implement imply import improve include incorporate increase indicate induce influence inform initiate insert inspect
    inspire install integrate intend introduce invent invest investigate invite involve iterate join judge jump justify keep
    kick know label land laugh launch lay lead lean learn leave lend let leverage lie lift light like limit link list listen
    live load locate look lose love lower maintain make manage map march mark marry match matter maximize mean measure meet
    melt mention merge minimize miss mix modify monitor motivate move multiply name navigate need negotiate note notice obey
    observe obtain occur offer open operate optimize order organize outline overcome own pack paint park participate pass
    pause pay perform persist persuade pick picture place plan plant play plug point ponder pour practice pray predict prefer
    prepare present preserve press prevent print prioritize proceed process produce program promise promote pronounce prove
    provide publish pull purchase pursue push put quantify question quit quote raise reach react read realize rearrange rebuild
    recall receive recognize recommend reconsider record recover reduce refer refine reflect refresh regard register regret
    reinforce relate relax release rely remain remember remind remove rename render renew repair repeat rephrase replace reply
    report represent request require research resolve respect respond rest restart restore result retain retrieve return reveal
    review revise reward rewrite ride ring rise risk roll round run rush sacrifice sail save say scan schedule scream search
    secure see seek select sell send sense separate serve set settle shake shape share shift shine shoot shop shout show shut
    simplify simulate sing sink sit sketch sleep slice slide slow smell smile solve sort sound speak specify spell spend spin
    split spread stand start state stay steal step stick stir stop store strengthen stress stretch strike strive study submit
    substitute subtract succeed suffer suggest suit summarize supply support suppose surround survive suspect swallow swap
    swear sweep swim switch synthesize tackle tag take talk target taste teach tear tell tend test thank think throw tie touch
    trace track trade train transcend transform translate travel treat trust try turn type understand undertake uncover unfold
    unite unleash unlock update upgrade upload urge use utilize validate vary venture verify view visit visualize vote wait
    wake walk want warn wash watch wave wear weave welcome win wish witness wonder work worry wrap write yield
    is are was were has had does did can could will would shall should may might must
    began went came saw took made gave found got knew thought told became left felt brought kept held stood heard let meant set
    met ran paid sat spoke led grew lost fell sent built understood drew broke spent rose drove bought wore chose
    """
)
"""Base forms of common verbs, and some that a question or a story begins with."""
