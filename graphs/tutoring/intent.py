"""What a student wants, by rules: an explanation, or help with something that does not work.

Weights are summed over phrases in English and Spanish; what was typed on the devices just before weighs too.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphs.tutoring.diagnosis import get_default_detector
from graphs.tutoring.schemas import CliEntry, Intent

MAX_QUESTION = 4_000
RECENT = 5
CUES_TEACHING: tuple[tuple[float, str], ...] = (
    (3.0, r"^(?:so |and |ok |hi |hello |please |very simple \w+ question:? )*"
          r"what(?:'s| is| are| was| were)\b(?! (?:wrong|happening|going on|up with|the (?:problem|issue|matter)))"),
    (3.0, r"\bdifferences? (?:between|of|from|with)\b|\bdiff\w*rence\b|\bvs\.?\b|\bversus\b|\bcompar(?:e|ed|ison)\b"),
    (3.0, r"\b(?:explain(?:ed)?|explanation|describe|define|definition|meaning of|purpose of|role of|concept|theory|"
          r"advantages?|benefits?|tell me about|teach me|learn(?:ing)? (?:about|how)|walk me through|overview|"
          r"introduction|tutorial|quiz me|understand(?:ing)? (?:what|how|why|the)|basics)\b"),
    (2.5, r"\bwhat (?:does|do|would|will|happens?|kind|type|causes?|command|commands|layer|exactly)\b"),
    (2.5, r"\bhow (?:does|do|is|are|can|could|would|should|many|much|long|often)\b(?! come)"),
    (2.0, r"\bhow come (?:an?|the \w+ (?:is|are))\b|\bhow to\b|\bhow (?:do|can|should|would) (?:i|we|you)\b"),
    (2.0, r"\bwhy (?:is|are|do|does|would|should|did|use|we|this|must|a|an|can|was|were)\b"),
    (1.5, r"\b(?:when|where|which|who|whose) (?:should|do|does|is|are|would|can|layer|one|command|protocol|port)\b"),
    (2.0, r"^(?:is|are|do|does|can|could|should|would|will|has|have|in what|in which|which|at what)\b"),
    (2.0, r"\b(?:same as|mean(?:s|ing)?|stand for|used for|useful for|supposed to|possible to|is it true|"
          r"for example|example of|examples of|do you think|best practice|recommended|the use of|good for)\b"),
    (2.5, r"\b(?:show me|give me|steps (?:to|for)|guide (?:to|for)|list of|dame|muestrame|pasos para|hablame|guia)\b"),
    (1.5, r"\b(?:osi|layers?|header|field|handshake|algorithm|protocol stack|theor\w+)\b"),
    (3.0, r"\bque (?:es|son|significa|hace|hacen|quiere decir|tipo|comandos?|pasa(?:ria)? si|diferencia|ocurre|sucede|"
          r"sentido|ventajas?|funcion|papel|rol)\b"),
    (3.0, r"\b(?:cual(?:es)?|diferencias? entre|diferencia de|para que (?:sirve|se usa|se utiliza)|explic\w+|"
          r"describ\w+|defin\w+|concepto|ventajas|funcion de|aprender|ensena\w*|que es|proposito|significado|"
          r"comparacion|compara|ejemplos? de|resumen|conviene|papel de|teoria)\b"),
    (2.5, r"\bcomo (?:se|funciona|funcionan|trabaja|aprende|aprenden|sabe|elige|eligen|calcul\w+|configur\w+|"
          r"hago para (?!arreglar)|puedo (?!arreglar|solucionar|resolver)|decide|hace|hacen|veo|pongo|creo|activo)\b"),
    (2.0, r"\bpor que (?:se|un|una|es|son|hay|existe|existen|usa|usan|usamos|necesit\w+|los|las|la|el|hace|tiene)\b"),
    (1.5, r"\b(?:cuando|cuant[oa]s?|donde|en que|quien)\b"),
    (3.0, r"\b(?:don'?t|do not|didn'?t) (?:really |quite |fully )?(?:understand|get why|get what|get how)\b"
          r"|\bno (?:entiendo|comprendo|me queda claro)\b"),
)  # fmt: skip
CUES_TROUBLE: tuple[tuple[float, str], ...] = (
    (3.0, r"\b(?:can'?t|cannot|can not|couldn'?t|could not|unable to|won'?t|not able to|impossible to)\b"),
    (2.5, r"\b(?:does|do|did|is|are|was|has|have|will)(?:n'?t| not)\b|\b(?:doesnt|dont|isnt|wont|aint|arent|didnt)\b"),
    (3.5, r"\bnot (?:\w+ )?(?:work\w*|reach\w*|com(?:e|ing) up|respond\w*|show\w*|form\w*|bundl\w*|pass\w*|receiv\w*|"
          r"learn\w*|connect\w*|ping\w*|letting|getting|see\w*|establish\w*|communicat\w*|load\w*|sav\w*|boot\w*|"
          r"forward\w*|appear\w*|advertis\w*|sync\w*|accept\w*|updat\w*|assign\w*|up)\b"),
    (3.5, r"\bno(?:t any)? (?:\w+ )?(?:response|reply|connectivity|connection|internet|output|display|access|route|routes|"
          r"neighbou?rs?|link|ip|addresses|lease|traffic|light|idea why|luck|adjacency|signal|service|answer)\b"
          r"|\bshows? nothing\b|\bnothing (?:happens|works|shows)\b|\b(?:is|are) empty\b"),
    (3.0, r"\b(?:fail(?:s|ed|ing|ure)?|errors?|problems?|issues?|trouble\w*|denied|refused|reject(?:ed|s)|blocked|blocks|"
          r"broken|broke|crash\w*|stuck|frozen|freez\w*|hangs?|hung|timed? ?out|timeouts?|unreachable|unresponsive|"
          r"mismatch|flapping|flaps?|dropp?(?:s|ed|ing)|disconnect\w*|corrupt\w*|malfunction\w*|misconfigur\w*)\b"),
    (2.5, r"\berr-?disabled?\b|\badministratively down\b|\bline protocol is down\b|\bdown/down\b|\bup/down\b"),
    (2.5, r"\b(?:stays?|went|goes|going|keeps?|still|is|are|shows?|showing|remains?|status) (?:\w+ )?down\b"),
    (2.5, r"\b(?:slow|lag(?:gy|s)?|latency spikes?|low (?:bandwidth|throughput|speed)|poor performance|packet loss|loss of|"
          r"high (?:cpu|latency|memory|utilization)|intermittent\w*|unstable|weird|strange|unexpected\w*)\b"),
    (3.0, r"\b(?:wrong with|doing wrong|went wrong|goes wrong|whats? wrong|what is wrong|help me fix|fix(?:ing)?|"
          r"troubleshoot\w*|debug(?:ging)? (?:this|my)|resolve (?:this|the|my)|solve (?:this|my)|locked out|forgot)\b"),
    (2.0, r"\b(?:stopped|stops|lost|losing|missing|disappear\w*|keeps?|kept|anymore|no longer|suddenly|still|never|"
          r"loops? (?:in|on) my|looping)\b"),
    (2.0, r"\b(?:help|urgent|stuck|any ideas?|what now|no idea)\b|\bi(?:'m| am)? (?:get|getting|got|keep|tried|"
          r"have tried|see|receive)\b|\bwhen(?:ever)? i (?:type|enter|try|ping|run|configure|use)\b|\bafter i\b"),
    (3.0, r"%\s?(?:invalid|incomplete|ambiguous|bad|unknown|unrecognized)|\b(?:invalid input|incomplete command|"
          r"ambiguous command|command rejected|unknown command|bad mask|overlaps with|bad ip address|"
          r"invalid (?:ip|command|address|input|next hop))\b|\bpassword required\b"),
    (2.5, r"\bwrong\b|\bbut (?:not|no|now|nothing|still|only|can|the|it|there|hosts?|when)\b|\bup,? but\b|\bonly (?:works?|one of)\b|"
          r"\bnothing gets?\b|\blos(?:e|es|ing)\b|\bforgets?\b|\bshut (?:down|off) (?:my|the|our)\b|\bno repl(?:y|ies)\b"
          r"|\bone way\b|\b(?:crc|input|output) errors\b|\bends at\b|\bgets? (?:stuck|lost|dropped|blocked|no)\b"),
    (2.5, r"\bnot (?:\w+ )?\w{3,}ing\b|\b(?:closes|closed|dies|reboots|restarts|disconnects|vanish\w*|hangs) |\b0 ?(?:%|percent)"
          r"|\b(?:closes|dies|reboots|restarts|crashes|disconnects)$"),
    (1.5, r"\b(?:is|link|protocol|interface|port|tunnel|trunk|vlan|adjacency|session|neighbou?r|status) (?:\w+ )?down\b"),
    (2.0, r"\b169\.254\b|\bapipa\b|\bduplicate (?:ip|address)\b"),
    (3.5, r"\bno (?:me |se |le |les |nos )?(?:puedo|pueden|puede|podemos|funciona\w*|llega\w*|responde\w*|aparece\w*|"
          r"levanta\w*|sube\w*|conecta\w*|forma\w*|aprende\w*|entrega\w*|obtien\w+|recib\w+|deja\w*|tien\w+|hay|veo|ven|ve|"
          r"logr\w+|consig\w+|cargan?|guarda\w*|sale\w*|pasa\w*|da|dan|anda\w*|sirve\w*|reconoce\w*|acepta\w*|hace\w*|"
          r"muestra\w*|comunica\w*|alcanz\w+|enciende\w*|establec\w+|propaga\w*|anuncia\w*|asigna\w*|permite\w*|coge\w*)\b"),
    (3.0, r"\b(?:error(?:es)?|fall(?:a|o|an|os|ando)|problemas?|caid[oa]s?|se cae\w*|cae|perdida|rechaz\w+|denegad\w+|"
          r"bloque\w+|roto|rota|mal|dejo de|dejaron de|sin (?:conexion|responder|internet|respuesta|exito|funcionar)|"
          r"malo|agotado|pierd\w+|perdi|perdio|se (?:me )?borr\w+|se (?:me )?reinici\w+|incomplet[oa]|inalcanzable|desconect\w+|lent[oa]s?|tarda mucho|intermitente\w*|averi\w+)\b"),
    (3.0, r"\b(?:arregl\w+|solucion\w+|resolver|resuelvo|ayuda(?!r)|ayudenme|ayudame|estoy haciendo mal|"
          r"me (?:sale|salen|da|dice|aparece|marca|tira|rechaza)|que hago|sigue sin|siguen sin|no se por que|por que no)\b"),
)  # fmt: skip
CUES_REPORT = re.compile(
    r"\b(?:stays?|shows?|goes|gets?|ends?|resets?|reboots?|turns?|blinks?|returns?|says|gives?|displays?|becomes?|remains?|"
    r"now|after|but|whenever|every time|instead of|both|only|without|always)\b"
    r"|\b(?:esta|estan|queda\w*|sale\w*|da|dan|dice|muestra\w*|pero|ahora|despues de|cada vez|solo|ambos|siempre|sin)\b"
)
QUESTION = re.compile(
    r"\?|^(?:who|what|when|where|why|which|how|is|are|do|does|can|could|should|would|will|que|cual|como|cuando|donde|por que)\b"
)
HYPOTHETICAL = re.compile(
    r"^(?:can|could|should|may|must|is it (?:ok|possible|allowed)|are there|is there|puedo|se puede|debo|es posible)\b"
)
MINE = re.compile(
    r"\b(?:my|mine|our|i|i'm|i've|me|we|mi|mis|nuestr\w+|tengo|he|estoy)\b"
    r"|\b(?:r|s|sw|pc|srv|dsw|asw|server|router|switch|laptop|isp|hq|iou|dls|als)[-_]?\d+\b"
    r"|\b(?:g|gi|gig|fa|f|s|se|e|lo|vlan ?)\d+(?:/\d+)*\b|\b\d+\.\d+\.\d+\.\d+\b",
)
GENERIC = re.compile(
    r"\bwhy (?:can'?t|cannot|can not|doesn'?t|does not|don'?t|do not|isn'?t|is not|aren'?t) (?:a|an|rip\w*|ospf\w*|eigrp|bgp|"
    r"switches|routers|hubs|hosts|we|you|people|engineers|tcp|udp|ip|ipv[46]|arp|stp|vlans?|bridges|networks)\b(?! i\b)"
    r"|\bpor que (?:no se puede|un[ao]? [\w ]{2,40} no (?:puede|necesita|tiene|usa|reenvia)|no (?:usa\w*|necesita\w*|existe\w*) )"
    r"|\bwhat (?:happens|would happen|will happen) (?:if|when)\b|\bque (?:pasa|pasaria|ocurre|sucede) (?:si|cuando)\b"
    r"|\bwhat (?:is|are|does|do|causes|can cause|would cause)\b[^.?!]{0,60}\b(?:mean|stand for|state|used for|in general)\b"
    r"|\bwhat causes\b|\bque (?:causa|provoca|significa)\b|\bhow (?:does|do) [\w ]{2,40} (?:prevent|avoid|detect|handle|"
    r"recover|deal)\b|\b(?:error detection|error checking|problem with using|fail-?over works|works? in both)\b"
)
DEFINITION = re.compile(
    r"^(?:so |and |ok |hi |hello )*(?:what(?:'s| is| are) (?:a|an|the (?:difference|purpose|meaning|role|use|function))\b"
    r"|explain\b|define\b|que es un|que es una|cual es la diferencia)"
)
Cues = tuple[tuple[float, re.Pattern[str]], ...]


@dataclass(frozen=True)
class Reading:
    """How a question scored for either intent."""

    intent: Intent
    teaching: float
    trouble: float


def plain(text: str) -> str:
    """Lower case, without accents and Spanish opening marks, straight quotes, single spaces."""
    folded = unicodedata.normalize("NFKD", text[:MAX_QUESTION].lower())
    letters = "".join(char for char in folded if not unicodedata.combining(char))
    return " ".join(re.sub(r"[¿¡\"“”«»`]", " ", letters).replace("’", "'").split())


@lru_cache(maxsize=2)
def cues(kind: str) -> Cues:
    """The compiled phrases of one intent."""
    table = CUES_TEACHING if kind == "teaching" else CUES_TROUBLE
    return tuple((weight, re.compile(expression)) for weight, expression in table)


def score(text: str, kind: str) -> float:
    """The strongest phrase in full, each further one in half."""
    found = sorted((weight for weight, cue in cues(kind) if cue.search(text)), reverse=True)
    return found[0] + sum(found[1:]) / 2 if found else 0.0


def cli_weight(cli_history: Sequence[CliEntry | dict[str, Any]]) -> float:
    """How strongly the last commands speak for trouble: most for the very last one."""
    weight = 0.0
    recent = list(cli_history)[-RECENT:]
    for age, entry in enumerate(reversed(recent)):
        item = entry if isinstance(entry, CliEntry) else CliEntry.model_validate(entry)
        if get_default_detector().diagnose(item.command, item.output, item.prompt):
            weight = max(weight, 3.0 if age == 0 else 2.0)
    return weight


def read(question: str, cli_history: Sequence[CliEntry | dict[str, Any]] = ()) -> Reading:
    """Score a question for both intents, and decide."""
    text = plain(question)
    teaching, trouble = score(text, "teaching"), score(text, "trouble")
    if GENERIC.search(text) and not re.search(r"\bmy\b|\bmi\b|\bi\b", text):
        trouble = 0.0
    if HYPOTHETICAL.match(text):
        trouble /= 3
    elif trouble and MINE.search(text):
        trouble += 1.5
    elif not trouble and not teaching and reports(text):
        trouble = 1.5
    typed = cli_weight(cli_history)
    if typed and not (DEFINITION.match(text) and not trouble):
        trouble += typed
    return Reading(decide(text, teaching, trouble), teaching, trouble)


def reports(text: str) -> bool:
    """Whether a statement without any cue describes how something of the student's own behaves."""
    return not QUESTION.search(text) and bool(CUES_REPORT.search(text) or MINE.search(text))


def decide(text: str, teaching: float, trouble: float) -> Intent:
    """The stronger side; a question that shows neither is ambiguous."""
    if not trouble and not teaching:
        return "teaching" if len(re.findall(r"[a-z]{3,}", text)) >= 3 else "ambiguous"
    return "troubleshooting" if trouble >= teaching and trouble >= 1.5 else "teaching"


def classify(question: str, cli_history: Sequence[CliEntry | dict[str, Any]] = ()) -> Intent:
    """teaching, troubleshooting or ambiguous, in well under five milliseconds."""
    return read(question, cli_history).intent
