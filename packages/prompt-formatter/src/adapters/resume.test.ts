import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, Runner, RunState } from "@openai/agents";
import { generateText, type ModelMessage } from "ai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { agentsModel, aiSdkModel } from "../fixtures/scripted-models.js";
import { settleDenials, toAiSdkTools } from "./ai-sdk.js";
import { toLangChainTools } from "./langchain.js";
import { toOpenAiAgentsTools } from "./openai-agents.js";

// The process that asked is dead; only the library's own record of the conversation remains.

let bundles: string;
let bundle: string;
let folder: AdapterWorkspace;

beforeAll(async () => {
  bundles = realpathSync(mkdtempSync(join(tmpdir(), "haft-adapter-bundle-")));
  bundle = await bundleProcess(new URL("../../test-support/asking-process.ts", import.meta.url), bundles);
}, 60_000);
afterAll(() => rmSync(bundles, { recursive: true, force: true }));
beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

const call = { tool: "write_file", args: OVERWRITE, callId: "call-1" };
const turn = { tool: "write_file", args: OVERWRITE, id: "call-1" };

/** Makes the call in a separate process, waits until it asks, and kills it. */
async function askAndDie(): Promise<void> {
  const { root: workspace, stateDirectory } = folder;
  const setting = JSON.stringify({ workspace, stateDirectory, ...call });
  const child = spawn(process.execPath, [bundle, setting], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", () => reject(new Error("it ended without asking")));
  });
  child.kill("SIGKILL");
  await gone;
}

/** The AI SDK's messages of a conversation with the question and its answer. */
async function conversation(answer: { approved: boolean; reason?: string }): Promise<ModelMessage[]> {
  const other = adapterWorkspace();
  const tools = toAiSdkTools(await other.open(), { askedBy: "library" });
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const { content, response } = await generateText({ model: aiSdkModel([turn]), tools, messages });
  await other.dispose();
  const request = content.find((part) => part.type === "tool-approval-request");
  const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
  const part = { type: "tool-approval-response" as const, approvalId, ...answer };
  return JSON.parse(JSON.stringify([...messages, ...response.messages, { role: "tool", content: [part] }]));
}

async function resumeAiSdk(messages: ModelMessage[]): Promise<string> {
  const runtime = await folder.open();
  const tools = toAiSdkTools(runtime, { askedBy: "library" });
  const model = aiSdkModel(["done"]);
  await generateText({ model, tools, messages, prepareStep: settleDenials(runtime) });
  expect(await runtime.pending()).toEqual([]);
  return JSON.stringify(model.doGenerateCalls[0]?.prompt.at(-1));
}

async function storedRun(): Promise<string> {
  const other = adapterWorkspace();
  const tools = [...toOpenAiAgentsTools(await other.open(), { askedBy: "library" })];
  const agent = new Agent({ name: "a", tools, model: agentsModel([turn]) });
  const { state } = await new Runner({ tracingDisabled: true }).run(agent, "go");
  await other.dispose();
  return state.toString();
}

async function resumeAgents(stored: string, answer: "approve" | "reject" = "approve"): Promise<string> {
  const runtime = await folder.open();
  const tools = [...toOpenAiAgentsTools(runtime, { askedBy: "library" })];
  const seen: unknown[] = [];
  const agent = new Agent({ name: "a", tools, model: agentsModel(["done"], seen) });
  const state = await RunState.fromString(agent, stored);
  for (const question of state.getInterruptions()) state[answer](question);
  await new Runner({ tracingDisabled: true }).run(agent, state);
  expect(await runtime.pending()).toEqual([]);
  return JSON.stringify(seen);
}

describe("S1.A3 a question of an agent library outlives its process", () => {
  it("AI SDK: approved in another process, the call runs as shown", async () => {
    await askAndDie();
    expect(await resumeAiSdk(await conversation({ approved: true }))).not.toContain("error-text");
    expect(folder.read("f.txt")).toBe("new\n");
  });

  it("AI SDK: nothing runs if the effect no longer matches what was shown", async () => {
    await askAndDie();
    folder.write("f.txt", "somebody else's\n");
    expect(await resumeAiSdk(await conversation({ approved: true }))).toContain("error-text");
    expect(folder.read("f.txt")).toBe("somebody else's\n");
  });

  it("FE16 AI SDK: denied in another process, nothing runs and nothing stays pending", async () => {
    await askAndDie();
    expect(await resumeAiSdk(await conversation({ approved: false }))).toContain("execution-denied");
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("OpenAI Agents: approved in another process, the call runs as shown; if files changed meanwhile, nothing runs", async () => {
    const stored = await storedRun();
    await askAndDie();
    expect(await resumeAgents(stored)).toContain("f.txt");
    expect(folder.read("f.txt")).toBe("new\n");
    await folder.dispose();
    folder = adapterWorkspace();
    await askAndDie();
    folder.write("f.txt", "somebody else's\n");
    expect(await resumeAgents(stored)).toContain("make the call again");
    expect(folder.read("f.txt")).toBe("somebody else's\n");
  });

  it("FE16 OpenAI Agents: rejected in another process, nothing runs and nothing stays pending", async () => {
    const stored = await storedRun();
    await askAndDie();
    await resumeAgents(stored, "reject");
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("LangChain: decided while no process ran, the same tool call gets the approved result", async () => {
    await askAndDie();
    const runtime = await folder.open();
    const [pending] = await runtime.pending();
    const decided = runtime.decide(pending?.approvalId as string, { approved: true });
    const tool = toLangChainTools(runtime).find(({ name }) => name === "write_file");
    await decided;
    const message = await tool?.invoke({
      type: "tool_call",
      id: "call-1",
      name: "write_file",
      args: OVERWRITE,
    });
    expect(message).toMatchObject({ status: "success", artifact: { ok: true, callId: "call-1" } });
    expect(folder.read("f.txt")).toBe("new\n");
    expect(await runtime.changes()).toHaveLength(1);
  });
});
