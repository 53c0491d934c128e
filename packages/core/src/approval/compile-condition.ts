// The parts of a rule's condition that need no file of their own, each compiled to a test of a call.
import { compilePathSelection } from "@haft/text";
import type { FileChange } from "../workspace/file-change.js";
import type { Effect, Operand, PolicyRequest } from "./approval.js";
import { canonicalJson } from "./canonical-json.js";
import { selectionOf } from "./check-rule.js";
import type { CompiledPaths } from "./compiled-rule.js";
import type { ArgumentCondition, ChangeKind, PathCondition } from "./policy-rule.js";

export function compilePaths(path: PathCondition, effect: Effect): CompiledPaths {
  const selection = selectionOf(path);
  const compiled = compilePathSelection(selection, effect !== "allow");
  if (compiled.isEmpty())
    throw new TypeError(
      "when.path.not leaves out every path of when.path.only, so the rule would match nothing",
    );
  return { ...compiled, selection };
}

export function compileArguments(
  conditions: readonly ArgumentCondition[],
): (args: Readonly<Record<string, unknown>>) => boolean {
  const wanted = conditions.map(({ name, oneOf }) => ({ name, values: new Set(oneOf.map(canonicalJson)) }));
  return (args) =>
    wanted.every(({ name, values }) => Object.hasOwn(args, name) && values.has(canonicalJson(args[name])));
}

export function compileChange(
  kinds: readonly ChangeKind[],
  effect: Effect,
): (changes: PolicyRequest["changes"]) => boolean {
  const isMeant = ({ kind }: FileChange) => kinds.includes(kind);
  if (effect !== "allow") return (changes) => changes.some(isMeant);
  return (changes) => changes.length > 0 && changes.every(isMeant);
}

/** The operands as one text. Undefined where the operands of a call are not known, so that no rule on operands matches. */
export function operandsKey(operands: readonly Operand[] | undefined): string | undefined {
  if (operands === undefined) return undefined;
  return canonicalJson([...operands].sort((a, b) => (a.path < b.path ? -1 : 1)));
}
