"""The troubleshooting path's answer: a detected error's fix at once, else a look at the device and a hint."""

import asyncio
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.runtime import Runtime

from common.budget import Budget
from common.calls import call
from common.errors import ModelFailed
from common.models import Role, role_for
from common.prompts import fence, load
from graphs.tutoring.cleaning import clean_reply
from graphs.tutoring.context import Context
from graphs.tutoring.devices import device_names
from graphs.tutoring.state import State
from graphs.tutoring.steps.looking import look_at_device
from graphs.tutoring.steps.speaking import announce, exchange, recent, say, shown, thinks_aloud
from graphs.tutoring.steps.troubleshooting import by_rules
from graphs.tutoring.tools import TOOLS

THINKING = "detailed thinking on\n\n"


def cli_context(state: State) -> str:
    """The last commands with their outputs, and under a failed one what the diagnosis says."""
    faults = {fault["command"]: fault for fault in state.get("cli_diagnoses") or []}
    lines = []
    for entry in state.get("cli_history") or []:
        lines.append(fence(f"{entry.get('prompt') or ''}{entry['command']}\n{entry['output'][:1500]}", "cli"))
        fault = faults.get(entry["command"])
        if fault:
            lines += [
                f"⚠️ ERROR TYPE: {fault['error_type']}",
                f"📋 DIAGNOSIS: {fault['diagnosis']}",
                f"✅ FIX: {fault['fix']}",
            ]
    return "\n".join(lines) or "(no commands yet)"


def prompt_of(state: State, context: Context) -> list[BaseMessage]:
    """The messages of the feedback call."""
    messages = load("tutoring", "troubleshooting").render(
        strategy=state["tutoring_strategy"],
        level=state["mastery_level"],
        documents=shown(state.get("retrieved_docs") or []),
        lab=fence(state.get("lab_instructions") or "(no lab)", "lab"),
        cli=cli_context(state),
        history=fence(recent(state), "conversation"),
        question=fence(state.get("question", ""), "question"),
    )
    if context.reasoning:
        messages[0] = messages[0].model_copy(update={"content": THINKING + str(messages[0].content)})
    return messages


async def run_tools(reply: AIMessage) -> list[ToolMessage]:
    """The results of the tools a model asked for, side by side; an unknown tool is said to be unknown."""
    known = {tool.name: tool for tool in TOOLS}

    async def run(wanted: dict[str, Any]) -> ToolMessage:
        tool = known.get(wanted["name"])
        if tool is None:
            return ToolMessage(f"There is no tool {wanted['name']!r}.", tool_call_id=wanted["id"] or "none")
        try:
            result = str(await tool.ainvoke(wanted["args"]))
        except Exception as exc:  # noqa: BLE001 - whatever arguments a model invents, it is told and goes on
            result = f"That call cannot be made: {type(exc).__name__}."
        return ToolMessage(result, tool_call_id=wanted["id"] or "none")

    return list(await asyncio.gather(*(run(dict(wanted)) for wanted in reply.tool_calls[:3])))


async def by_model(state: State, context: Context, role: Role, budget: Budget) -> tuple[str, str]:
    """A model's answer in at most three calls; only the last one, which answers, is streamed."""
    messages = prompt_of(state, context)
    faults = bool(state.get("cli_diagnoses"))
    usable = context.use_devices and not faults and bool(await asyncio.to_thread(device_names))
    for turn in range(context.max_tool_turns):
        last = not usable or turn == context.max_tool_turns - 1
        announce("stream-response" if last else "tool-check")
        live = last and not thinks_aloud(role.spec)
        reply = await call(role, messages, budget=budget, tools=() if last else TOOLS, stream=live)
        if last or not reply.tool_calls:
            break
        announce("execute-tools", tools=[wanted["name"] for wanted in reply.tool_calls])
        messages += [reply, *await run_tools(reply)]
    if live:
        return str(reply.text), reply.id or ""
    if not last:
        announce("stream-response")
    text = clean_reply(str(reply.text))
    return text, say(text)


async def feedback_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Help with the fault, by the configured model or by rules."""
    context = runtime.context or Context()
    role = role_for("tutoring", "feedback", context.feedback_model, temperature=context.temperature)
    budget = Budget(state.get("spent"), max_calls=context.max_calls, max_usd=context.max_usd)
    warnings, text, message_id = list(state.get("warnings") or []), "", ""
    extra: dict[str, Any] = {"origin": "llm"}
    if not role.is_rules:
        try:
            text, message_id = await by_model(state, context, role, budget)
        except ModelFailed as exc:
            warnings.append(f"The rules answered for {role.label}: {exc}")
    if not text.strip():
        looked, notes = await look_at_device(state, context)
        seen: Any = {**state, **looked}
        text, extra = by_rules(seen)
        extra |= {"origin": "rules", **looked}
        warnings += notes
        announce("stream-response")
        message_id = say(text)
    return {
        **extra,
        "feedback_message": text,
        "answer_id": message_id,
        **exchange(state, text, message_id),
        "warnings": warnings,
        "spent": budget.delta,
    }
