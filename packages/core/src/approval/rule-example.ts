import { PATH_FORMAT } from "../schema/schema-builder.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import type { FileChange } from "../workspace/file-change.js";
import type { PolicyRequest } from "./approval.js";
import { listOf, prefixesOf } from "./check-rule.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { PolicyRule } from "./policy-rule.js";

/** A call described with the fields of a rule. Omitted fields match the rule. */
export interface RuleExample {
  readonly tool?: string;
  readonly path?: string | readonly string[];
  /** The words of a command, or of several that run in one line. */
  readonly command?: readonly string[] | readonly (readonly string[])[];
  readonly url?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Throws TypeError when an example is not decided as the rule says it is. */
export function assertExamples(rule: PolicyRule, compiled: CompiledRule): void {
  for (const example of rule.matches ?? [])
    if (!matches(example, rule, compiled))
      throw new TypeError(`it does not match its own example ${JSON.stringify(example)}`);
  for (const example of rule.doesNotMatch ?? [])
    if (matches(example, rule, compiled))
      throw new TypeError(`it matches ${JSON.stringify(example)}, which doesNotMatch says it must not`);
}

function matches(example: RuleExample, rule: PolicyRule, compiled: CompiledRule): boolean {
  const request = requestOf(example, rule);
  if (!compiled.matchesCall(request)) return false;
  const { paths = [] } = request;
  if (compiled.paths === undefined) return true;
  if (rule.effect !== "allow") return paths.some((path) => compiled.paths?.selects(path));
  return paths.length > 0 && paths.every((path) => compiled.paths?.selects(path));
}

function requestOf(
  { tool, path, command, url, arguments: args = {} }: RuleExample,
  rule: PolicyRule,
): PolicyRequest {
  const { when = {} } = rule;
  return {
    callId: "example",
    definition: {
      name: tool ?? rule.tool ?? "example",
      category: rule.category ?? "read",
      permissions: rule.permission === undefined ? [] : [rule.permission],
      input: { type: "object", properties: { path: { type: "string", format: PATH_FORMAT } } },
    } as unknown as AnyDefinition,
    args,
    changes: when.change === undefined ? [] : [{ kind: listOf(when.change)[0] } as FileChange],
    paths: path === undefined ? [] : listOf(path),
    operands: when.operands ?? [],
    role: { name: rule.role ?? "example", permissions: [] },
    ...(url !== undefined && { url }),
    ...(command !== undefined && {
      command: {
        text: "",
        commands: prefixesOf(command).map((argv) => ({ argv })),
        isComplete: true,
      },
    }),
  };
}
