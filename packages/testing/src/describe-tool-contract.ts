import {
  type AnyDefinition,
  type AnyToolClass,
  definitionOf,
  KERNEL_ERROR_CODES,
  type ToolPermission,
  type ToolResult,
} from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { canBeRehearsed, changesFiles, declaredPermissions } from "@haft/core/policy";
import { itStopsWhenCancelled } from "./contract/cancellation-check.js";
import { itIsTrueInEveryDialect } from "./contract/dialect-checks.js";
import { describedParts, pathParametersOf, provenValidator } from "./contract/read-schema.js";
import { openForContract, type ToolContractOptions } from "./contract/tool-contract-options.js";
import { expect } from "./runner/expect.js";
import { describe, it, itIf } from "./runner/runner.js";

/**
 * Tests the contract that every tool must satisfy; one line in a test file registers these tests. `args` is a call that
 * succeeds on `files`.
 */
export function describeToolContract(toolClass: AnyToolClass, options: ToolContractOptions): void {
  const definition = definitionOf(toolClass);
  const subject: Subject = {
    toolClass,
    options,
    definition,
    call: (args = options.args) => openForContract(toolClass, options).runtime.call(definition.name, args),
  };
  describe(`the tool contract: ${definition.name}`, () => {
    itDoesWhatItDeclares(subject);
    itIsTrueInEveryDialect(toolClass, options);
    itFailsWell(subject);
    itStaysWithinBounds(subject);
  });
}

interface Subject {
  readonly toolClass: AnyToolClass;
  readonly options: ToolContractOptions;
  readonly definition: AnyDefinition;
  call(args?: unknown): Promise<ToolResult>;
}

function itDoesWhatItDeclares({ toolClass, options, definition, call }: Subject): void {
  it("has a one-line summary, described parameters and valid examples", () => {
    expect(definition.summary.trim()).not.toBe("");
    expect(definition.summary).not.toContain("\n");
    expect(describedParts(definition.input).undescribed).toEqual([]);
    const validate = provenValidator(definition.input);
    provenValidator(definition.output);
    for (const example of definition.examples ?? []) {
      expect(example.when.trim()).not.toBe("");
      expect(validate(structuredClone(example.args))).toEqual([]);
    }
  });

  it("runs and returns a value that matches its output schema", async () => {
    const result = await call();
    expect(result).toMatchObject({ ok: true });
    expect(compileSchema(definition.output)(structuredClone(resultValue(result)))).toEqual([]);
    expect(() => JSON.stringify(resultValue(result))).not.toThrow();
  });

  itIf(
    isRehearsed(definition),
    "changes nothing in a dry run, and shows there what it would change",
    async () => {
      const { runtime, approver } = openForContract(toolClass, options);
      const before = runtime.workspace.dump();
      const dry = await runtime.call(definition.name, options.args, { dryRun: true });
      expect(runtime.workspace.dump()).toEqual(before);
      expect(approver.requests).toEqual([]);
      const real = await runtime.call(definition.name, options.args);
      expect(changesOf(dry)).toEqual(changesOf(real));
    },
  );
}

function itFailsWell({ toolClass, options, definition, call }: Subject): void {
  itIf(!takesOtherParameters(definition), "refuses a parameter it does not have", async () => {
    const result = await call({ ...options.args, no_such_parameter: 1 });
    if (result.ok)
      throw new Error(
        `${definition.name} accepts a parameter that its input schema does not list. Set additionalProperties: false in the schema: a misspelled parameter is then reported to the model.`,
      );
    expect(result).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  });

  it("fails only with declared or kernel error codes", async () => {
    const known = new Set<string>([...KERNEL_ERROR_CODES, ...(definition.errors ?? [])]);
    for (const args of [...hostileVariants(definition.input, options.args), ...(options.failing ?? [])]) {
      const result = await call(args);
      if (!result.ok) expect(known).toContain(result.error.code);
    }
  });

  itStopsWhenCancelled(toolClass, options);
}

function itStaysWithinBounds({ toolClass, options, definition, call }: Subject): void {
  it("renders its result within the text budget", async () => {
    const { runtime } = openForContract(toolClass, { ...options, limits: { maxTokens: 60 } });
    const { text } = await runtime.call(definition.name, options.args);
    expect(text.trim()).not.toBe("");
    expect(text.length).toBeLessThanOrEqual(60 * 4 + 200);
  });

  it("gets only the workspace methods its permissions allow", async () => {
    const methods = await methodsGivenTo(toolClass, options);
    const declared = declaredPermissions(definition);
    for (const [permission, closed] of CLOSED_WITHOUT)
      if (!declared.includes(permission)) expect(methods.filter((name) => closed.includes(name))).toEqual([]);
  });

  itIf(pathParametersOf(definition.input).length > 0, "refuses a path outside the workspace", async () => {
    for (const parameter of pathParametersOf(definition.input)) {
      for (const outside of ["../outside.txt", "/etc/passwd", "a\0b"]) {
        const result = await call({ ...options.args, [parameter]: outside });
        expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATH" } });
      }
    }
  });
}

const CLOSED_WITHOUT: readonly (readonly [ToolPermission, readonly string[]])[] = [
  ["ReadFiles", ["readText", "readBytes", "stream", "list", "walk"]],
  ["WriteFiles", ["writeText", "writeBytes", "setDirectoryMode", "move"]],
  ["CreateFiles", ["createText", "createBytes", "createDirectory", "createLink", "move"]],
  ["DeleteFiles", ["remove"]],
];

function isRehearsed(definition: AnyDefinition): boolean {
  const declared = declaredPermissions(definition);
  return changesFiles(declared) && canBeRehearsed(declared);
}

/** True if the schema explicitly allows it, as `z.looseObject` does. */
function takesOtherParameters({ input }: AnyDefinition): boolean {
  const { additionalProperties = false } = input as { additionalProperties?: unknown };
  return additionalProperties !== false;
}

function resultValue(result: ToolResult): unknown {
  return result.ok ? result.value : undefined;
}

function changesOf(result: ToolResult): unknown {
  return result.ok ? result.changes : result.error;
}

/** Repeats the call with each argument in turn missing or of an invalid kind. */
function hostileVariants(input: object, args: Readonly<Record<string, unknown>>): readonly object[] {
  const names = Object.keys((input as { properties?: object }).properties ?? {});
  const values = ["", "no/such/thing", "\ufeff", "x".repeat(5_000), -1, 1e308, [], {}, [[]], true];
  return names.flatMap((name) => {
    const { [name]: _left, ...without } = args;
    return [without, ...values.map((value) => ({ ...args, [name]: value }))];
  });
}

/** Runs the tool with a constructor that records the workspace methods it receives. */
async function methodsGivenTo(
  toolClass: AnyToolClass,
  options: ToolContractOptions,
): Promise<readonly string[]> {
  let methods: readonly string[] = [];
  class Watched extends toolClass {
    override run(args: unknown, context: { workspace: object }): Promise<unknown> {
      methods = Object.keys(context.workspace);
      return super.run(args, context);
    }
  }
  const { runtime } = openForContract(Watched, options);
  await runtime.call(definitionOf(toolClass).name, options.args);
  expect(methods).toContain("absolute");
  return methods;
}
