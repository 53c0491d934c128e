import { type AnyToolClass, type DialectName, definitionOf } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { DIALECT_NAMES, DIALECTS } from "@haft/core/kernel";
import { expect } from "../runner/expect.js";
import { it } from "../runner/runner.js";
import { pathDescriptionsOf } from "./read-schema.js";
import { openForContract, type ToolContractOptions } from "./tool-contract-options.js";

/** A tool's description in a dialect must be valid in that dialect. */
export function itIsTrueInEveryDialect(toolClass: AnyToolClass, options: ToolContractOptions): void {
  for (const dialect of DIALECT_NAMES)
    it(`its description is valid in the dialect ${dialect}`, () => isTrueIn(dialect, toolClass, options));
}

async function isTrueIn(
  dialect: DialectName,
  toolClass: AnyToolClass,
  options: ToolContractOptions,
): Promise<void> {
  const { runtime } = openForContract(toolClass, { ...options, dialect });
  const description = runtime.registry.get(definitionOf(toolClass).name);
  if (description === undefined) return;
  const validate = compileSchema(description.input);
  for (const { args } of description.examples) {
    expect(validate(structuredClone(args))).toEqual([]);
    const { steps } = await runtime.explain(description.name, args);
    expect(steps.find(({ check }) => check === "arguments")).toMatchObject({ passed: true });
  }
  if (DIALECTS[dialect].paths === "absolute")
    for (const text of pathDescriptionsOf(description.input)) expect(text).not.toMatch(/\brelative\b/i);
}
