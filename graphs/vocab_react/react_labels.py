"""The labels small models put on the lines of a ReAct step, in the languages they slip into."""

import re
from dataclasses import dataclass
from typing import Literal

LabelKind = Literal["thought", "action", "input", "observation", "final"]

# Longer names first within a kind matters not: the expression below sorts by length.
LABELS: dict[LabelKind, tuple[str, ...]] = {
    "thought": (
        "thought", "thoughts", "thinking", "think", "reasoning", "reason", "plan", "reflection",
        "思考", "考え", "考察", "思考过程", "想法", "생각", "pensamiento", "pensamento", "gedanke",
        "überlegung",
        "pensée", "réflexion", "pensiero", "мысль", "размышление", "gedachte", "myśl", "düşünce", "suy nghĩ",
        "pikiran", "pemikiran",
    ),
    "action": (
        "action", "actions", "next action", "action to take", "action name", "chosen action",
        "selected action",
        "tool", "tools", "tool name", "tool to use", "tool call", "tool calls", "tool use", "selected tool",
        "chosen tool", "function", "function name", "function call", "call", "invoke", "command", "act",
        "action/tool", "tool_code", "tool code",
        "行動", "アクション", "ツール", "ツール名", "関数", "動作", "操作", "动作", "行动", "工具",
        "工具名称", "函数",
        "행동", "작업", "동작", "도구", "acción", "accion", "herramienta", "ação", "acao", "ferramenta",
        "aktion",
        "werkzeug", "outil", "azione", "strumento", "действие", "инструмент", "функция", "actie", "akcja",
        "działanie", "eylem", "hành động", "tindakan", "aksi",
    ),
    "input": (
        "action input", "action inputs", "action_input", "action-input", "actioninput", "input", "inputs",
        "tool input", "tool_input", "tool inputs", "tool args", "tool arguments", "tool parameters",
        "function input", "function arguments", "function args", "function parameters", "arguments",
        "argument",
        "args", "parameters", "parameter", "params", "action arguments", "action args", "action parameters",
        "action params", "input to the action", "input for the action", "input to action", "action data",
        "with",
        "payload", "json", "kwargs",
        "行動入力", "行動の入力", "アクション入力", "アクションの入力", "ツール入力", "ツールの入力",
        "入力", "引数",
        "パラメータ", "パラメーター", "动作输入", "行动输入", "工具输入", "输入", "参数", "操作输入",
        "행동 입력", "작업 입력", "도구 입력", "동작 입력", "입력", "인수",
        "entrada", "entrada de acción", "entrada de la acción", "entrada de accion", "entrada da ação",
        "argumentos", "parámetros", "parâmetros", "aktionseingabe", "aktion eingabe", "eingabe", "parameter",
        "entrée", "entrée de l'action", "entrée d'action", "paramètres", "input azione", "input dell'azione",
        "parametri", "ввод", "ввод действия", "входные данные", "вход", "входные данные действия",
        "параметры",
        "аргументы", "invoer", "actie invoer", "dane wejściowe", "dane wejściowe akcji", "wejście akcji",
        "girdi", "eylem girdisi", "đầu vào", "đầu vào hành động", "masukan", "masukan tindakan", "input aksi",
    ),
    "observation": (
        "observation", "observations", "observe", "tool result", "tool results", "tool output",
        "tool response",
        "result", "results", "output", "function result", "function response", "response from tool",
        "観察", "観測", "観察結果", "結果", "观察", "观察结果", "结果", "관찰", "관찰 결과", "결과",
        "observación",
        "observacion", "observação", "beobachtung", "ergebnis", "résultat", "osservazione", "risultato",
        "наблюдение", "результат", "observatie", "obserwacja", "gözlem", "quan sát", "pengamatan",
    ),
    "final": (
        "final answer", "final_answer", "finalanswer", "final-answer", "final", "final response",
        "final result",
        "final output", "answer", "the final answer", "my final answer", "final vocabulary",
        "vocabulary list",
        "finish", "finished", "conclusion",
        "最終回答", "最終的な回答", "最終的な答え", "最終答え", "最終解答", "答え", "回答", "最终答案",
        "最终回答", "答案",
        "최종 답변", "최종답변", "최종 답", "답변", "respuesta final", "respuesta", "resposta final",
        "resposta",
        "endgültige antwort", "finale antwort", "abschließende antwort", "antwort", "réponse finale",
        "réponse",
        "risposta finale", "risposta", "финальный ответ", "окончательный ответ", "итоговый ответ", "ответ",
        "eindantwoord", "odpowiedź końcowa", "ostateczna odpowiedź", "odpowiedź", "nihai cevap", "son cevap",
        "câu trả lời cuối cùng", "jawaban akhir",
    ),
}  # fmt: skip

_KIND_OF: dict[str, LabelKind] = {name: kind for kind, names in LABELS.items() for name in names}
_NAMES = "|".join(
    r"[ _\-]*".join(re.escape(word) for word in re.split(r"[ _\-]", name))
    for name in sorted(_KIND_OF, key=len, reverse=True)
)
_DECOR = r"[ \t>*#•·\-_`~\[\(【<「|]{0,12}"
_LINE_LABEL = re.compile(
    rf"^(?P<decor>{_DECOR}(?:(?:assistant|ai|agent|bot)\s*[:：]\s*)?(?:(?:step\s*)?\d+\s*[.):\-]\s*)?{_DECOR}(?:[^\w\s]{{1,3}}\s*)?)"
    rf"(?P<name>{_NAMES})"
    r"(?:\s*[#(]?\d+\)?)?"
    r"(?P<close>[ \t*_`\]\)】」>|]{0,8})"
    r"(?P<sep>[:：=]>?|->|→|⇒|=>|—|–|-(?=\s)|$|(?<=[\]】>」)]))"
    r"[*_`]*[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_INLINE_LABEL = re.compile(
    r"(?<![\w\"'])(?P<name>final answer|action[ _]input|action|observation"
    r"|tool[ _]input|tool|arguments)\s*\d*\s*[:：]\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Section:
    """One labelled stretch of the text: what it is, where its value begins, where the next label starts."""

    kind: LabelKind
    begin: int
    value: int
    end: int


def _kind(name: str) -> LabelKind | None:
    plain = re.sub(r"[ _\-]+", " ", name.lower()).strip()
    return (
        _KIND_OF.get(plain) or _KIND_OF.get(plain.replace(" ", "_")) or _KIND_OF.get(plain.replace(" ", ""))
    )


def _is_label(found: re.Match[str]) -> bool:
    """A name alone on its line is a label only when it is a heading, bold, or one of the classic names."""
    if found["sep"]:
        return True
    if re.search(r"[#*\[【<]", found["decor"]) or re.search(r"[*\]】>]", found["close"]):
        return True
    return found.end() < len(found.string) and found["name"].lower() in _ALONE


_ALONE = frozenset(
    ("thought", "action", "action input", "action_input", "observation", "final answer", "tool", "tool input")
)


def sections(text: str) -> list[Section]:
    """The labelled stretches of a step whose labels begin their lines."""
    return _cut(text, [m for m in _LINE_LABEL.finditer(text) if _is_label(m)])


def inline_sections(text: str) -> list[Section]:
    """The labelled stretches where everything was written on one line."""
    return _cut(text, list(_INLINE_LABEL.finditer(text)))


def _cut(text: str, marks: list[re.Match[str]]) -> list[Section]:
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    cut: list[Section] = []
    for mark, end in zip(marks, ends, strict=False):
        kind = _kind(mark["name"])
        if kind is not None:
            cut.append(Section(kind, mark.start(), mark.end(), end))
    return cut
