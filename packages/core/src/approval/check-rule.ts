import { nearestNames, type PathSelection, problemWithWords } from "@haft/text";
import { messageOf } from "../error/tool-error.js";
import { TOOL_PERMISSIONS } from "../permission/tool-permission.js";
import { KNOWN_CATEGORIES } from "../tool/tool-category.js";
import type { Operand } from "./approval.js";
import type { PathCondition, PathPatterns, PolicyRule, RuleCondition } from "./policy-rule.js";

/** Throws TypeError on a rule with unknown keys, names or shapes: such a rule would match nothing, or too much. */
export function assertRule(rule: PolicyRule): void {
  assertObject("the rule", rule, RULE_KEYS);
  const { effect, permission, category, role, when } = rule;
  if (!EFFECTS.includes(effect))
    throw new TypeError(`a rule's effect is allow, ask or deny, not ${JSON.stringify(effect)}`);
  if (permission !== undefined) assertName("permission", permission, TOOL_PERMISSIONS);
  if (category !== undefined) assertName("category", category, KNOWN_CATEGORIES);
  if (role !== undefined) assertTexts("role", [role]);
  if (when !== undefined) assertCondition(when);
  if (when?.operands !== undefined && effect !== "allow")
    throw new TypeError(
      `when.operands is for rules that allow: a rule that says ${effect} would stop applying when a file changes`,
    );
}

/** Runs a check and prefixes its error with the rule's position. */
export function inRule<T>(label: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new TypeError(`${label}: ${messageOf(cause)}`, { cause });
  }
}

export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

/** One argv prefix, or a list of them, as a list. */
export function prefixesOf(
  command: readonly string[] | readonly (readonly string[])[],
): readonly (readonly string[])[] {
  return Array.isArray(command[0])
    ? (command as readonly (readonly string[])[])
    : [command as readonly string[]];
}

/** A condition on paths in its long form. */
export function selectionOf(path: PathCondition): PathSelection {
  if (typeof path !== "object" || Array.isArray(path)) return { only: listOf(path as string) };
  const { only, not } = path as PathPatterns;
  return {
    ...(only !== undefined && { only: listOf(only) }),
    ...(not !== undefined && { not: listOf(not) }),
  };
}

const EFFECTS: readonly unknown[] = ["allow", "ask", "deny"];
const RULE_KEYS = [
  "effect",
  "tool",
  "category",
  "permission",
  "role",
  "when",
  "reason",
  "matches",
  "doesNotMatch",
];
const CHANGE_KINDS = ["create", "modify", "delete", "move"];

function assertCondition(when: RuleCondition): void {
  assertObject("when", when, ["path", "command", "url", "argument", "exactly", "change", "operands"]);
  if (Object.keys(when).length === 0) throw new TypeError("when is empty; leave it out to match every call");
  if (when.path !== undefined) assertPath(when.path);
  if (when.command !== undefined) assertCommand(when.command);
  if (when.url !== undefined) assertTexts("when.url", listOf(when.url));
  if (when.exactly !== undefined && (!Array.isArray(when.exactly) || when.exactly.length === 0))
    throw new TypeError("when.exactly is a list of whole arguments");
  for (const kind of when.change === undefined ? [] : assertSome("when.change", listOf(when.change)))
    if (!CHANGE_KINDS.includes(kind))
      throw new TypeError(
        `${JSON.stringify(kind)} is not a kind of change; ${advice(String(kind), CHANGE_KINDS)}`,
      );
  for (const operand of when.operands === undefined ? [] : assertSome("when.operands", when.operands))
    assertOperand(operand);
  for (const argument of when.argument === undefined ? [] : listOf(when.argument)) {
    assertObject("when.argument", argument, ["name", "oneOf"]);
    if (typeof argument.name !== "string" || !Array.isArray(argument.oneOf))
      throw new TypeError("when.argument is { name, oneOf: [values] }");
    if (argument.oneOf.length === 0)
      throw new TypeError(
        `when.argument.oneOf is empty for "${argument.name}", so the rule would match nothing`,
      );
  }
}

function assertPath(path: PathCondition): void {
  if (typeof path === "object" && !Array.isArray(path)) {
    assertObject("when.path", path, ["only", "not"]);
    if (Object.keys(path).length === 0) throw new TypeError("when.path needs only, not, or both");
  }
  const { only, not } = selectionOf(path);
  if (only !== undefined) assertTexts("when.path", only);
  if (not !== undefined) assertTexts("when.path.not", not);
}

function assertCommand(command: unknown): void {
  const example = 'a list of words such as ["git", "push"]';
  if (!Array.isArray(command) || command.length === 0) throw new TypeError(`when.command is ${example}`);
  for (const prefix of prefixesOf(command)) {
    if (!Array.isArray(prefix) || prefix.length === 0) throw new TypeError(`when.command is ${example}`);
    assertTexts("when.command", prefix);
    if (/\s/.test(prefix[0] ?? "")) throw new TypeError(`when.command is ${example}, not one text`);
    const problem = problemWithWords(prefix);
    if (problem !== undefined) throw new TypeError(`when.command: ${problem}`);
  }
}

function assertOperand(operand: unknown): void {
  assertObject("when.operands", operand, ["path", "digest"]);
  const { path, digest } = operand as Partial<Operand>;
  assertTexts("when.operands", digest === undefined ? [path] : [path, digest]);
}

function assertSome<T>(place: string, values: readonly T[]): readonly T[] {
  if (!Array.isArray(values) || values.length === 0)
    throw new TypeError(`${place} is empty, so the rule would match nothing`);
  return values;
}

function assertTexts(place: string, values: readonly unknown[]): void {
  if (values.length === 0) throw new TypeError(`${place} is empty, so the rule would match nothing`);
  for (const value of values)
    if (typeof value !== "string" || value === "") throw new TypeError(`${place} takes non-empty strings`);
}

/** Throws TypeError on an unknown name. Names of third parties start with `x-`. */
export function assertName(kind: string, name: unknown, known: readonly string[]): void {
  if (typeof name === "string" && (known.includes(name) || /^x-./.test(name))) return;
  throw new TypeError(`${JSON.stringify(name)} is not a ${kind}; ${advice(String(name), known)}`);
}

function assertObject(place: string, value: unknown, keys: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${place} must be an object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw new TypeError(`${place} has no key ${JSON.stringify(unknown)}; ${advice(unknown, keys)}`);
}

function advice(name: string, known: readonly string[]): string {
  const [nearest] = nearestNames(name, known, 1);
  return nearest === undefined
    ? `valid values: ${known.join(", ")}`
    : `did you mean ${JSON.stringify(nearest)}?`;
}
