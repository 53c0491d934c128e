import { generateText, type ModelMessage, stepCountIs } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { aiSdkModel, type Turn } from "../fixtures/scripted-models.js";
import { settleDenials, toAiSdkTools } from "./ai-sdk.js";

let folder: AdapterWorkspace;

beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

const ask: ModelMessage[] = [{ role: "user", content: "do it" }];
const overwrite = { tool: "write_file", args: OVERWRITE, id: "call-1" };

const generate = (tools: ReturnType<typeof toAiSdkTools>, turns: readonly Turn[], messages = ask) => {
  const model = aiSdkModel(turns);
  return generateText({ model, tools, messages, stopWhen: stepCountIs(5) }).then((result) => ({
    ...result,
    text: result.text,
    content: result.content,
    messages: result.response.messages,
    sent: model.doGenerateCalls,
  }));
};

/** Returns the conversation after the person's answer to its only question. */
function answered(
  { content, messages }: Awaited<ReturnType<typeof generate>>,
  answer: { approved: boolean; reason?: string },
): ModelMessage[] {
  const request = content.find((part) => part.type === "tool-approval-request");
  if (request?.type !== "tool-approval-request") throw new Error("nobody was asked");
  const response = { type: "tool-approval-response" as const, approvalId: request.approvalId, ...answer };
  return [...ask, ...messages, { role: "tool", content: [response] }];
}

const toolOutputs = (sent: Awaited<ReturnType<typeof generate>>["sent"]) =>
  sent
    .at(-1)
    ?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : []))
    .flatMap((part) => (part.type === "tool-result" ? [part.output] : []));

describe("S1.A3 the tools of a runtime in the Vercel AI SDK", () => {
  it("are called, and the model receives their text", async () => {
    const tools = toAiSdkTools(await folder.open(), { askedBy: "library" });
    const read: Turn = { tool: "read_file", args: { path: "f.txt" }, id: "call-1" };
    const { text, sent } = await generate(tools, [read, "done"]);
    expect(text).toBe("done");
    expect(toolOutputs(sent)).toMatchObject([{ type: "text", value: expect.stringContaining("old") }]);
    expect(sent[0]?.tools).toContainEqual(
      expect.objectContaining({
        name: "read_file",
        inputSchema: expect.objectContaining({ type: "object" }),
      }),
    );
  });

  it("pass the runtime's question on as an approval request, and run what was shown", async () => {
    const runtime = await folder.open();
    const tools = toAiSdkTools(runtime, { askedBy: "library" });
    const first = await generate(tools, [overwrite]);
    expect(folder.read("f.txt")).toBe("old\n");
    const [pending] = await runtime.pending();
    expect(pending).toMatchObject({ callId: "call-1", changes: [{ kind: "modify", path: "f.txt" }] });
    expect(pending?.changes[0]?.diff).toContain("+new");
    const second = await generate(tools, ["done"], answered(first, { approved: true }));
    expect(folder.read("f.txt")).toBe("new\n");
    expect(toolOutputs(second.sent)).toMatchObject([{ type: "text" }]);
    expect(await runtime.pending()).toEqual([]);
  });

  it("pass a denial on to the approver, so that the next call on the same file does not wait for it", async () => {
    const runtime = await folder.open();
    const tools = toAiSdkTools(runtime, { askedBy: "library" });
    const first = await generate(tools, [overwrite]);
    const other: Turn = { tool: "write_file", args: { path: "f.txt", content: "other\n" }, id: "call-2" };
    const second = await generate(tools, [other], answered(first, { approved: false, reason: "not now" }));
    expect(toolOutputs(second.sent)).toMatchObject([{ type: "execution-denied", reason: "not now" }]);
    expect(folder.read("f.txt")).toBe("old\n");
    expect((await runtime.pending()).map(({ callId }) => callId)).toEqual(["call-2"]);
  });

  it("FE16 do not deadlock if one turn has two calls on one file: only the first prompts", async () => {
    const tools = toAiSdkTools(await folder.open(), { askedBy: "library" });
    const remove = { tool: "delete_file", args: { path: "f.txt" }, id: "call-2" };
    const asked = await generate(tools, [[overwrite, remove], "done"]);
    expect(asked.content.filter(({ type }) => type === "tool-approval-request")).toHaveLength(1);
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("FE16 a denial settles the stored request, even if no other call follows", async () => {
    const runtime = await folder.open();
    const tools = toAiSdkTools(runtime, { askedBy: "library" });
    const first = await generate(tools, [overwrite]);
    const [pending] = await runtime.pending();
    const messages = answered(first, { approved: false, reason: "not now" });
    await generateText({ model: aiSdkModel(["done"]), tools, messages, prepareStep: settleDenials(runtime) });
    expect(await runtime.pending()).toEqual([]);
    await expect(runtime.decide(pending?.approvalId as string, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(folder.read("f.txt")).toBe("old\n");
    expect(await runtime.audit.list()).toMatchObject([
      { verdict: "deny", decider: { how: "library", who: "AI SDK" }, feedback: "not now" },
    ]);
  });

  it("return a failure as an error that the model can read", async () => {
    const tools = toAiSdkTools(await folder.open());
    const read: Turn = { tool: "read_file", args: { path: "none.txt" }, id: "call-1" };
    const { sent, steps } = await generate(tools, [read, "done"]);
    expect(toolOutputs(sent)).toMatchObject([
      { type: "error-text", value: expect.stringContaining("File not found") },
    ]);
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ error: { code: "FILE_NOT_FOUND" } });
  });

  it("do not overwrite a file that changed while the question was open", async () => {
    const tools = toAiSdkTools(await folder.open(), { askedBy: "library" });
    const first = await generate(tools, [overwrite]);
    folder.write("f.txt", "somebody else's\n");
    const second = await generate(tools, ["done"], answered(first, { approved: true }));
    expect(toolOutputs(second.sent)).toMatchObject([{ type: "error-text" }]);
    expect(folder.read("f.txt")).toBe("somebody else's\n");
  });

  it("run nothing under an approval if the arguments differ, neither the changed nor the shown ones", async () => {
    const runtime = await folder.open();
    const tools = toAiSdkTools(runtime, { askedBy: "library" });
    const forged = JSON.stringify(answered(await generate(tools, [overwrite]), { approved: true }));
    const messages = JSON.parse(forged.replaceAll("new\\n", "evil\\n"));
    const second = await generate(tools, ["done"], messages);
    expect(toolOutputs(second.sent)).toMatchObject([
      { type: "error-text", value: expect.stringContaining("CALL_ID_CONFLICT") },
    ]);
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("ignore an approval of a question that was never asked", async () => {
    const tools = toAiSdkTools(await folder.open(), { askedBy: "library" });
    const elsewhere = adapterWorkspace();
    const first = await generate(toAiSdkTools(await elsewhere.open(), { askedBy: "library" }), [overwrite]);
    await elsewhere.dispose();
    const second = await generate(tools, ["done"], answered(first, { approved: true }));
    expect(toolOutputs(second.sent)).toMatchObject([
      { type: "error-text", value: expect.stringContaining("no longer matches what was shown") },
    ]);
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("leave the question to the runtime's own approver if the library should not ask", async () => {
    const asked: string[] = [];
    const approver = async ({ tool }: { tool: string }) => {
      asked.push(tool);
      return { approved: true };
    };
    const { text } = await generate(toAiSdkTools(await folder.open({ approver })), [overwrite, "done"]);
    expect(text).toBe("done");
    expect(asked).toEqual(["write_file"]);
    expect(folder.read("f.txt")).toBe("new\n");
  });

  it("need a decidable runtime if the library should ask", async () => {
    const { pending: _pending, decide: _decide, ...bare } = await folder.open();
    expect(() => toAiSdkTools(bare, { askedBy: "library" })).toThrow(/decide/);
  });
});
