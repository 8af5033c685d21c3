"""Spanish, of Spain and America."""

from __future__ import annotations

from ..table import Table

TABLE = Table(
    name="Spanish",
    code="es",
    shown_by="la|el|los|las|es|son|que|una|del|por|para|con|sino|respuesta|opción|quedan|queda|hay|tiene|creo|elijo|total"
    "|solución|resultado|entonces|tanto|más|menos|cuesta|sea|según|luego|está|fue|se|su|al|correcta|cuánto",
    decimal=",",
    answer="respuesta|respuesta final|solución|resultado|resultado final|contestación|valor buscado|answer|final answer",
    options="opción|alternativa|letra|inciso|problema|ejercicio|pregunta|cuestión",
    right="correcta|correcto|acertada|verdadera|es correcta|es la correcta|la correcta",
    is_="es|son|es de|es igual a|será|equivale a|asciende a|resulta ser|da|nos da|es la|es el",
    choose="elijo|escojo|selecciono|opto por|me quedo con|mi elección es|elegimos|debemos elegir",
    fill="la|el|los|las|un|una|lo|de|del|al|a|en|por|para|final|por lo tanto|por tanto|por consiguiente|así que|así pues|así|entonces|luego"
    "|en total|en conclusión|finalmente|al final|en resumen|en consecuencia|de este modo|de modo que|por ende|total|precio|mi|nuestra"
    "|creo que|pienso que|considero que|opino que|estoy seguro de que|estoy segura de que|podemos concluir que|concluimos que|concluyo que"
    "|se concluye que|vemos que|tenemos que|sabemos que|se obtiene que|está claro que|y|entonces tenemos|este|esta|dado|pedido|buscado"
    "|aproximadamente|exactamente|claramente|le|les|me|nos|se|ahora|todavía|aún|ya",
    verbs="queda|quedan|quedarán|hay|habrá|tiene|tienen|tendrá|tenemos|tendremos|cuesta|cuestan|recorre|recorren|recorrerá|recorrió|suma|suman"
    "|obtenemos|se obtienen|se obtiene|obtiene|resulta|resultan|mide|miden|pesa|pesan|necesita|necesitan|necesitará|paga|pagó|pagará|gana"
    "|ganó|ganará|recibe|recibió|vende|vendió|compró|gastó|gastaron|gasta|comió|tarda|tardará|dura|vale|valen|ahorra|ahorró|sobran|faltan",
    denied="no|nunca|jamás|tampoco|ningún|ninguna|nadie|sin|falso|falsa|incorrecto|incorrecta|errónea|erróneo|equivocada|equivocado"
    "|error|imposible|descartamos|descarto|descartar|se descarta|rechazamos|excepto|salvo|ni|es falso|mala|mal|trampa",
    doubted="quizás|quizá|tal vez|a lo mejor|acaso|podría|podrían|podría ser|puede|puede ser|puede que|dudo|dudamos|dudoso|probablemente"
    "|posiblemente|seguramente|parece|parecía|supongo|sea|fuera|fuese|sería|serían|no sé|imagino|aparentemente",
    offered="o|u|o bien|o quizá|o quizás|o tal vez|ya sea|entre|cualquiera",
    supposed="si|supongamos|suponiendo|suponga|en caso de|asumiendo|imaginemos|con tal de que",
    reported="dice|dicen|dijo|dijeron|según|cree que|creen que|piensa que|piensan que|afirma|afirmó|afirman|eligió|eligieron|escogió|respondió"
    "|contestó|sostiene|opina que|asegura|mucha gente|muchos|algunos|su|sus|tu|cree|creía|pensé|pensaba",
    bounded="al menos|por lo menos|como mínimo|como máximo|a lo sumo|más de|menos de|más que|menos que|mayor|menor|mayor que|menor que|casi"
    "|cerca de|alrededor de|unos|unas|el doble|doble|el triple|triple|la mitad de|mitad|hasta|sobre|múltiplo|inferior|superior|veces|o más"
    "|o menos|apenas|desde",
    asked="cuál|cuánto|cuántos|cuántas|qué|será acaso",
    instead="sino|sino que|en lugar de ser",
    turns="pero|sin embargo|mas|aunque",
    because="porque|ya que|puesto que|pues|dado que|debido a que",
    retracting="perdón|me equivoqué|me he equivocado|no, espera|espera|disculpa|disculpe|corrijo|corrección|mejor dicho|me corrijo|rectifico",
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
