import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settleDenials, toAiSdkTools } from "@haft/prompt-formatter/ai-sdk";
import { createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const folder = mkdtempSync(join(tmpdir(), "haft-ai-sdk-7-"));
const file = join(folder, "plan.md");
writeFileSync(file, "# Plan\n");
const options = { role: "editor", tools: [ReadFile, WriteFile], decidable: true } as const;
const stateDirectory = `${folder}-state`;
const open = () => createNodeRuntime({ ...options, workspace: folder, stateDirectory });

// A denial is final. The SDK tells its tools about approvals only, so `settleDenials` reads the denial from the
// messages.
const runtime = await open();
const denied = await ask(runtime, "call-1");
const afterNo = await resume(runtime, denied({ approved: false, reason: "not on a Friday" }));
assert.equal(afterNo.text, "done");
assert.equal(readFileSync(file, "utf8"), "# Plan\n");
assert.deepEqual(await runtime.pending(), []);

// An approval may come from another process: this runtime is closed, and another one resumes from the stored messages.
const approved = await ask(runtime, "call-2");
const [request] = await runtime.pending();
console.log(request?.changes[0]?.diff);
await runtime.dispose();
const later = await open();
await resume(later, JSON.parse(JSON.stringify(approved({ approved: true }))));
assert.equal(readFileSync(file, "utf8"), "# Plan\n\nShip it.\n");
await later.dispose();
for (const used of [folder, stateDirectory]) rmSync(used, { recursive: true, force: true });
console.log(`AI SDK 7 on Node ${process.versions.node}: denied for good, approved by another runtime`);

type Answer = { readonly approved: boolean; readonly reason?: string };

/** Runs the agent until it asks for approval. Returns, for each answer, the messages to continue with. */
async function ask(asking: NodeRuntime, callId: string): Promise<(answer: Answer) => ModelMessage[]> {
  const messages: ModelMessage[] = [{ role: "user", content: "Ship it." }];
  const write = { path: "plan.md", content: "# Plan\n\nShip it.\n" };
  const { content, response } = await generateText({
    model: scripted([
      call(`${callId}-read`, "read_file", { path: "plan.md" }),
      call(callId, "write_file", write),
    ]),
    tools: toAiSdkTools(asking, { askedBy: "library" }),
    messages,
    stopWhen: stepCountIs(5),
  });
  const question = content.find((part) => part.type === "tool-approval-request");
  assert.ok(question);
  const { approvalId } = question;
  return (answer) => [
    ...messages,
    ...response.messages,
    { role: "tool", content: [{ type: "tool-approval-response", approvalId, ...answer }] },
  ];
}

function resume(resuming: NodeRuntime, messages: ModelMessage[]) {
  return generateText({
    model: scripted([{ type: "text", text: "done" }]), // or openai("gpt-5") from @ai-sdk/openai
    tools: toAiSdkTools(resuming, { askedBy: "library" }),
    messages,
    prepareStep: settleDenials(resuming),
  });
}

type Turn = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>["content"][number];

function call(toolCallId: string, toolName: string, input: object): Turn {
  return { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) };
}

/** Replaces the model with scripted turns. */
function scripted(turns: readonly Turn[]): MockLanguageModelV4 {
  const left = [...turns];
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const turn = left.shift();
      assert.ok(turn, "the script is over");
      return {
        content: [turn],
        finishReason: { unified: turn.type === "text" ? "stop" : "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
}
