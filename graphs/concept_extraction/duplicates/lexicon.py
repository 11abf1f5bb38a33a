"""Small words that turn a statement round, in Spanish and English: negations, numbers, opposites."""

from graphs.concept_extraction.schemas import Language
from graphs.concept_extraction.titles import word_set

NEGATIONS: dict[Language, frozenset[str]] = {
    "es": word_set("no nunca jamas ni ningun ninguna ninguno nadie nada tampoco"),
    "en": word_set("not no never none nobody nothing neither nor cannot nowhere"),
}
# These negate on their own: "no … without" is an affirmation.
PRIVATIONS: dict[Language, frozenset[str]] = {
    "es": word_set("sin apenas carece carecen carecer ausencia ajeno ajena"),
    "en": word_set("without lack lacks lacking absence hardly barely seldom fails fail"),
}

NUMBERS: dict[Language, dict[str, str]] = {
    "es": {
        word: str(value)
        for value, words in enumerate(
            (
                "cero ninguna",
                "primero primera primer primeros primeras",
                "dos segundo segunda ambos ambas doble",
                "tres tercero tercera tercer triple",
                "cuatro cuarto cuarta",
                "cinco quinto quinta",
                "seis sexto sexta",
                "siete septimo septima",
                "ocho octavo octava",
                "nueve noveno novena",
                "diez decimo decima",
                "once",
                "doce",
            )
        )
        for word in words.split()
        if value
    }
    | {"cien": "100", "ciento": "100", "mil": "1000", "millon": "1000000", "mitad": "1/2", "veinte": "20"},
    "en": {
        word: str(value)
        for value, words in enumerate(
            (
                "zero",
                "first",
                "two second both double twice",
                "three third triple",
                "four fourth",
                "five fifth",
                "six sixth",
                "seven seventh",
                "eight eighth",
                "nine ninth",
                "ten tenth",
                "eleven",
                "twelve",
            )
        )
        for word in words.split()
        if value
    }
    | {"hundred": "100", "thousand": "1000", "million": "1000000", "half": "1/2", "twenty": "20"},
}
ROMAN = {
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "xi": "11",
    "xii": "12",
}

STOPWORDS: dict[Language, frozenset[str]] = {
    "es": word_set(
        "el la los las lo un una unos unas de del al a que y e o u en con por para se su sus le les "
        "es son era fue ser esta estan este estos estas eso esa como mas muy tan tanto pero cuando "
        "porque donde quien quienes cual cuales cada hasta desde entre sobre si ya nos me te mi tu "
        "nuestro nuestra nuestros nuestras nuestro cosa cosas hay ha han haber suele suelen puede "
        "pueden tiene tienen tambien solo aquello aquel quien menos mismo misma ello"
    ),
    "en": word_set(
        "the a an of to and or in on at with by for from is are was were be been being it its this "
        "that these those he she they we you i as but when because if there which who whom what how "
        "so than then have has had can will would do does did may might must should one into about "
        "their his her our your my me us them too very more most much only also just thing things "
        "something out up"
    ),
}

# Two sides of one scale: a word of one side in one text, of the other in the other, is a contrast.
_AXES_ES = """
aumentar crecer subir incrementar ampliar ensanchar expandir elevar multiplicar / disminuir decrecer bajar
aumentar crecer subir incrementar ampliar ensanchar expandir elevar multiplicar / reducir estrechar
aumentar crecer subir incrementar ampliar ensanchar expandir elevar multiplicar / encoger recortar
aumentar crecer subir incrementar ampliar ensanchar expandir elevar multiplicar / menguar limitar
mejorar perfeccionar / empeorar deteriorar degradar arruinar
fortalecer reforzar robustecer consolidar / debilitar minar erosionar socavar
ayudar facilitar favorecer permitir fomentar promover / impedir impide impiden
ayudar facilitar favorecer permitir fomentar promover / dificultar obstaculizar estorbar
ayudar facilitar favorecer permitir fomentar promover / frenar evitar bloquear prohibir
crear construir generar producir / destruir eliminar aniquilar demoler
exigir requerir requiere requieren necesitar implicar incluir / excluir descartar prescindir
unir juntar integrar acercar / separar dividir alejar desunir
liberar emancipar soltar / oprimir esclavizar paralizar atar encadenar someter
avanzar adelantar progresar progreso avance / retroceder atrasar retraso retroceso decadencia
empezar comenzar nacer principio comienzo inicio origen / terminar acabar morir final fin
ganar vencer triunfar victoria exito / perder pierde pierden fracasar derrota fracaso
amar amor querer quiere / odiar odio despreciar
dar da dan ofrecer entregar / quitar negar niega arrebatar
aceptar afirmar aprobar confirmar / rechazar negar niega niegan refutar desmentir
recordar recuerda / olvidar olvido
conocer saber conocimiento / ignorar desconocer ignorancia
acertar verdadero verdad cierto / errar engañar falso mentira falsedad mentir miente mienten
bueno bien mejor beneficioso / malo mal peor dañino perjudicial
grande mayor enorme / pequeño menor minusculo
mucho muchos abundante abundancia / poco pocos escaso escasez
alto superior / bajo inferior
rapido deprisa pronto veloz / lento despacio tarde
fuerte fortaleza / debil debilidad
facil sencillo simple / dificil complicado complejo
antes previo anterior / despues posterior
dentro interior interno / fuera exterior externo
nuevo joven moderno juventud / viejo antiguo vejez
libre libertad / esclavo esclavitud cautivo
natural innato heredado / artificial adquirido aprendido
racional razon / irracional emocion instinto
orden ordenado certeza necesidad / caos desorden azar incertidumbre
publico colectivo comun social / privado individual particular
igual igualdad semejante / distinto desigual desigualdad diferente
objetivo / subjetivo
activo / pasivo
abierto abrir / cerrado cerrar
lleno / vacio
rico riqueza / pobre pobreza
feliz felicidad alegria placer / infeliz tristeza dolor desdicha
paz calma / guerra conflicto violencia
vida vivir / muerte
luz claro claridad / oscuridad oscuro sombra
causa / efecto consecuencia
siempre / nunca jamas raramente
todo todos toda todas cualquier cualquiera / ninguno nadie nada ninguna algunos algunas pocos
temido / amado
mas / menos
posible / imposible
intacto fijo estable conservar permanecer / cambiar reconstruir transformar alterar variar
sabio sabiduria / necio ignorante
valiente valor coraje / cobarde cobardia
virtud / vicio
util / inutil
cerca / lejos
hablar decir / callar silencio
teoria / practica
confiar confianza / desconfiar sospecha
atraer / repeler ahuyentar
raro infrecuente excepcional / frecuente comun habitual corriente
alimentar nutrir avivar despertar / matar apagar sofocar ahogar
aclarar iluminar agudizar afinar / nublar oscurecer ofuscar confundir
sufrimiento sufrir / dicha gozo disfrutar
razon acierto / equivocar equivocacion error
igual mismo identico / transformar cambiar
cura curar sanar / enfermar dañar herir
enseñar educar instruir / adoctrinar embrutecer
ordenar / desordenar confundir
heroe / villano
humilde humildad / soberbio soberbia orgullo arrogancia
optimista optimismo esperanza / pesimista pesimismo desesperacion desesperanza
concreto / abstracto
relativo / absoluto
temporal pasajero efimero / eterno permanente duradero
local / universal global
centralizar / descentralizar
acelerar / retrasar frenar ralentizar
revelar mostrar descubrir / ocultar esconder encubrir
someter obedecer obediencia / rebelar desobedecer rebeldia
premiar premio recompensa / castigar castigo
gastar derrochar / ahorrar
maximo / minimo
llenar / vaciar
teista creyente fe / ateo incredulo escepticismo
cuerpo / alma espiritu
cultura / naturaleza
enriquecer / empobrecer
encender / apagar
ensalzar elogiar alabar admirar / denigrar despreciar criticar
tranquilizar calmar serenar apaciguar / inquietar agitar alarmar
curar prevenir evitar / causar provocar ocasionar
seguir respetar atender / ignorar desatender incumplir
acompañar / abandonar
acertar atinar / fallar errar
embellecer / afear
endurecer / ablandar
igualar nivelar / desigualar
apoyar sostener defender / atacar combatir
conceder otorgar / denegar retirar
"""
_AXES_EN = """
increase grow rise raise expand broaden widen enlarge multiply boost / decrease shrink fall
increase grow rise raise expand broaden widen enlarge multiply boost / lower reduce narrow
increase grow rise raise expand broaden widen enlarge multiply boost / diminish limit decline cut
improve enhance better / worsen deteriorate degrade worse spoil
strengthen reinforce consolidate / weaken undermine erode
help facilitate favour favor enable allow promote encourage foster / prevent hinder impede obstruct block
help facilitate favour favor enable allow promote encourage foster / forbid inhibit discourage hamper
create build generate produce / destroy eliminate annihilate demolish
demand require need imply include / exclude forgo dispense
unite join integrate connect together closer nearer / separate divide split apart away asunder
liberate free freedom liberty / enslave oppress bind slavery captive paralyse paralyze
advance progress forward ahead / retreat regress backward back decline
begin start birth beginning origin / end finish death final
win succeed victory success gain / lose fail defeat failure loss
love / hate despise
give offer / take deny withhold
accept affirm confirm approve / reject deny refute
remember recall / forget oblivion
know knowledge / ignore ignorance
right true truth correct accurate reliable / wrong false lie mistaken incorrect unreliable
good best beneficial / bad evil worst harmful
big large great greater many much lot / small smaller little few minor
abundant plentiful plenty / scarce rare
high superior / low inferior
fast quick quickly rapid rapidly soon / slow slowly late gradually
strong strength / weak weakness
easy simple simplest simply / difficult hard complicated complex
before prior earlier / after later
inside internal inner / outside external outer
new young modern youth / old ancient age
natural innate inborn inherited / artificial acquired learned
rational reason / irrational emotion instinct
order certainty necessity / chaos disorder chance randomness uncertainty
public collective common social / private individual
equal equality same alike / unequal inequality different
objective / subjective
active / passive
open / closed close
full / empty
rich wealth / poor poverty
happy happiness pleasure joy / unhappy sadness pain misery
peace calm / war conflict violence
life live / death die
light clear clarity / darkness dark obscure
cause / effect consequence
always / never rarely seldom sometimes
all every everyone everybody everything any anyone anybody anything / none nobody nothing some few
feared / loved
more / less fewer
possible / impossible
fixed stable preserve remain intact / change rebuild reconstruct transform alter vary
wise wisdom / foolish fool
brave courage / coward cowardice
virtue / vice
useful / useless
near / far
speak speech / silent silence
trust / distrust suspicion
attract / repel
rare uncommon exceptional / common frequent usual widespread
feed nourish kindle awaken / kill extinguish stifle smother
sharpen clarify illuminate / cloud blur obscure confuse
suffering suffer / joy bliss delight enjoy
good virtuous / wicked sinful
cure heal / harm hurt sicken injure
humble humility / proud pride arrogant arrogance
optimistic optimism hope / pessimistic pessimism despair
concrete / abstract
relative / absolute
temporary fleeting passing / eternal permanent lasting
local / universal global
accelerate / delay slow
reveal show / hide conceal
obey obedience / rebel disobey rebellion
reward / punish punishment
spend / save
maximum / minimum
body / soul spirit mind
culture nurture / nature
motivate / demotivate
certain sure / doubtful uncertain doubt
majority / minority
teach teacher / student pupil
enrich / impoverish
light kindle / extinguish
praise admire applaud / blame criticise criticize despise
calm soothe reassure / disturb agitate alarm
prevent avoid avert / cause provoke trigger
follow respect heed / ignore disregard neglect defy
support defend sustain / attack oppose
grant / refuse withdraw
harden / soften
"""
AXES: dict[Language, str] = {"es": _AXES_ES, "en": _AXES_EN}
NEGATIVE_PREFIXES: dict[Language, tuple[str, ...]] = {
    "es": ("in", "im", "ir", "des", "anti"),
    "en": ("un", "in", "im", "ir", "il", "dis", "de", "non", "anti", "mis", "counter"),
}
# A passive or a cleft sentence may turn the order of words without turning the meaning.
PASSIVE: dict[Language, frozenset[str]] = {
    "es": word_set("por"),
    "en": word_set("by"),
}
EVEN_HANDED: dict[Language, frozenset[str]] = {
    "es": word_set("y e o u con entre relaciona relacionan junto igual"),
    "en": word_set("and or with between relate related together equals"),
}

# Words before a noun, by which a word is known to name something.
DETERMINERS: dict[Language, frozenset[str]] = {
    "es": word_set(
        "el la los las un una unos unas del al su sus mi mis tu tus nuestro nuestra nuestros nuestras "
        "este esta estos estas ese esa esos esas aquel aquella cada todo toda"
    ),
    "en": word_set("the a an his her its our your my their this these every each no of"),
}
# A sentence that begins so leans on the one before it.
LEANING: dict[Language, frozenset[str]] = {
    "es": word_set(
        "y e o u ni pero sino mas aunque porque pues asi eso esto ese esa esta este estos estas esos esas "
        "ello ella ellos ellas entonces luego ademas tambien tampoco cuando si mientras donde "
        "como segun"
    ),
    "en": word_set(
        "and or nor but yet so because then thus hence therefore however it this that these those he she "
        "they his her its their also moreover when if while where as though although whereas which"
    ),
}
# Frequent words that are nobody's topic.
TOPICLESS: dict[Language, frozenset[str]] = {
    "es": word_set(
        "aunque mientras siempre nunca casi aqui alli ahi todos todas todo toda otro otra otros otras demas "
        "mucho mucha muchos muchas poco poca pocos pocas bien quiza quizas todavia despues antes entonces "
        "luego nosotros vosotros ellos ellas algo alguien alguno alguna algunos algunas cualquier cualquiera "
        "demasiado apenas ademas incluso tales segun ante bajo contra durante hacia mediante salvo tras "
        "tantos tantas tanta arriba abajo sabe saben saber hace hacen hacer dice dicen decir quiere quieren "
        "querer quiso poder debe deben deber tener viene vienen venir estar estaba habia hubo sido siendo "
        "sino donde cuanto cuanta cuantos cuantas aquella aquellos aquellas esos esas nuestros ahora ayer "
        "hoy veces manera modo parte cuyo cuya mejor peor mayor menor dentro fuera cerca lejos parece gran "
        "grande mayoria llegar llega dejar deja pasar pasa seguir sigue volver vuelve jamas tampoco"
    ),
    "en": word_set(
        "although while always never almost here there everyone everybody everything other others another "
        "many some little well perhaps maybe still after before again whether ourselves yourself himself "
        "herself itself themselves myself anyone anything someone something nothing nobody none any each "
        "every both either neither such same quite rather even ever often sometimes whoever whatever "
        "whenever wherever upon within without against between through during toward towards until unless "
        "since though thus hence therefore however make makes made take takes taken took come comes came "
        "goes going went give gives given want wants like likes know knows knew think thinks thought "
        "believe find finds found keep keeps kept seem seems seemed look looks need needs could shall "
        "ought whose where away back down over under most least less enough used "
        "using told tell tells said says call calls called become becomes became"
    ),
}
