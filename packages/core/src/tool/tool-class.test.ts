import { expectTypeOf, it } from "vitest";
import { s } from "../schema/schema-builder.js";
import { token } from "../service/token.js";
import type { ToolClass } from "./tool.js";
import { toolDefinition } from "./tool-definition.js";

const CLOCK = token<{ now(): number }>("clock", () => ({ now: () => 0 }));

it("a tool's constructor receives the services that its definition injects", () => {
  const common = {
    summary: "Tells the time.",
    category: "search" as const,
    permissions: [],
    input: s.object({}),
    output: s.object({}),
  };
  const timed = toolDefinition({ ...common, name: "timed", inject: [CLOCK] });
  const plain = toolDefinition({ ...common, name: "plain" });
  expectTypeOf<ConstructorParameters<ToolClass<typeof timed>>>().toEqualTypeOf<[{ now(): number }]>();
  expectTypeOf<ConstructorParameters<ToolClass<typeof plain>>>().toEqualTypeOf<[]>();
});
