import { type AnyToolClass, definitionOf, type JsonSchema } from "@haft/core";
import { openForContract, type ToolContractOptions } from "./contract/tool-contract-options.js";
import { expect } from "./runner/expect.js";
import { describe, it } from "./runner/runner.js";

/**
 * Tests a tool with hostile arguments: the call ends, it fails only with errors that the tool or the kernel declares, a
 * failed call changes nothing, and the arguments are not modified.
 */
export function describeHostileArguments(toolClass: AnyToolClass, options: ToolContractOptions): void {
  const { name, input } = definitionOf(toolClass);
  describe(`hostile arguments: ${name}`, () => {
    for (const parameter of Object.keys((input as JsonSchema & { properties?: object }).properties ?? {}))
      for (const [kind, value] of HOSTILE_VALUES)
        it(`${parameter}: ${kind}`, () =>
          survives(toolClass, options, { ...options.args, [parameter]: value }));
    for (const [kind, args] of HOSTILE_OBJECTS)
      it(`arguments: ${kind}`, () => survives(toolClass, options, args));
  });
}

async function survives(toolClass: AnyToolClass, options: ToolContractOptions, args: unknown): Promise<void> {
  const { name, errors } = definitionOf(toolClass);
  const { runtime } = openForContract(toolClass, options);
  const before = runtime.workspace.dump();
  const sent = JSON.stringify(args);
  const result = await runtime.call(name, args);
  expect(JSON.stringify(args)).toBe(sent);
  if (result.ok) return;
  if (!(errors ?? []).includes(result.error.code)) expect(DEFECTS).not.toContain(result.error.code);
  expect(runtime.workspace.dump()).toEqual(before);
}

/** The tool threw something other than a ToolError, or returned a value that does not match its output schema. */
const DEFECTS = ["EXECUTION_ERROR", "INTERNAL"];

const HOSTILE_VALUES: readonly (readonly [kind: string, value: unknown])[] = [
  ["null", null],
  ["an empty text", ""],
  ["spaces", "   "],
  ["a lone surrogate", "\ud800"],
  ["a byte order mark", "\ufeff"],
  ["text that is written from right to left", "\u202egpj.exe"],
  ["a regular expression that backtracks", "(a+)+$"],
  ["a long text", "x".repeat(200_000)],
  ["a template", "$(id) {{7*7}} %s"],
  ["a negative number", -1],
  ["a huge number", 1e308],
  ["a fraction", 0.1],
  ["a number in a text", "1e3"],
  ["a truth value", true],
  ["an empty list", []],
  ["nested lists", [[[[]]]]],
  ["an empty object", {}],
  ["a prototype", JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}')],
];

const HOSTILE_OBJECTS: readonly (readonly [kind: string, args: unknown])[] = [
  ["null", null],
  ["a list", []],
  ["a text", "text"],
  ["text that is JSON", '{"path":'],
  ["nothing", {}],
  ["a prototype", JSON.parse('{"__proto__":{"polluted":true}}')],
  ["many unknown names", Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]))],
];
