import { type ApprovalPolicy, type ApprovalRequest, defineTool, type PolicyRule, s } from "@haft/core";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { automaticAnswer } from "./session-mode.js";

const common = {
  summary: "Change a file.",
  approval: "confirm",
  input: s.object({ path: s.path("File") }),
} as const;
const Put = defineTool({
  ...common,
  name: "put",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  run: async ({ path }, { workspace }) => {
    await workspace.writeText(path, "new\n");
    return "written";
  },
});
const PutRead = defineTool({
  ...common,
  name: "put_read",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  needsRead: true,
  run: ({ path }, { workspace }) => workspace.writeText(path, "new\n"),
});
const Take = defineTool({
  ...common,
  name: "take",
  category: "manage",
  permissions: ["DeleteFiles"],
  run: async ({ path }, { workspace }) => {
    await workspace.remove(path);
    return "removed";
  },
});

/** The question about a call, and whether the mode "edits" answers it. */
async function asked(
  tool: "put" | "put_read" | "take",
  path: string,
  more: { rules?: readonly PolicyRule[]; policies?: ApprovalPolicy[]; guardPolicies?: ApprovalPolicy[] } = {},
) {
  const requests: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    requests.push(request);
    return { approved: false };
  };
  const files = { "a.txt": "old\n", "legal/a.txt": "old\n" };
  const runtime = createTestRuntime({
    tools: [Put, PutRead, Take],
    files,
    approver,
    readBeforeWrite: "approve",
    ...more,
  });
  await runtime.call(tool, { path });
  const [request] = requests;
  if (request === undefined) throw new Error("nobody was asked");
  return { request, answer: automaticAnswer("edits", request) };
}

describe("accept edits", () => {
  it("answers the question that a tool asks about its own edit", async () => {
    const { answer } = await asked("put", "a.txt");
    expect(answer).toMatchObject({ approved: true, by: { how: "rule", who: "mode edits" } });
  });

  it.each(["default", ""])("leaves the question of a policy with the name %j to the user", async (name) => {
    const policy: ApprovalPolicy = () => ({ effect: "ask", because: "a person must see it" });
    const named = Object.defineProperty(policy, "name", { value: name });
    for (const more of [{ policies: [named] }, { guardPolicies: [named] }])
      expect((await asked("put", "a.txt", more)).answer).toBeUndefined();
  });

  it("leaves to the user what a policy asks that passes on an opinion of the kernel", async () => {
    for (const isFallback of [true, false])
      for (const later of [false, true]) {
        const opinion = { effect: "ask", because: "legal must look", isFallback } as const;
        const policies: ApprovalPolicy[] = [() => (later ? Promise.resolve(opinion) : opinion)];
        expect((await asked("put", "a.txt", { policies })).answer).toBeUndefined();
      }
  });

  it("answers a question about a file that was not read, unless a rule asks about it as well", async () => {
    const unread = await asked("put_read", "legal/a.txt");
    expect(unread.request.decidedBy).toBe("read before write");
    expect(unread.answer).toMatchObject({ approved: true });
    const rules: readonly PolicyRule[] = [{ effect: "ask", when: { path: "legal/**" } }];
    expect((await asked("put_read", "legal/a.txt", { rules })).answer).toBeUndefined();
  });

  it("leaves deletions to the user", async () => {
    expect((await asked("take", "a.txt")).answer).toBeUndefined();
  });

  it.each<[string, { rules?: readonly PolicyRule[]; policies?: ApprovalPolicy[] }]>([
    ["a rule", { rules: [{ effect: "ask", when: { path: "legal/**" } }] }],
    ["a policy", { policies: [() => ({ effect: "ask", because: "a lawyer reads this" })] }],
  ])("FE15 leaves to the user what %s wants to be asked about", async (_who, parts) => {
    const { request, answer } = await asked("put", "legal/a.txt", parts);
    expect(answer).toBeUndefined();
    expect(automaticAnswer("all", request)).toMatchObject({ approved: true });
  });
});
