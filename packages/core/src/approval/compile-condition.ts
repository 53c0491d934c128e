// The parts of a rule's condition that need no file of their own, each compiled to a test of a call.
import { compilePathSelection } from "@haft/text";
import { pathParameters } from "../schema/path-arguments.js";
import type { JsonSchema } from "../schema/schema.js";
import type { FileChange } from "../workspace/file-change.js";
import { normalizePath } from "../workspace/path-text.js";
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

/** Compiles conditions on arguments. To deny or ask, a path matches in every spelling: `./a.txt`, or through a link. */
export function compileArguments(
  conditions: readonly ArgumentCondition[],
  effect: Effect,
): (request: ArgumentFacts) => boolean {
  const wanted = conditions.map(({ name, oneOf }) => ({
    name,
    values: new Set(oneOf.map(canonicalJson)),
    paths: new Set(effect === "allow" ? [] : oneOf.flatMap(pathKeys)),
  }));
  return ({ args, definition, paths: named = [] }) =>
    wanted.every(({ name, values, paths }) => {
      if (!Object.hasOwn(args, name)) return false;
      if (values.has(canonicalJson(args[name]))) return true;
      const parameters = paths.size === 0 ? [] : pathParameters(definition.input);
      if (!parameters.includes(name)) return false;
      // Of several parameters, it is not known which one leads to a path.
      const given = parameters.length === 1 ? [args[name], ...named] : [args[name]];
      return given.flatMap(pathKeys).some((path) => paths.has(path));
    });
}

type ArgumentFacts = Pick<PolicyRequest, "args" | "definition" | "paths">;

/** Returns a path in the form in which a rule that restricts compares it, and nothing for another value. */
function pathKeys(value: unknown): readonly string[] {
  const path = typeof value === "string" ? normalizePath(value) : undefined;
  return path === undefined ? [] : [path.normalize("NFC").toLowerCase()];
}

/** Compiles complete arguments. A call has the defaults of its tool, which a rule may leave out. */
export function compileExactly(
  examples: readonly Readonly<Record<string, unknown>>[],
): (request: ArgumentFacts) => boolean {
  const known = new WeakMap<JsonSchema, ReadonlySet<string>>();
  return ({ args, definition: { input } }) => {
    let keys = known.get(input);
    if (keys === undefined) {
      const defaults = defaultsIn(input);
      keys = new Set(examples.map((example) => canonicalJson({ ...defaults, ...example })));
      known.set(input, keys);
    }
    return keys.has(canonicalJson(args));
  };
}

function defaultsIn({ properties = {} }: JsonSchema): Record<string, unknown> {
  const schemas = Object.entries(properties as Record<string, JsonSchema>);
  return Object.fromEntries(
    schemas.flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])),
  );
}

export function compileChange(
  kinds: readonly ChangeKind[],
  effect: Effect,
): (changes: PolicyRequest["changes"]) => boolean {
  const isMeant = ({ kind }: FileChange) => kinds.includes(kind);
  if (effect !== "allow") return (changes) => changes.some(isMeant);
  return (changes) => changes.length > 0 && changes.every(isMeant);
}

/**
 * Returns the operands as one text; undefined if the operands of a call are unknown, so that no rule on operands
 * matches.
 */
export function operandsKey(operands: readonly Operand[] | undefined): string | undefined {
  if (operands === undefined) return undefined;
  return canonicalJson([...operands].sort((a, b) => (a.path < b.path ? -1 : 1)));
}
