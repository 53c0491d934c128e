import { isWellFormed, truncateLine } from "@haft/text";
import { messageOf, ToolError } from "../error/tool-error.js";

/**
 * Copies a model's arguments deeply and validates them: only JSON values, no keys that reach a prototype, bounded depth
 * and size. Throws INVALID_ARGUMENTS otherwise.
 */
export function cloneJson(value: unknown): unknown {
  return copy(value, { depth: 0, pointer: "", budget: { values: MAX_VALUES, chars: MAX_CHARS } });
}

/** Parses JSON text under the same limits. */
export function parseJson(text: string): unknown {
  if (text.length > MAX_CHARS) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolError("INVALID_ARGUMENTS", `The arguments are not JSON: ${shorten(messageOf(cause))}`, {
      hint: 'Send one JSON object, such as {"path": "src"}.',
      cause,
    });
  }
}

const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;
const MAX_CHARS = 32 * 1024 * 1024;

interface Position {
  readonly depth: number;
  readonly pointer: string;
  readonly budget: { values: number; chars: number };
}

function copy(value: unknown, at: Position): unknown {
  at.budget.values -= 1;
  if (at.budget.values < 0) throw tooLarge();
  if (at.depth > MAX_DEPTH) throw invalid(at, `is nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return copyString(value, at);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return copyArray(value, at);
  if (typeof value === "object" && isPlain(value)) return copyObject(value, at);
  throw invalid(at, "is not a JSON value");
}

function copyString(value: string, at: Position): string {
  at.budget.chars -= value.length;
  if (at.budget.chars < 0) throw tooLarge();
  if (!isWellFormed(value)) throw invalid(at, "holds half of a surrogate pair, which is not text");
  return value;
}

function copyArray(value: readonly unknown[], at: Position): unknown[] {
  if (value.length > at.budget.values) throw tooLarge();
  return Array.from(value, (item, index) => copy(item, below(at, String(index))));
}

function copyObject(value: object, at: Position): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const members = Object.entries(value);
  if (members.length > at.budget.values) throw tooLarge();
  for (const [key, member] of members) {
    if (reachesPrototype(key, member)) throw invalid(at, `has the key "${key}", which is not allowed`);
    if (member !== undefined) result[key] = copy(member, below(at, key));
  }
  return result;
}

/** The two ways to a prototype. `constructor` alone is an ordinary name that a schema may declare. */
function reachesPrototype(key: string, member: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" &&
    typeof member === "object" &&
    member !== null &&
    Object.hasOwn(member, "prototype")
  );
}

function below(at: Position, key: string): Position {
  return { depth: at.depth + 1, pointer: `${at.pointer}/${key}`, budget: at.budget };
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  // Objects from another realm are plain too, so this checks the prototype's own prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function invalid(at: Position, problem: string): ToolError {
  const place = at.pointer === "" ? "The argument object" : shorten(at.pointer);
  return new ToolError("INVALID_ARGUMENTS", `${place} ${problem}`, {
    details: { pointer: shorten(at.pointer) },
  });
}

function tooLarge(): ToolError {
  return new ToolError("INVALID_ARGUMENTS", "The arguments are too large", {
    hint: "Send less in one call.",
  });
}

function shorten(text: string): string {
  return truncateLine(text, 200);
}
