"""Words of questions and cards, in English and Spanish, folded so that they meet."""

import re
import unicodedata

WORD = re.compile(r"[a-z0-9]+(?:[./-][a-z0-9]+)*")
STOP = frozenset(
    """a an and are as at be but by can could do does for from have has how i if in is it its me my of on or our
    so that the their them then there these they this to was we were what when where which who why will with would you
    your des el la los las un una unos unas de del al a y o que es son en por para con se su sus mi me lo le no si como
    cual cuando donde explain concept cisco ios please tell about explicame the""".split()
)
SAME = {
    "troncal": "trunk", "troncales": "trunk", "enrutamiento": "routing", "ruta": "route", "rutas": "route",
    "estatica": "static", "estaticas": "static", "interfaz": "interface", "interfaces": "interface",
    "mascara": "mask", "direccion": "address", "direcciones": "address", "contrasena": "password",
    "puerto": "port", "puertos": "port", "vecino": "neighbor", "vecinos": "neighbor", "neighbour": "neighbor",
    "guardar": "save", "borrar": "erase", "red": "network", "redes": "network", "subred": "subnet",
    "subredes": "subnet", "acceso": "access", "nativa": "native", "predeterminada": "default", "defecto": "default",
    "puerta": "gateway", "enlace": "link", "bucle": "loop", "bucles": "loop", "seguridad": "security",
    "lista": "list", "listas": "list", "nombre": "name", "equipo": "device", "configurar": "configure",
    "configuracion": "configuration", "config": "configuration", "caida": "down", "caido": "down",
    "diferencia": "difference", "servidor": "server", "estado": "state", "estados": "state", "falla": "fail",
    "vlans": "vlan", "routers": "router", "switches": "switch", "spanning-tree": "spanning", "acl": "access-list",
    "acls": "access-list", "tabla": "table", "saltos": "hop", "designado": "designated", "consola": "console",
}  # fmt: skip


def fold(text: str) -> str:
    """Lower case without accents."""
    folded = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in folded if not unicodedata.combining(char))


def stem(word: str) -> str:
    """A light stem: English plurals and participles."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and word.isalpha():
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def words(text: str) -> list[str]:
    """The words that count for a search; hyphenated ones also in their parts."""
    found: list[str] = []
    for word in WORD.findall(fold(text[:20_000])):
        parts = [word, *re.split(r"[./-]", word)] if re.search(r"[a-z]-[a-z]", word) else [word]
        found += [stem(SAME.get(part, part)) for part in parts if part not in STOP]
    return found
