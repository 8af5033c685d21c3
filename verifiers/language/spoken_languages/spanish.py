"""Spanish, of Spain and America."""

from __future__ import annotations

from .word_table import Table

TABLE = Table(
    name="Spanish",
    code="es",
    shown_by="la|el|los|las|es|son|que|una|del|por|para|con|sino|respuesta|opción|quedan|queda|hay|tiene|creo|elijo|total"
    "|solución|resultado|entonces|tanto|más|menos|cuesta|sea|según|luego|está|fue|se|su|al|correcta|cuánto",
    decimal=",",
    answer="respuesta al problema|respuesta|respuesta final|solución|resultado|resultado final|contestación|valor buscado|answer|final answer",
    options="opción|alternativa|letra|inciso|problema|ejercicio|pregunta|cuestión",
    right="adecuada|válida|la adecuada|es la adecuada|correcta|correcto|acertada|verdadera|es correcta|es la correcta|la correcta",
    is_="sería igual a|equivale|es decir|o sea|es igual|es exactamente|nos queda|queda|corresponde a|corresponde|es de|fue|fueron|es|son|es de|es igual a|será|equivale a|asciende a|resulta ser|da|nos da|es la|es el",
    choose="yo elijo|yo escojo|marco|marcaría|yo marcaría|yo diría|diría que es|mi respuesta sería|me inclino por|la respuesta sería|elijo|escojo|selecciono|opto por|me quedo con|mi elección es|elegimos|debemos elegir",
    fill="buscamos|que buscamos|que buscábamos|que nos piden|que nos pedían|eso|esto|ello|aquello|esa respuesta|esta respuesta|cálculos|los cálculos|el cálculo|única|válida|la única|pedida|seguro de que|completa|siguiente|ahorrados|ahorradas|en promedio|cada uno|cada una|más|suma|total|producto|diferencia|cociente|promedio|media|área|perímetro|volumen|precio total|costo total|coste total|valor de x|valor|cantidad total|de esta forma|de esta manera|llegamos al|llegamos a|se llega a|sin duda|sin lugar a dudas|sin ninguna duda|no hay duda de que|me parece que|a mi juicio|en mi opinión|por eliminación|por descarte|definitivamente|claro que|por supuesto|evidentemente|obviamente|sumando|restando|multiplicando|dividiendo|como resultado|como conclusión|en definitiva|en síntesis|para concluir|después de todo|después|hoy|cada|todos|todas|él|ella|ellos|tras|con|que|quiere decir que|significa que|esto significa que|es decir,|por ello|por eso|de ahí que|de aquí que|podemos ver que|podemos decir que|podemos afirmar que|confirmo que|afirmo que|sostengo que|deduzco que|se deduce que|deducimos que|resulta que|es evidente que|es obvio que|sin duda alguna|pregunta|según los cálculos|según el cálculo|la altura|longitud|distancia|edad|velocidad|tiempo|peso|número|cantidad|gramos|gramo|litros|personas|años|días|sus propios|la|el|los|las|un|una|lo|de|del|al|a|en|por|para|final|por lo tanto|por tanto|por consiguiente|así que|así pues|así|entonces|luego"
    "|en total|en conclusión|finalmente|al final|en resumen|en consecuencia|de este modo|de modo que|por ende|total|precio|mi|nuestra"
    "|creo que|pienso que|considero que|opino que|estoy seguro de que|estoy segura de que|podemos concluir que|concluimos que|concluyo que"
    "|se concluye que|vemos que|tenemos que|sabemos que|se obtiene que|está claro que|y|entonces tenemos|este|esta|dado|pedido|buscado"
    "|aproximadamente|exactamente|claramente|le|les|me|nos|se|ahora|todavía|aún|ya",
    opening="después de|tras|sumando|restando|multiplicando|dividiendo|al sumar|al restar|al multiplicar|al dividir|al resolver|al calcular|resolviendo|calculando|usando|aplicando|utilizando|sustituyendo|simplificando|despejando|al final de|al finalizar|para resolver|considerando|teniendo en cuenta",
    verbs="duró|dura|duraron|reúne|reunió|junta|juntó|recoge|recogió|alcanza|consigue|consiguió|acumula|necesitaron|guarda|regala|reparte|cuestan|cocinó|hornea|horneó|pintó|plantó|termina con|acaba con|subieron|bajaron|llegaron|vinieron|asistirán|se necesitan|se venden|se vendieron|aprobaron|viajaron|tendrá ahorrados|habrá ahorrado|le quedan|le queda|nos quedan|les quedan|recibirá|reciben|tardó|tardaron|tuvo|tuvieron|recorrieron|comieron|compraron|pagaron|vendieron|leyó|leerá|lee|escribió|caminó|corrió|midió|pesó|costó|costaron|quedaron|quedó|hubo|había|necesitó|usó|usa|usará|gastará|comprará|venderá|trabaja|trabajó|ahorrará|produce|produjo|hace|hizo|obtuvo|obtuvimos|calculamos|tenía|tenían|cabe|caben|viven|asistieron|participaron|llegamos a|suman un total de|lleva|llevan|queda|quedan|quedarán|hay|habrá|tiene|tienen|tendrá|tenemos|tendremos|cuesta|cuestan|recorre|recorren|recorrerá|recorrió|suma|suman"
    "|obtenemos|se obtienen|se obtiene|obtiene|resulta|resultan|mide|miden|pesa|pesan|necesita|necesitan|necesitará|paga|pagó|pagará|gana"
    "|ganó|ganará|recibe|recibió|vende|vendió|compró|gastó|gastaron|gasta|comió|tarda|tardará|dura|vale|valen|ahorra|ahorró|sobran|faltan",
    reckoned="obtuvo|obtuvieron|obtendría|calculó|calcularon|encontró|sacó|llegó a|halló|pondría|escribió|puso|pone|escribe",
    denied="trampas|señuelo|engañoso|tentadora|tentador|no hay duda de que no|no es cierto|no puede|no pueden|equivocan|equivoca|se equivocan|se equivoca|descartada|inválida|no es verdad|no|nunca|jamás|tampoco|ningún|ninguna|nadie|sin|falso|falsa|incorrecto|incorrecta|errónea|erróneo|equivocada|equivocado"
    "|error|imposible|descartamos|descarto|descartar|se descarta|rechazamos|excepto|salvo|ni|es falso|mala|mal|trampa",
    doubted="provisionalmente|de momento|ojalá|me gustaría|espero|esperaba|sueño|da la impresión|da la sensación|me suena|adivino|adivinando|intuición|instinto|presentimiento|corazonada|a ojo|a simple vista|de memoria|a primera vista|así a bote pronto|es posible|posible|no estoy seguro|no estoy segura|me parece que no|creería|hubiera|habría|hubiese|estaría|quizás|quizá|tal vez|a lo mejor|acaso|podría|podrían|podría ser|puede|puede ser|puede que|dudo|dudamos|dudoso|probablemente"
    "|posiblemente|seguramente|parece|parecía|supongo|sea|fuera|fuese|sería|serían|no sé|imagino|aparentemente",
    offered="estoy entre|dudo entre|alguna de|o|u|o bien|o quizá|o quizás|o tal vez|ya sea|entre|cualquiera",
    supposed="olvidar|olvidando|olvidas|olvidamos|si se olvida|confundir|confundiendo|por descuido|por error|por despiste|si|supongamos|suponiendo|suponga|en caso de|asumiendo|imaginemos|con tal de que",
    reported="insiste|insisten|sostienen|grita|gritan|gritaron|jura|juran|mantiene|mantienen|supone|suponen|imagina|apuesta|apuestan|asegura|aseguraba|sostuvo|juró|gritó|exclama|según cuentan|cuentan|periódico|rumor|rumores|descuidado|descuidada|distraído|distraída|apresurado|despistado|despistada|los demás|un compañero|una compañera|mis compañeros|quienes|quien|alguien|la gente|otros|el profesor|la profesora|mi amigo|los alumnos|el libro|pensaban|opinan|creían|decía|decían|comentó|aseguran|dice|dicen|dijo|dijeron|según|cree que|creen que|piensa que|piensan que|afirma|afirmó|afirman|eligió|eligieron|escogió|respondió"
    "|contestó|sostiene|opina que|asegura|mucha gente|muchos|algunos|su|sus|tu|cree|creía|pensé|pensaba",
    bounded="por debajo|por encima|superan|supera|excede|próximo|próxima|aproxima|rebasa|inferiores|superiores|a lo más|al doble|tercio de|parte de|cuadrado de|raíz de|opuesto de|inverso de|al menos|por lo menos|como mínimo|como máximo|a lo sumo|más de|menos de|más que|menos que|mayor|menor|mayor que|menor que|casi"
    "|cerca de|alrededor de|unos|unas|el doble|doble|el triple|triple|la mitad de|mitad|hasta|sobre|múltiplo|inferior|superior|veces|o más"
    "|o menos|apenas|desde",
    asked="cuál|cuánto|cuántos|cuántas|qué|será acaso",
    instead="sino|sino que|en lugar de ser",
    turns="pero|sin embargo|mas|aunque",
    because="porque|ya que|puesto que|pues|dado que|debido a que",
    retracting="no, perdón|uy|ay|en realidad|revisando|al revisar|rectificación|lo siento|perdón|me equivoqué|me he equivocado|no, espera|espera|disculpa|disculpe|corrijo|corrección|mejor dicho|me corrijo|rectifico",
    numbers="cero=0|un=1|uno=1|una=1|dos=2|tres=3|cuatro=4|cinco=5|seis=6|siete=7|ocho=8|nueve=9|diez=10|once=11|doce=12|trece=13|catorce=14"
    "|quince=15|dieciséis=16|diecisiete=17|dieciocho=18|diecinueve=19|veinte=20|veintiuno=21|veintiún=21|veintidós=22|veintitrés=23"
    "|veinticuatro=24|veinticinco=25|veintiséis=26|veintisiete=27|veintiocho=28|veintinueve=29|treinta=30|cuarenta=40|cincuenta=50"
    "|sesenta=60|setenta=70|ochenta=80|noventa=90|cien=100|ciento=100|doscientos=200|doscientas=200|trescientos=300|trescientas=300"
    "|cuatrocientos=400|quinientos=500|quinientas=500|seiscientos=600|setecientos=700|ochocientos=800|novecientos=900|mil=*1000"
    "|millón=*1000000|millones=*1000000",
    joining="y",
    minus="menos",
    parts="medio=2|medios=2|tercio=3|tercios=3|cuarto=4|cuartos=4|quinto=5|quintos=5|sexto=6|sextos=6|octavo=8|octavos=8|décimo=10|décimos=10",
    units="euros=€|euro=€|€=€|dólares=$|pesos=$|km=km|kilómetros=km|metros=m|cm=cm|m=m|kg=kg|horas=h|minutos=min|%=%|grados=°",
    clock=(
        r"(?:a )?las? (?P<h>\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)(?: y (?:(?P<half>media)|(?P<quarter>cuarto)))?"
        r"(?: en punto)?(?P<pm> de la (?:tarde|noche))?(?![\w:])",
    ),
    refusals="lo siento, pero no puedo|no puedo ayudarte con|no puedo ayudar con|me niego a|no puedo proporcionar",
)
