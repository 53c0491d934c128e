import {
  type AnyDefinition,
  type AnyToolClass,
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  definitionOf,
  KERNEL_ERROR_CODES,
  type ToolPermission,
  type ToolResult,
} from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { describe, expect, it } from "vitest";
import { itStopsWhenCancelled } from "./contract/cancellation-check.js";
import { itIsTrueInEveryDialect } from "./contract/dialect-checks.js";
import { describedParts, pathParametersOf, provenValidator } from "./contract/read-schema.js";
import { openForContract, type ToolContractSetting } from "./contract/tool-contract-setting.js";

/**
 * What every tool must hold, whoever wrote it: one line in a test file gives these tests.
 * `args` is a call that succeeds on `files`.
 */
export function describeToolContract(toolClass: AnyToolClass, setting: ToolContractSetting): void {
  const definition = definitionOf(toolClass);
  const subject: Subject = {
    toolClass,
    setting,
    definition,
    call: (args = setting.args) => openForContract(toolClass, setting).runtime.call(definition.name, args),
  };
  describe(`the tool contract: ${definition.name}`, () => {
    itDoesWhatItDeclares(subject);
    itIsTrueInEveryDialect(toolClass, setting);
    itFailsWell(subject);
    itStaysWithinBounds(subject);
  });
}

interface Subject {
  readonly toolClass: AnyToolClass;
  readonly setting: ToolContractSetting;
  readonly definition: AnyDefinition;
  call(args?: unknown): Promise<ToolResult>;
}

function itDoesWhatItDeclares({ toolClass, setting, definition, call }: Subject): void {
  it("is described: a one-line summary, every parameter and every example in order", () => {
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

  it("runs, and its value is what it declares", async () => {
    const result = await call();
    expect(result).toMatchObject({ ok: true });
    expect(compileSchema(definition.output)(structuredClone(resultValue(result)))).toEqual([]);
    expect(() => JSON.stringify(resultValue(result))).not.toThrow();
  });

  it.skipIf(!isRehearsed(definition))(
    "changes nothing in a dry run, and shows there what it would change",
    async () => {
      const { runtime, gate } = openForContract(toolClass, setting);
      const before = runtime.workspace.dump();
      const dry = await runtime.call(definition.name, setting.args, { dryRun: true });
      expect(runtime.workspace.dump()).toEqual(before);
      expect(gate.requests).toEqual([]);
      const real = await runtime.call(definition.name, setting.args);
      expect(changesOf(dry)).toEqual(changesOf(real));
    },
  );
}

function itFailsWell({ toolClass, setting, definition, call }: Subject): void {
  it("refuses a parameter it does not have", async () => {
    const result = await call({ ...setting.args, no_such_parameter: 1 });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
  });

  it("fails with codes that it declares or the kernel knows", async () => {
    const known = new Set<string>([...KERNEL_ERROR_CODES, ...(definition.errors ?? [])]);
    for (const args of [...hostileVariants(definition.input, setting.args), ...(setting.failing ?? [])]) {
      const result = await call(args);
      if (!result.ok) expect(known).toContain(result.error.code);
    }
  });

  itStopsWhenCancelled(toolClass, setting);
}

function itStaysWithinBounds({ toolClass, setting, definition, call }: Subject): void {
  it("says what came of it in a text within the budget", async () => {
    const { runtime } = openForContract(toolClass, { ...setting, limits: { maxTokens: 60 } });
    const { text } = await runtime.call(definition.name, setting.args);
    expect(text.trim()).not.toBe("");
    expect(text.length).toBeLessThanOrEqual(60 * 4 + 200);
  });

  it("is given no more of the workspace than its permissions open", async () => {
    const methods = await methodsGivenTo(toolClass, setting);
    const declared = declaredPermissions(definition);
    for (const [permission, closed] of CLOSED_WITHOUT)
      if (!declared.includes(permission)) expect(methods.filter((name) => closed.includes(name))).toEqual([]);
  });

  it.skipIf(pathParametersOf(definition.input).length === 0)(
    "refuses a path outside the workspace",
    async () => {
      for (const parameter of pathParametersOf(definition.input)) {
        for (const outside of ["../outside.txt", "/etc/passwd", "a\0b"]) {
          const result = await call({ ...setting.args, [parameter]: outside });
          expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATH" } });
        }
      }
    },
  );
}

const CLOSED_WITHOUT: readonly (readonly [ToolPermission, readonly string[]])[] = [
  ["ReadFiles", ["readText", "readBytes", "stream", "list", "walk"]],
  ["WriteFiles", ["writeText", "writeBytes", "move"]],
  ["CreateFiles", ["createText", "createBytes", "createDirectory", "createLink", "move"]],
  ["DeleteFiles", ["remove"]],
];

function isRehearsed(definition: AnyDefinition): boolean {
  const declared = declaredPermissions(definition);
  return changesFiles(declared) && canBeRehearsed(declared);
}

function resultValue(result: ToolResult): unknown {
  return result.ok ? result.value : undefined;
}

function changesOf(result: ToolResult): unknown {
  return result.ok ? result.changes : result.error;
}

/** The same call with each argument in turn left out, or of a kind no model should send. */
function hostileVariants(input: object, args: Readonly<Record<string, unknown>>): readonly object[] {
  const names = Object.keys((input as { properties?: object }).properties ?? {});
  const values = ["", "no/such/thing", "\ufeff", "x".repeat(5_000), -1, 1e308, [], {}, [[]], true];
  return names.flatMap((name) => {
    const { [name]: _left, ...without } = args;
    return [without, ...values.map((value) => ({ ...args, [name]: value }))];
  });
}

/** Runs the tool behind a constructor that notes which methods of the workspace it was handed. */
async function methodsGivenTo(
  toolClass: AnyToolClass,
  setting: ToolContractSetting,
): Promise<readonly string[]> {
  let methods: readonly string[] = [];
  class Watched extends toolClass {
    override run(args: unknown, context: { workspace: object }): Promise<unknown> {
      methods = Object.keys(context.workspace);
      return super.run(args, context);
    }
  }
  const { runtime } = openForContract(Watched, setting);
  await runtime.call(definitionOf(toolClass).name, setting.args);
  expect(methods).toContain("absolute");
  return methods;
}
