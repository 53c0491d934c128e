import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, defineTool, type Grant, s } from "../index.js";
import { grantCovers } from "../policy.js";

const Run = defineTool({
  name: "run",
  summary: "Run.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  approval: () => ({ confirm: "it is not listed" }),
  input: s.object({ command: s.string("Command"), cwd: s.string("Where", { default: "." }) }),
  output: s.object({}),
  run: async () => ({}),
});
const Put = defineTool({
  name: "put",
  summary: "Put.",
  category: "write",
  permissions: ["WriteFiles", "CreateFiles", "DeleteFiles"],
  approval: "confirm",
  input: s.object({ paths: s.array("Files", s.path("File")), text: s.string("Text") }),
  output: s.object({}),
  run: async ({ paths, text }, { workspace }) => {
    for (const path of paths) {
      if (text === "") await workspace.remove(path, { recursive: true });
      else await workspace.writeText(path, text);
    }
    return {};
  },
});

function open(remembers: (grants: readonly Grant[]) => Grant | undefined, most = 1) {
  const saved: Grant[] = [];
  const reasons: string[] = [];
  const runtime = createTestRuntime({
    tools: [Run, Put],
    files: { "src/a.ts": "a", "src/b.ts": "b" },
    grants: {
      covering: async (request) => saved.find((grant) => grantCovers(grant, request)),
      list: () => saved,
    },
    approver: async (request: ApprovalRequest) => {
      reasons.push(request.reason);
      const grant = remembers(request.grants);
      if (grant !== undefined && saved.length < most) saved.push(grant);
      return { approved: true };
    },
  });
  return { runtime, reasons };
}

describe("a request names the difference from a remembered answer", () => {
  it.each<[object, object, string | undefined]>([
    [{ command: "git push" }, { command: "git push --force" }, "`--force` is new"],
    [{ command: "git push --dry-run" }, { command: "git push" }, "`--dry-run` is gone"],
    [{ command: "git push a b" }, { command: "git push b a" }, "the words of command stand in another order"],
    [{ command: "git push a" }, { command: "git  push a" }, "only blanks of command differ"],
    [{ command: "npm test" }, { command: "npm test", cwd: "x" }, "cwd differs"],
    [{ command: "npm test" }, { command: "rm x", cwd: "y" }, undefined],
    [{ command: "npm test" }, { command: "rm x" }, undefined],
    [{ command: "git push" }, { command: "git status" }, undefined],
    [{ command: "echo a b" }, { command: "rm a b" }, undefined],
    [{ command: "ls" }, { command: "ls -l" }, "`-l` is new"],
    [{ command: "rm x", cwd: "y" }, { command: "make", cwd: "y" }, "command differs"],
    [
      { command: "git push origin main" },
      { command: "git push --force origin other" },
      "`--force` is new, `other` is new, `main` is gone",
    ],
  ])("%j, then %j", async (first, second, difference) => {
    const { runtime, reasons } = open(([exact]) => exact);
    await runtime.call("run", first);
    await runtime.call("run", first);
    expect(reasons).toEqual(["it is not listed"]);
    await runtime.call("run", second);
    const again = difference === undefined ? "" : `; asked again because ${difference}`;
    expect(reasons[1]).toBe(`it is not listed${again}`);
    const { steps } = await runtime.explain("run", second);
    expect(steps.at(-2)?.because).toBe(`ask: it is not listed${again}`);
  });

  it("names the paths and kinds that a grant does not cover", async () => {
    const { runtime, reasons } = open((grants) => grants.at(-1));
    await runtime.call("put", { paths: ["src/a.ts"], text: "x" });
    await runtime.call("put", { paths: ["src/a.ts", "src/b.ts"], text: "y" });
    expect(reasons[1]).toContain("asked again because src/b.ts is not covered");
    await runtime.call("put", { paths: ["src/b.ts"], text: "z" });
    expect(reasons[2]).not.toContain("asked again");
    await runtime.call("put", { paths: ["src/a.ts"], text: "" });
    expect(reasons[3]).toContain("asked again because to delete is not covered");
  });

  it("names a new flag beside answers to other commands", async () => {
    const { runtime, reasons } = open(([exact]) => exact, 3);
    for (const command of ["make", "git push", "npm test"]) await runtime.call("run", { command });
    await runtime.call("run", { command: "git push --force" });
    expect(reasons.slice(1)).toEqual([
      "it is not listed",
      "it is not listed",
      "it is not listed; asked again because `--force` is new",
    ]);
  });

  it("explains why a grant for a file does not cover a folder of that name", async () => {
    const { runtime, reasons } = open((grants) => grants.at(-1));
    await runtime.call("put", { paths: ["src/a.ts"], text: "" });
    await runtime.call("put", { paths: ["src/a.ts/x"], text: "x" });
    await runtime.call("put", { paths: ["src/a.ts"], text: "" });
    expect(reasons.at(-1)).toContain("asked again because the remembered answer covers single files only");
  });

  it("every request names the rule or proposal that requires it", async () => {
    const requests: ApprovalRequest[] = [];
    const runtime = createTestRuntime({
      tools: [Run],
      rules: [{ effect: "ask", tool: "run", when: { argument: { name: "cwd", oneOf: ["x"] } } }],
      approver: async (request: ApprovalRequest) => {
        requests.push(request);
        return { approved: false };
      },
    });
    await runtime.call("run", { command: "a" });
    await runtime.call("run", { command: "a", cwd: "x" });
    expect(requests.map(({ decidedBy }) => decidedBy)).toEqual([
      "the tool's own proposal",
      "configuration, rule 1",
    ]);
  });

  it.each<[string, object]>([
    ["run", { command: "git push" }],
    ["put", { paths: ["src/a.ts"], text: "b" }],
  ])("FE9 an explanation of a call that a remembered answer covers names none: %s", async (tool, args) => {
    const { runtime } = open((grants) => grants.at(-1));
    await runtime.call(tool, args);
    const next = tool === "put" ? { ...args, text: "c" } : args;
    const { effect, steps } = await runtime.explain(tool, next);
    expect(effect).toBe("allow");
    expect(JSON.stringify(steps)).not.toContain("asked again");
  });
});
