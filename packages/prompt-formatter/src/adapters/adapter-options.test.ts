import { createRuntime, defineTool, s } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { RunContext } from "@openai/agents";
import { expect, expectTypeOf, it } from "vitest";
import { type AnthropicTool, formatApproval, formatTools, type OpenAiTool } from "../index.js";
import type { CallProgress, CallQuestion } from "./adapter-options.js";
import { toAiSdkTools } from "./ai-sdk.js";
import { toLangChainTools } from "./langchain.js";
import { toMastraTools } from "./mastra.js";
import { toOpenAiAgentsTools } from "./openai-agents.js";

const Slow = defineTool({
  name: "slow",
  summary: "Report progress.",
  input: s.object({}),
  async run(_args, { report }) {
    report({ message: "half", done: 1, total: 2 });
    return "done";
  },
});

it("FP8 adapters forward the progress of a call under the library's id", async () => {
  const runtime = await createRuntime({ workspace: new MemoryWorkspace(), tools: [Slow] });
  const heard: CallProgress[] = [];
  const onProgress = (progress: CallProgress) => heard.push(progress);
  const expected = (callId: string) => ({
    callId,
    tool: "slow",
    progress: { message: "half", done: 1, total: 2 },
  });

  const { slow } = toAiSdkTools(runtime, { onProgress });
  await slow?.execute?.({}, { toolCallId: "ai-1", messages: [] });
  expect(heard).toEqual([expected("ai-1")]);

  const [langChain] = toLangChainTools(
    await createRuntime({ workspace: new MemoryWorkspace(), tools: [Slow] }),
    {
      onProgress,
    },
  );
  await langChain?.invoke({ type: "tool_call", id: "lc-1", name: "slow", args: {} });
  expect(heard.at(-1)).toEqual(expected("lc-1"));
  expect(toOpenAiAgentsTools(runtime, { onProgress })).toHaveLength(1);
});

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({ path: s.path("File") }),
  approval: "confirm",
  run: async ({ path }, { workspace }) => workspace.writeText(path, "new\n"),
});

it("every adapter asks with the text that a terminal shows", async () => {
  const heard: CallQuestion[] = [];
  const onQuestion = (question: CallQuestion) => heard.push(question);
  const open = () =>
    createRuntime({
      workspace: new MemoryWorkspace({ "a.txt": "old\n" }),
      tools: [Put],
      approver: async () => ({ approved: false }),
    });
  const { put } = toAiSdkTools(await open(), { onQuestion });
  await put?.execute?.({ path: "a.txt" }, { toolCallId: "ai-1", messages: [] });
  const [langChain] = toLangChainTools(await open(), { onQuestion });
  await langChain?.invoke({ type: "tool_call", id: "lc-1", name: "put", args: { path: "a.txt" } });
  const [agents] = toOpenAiAgentsTools(await open(), { onQuestion });
  await agents?.invoke(new RunContext(), '{"path":"a.txt"}', { toolCall: { callId: "oa-1" } } as never);
  const mastra = toMastraTools(await open(), (made) => made, { onQuestion });
  await mastra.put?.execute({ path: "a.txt" }, { agent: { toolCallId: "ma-1", suspend: async () => {} } });
  expect(heard.map(({ callId }) => callId)).toEqual(["ai-1", "lc-1", "oa-1", "ma-1"]);
  for (const { text, request, tool } of heard) {
    expect(tool).toBe("put");
    expect(text).toBe(formatApproval(request));
    expect(text).toContain("put needs approval to modify a.txt");
    expect(text).toContain("│ -old\n│ +new");
  }
});

it("FP8 formatTools is typed by its provider", async () => {
  const runtime = await createRuntime({ workspace: new MemoryWorkspace(), tools: [Slow] });
  expectTypeOf(formatTools(runtime.tools(), "openai")).toEqualTypeOf<OpenAiTool[]>();
  expectTypeOf(formatTools(runtime.tools(), "anthropic")).toEqualTypeOf<AnthropicTool[]>();
  expect(formatTools(runtime.tools(), "openai")[0]?.function.name).toBe("slow");
});
