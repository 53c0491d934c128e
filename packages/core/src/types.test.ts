import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type ArgsOf,
  type ContextOf,
  defineTool,
  fromJsonSchema,
  type Given,
  type GivenOf,
  type Parsed,
  type ResultOf,
  s,
  type ToolContext,
  type ToolRuntime,
  token,
  tool,
  toolDefinition,
} from "./index.js";

const input = s.object({
  pattern: s.string("Pattern"),
  max: s.integer("At most", { default: 50 }),
  type: s.optional(s.string("Type")),
  mode: s.enum("Mode", ["a", "b"], { default: "a" }),
  list: s.array("List", s.object({ n: s.number("N", { default: 1 }) })),
  tags: s.array("Tags", s.string("Tag"), { default: [] }),
  both: s.optional(s.anyOf("Either", [s.string("One"), s.array("Many", s.string("Each"))])),
  map: s.optional(s.record("Map", s.boolean("Flag"))),
});

const REGEX = token<{ compile(): void }>("types.regex");
const definition = toolDefinition({
  name: "typed",
  summary: "Typed.",
  category: "search",
  permissions: ["ReadFiles"],
  input,
  output: s.object({ count: s.integer("Count") }),
  inject: [REGEX],
});

describe("types describe the run-time behaviour", () => {
  it("a schema has the type a model writes and the type a tool receives", () => {
    expectTypeOf<Given<typeof input>>().toEqualTypeOf<{
      pattern: string;
      list: { n?: number }[];
      max?: number;
      type?: string;
      mode?: "a" | "b";
      tags?: string[];
      both?: string | string[];
      map?: Record<string, boolean>;
    }>();
    expectTypeOf<Parsed<typeof input>>().toEqualTypeOf<{
      pattern: string;
      max: number;
      mode: "a" | "b";
      list: { n: number }[];
      tags: string[];
      type?: string;
      both?: string | string[];
      map?: Record<string, boolean>;
    }>();
    expectTypeOf<ArgsOf<typeof definition>>().toEqualTypeOf<Parsed<typeof input>>();
    expectTypeOf<GivenOf<typeof definition>>().toEqualTypeOf<Given<typeof input>>();
    expectTypeOf<ResultOf<typeof definition>>().toEqualTypeOf<{ count: number }>();
    const foreign = fromJsonSchema<{ a: string }>({ type: "object" });
    expectTypeOf<Parsed<typeof foreign>>().toEqualTypeOf<{ a: string }>();
  });

  it("a context has exactly what its permissions open", () => {
    type Reading = ContextOf<typeof definition>["workspace"];
    expectTypeOf<Reading>().toHaveProperty("readText");
    expectTypeOf<Reading>().not.toHaveProperty("writeText");
    expectTypeOf<Reading>().not.toHaveProperty("createText");
    expectTypeOf<Reading>().not.toHaveProperty("remove");
    expectTypeOf<Reading>().not.toHaveProperty("move");
    expectTypeOf<ToolContext>().not.toHaveProperty("processes");
    expectTypeOf<ToolContext["workspace"]>().not.toHaveProperty("readText");
    expectTypeOf<ToolContext<"ExecuteCommands">>().toHaveProperty("processes");
    expectTypeOf<ToolContext<"RunCode">>().toHaveProperty("sandbox");
    expectTypeOf<ToolContext<"NetworkAccess">>().toHaveProperty("network");
    expectTypeOf<ToolContext<"WriteFiles">["workspace"]>().not.toHaveProperty("move");
    expectTypeOf<ToolContext<"WriteFiles" | "CreateFiles">["workspace"]>().toHaveProperty("move");
    expectTypeOf<ToolContext<"DeleteFiles">["workspace"]>().toHaveProperty("remove");
  });

  it("@tool rejects another run signature and another constructor", () => {
    class Right {
      constructor(readonly regex: { compile(): void }) {}
      async run(_args: ArgsOf<typeof definition>, _context: ContextOf<typeof definition>) {
        return { count: 1 };
      }
    }
    tool(definition)(Right);
    class WrongResult {
      constructor(readonly regex: { compile(): void }) {}
      async run() {
        return { count: "1" };
      }
    }
    // @ts-expect-error the value is another
    tool(definition)(WrongResult);
    class WrongArgs {
      constructor(readonly regex: { compile(): void }) {}
      async run(_args: { pattern: number }) {
        return { count: 1 };
      }
    }
    // @ts-expect-error the arguments are others
    tool(definition)(WrongArgs);
    class WrongService {
      constructor(readonly clock: { now(): number }) {}
      async run() {
        return { count: 1 };
      }
    }
    // @ts-expect-error the constructor wants another service
    tool(definition)(WrongService);
    class TooCurious {
      async run(_args: unknown, { workspace }: ToolContext<"WriteFiles">) {
        await workspace.writeText("a", "b");
        return { count: 1 };
      }
    }
    // @ts-expect-error it was not given the key to write
    tool(definition)(TooCurious);
    expect(Right.name).toBe("Right");
  });

  it("defineTool infers arguments, context and result, also from zod", () => {
    const Zod = defineTool({
      name: "typed_zod",
      summary: "Zod.",
      category: "search",
      permissions: ["ReadFiles"],
      input: z.object({ path: z.string(), limit: z.number().default(5) }),
      output: z.object({ lines: z.array(z.string()) }),
      run: async (args, { workspace }) => {
        expectTypeOf(args).toEqualTypeOf<{ path: string; limit: number }>();
        expectTypeOf(workspace).toHaveProperty("readText");
        expectTypeOf(workspace).not.toHaveProperty("writeText");
        return { lines: [args.path] };
      },
    });
    expectTypeOf<ArgsOf<typeof Zod.definition>>().toEqualTypeOf<{ path: string; limit: number }>();
    expectTypeOf<GivenOf<typeof Zod.definition>>().toEqualTypeOf<{
      path: string;
      limit?: number | undefined;
    }>();
    defineTool({
      name: "typed_wrong",
      summary: "Wrong.",
      category: "search",
      permissions: [],
      input: s.object({}),
      output: s.object({ n: s.integer("N") }),
      // @ts-expect-error the value is another
      run: async () => ({ n: "1" }),
    });
    defineTool({
      name: "typed_keyless",
      summary: "No key.",
      category: "search",
      permissions: ["ReadFiles"],
      input: s.object({}),
      output: s.object({}),
      run: async (_args, { workspace }) => {
        // @ts-expect-error writing is not there
        void workspace.writeText;
        return {};
      },
    });
  });

  it("S1.A1 a runtime's typed call knows arguments and value", () => {
    type Called = Awaited<ReturnType<typeof callTyped>>;
    expectTypeOf<Extract<Called, { ok: true }>["value"]>().toEqualTypeOf<{ count: number }>();
    // @ts-expect-error a category is one of ours or x-…
    toolDefinition({ ...definition, category: "mine" });
  });
});

class Typed {
  static readonly definition = definition;
  constructor(readonly regex: { compile(): void }) {}
  async run(_args: ArgsOf<typeof definition>, _context: ContextOf<typeof definition>) {
    return { count: 1 };
  }
}

function callTyped(runtime: ToolRuntime) {
  // @ts-expect-error the pattern is missing
  void (() => runtime.call(Typed, { list: [] }));
  return runtime.call(Typed, { pattern: "x", list: [] });
}
