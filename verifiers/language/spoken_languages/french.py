"""French."""

from __future__ import annotations

from .word_table import Table

TABLE = Table(
    name="French",
    code="fr",
    shown_by="l|qu|c|n|d|j|la|le|les|est|que|une|des|du|pour|dans|avec|réponse|donc|il|elle|je|bonne|au|reste|qui|ne|pas|sont|pense|crois|choisis|résultat"
    "|solution|y|mais|et|finale|quatre|votre|cette|sur|ainsi|on|obtient|conséquent",
    decimal=",",
    answer="bonne réponse|bonnes réponses|réponse|réponse finale|solution|résultat|résultat final|valeur cherchée|answer|final answer",
    options="option|proposition|lettre|choix|problème|exercice|question",
    right="valable|bonne|correcte|correct|exacte|juste|la bonne|vraie",
    is_="équivaut à|c'est-à-dire|soit|correspond à|est exactement|est égal|est égale|s'élève donc à|est donc de|ce qui donne|ce qui fait|est bien|était de|est|sont|c'est|est égale à|est égal à|vaut|égale|s'élève à|est de|donne|est la|est le|font|fait",
    choose="je coche|je dirais|je dirais que c'est|ma réponse serait|c'est la réponse|c'est l'option|je retiens|je réponds|il s'agit de l'option|il s'agit de la réponse|je choisis|je sélectionne|je prends|j'opte pour|nous choisissons|mon choix est|il faut choisir",
    fill="cherchée|cherché|que nous cherchons|que l'on cherche|c'est-à-dire|cela|ceci|ça|cette réponse|des calculs|calculs|le calcul|notre calcul|seule|seul|valable|unique|demandé|totale|suivante|chacun|chacune|économisé|en moyenne|total|somme|produit|différence|quotient|moyenne|aire|périmètre|volume|prix total|coût total|valeur de x|valeur|nous arrivons|nous arrivons à|on arrive à|nous arrivons ainsi au|au résultat|sans aucun doute|sans doute possible|sans l'ombre d'un doute|il me semble que|à mon avis|selon moi|d'après mes calculs|selon mes calculs|par élimination|de toute évidence|évidemment|bien sûr|en somme|en résumé|pour conclure|en définitive|c'est pourquoi|il s'ensuit que|on en déduit que|j'en déduis que|nous en déduisons que|j'affirme que|nous voyons que|nous trouvons que|cela signifie que|ce qui signifie que|chaque|tous|toutes|ensuite|puis|après|avec|sur|la hauteur|hauteur|longueur|distance|âge|vitesse|durée|nombre|grammes|litres|personnes|ans|jours|en additionnant|en multipliant|dans|sous|cet|son propre|aujourd'hui|les deux valeurs|la|le|les|l'|un|une|de|du|des|d'|à|au|aux|en|pour|par|donc|ainsi|alors|par conséquent|au total|en tout|en conclusion|finalement|enfin"
    "|à la fin|final|finale|total|prix|ma|notre|je pense que|je crois que|je suis sûr que|je suis sûre que|je suis certain que|on peut conclure que"
    "|nous pouvons conclure que|on conclut que|je conclus que|on voit que|il est clair que|on sait que|et|d'où|il|elle|ils|elles|on|nous|exactement"
    "|environ|clairement|maintenant|encore|lui|leur|y|ce|cette|cherchée|demandée|qu'",
    opening="après|en additionnant|en soustrayant|en multipliant|en divisant|en résolvant|en calculant|en utilisant|en appliquant|en remplaçant|en simplifiant|à la fin de|pour résoudre|compte tenu de|sachant que|avec la formule|grâce à",
    verbs="a duré|dure|dura|réunit|récolte|a récolté|rassemble|accumule|collectionne|atteint|termine avec|finit avec|a gagné|gagne|a planté|a cuisiné|reçoit|obtient|il obtient|elle obtient|il faudra|lui faut|sont montées|sont montés|montées|montés|sont descendus|sont arrivés|sont venus|ont voyagé|sont vendus|aura économisé|aura|auront|recevra|reçoivent|lui reste|leur reste|il lui reste|nous reste|a mis|ont mis|a eu|ont mangé|ont acheté|ont payé|ont dépensé|a lu|lit|lira|écrit|a écrit|a marché|a couru|mesurait|pesait|a coûté|ont coûté|restait|restaient|avait|avaient|il y avait|a besoin de|ont besoin de|utilise|a utilisé|achète|achètera|vendra|travaille|a travaillé|produit|a produit|fait|a fait|a obtenu|on a|contient|contiennent|vivent|ont participé|trouvons|obtenons|nous trouvons|comporte|possède|possèdent|reste|restent|restera|il y a|y a|il y aura|a|ont|aura|avons|coûte|coûtent|parcourt|parcourent|parcourra|obtient|on obtient|nous obtenons|mesure"
    "|mesurent|pèse|pèsent|paie|a payé|payera|paiera|gagne|a gagné|gagnera|reçoit|a reçu|vend|a vendu|a acheté|a dépensé|dépense|a mangé|dure|faut"
    "|il faut|économise|trouve|on trouve|nous avons|comptent|compte",
    reckoned="trouva|a calculé|ont calculé|ont trouvé|a trouvé|écrirait|mettrait|obtiendrait|a mis comme réponse|arrive à|écrit",
    denied="piège|leurre|trompeur|trompeuse|tentante|c'est faux|se trompe|se trompent|écarte|écartée|écartons|invalide|il n'est pas vrai|ne peut|erronées|ne|n'|n'est pas|pas|jamais|aucun|aucune|personne|sans|faux|fausse|incorrect|incorrecte|erronée|erroné|mauvaise|mauvais|erreur|impossible"
    "|élimine|éliminons|on élimine|j'élimine|exclut|rejette|sauf|ni|non|il est faux que|piège",
    doubted="provisoirement|pour l'instant|à vue d'œil|à vue d'oeil|si seulement|j'espère|j'aimerais|je voudrais|je souhaite|je devine|on dirait|j'ai l'impression|j'imagine|j'espérais|intuition|instinct|pressentiment|pifomètre|à vue de nez|de mémoire|à première vue|au hasard|il est possible|possible que|je ne suis pas sûr|je ne suis pas certain|serait|aurait|j'hésite|hésite|avais|devrait|peut-être|peut-être que|peut|peuvent|pourrait|pourraient|pourrait être|doute|je doute|doutons|probablement|sans doute|possible|semble"
    "|semblait|il semble que|soit|serait|seraient|était|suppose|sait|sais|apparemment|il se peut que",
    offered="ou|ou bien|ou peut-être|soit l'un|entre|parmi",
    supposed="oublier|oubliant|en oubliant|on oublie|vous oubliez|confondre|confondant|par étourderie|par inattention|par erreur|si|s'|supposons|supposons que|en supposant|au cas où|admettons|imaginons",
    reported="le bruit court|le bruit court que|il paraît|on murmure|soutient|soutiennent|insiste|insistent|jure|jurent|crie|crient|a crié|ont crié|raconte|racontent|maintient|parie|parient|suppose|supposent|le journal|rumeur|rumeurs|on raconte|paraît|distrait|étourdi|pressé|inattentif|un camarade|une camarade|mes camarades|les autres|ceux|celui|quelqu'un|les gens|d'autres|le professeur|mon ami|les élèves|le livre|pensaient|croyaient|disait|disaient|estiment|prétendent|assure|assurent|dit|disent|a dit|selon|d'après|croit que|croient que|pense que|pensent que|affirme|affirmé|affirment|a choisi|ont choisi|a répondu|prétend"
    "|beaucoup|certains|son|sa|ses|ton|ta|j'ai pensé|j'ai d'abord|je croyais|pensais",
    bounded="en dessous|au-dessus|dépasse|dépassent|excède|proche|avoisine|approche|inférieures|supérieures|tiers de|part de|carré de|racine de|opposé de|inverse de|au moins|au minimum|au maximum|au plus|plus de|moins de|plus que|moins que|supérieure|supérieur|inférieure|inférieur|presque|près de"
    "|autour de|le double|double|le triple|triple|la moitié de|moitié|jusqu'à|plus|multiple|fois|ou plus|ou moins|à peine|comprise|compris|quasiment",
    asked="est-ce que|est-elle|est-il|serait-elle|serait-il|combien|quelle|quel|quels|quelles",
    instead="mais plutôt",
    turns="mais|cependant|toutefois|pourtant|bien que",
    because="car|parce que|puisque|puisqu'|étant donné que|vu que",
    retracting="non, pardon|oups|en réalité|en vérifiant|après vérification|rectification|je me corrige|je suis désolé|pardon|je me suis trompé|je me suis trompée|non, attendez|non, attends|attendez|attends|désolé|désolée|excusez-moi|correction|je corrige"
    "|plutôt|en fait",
    numbers="zéro=0|un=1|une=1|deux=2|trois=3|quatre=4|cinq=5|six=6|sept=7|huit=8|neuf=9|dix=10|onze=11|douze=12|treize=13|quatorze=14|quinze=15"
    "|seize=16|dix sept=17|dix huit=18|dix neuf=19|vingt=20|trente=30|quarante=40|cinquante=50|soixante=60|septante=70|quatre vingt=80"
    "|quatre vingts=80|huitante=80|nonante=90|cent=*100|cents=*100|mille=*1000|million=*1000000|millions=*1000000|milliard=*1000000000",
    joining="et",
    minus="moins",
    parts="demi=2|demis=2|tiers=3|quart=4|quarts=4|cinquième=5|cinquièmes=5|sixième=6|sixièmes=6|huitième=8|huitièmes=8|dixième=10|dixièmes=10",
    units="euros=€|euro=€|€=€|dollars=$|km=km|kilomètres=km|mètres=m|cm=cm|m=m|kg=kg|heures=h|minutes=min|%=%|degrés=°",
    clock=(
        r"(?P<h>\d{1,2})\s?h\s?(?P<m>\d{2})(?!\w)",
        r"(?P<h>\d{1,2}|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze) heures? et (?:(?P<half>demie)|(?P<quarter>quart))(?!\w)",
    ),
    refusals="je suis désolé, mais je ne peux pas|je ne peux pas vous aider|je ne peux pas t'aider|je refuse de|je ne peux pas fournir",
)
