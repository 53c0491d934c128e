import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, type ApprovalRequest, createRuntime, defineTool, s } from "../index.js";
import { MemoryWorkspace } from "../memory/index.js";

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: s.object({
    path: s.path("File"),
    content: s.string("Content"),
    mode: s.string("Mode", { default: "plain" }),
  }),
  output: s.object({}),
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return {};
  },
});

async function answering(answer: (request: ApprovalRequest) => ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const runtime = await createRuntime({
    tools: [Put],
    workspace: new MemoryWorkspace({ "a.txt": "old\n", "b.txt": "old\n" }),
    approver: async (request) => {
      asked.push(request);
      return answer(request);
    },
  });
  const put = (path: string, content: string) => runtime.call("put", { path, content });
  return { asked, put, runtime };
}

describe("FE15 remember in a form that always contains the arguments", () => {
  it("is saved although the form omits defaults", async () => {
    const { asked, put, runtime } = await answering(() => ({
      approved: true,
      modifiedArgs: { path: "a.txt", content: "new\n" },
      showAgain: "if-changed",
      remember: "project",
    }));
    expect(await put("a.txt", "new\n")).toMatchObject({ ok: true });
    expect(await runtime.grants.list()).toMatchObject([{ label: "put may modify a.txt", scope: "project" }]);
    expect(await put("a.txt", "newer\n")).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["the arguments of the model", "a.txt", 1],
    ["changed ones", "b.txt", 2],
  ])("is saved by a program that answers with %s, without defaults", async (_what, path, questions) => {
    const { asked, put, runtime } = await answering(() => ({
      approved: true,
      modifiedArgs: { path, content: "new\n" },
      remember: "project",
    }));
    expect(await put("a.txt", "new\n")).toMatchObject({ ok: true });
    expect(asked).toHaveLength(questions);
    expect(await runtime.grants.list()).toMatchObject([
      { label: `put may modify ${path}`, scope: "project" },
    ]);
  });

  it("covers the changed call once it was shown and answered the same way, and never the first one", async () => {
    const { asked, put, runtime } = await answering(() => ({
      approved: true,
      modifiedArgs: { path: "b.txt", content: "new\n" },
      showAgain: "if-changed",
      remember: "session",
    }));
    expect(await put("a.txt", "new\n")).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    expect(await runtime.grants.list()).toMatchObject([{ label: "put may modify b.txt", scope: "session" }]);
  });

  it("saves nothing for a grant that was not offered", async () => {
    const { put, runtime } = await answering(() => ({
      approved: true,
      modifiedArgs: { path: "a.txt", content: "new\n" },
      showAgain: "if-changed",
      remember: { grant: "all", scope: "project" },
    }));
    expect(await put("a.txt", "new\n")).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(await runtime.grants.list()).toEqual([]);
  });
});
