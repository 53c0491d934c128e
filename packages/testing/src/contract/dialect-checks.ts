import { type AnyToolClass, DIALECT_NAMES, DIALECTS, definitionOf } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { expect, it } from "vitest";
import { pathDescriptionsOf } from "./read-schema.js";
import { openForContract, type ToolContractSetting } from "./tool-contract-setting.js";

/** What a model reads of a tool in some dialect must work in that dialect. */
export function itIsTrueInEveryDialect(toolClass: AnyToolClass, setting: ToolContractSetting): void {
  it.each(DIALECT_NAMES)("what it says of itself is true in the dialect %s", async (dialect) => {
    const { runtime } = openForContract(toolClass, { ...setting, dialect });
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
  });
}
