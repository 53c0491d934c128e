// Small tools for runs in memory, one of each kind, with a record of what was executed.
import { type AnyToolClass, defineTool, s } from "@haft/core";

export interface CountedTools {
  readonly tools: readonly AnyToolClass[];
  readonly done: string[];
}

export function countedTools(): CountedTools {
  const done: string[] = [];
  const look = defineTool({
    name: "look",
    summary: "Look at a file.",
    category: "read",
    permissions: ["ReadFiles"],
    input: s.object({ path: s.path("File") }),
    output: s.object({ text: s.string("Text") }),
    run: async ({ path }, { workspace }) => {
      done.push(`look ${path}`);
      return { text: await workspace.readText(path) };
    },
    render: ({ text }) => text,
  });
  const put = defineTool({
    name: "put",
    summary: "Write a file.",
    category: "write",
    permissions: ["WriteFiles", "CreateFiles"],
    approval: "confirm",
    input: s.object({ path: s.path("File"), text: s.string("Text") }),
    output: s.object({}),
    run: async ({ path, text }, { workspace }) => {
      await workspace.writeText(path, text);
      return {};
    },
    render: () => "written",
  });
  const act = defineTool({
    name: "act",
    summary: "Do something that cannot be rehearsed.",
    category: "x-test",
    permissions: [],
    approval: "auto",
    idempotent: false,
    input: s.object({ what: s.string("What"), ms: s.integer("How long", { default: 0 }) }),
    output: s.object({}),
    run: async ({ what, ms }, { signal, report }) => {
      done.push(`begin ${what}`);
      report({ message: what });
      await new Promise((resolve, reject) => {
        setTimeout(resolve, ms);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      done.push(`end ${what}`);
      return {};
    },
    render: () => `did ${done.length}`,
  });
  return { tools: [look, put, act], done };
}
