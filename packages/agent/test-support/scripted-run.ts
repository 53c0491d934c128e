// A run over a scripted model server and a runtime in memory.
import type { ApprovalGate } from "@haft/core";
import { createTestRuntime, type InitialFiles } from "@haft/testing";
import { type DurableEvent, type RunOptions, startRun } from "../src/index.js";
import { openAiModel } from "../src/openai/index.js";
import { type Script, startScriptedModel } from "../src/scripted-model/node/index.js";
import { countedTools } from "./tools.js";

export interface Setting extends Partial<Omit<RunOptions, "model" | "runtime">> {
  readonly files?: InitialFiles;
  readonly gate?: ApprovalGate;
}

export async function openRun(script: Script, setting: Setting = {}) {
  const { files = { "a.txt": "alpha", "b.txt": "beta" }, gate, ...options } = setting;
  const server = await startScriptedModel(script);
  const { tools, done } = countedTools();
  const runtime = createTestRuntime({ tools, files, ...(gate && { gate }) });
  const model = openAiModel({ baseUrl: server.url, model: "scripted" });
  const run = startRun({
    task: "Do it.",
    system: "You test.",
    retryDelayMs: 1,
    ...options,
    runtime,
    model,
  });
  return { run, server, runtime, done };
}

/** A run to its end, the server closed. */
export async function runScript(script: Script, setting: Setting = {}) {
  const opened = await openRun(script, setting);
  const outcome = await opened.run.done;
  await opened.server.close();
  return { ...opened, outcome, log: opened.run.log };
}

export const types = (log: readonly DurableEvent[]) => log.map(({ type }) => type);

/** Without times and ids that differ from run to run. */
export function normalised(log: readonly DurableEvent[]): readonly unknown[] {
  const runId = log[0]?.runId ?? "";
  const text = JSON.stringify(log.map(({ v: _, runId: __, at: ___, ...body }) => body))
    .replaceAll(runId, () => "RUN")
    .replace(/"ms":\d+/g, '"ms":0')
    // What is wrong with JSON is said in Node's words, which change.
    .replace(/The arguments are not JSON: (?:(?!\\n|").|\\")*/g, "The arguments are not JSON: WHY")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replace(/"diff":"(?:[^"\\]|\\.)*"/g, '"diff":"DIFF"')
    .replace(/"(\w*[dD]igest)":"[^"]*"/g, '"$1":"DIGEST"')
    .replace(/"(\w*[hH]ash)":"[^"]*"/g, '"$1":"HASH"');
  return JSON.parse(text) as unknown[];
}

/** The calls and results of a request: every call has exactly one result, right behind it, in order. */
export function danglingCalls(messages: readonly { readonly role: string }[]): readonly string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const message of messages as readonly Message[]) {
    if (message.role === "tool") {
      const expected = open.shift();
      if (message.tool_call_id !== expected) problems.push(`${message.tool_call_id} instead of ${expected}`);
      continue;
    }
    problems.push(...open.map((id) => `${id} has no result`));
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return [...problems, ...open.map((id) => `${id} has no result`)];
}

interface Message {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}
