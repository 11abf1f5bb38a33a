"""The estimate before the money is spent, and a person's word where it is high."""

from typing import Any

from common.budget import price
from common.errors import BadInput
from common.interrupts import Decision, ask_person
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.state import Item
from graphs.concept_extraction.subgraphs.desk import checking, reasoning, simple

# Tokens: of a prompt's fixed text, of an answer to one batch, and of a character of quotes.
FIXED, ANSWER, PER_CHARACTER = 1_200, 2_500, 0.4
ROUNDS = 2


def estimate(parts: list[list[Item]], quotes: list[Item], context: Context) -> Item:
    """Calls, tokens and dollars that the whole run will take, roughly and rather too high."""
    characters = sum(len(quote["text"]) for quote in quotes)
    reader, critic = reasoning(context), checking(context)
    found = max(1, len(quotes) // 2)
    calls = tokens_in = tokens_out = 0
    usd = 0.0
    whole = FIXED + int(characters * PER_CHARACTER) + found * 80
    # role, calls, tokens given and taken by each
    steps = (
        (reader, len(parts), FIXED + int(characters * PER_CHARACTER / max(1, len(parts))), ANSWER),
        (critic, found, FIXED // 2, 100),
        (simple(context), 1, FIXED + found * 80, found * 40),
        (reader, min(4, found), FIXED + found * 40, ANSWER),
        (critic, ROUNDS, whole, 600),
        (reader, ROUNDS, whole, ANSWER),
    )
    for role, times, given, taken in steps:
        if not role.is_rules:
            calls += times
            tokens_in += times * given
            tokens_out += times * taken
            usd += price(role.spec, times * given, times * taken)
    return {"calls": calls, "tokens": tokens_in + tokens_out, "usd": round(usd, 4), "quotes": len(quotes)}


def agreed_budget(parts: list[list[Item]], quotes: list[Item], context: Context) -> Item | None:
    """The run's limits; a person is asked where the estimate is beyond them. None: not agreed."""
    guess = estimate(parts, quotes, context)
    limits: Item = {
        "max_calls": context.max_calls,
        "max_tokens": context.max_tokens,
        "max_usd": context.max_usd,
    }
    within = guess["calls"] <= context.max_calls and guess["tokens"] <= context.max_tokens
    if within and guess["usd"] <= min(context.ask_above_usd, context.max_usd):
        return limits
    raised = {
        "max_calls": max(context.max_calls, guess["calls"] * 2),
        "max_tokens": max(context.max_tokens, guess["tokens"] * 2),
        "max_usd": max(context.max_usd, round(guess["usd"] * 2, 2)),
    }
    told = (
        f"About {guess['calls']} model calls, {guess['tokens']:,} tokens and {guess['usd']:.2f} US dollars "
        f"for {guess['quotes']} quotes. Nothing was spent yet."
    )

    def accept(decision: Decision) -> Item | None:
        if decision.kind == "abort":
            return None
        return {name: _number(decision.args, name, value) for name, value in raised.items()}

    return ask_person("approve_budget", {"estimate": guess, **raised}, told, accept)


def _number(args: dict[str, Any], name: str, default: float) -> float:
    value = args.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise BadInput(f"{name} must be a number that is not negative.")
    return value
