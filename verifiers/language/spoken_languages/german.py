"""German."""

from __future__ import annotations

from .word_table import Table

TABLE = Table(
    name="German",
    code="de",
    shown_by="am|ende|die|der|das|ist|und|nicht|ein|eine|es|antwort|lautet|richtige|lösung|ergebnis|ich|wir|sind|insgesamt|also|beträgt|bleiben|wähle|für|mit|auf"
    "|dass|daher|somit|gilt|damit|hat|den|dem|zu|von|oder|wenn|gibt",
    decimal=",",
    answer="richtige antwort|richtige lösung|richtig ist|korrekt ist|antwort|endgültige antwort|lösung|ergebnis|endergebnis|resultat|gesuchte wert|answer|final answer",
    options="option|buchstaben|buchstabe|auswahl|möglichkeit|aufgabe|frage|rechnung",
    right="gültige|richtige|richtig|korrekte|korrekt|stimmt",
    is_="entspricht genau|das heißt|also|beläuft sich auf|macht zusammen|ist genau|ist somit|ist also|ist daher|wird|wären es also|war|waren|ergibt also|ist|sind|lautet|beträgt|ergibt|gleich|entspricht|macht|ist gleich",
    choose="ich kreuze|ich tippe auf|ich würde sagen|ich sage|meine antwort wäre|meine antwort lautet|es ist option|es ist antwort|ich wähle|wähle ich|ich entscheide mich für|ich nehme|wir wählen|meine wahl ist",
    fill="dies|diese antwort|einzig|einzige|einzige richtige|gültige|nach nochmaliger prüfung|nach prüfung|nach reiflicher überlegung|nach rechnung|ich komme zu dem schluss, dass|ich komme zum schluss, dass|wir kommen zu dem schluss, dass|folgende|gesparte|jeweils|im durchschnitt|nach allem|nach der rechnung|am jahresende|summe|gesamtsumme|produkt|differenz|quotient|durchschnitt|mittelwert|fläche|flächeninhalt|umfang|volumen|gesamtpreis|gesamtkosten|wert von x|wert|höhe|anzahl|so kommen wir auf das|so kommen wir auf|wir kommen auf das|wir kommen auf|auf diese|auf die|auf|diese|dieser|dieses|meiner meinung nach|meines erachtens|ohne zweifel|zweifellos|ohne jeden zweifel|es besteht kein zweifel, dass|es besteht kein zweifel daran, dass|nach dem ausschlussverfahren|durch ausschluss|definitiv|offensichtlich|natürlich|selbstverständlich|klar|eindeutig|demnach|demzufolge|infolgedessen|zum schluss|im endeffekt|kurz gesagt|das bedeutet, dass|das bedeutet|daraus ergibt sich, dass|ich bin überzeugt, dass|ich bin mir sicher, dass|ich folgere, dass|ich schließe daraus, dass|ich bin der meinung, dass|wir wissen, dass|laut rechnung|nach meiner rechnung|länge|entfernung|alter|geschwindigkeit|dauer|gewicht|zahl|gramm|liter|personen|jahre|tage|jeder|jede|alle|mit|nach|bei|beide|ihm|ihr bleiben|ihnen|heute|dieser aufgabe|bin|mir|sicher, dass|baumes|die|der|das|den|dem|des|ein|eine|einen|einer|also|daher|somit|damit|folglich|deshalb|insgesamt|zusammenfassend|schließlich|am ende|letztlich|nun"
    "|endgültige|gesuchte|meine|unsere|zu|von|für|ich denke|ich glaube|ich meine|ich bin sicher|ich denke, dass|ich glaube, dass|ich bin sicher, dass"
    "|wir können schließen, dass|daraus folgt, dass|wir sehen, dass|es folgt, dass|man sieht, dass|gilt|es gilt|und|es|im|in|genau|etwa|ungefähr|noch|übrig|sich"
    "|gesamtpreis|dann|er|sie|wir|man|aus|wahrscheinlichkeit",
    opening="nach|durch|durch addition|durch einsetzen|mit hilfe|beim|indem|zum lösen|unter verwendung|setzen wir|rechnen wir|addiert man|subtrahiert man|multipliziert man|dividiert man",
    verbs="dauerte|dauert|sammelt|sammelte|spart|verdient|erreicht|erreichte|bäckt|backt|pflanzte|malte|gewann|gewinnt|endet mit|schafft|schaffte|stiegen|stiegen ein|kamen|kamen an|reisten|verkauft|braucht man|man braucht|nahmen teil|gespart|erhalten jeweils|bekommt jeder|wird gespart|brauchte|brauchten|hatten|bekam|bekamen|aßen|aß|kauften|bezahlte|bezahlten|gab aus|las|liest|schrieb|ging|lief|wog|kostete|kosteten|blieben|blieb|gab es|benötigt|benötigen|benutzt|verkaufte|arbeitet|arbeitete|produziert|produzierte|erhielt|erhält man|bekommt man|erhalten wir|bekommen wir|haben wir|passen|leben|wohnen|teilnahmen|enthält|enthalten|spart|läuft|verbraucht|lebt|zahlen|ergab|ergibt sich also|bleibt|bleiben|gibt es|gibt|hat|haben|hatte|kostet|kosten|fährt|fahren|legt|ergibt sich|ergeben|erhalten|erhält|bekommt|misst|wiegt|braucht|brauchen"
    "|bezahlt|zahlt|verdient|verkauft|kauft|kaufte|ausgegeben|gegessen|dauert|spart|besitzt|besitzen|zusammen",
    reckoned="heraus|raus|bekam heraus|kam auf|errechnete|berechnete|schrieb hin|käme auf|landet bei|landete bei",
    denied="falle|fangfrage|köder|trügerisch|verlockend|verlockende|irrt|irrt sich|irren|irren sich|stimmt nicht|es stimmt nicht|trifft nicht zu|ausgeschlossen|scheidet aus|ungültig|kann nicht|darf nicht|nicht wahr|nicht|nie|niemals|kein|keine|keinen|keiner|niemand|ohne|falsch|falsche|falscher|inkorrekt|irrtum|fehler|unmöglich|ausschließen|schließen wir"
    "|wir schließen|verwerfen|außer|weder|noch nicht|nein|unzutreffend",
    doubted="vorläufig|vorerst|einstweilen|schön wäre|hoffentlich|ich hoffe|ich wünschte|wünschte|rate|geraten|ich rate|auf den ersten blick|gefühlt|dem gefühl nach|ich schätze|schätze|sieht aus|aussehen|bauchgefühl|gefühl|intuition|instinkt|ahnung|aus dem bauch|aus dem gedächtnis|auf den ersten blick|aufs geratewohl|schätzungsweise|geschätzt|es ist möglich|möglich|nicht sicher|unsicher|schwanke|ich schwanke|hätte|gäbe|würden|ob|zweifle|vielleicht|möglicherweise|könnte|könnten|kann|kann sein|bezweifle|ich bezweifle|bezweifeln|wahrscheinlich|vermutlich|eventuell|scheint|wäre|wären"
    "|sei|würde|weiß|wohl|angeblich|anscheinend|dürfte|mag",
    offered="oder|oder vielleicht|entweder|beziehungsweise|zwischen",
    supposed="vergisst|vergisst man|vergessen|vergäße|verwechselt|verwechselt man|irrtümlich|versehentlich|aus versehen|wenn|falls|angenommen|sofern|unter der annahme|nehmen wir an|gesetzt",
    reported="munkelt|man munkelt|beharrt|beharren|schwört|schwören|schwor|ruft|rufen|rief|riefen|hofft|hoffen|wettet|wetten|vermutet|vermuten|zeitung|gerücht|gerüchte|gerüchten|angeblich|heißt es|unachtsamer|unachtsame|flüchtiger|hastiger|eiliger|nachlässiger|unaufmerksamer|die anderen|ein mitschüler|meine mitschüler|wer|jemand|die leute|andere|der lehrer|die lehrerin|mein freund|die schüler|das buch|dachten|glaubten|meinte|meinten|sagten|manche|sagt|sagen|sagte|laut|nach ansicht|meint|meinen|behauptet|behaupten|gewählt|wählte|antwortete|denkt|denken|glaubt|glauben|viele|manche|seine|ihre"
    "|sein|ihr|deine|dachte|dachte ich|zuerst",
    bounded="unterhalb|oberhalb|übersteigt|überschreitet|nahe|annähernd|kleiner|größere|drittel von|teil von|quadrat von|wurzel aus|kehrwert von|gegenteil von|mindestens|wenigstens|höchstens|maximal|minimal|mehr als|weniger als|größer|größer als|kleiner|kleiner als|fast|beinahe|nahezu|das doppelte|doppelte"
    "|doppelt|das dreifache|dreifache|die hälfte von|hälfte|bis|über|unter|rund|vielfaches|mal|oder mehr|oder weniger|knapp|liegt",
    asked="wie viele|wie viel|welche|welcher|was",
    instead="sondern|vielmehr",
    turns="aber|jedoch|doch|allerdings|obwohl",
    because="denn|weil|da|wegen",
    retracting="nein, entschuldigung|ups|hoppla|tut mir leid|eigentlich|bei der überprüfung|nach überprüfung|ich berichtige|entschuldigung|ich habe mich geirrt|ich habe mich vertan|nein, moment|moment|nein, warte|warte|korrektur|ich korrigiere|verzeihung|besser gesagt",
    numbers="null=0|ein=1|eins=1|eine=1|zwei=2|drei=3|vier=4|fünf=5|sechs=6|sieben=7|acht=8|neun=9|zehn=10|elf=11|zwölf=12|dreizehn=13|vierzehn=14|fünfzehn=15"
    "|sechzehn=16|siebzehn=17|achtzehn=18|neunzehn=19|zwanzig=20|dreißig=30|vierzig=40|fünfzig=50|sechzig=60|siebzig=70|achtzig=80|neunzig=90"
    "|hundert=*100|tausend=*1000|million=*1000000|millionen=*1000000",
    joining="und",
    unit_first=True,
    glued=True,
    minus="minus",
    parts="halbe=2|drittel=3|viertel=4|fünftel=5|sechstel=6|achtel=8|zehntel=10",
    units="euro=€|€=€|dollar=$|km=km|kilometer=km|meter=m|cm=cm|m=m|kg=kg|stunden=h|minuten=min|%=%|grad=°",
    clock=(
        r"(?P<h>\d{1,2})[:.](?P<m>\d{2}) uhr(?!\w)",
        r"(?P<h>\d{1,2}) uhr(?: (?P<m>\d{2}))?(?!\w)",
        r"(?P<to>(?P<half>halb)) (?P<h>zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|eins)(?!\w)",
    ),
    refusals="es tut mir leid, aber ich kann|dabei kann ich nicht helfen|ich kann ihnen dabei nicht helfen|ich weigere mich|das kann ich nicht beantworten",
)
