import { createRuntime, defineTool, s } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { describe, expect, it } from "vitest";
import { connected } from "../fixtures/connect.js";

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
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return "written";
  },
});

/** A client that answers each form with these arguments, over a real connection. */
async function answering(era: "legacy" | "modern", args: object, remember: string) {
  const opened: Awaited<ReturnType<typeof createRuntime>>[] = [];
  const files = { "a.txt": "old\n", "b.txt": "old\n" };
  const connection = await connected({
    era,
    open: async ({ approver }) => {
      const workspace = new MemoryWorkspace(files);
      const runtime = await createRuntime({ tools: [Put], workspace, ...(approver && { approver }) });
      opened.push(runtime);
      return runtime;
    },
    answer: () => ({
      action: "accept",
      content: { approved: true, remember, feedback: "", arguments: JSON.stringify(args) },
    }),
  });
  const put = (path: string, content: string) =>
    connection.client.callTool({ name: "put", arguments: { path, content } });
  const grants = async () => (await opened[0]?.grants.list())?.map(({ label, scope }) => ({ label, scope }));
  return { put, grants, questions: connection.questions };
}

describe.each(["legacy", "modern"] as const)("FE15 remember in a form, over the %s revision", (era) => {
  it.each(["session", "project"])("is saved for %s although the form leaves defaults out", async (scope) => {
    const { put, grants, questions } = await answering(era, { path: "a.txt", content: "new\n" }, scope);
    expect((await put("a.txt", "new\n")).isError).toBeFalsy();
    expect(questions).toHaveLength(1);
    expect(JSON.stringify(questions[0]?.requestedSchema)).toContain('\\"mode\\": \\"plain\\"');
    expect(await grants()).toEqual([{ label: "put may modify a.txt", scope }]);
    expect((await put("a.txt", "newer\n")).isError).toBeFalsy();
    expect(questions).toHaveLength(1);
  });

  it("is saved for what an edit changed, only after that was shown", async () => {
    const { put, grants, questions } = await answering(era, { path: "b.txt", content: "mine\n" }, "session");
    expect((await put("a.txt", "new\n")).isError).toBeFalsy();
    expect(questions).toHaveLength(2);
    expect(questions[1]?.message).toContain("put needs approval to modify b.txt");
    expect(await grants()).toEqual([{ label: "put may modify b.txt", scope: "session" }]);
  });
});
