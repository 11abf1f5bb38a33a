/* A form from a graph's input schema: text, numbers, switches, choices; anything richer as JSON. */

import { el, field } from "./dom.js";

const LONG = 2000;
const FEW = /_(path|uuid)$/;

/** Returns {node, read}: read() gives the input, or throws with the field's name. What few people write is folded. */
export function schemaForm(schema, skip = []) {
  const readers = [];
  const [plain, rich] = [[], []];
  for (const [name, raw] of Object.entries(schema.properties ?? {})) {
    if (skip.includes(name)) continue;
    const part = resolved(raw, schema);
    const { control, read, isRich } = controlFor(name, part);
    const required = (schema.required ?? []).includes(name);
    (isRich || FEW.test(name) ? rich : plain).push(field(labelOf(name) + (required ? " (required)" : ""), control, part.description ?? raw.description));
    readers.push([name, read]);
  }
  const more = rich.length ? el("details", { class: "more" }, el("summary", {}, "More"), el("div", { class: "fields" }, rich)) : null;
  const node = el("div", {}, el("div", { class: "fields" }, plain), more);
  return { node, read: () => Object.fromEntries(readers.map(([name, read]) => [name, read()]).filter(([, value]) => value !== undefined)) };
}

export const labelOf = (name) => name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

function resolved(part, schema) {
  if (part.$ref) return { ...schema.$defs?.[part.$ref.split("/").pop()], ...part };
  const options = (part.anyOf ?? []).filter((each) => each.type !== "null");
  return options.length === 1 ? { ...part, ...resolved(options[0], schema) } : part;
}

function controlFor(name, part) {
  if (part.enum) return choice(part);
  if (part.type === "boolean") {
    const control = el("input", { type: "checkbox", checked: part.default === true });
    return { control, read: () => control.checked };
  }
  if (part.type === "integer" || part.type === "number") return number(part);
  if (part.type === "string") return text(name, part);
  return json(name, part);
}

function choice(part) {
  const control = el("select", {}, part.enum.map((value) => el("option", { value }, String(value))));
  if (part.default) control.value = part.default;
  return { control, read: () => control.value };
}

function number(part) {
  const control = el("input", { type: "number", min: part.minimum, max: part.maximum, step: part.type === "integer" ? 1 : "any", value: part.default ?? "" });
  return { control, read: () => (control.value === "" ? undefined : Number(control.value)) };
}

function text(name, part) {
  const long = /text|lyrics|question/.test(name) || (!FEW.test(name) && (part.maxLength ?? 0) > LONG);
  const control = el(long ? "textarea" : "input", { placeholder: String(part.examples?.[0] ?? "").split("\n")[0], maxlength: part.maxLength });
  control.value = part.default ?? "";
  return { control, read: () => control.value || undefined };
}

function json(name, part) {
  const control = el("textarea", { class: "mono", placeholder: part.type === "array" ? "[]" : "{}", spellcheck: "false" });
  return {
    control,
    isRich: true,
    read: () => {
      if (!control.value.trim()) return undefined;
      try {
        return JSON.parse(control.value);
      } catch {
        throw new Error(`${labelOf(name)} is not valid JSON.`);
      }
    },
  };
}
