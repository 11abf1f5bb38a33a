"""A review in the terminal: each concept with its quotes, and a key for each decision."""

from typing import Any

import typer

from clients.options import console

Item = dict[str, Any]

KEYS = "[a]pprove  [e]dit  [r]eject  [m]erge  [n]ew, not a duplicate  [q]uit"


def question_of(interrupt: Any) -> Item:
    """Name and arguments of what is asked."""
    request = interrupt["action_requests"][0]
    return {"name": request["name"], "args": request["args"], "description": request["description"]}


def shown_problem(interrupt: Any) -> str:
    """What is wrong with the input, and what to do."""
    args = question_of(interrupt)["args"]
    return f"{args.get('problem', 'The input cannot be used.')} {args.get('remedy', '')}".strip()


def say(text: str = "", style: str | None = None) -> None:
    console.print(text, style=style, markup=False, soft_wrap=True)


def review_in_terminal(interrupt: Any) -> Item:
    """Ask the person, and build the answer in the graph's own dialect."""
    asked = question_of(interrupt)
    args = asked["args"]
    if args.get("error"):
        say(f"The last answer was not taken: {args['error']}", "red")
    if asked["name"] != "review_concepts":
        return _plain_question(asked)
    say(f"{args['content']['title']} — {args['content']['author']}, round {args['round']}", "bold")
    for line in [*args["changes"], *args["errors"]]:
        say(f"  {line}")
    decisions: list[Item] = []
    for at, item in enumerate(args["concepts"], 1):
        say(f"\n{at}/{len(args['concepts'])}", "dim")
        decision = _one(item)
        if decision is None:
            raise typer.Abort
        decisions.append(decision)
    relations = [_relation(item) for item in args["relations"]]
    if args["uncovered_count"]:
        say(f"\n{args['uncovered_count']} quotes support nothing:")
        for quote in args["uncovered_quotes"][:10]:
            say(f"  {' '.join(quote['text'].split())[:100]}")
    return _finish(args, decisions, relations)


def _plain_question(asked: Item) -> Item:
    say(asked["description"])
    if typer.confirm("Go on?", default=False):
        return {"decisions": [{"type": "approve"}], "review_id": asked["args"].get("review_id")}
    return {"decisions": [{"type": "reject"}], "review_id": asked["args"].get("review_id")}


def _one(item: Item) -> Item | None:
    say(item["title"], "bold")
    say(item["concept"])
    for quote in item["quotes"]:
        page = f"  ({quote['page']})" if quote["page"] else ""
        say(f"  » {' '.join(quote['text'].split())}{page}")
    if item["merge_into"]:
        say(f"  proposed: merge into {item['merge_into_title'] or item['merge_into']}", "yellow")
    for at, near in enumerate(item["nearest"], 1):
        say(f"  {at}. {near['score']:.2f} {near['title']} — {near['reason'] or near['sameness']}", "dim")
    return _decision(item, _key(KEYS, "aermnq", "a"))


def _key(ask: str, keys: str, default: str) -> str:
    """One of the keys: what is none of them is asked again, and never taken for the default."""
    while True:
        given = str(typer.prompt(ask, default=default)).strip().lower()
        if given[:1] and given[:1] in keys:
            return given[0]
        say(f"{given!r} is none of {', '.join(keys)}.", "red")


def _decision(item: Item, key: str) -> Item | None:
    uuid = item["id"]
    if key == "q":
        return None
    if key == "r":
        return {"id": uuid, "decision": "reject"}
    if key == "n":
        return {"id": uuid, "decision": "create"}
    if key == "e":
        title = typer.prompt("Title", default=item["title"])
        return {
            "id": uuid,
            "decision": "edit",
            "title": title,
            "concept": typer.prompt("Text", default=item["concept"]),
        }
    if key == "m":
        return {"id": uuid, "decision": "merge", "merge_into": _target(item)}
    return {"id": uuid, "decision": "approve"}


def _target(item: Item) -> str:
    default = item["merge_into"] or ("1" if item["nearest"] else None)
    while True:
        given = str(typer.prompt("Into (number above, or id)", default=default)).strip()
        if not given.isdecimal():
            return given
        if 1 <= int(given) <= len(item["nearest"]):
            return str(item["nearest"][int(given) - 1]["id"])
        say(f"There is no {given} above.", "red")


def _relation(item: Item) -> Item:
    why = f" — {item['reasoning']}" if item["reasoning"] else ""
    say(f"\n{item['source']} {item['type']} {item['target']}{why}")
    return {"id": item["id"], "keep": typer.confirm("Keep?", default=True)}


def _finish(args: Item, decisions: list[Item], relations: list[Item]) -> Item:
    ask = "Commit (c), another round with feedback (f), or abort (x)?"
    word = _key(ask, "cfx", "c")
    if word == "x":
        return {"decisions": [{"type": "reject"}], "review_id": args["review_id"]}
    sent: Item = {"concepts": decisions, "relations": relations, "review_id": args["review_id"]}
    if word == "f":
        sent["feedback"] = typer.prompt("What should change")
    return {"decisions": [{"type": "edit", "edited_action": {"name": "review_concepts", "args": sent}}]}
