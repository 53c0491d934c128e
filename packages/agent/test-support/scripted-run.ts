// Runs a scripted model server with a runtime in memory.
import type { Approver } from "@haft/core";
import { createTestRuntime, type InitialFiles } from "@haft/testing";
import { type DurableEvent, type RunOptions, startRun } from "../src/index.js";
import { openAiModel } from "../src/openai/index.js";
import { type Script, startScriptedModel } from "../src/scripted-model/node/index.js";
import { countedTools } from "./tools.js";

export interface ScriptedRunOptions extends Partial<Omit<RunOptions, "model" | "runtime">> {
  readonly files?: InitialFiles;
  readonly approver?: Approver;
}

export async function openRun(script: Script, given: ScriptedRunOptions = {}) {
  const { files = { "a.txt": "alpha", "b.txt": "beta" }, approver, ...options } = given;
  const server = await startScriptedModel(script);
  const { tools, done } = countedTools();
  const runtime = createTestRuntime({ tools, files, ...(approver && { approver }) });
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

/** Runs to the end and closes the server. */
export async function runScript(script: Script, given: ScriptedRunOptions = {}) {
  const opened = await openRun(script, given);
  const outcome = await opened.run.done;
  await opened.server.close();
  return { ...opened, outcome, log: opened.run.log };
}

export const types = (log: readonly DurableEvent[]) => log.map(({ type }) => type);

/** Removes times and ids that differ between runs. */
export function normalised(log: readonly DurableEvent[]): readonly unknown[] {
  const runId = log[0]?.runId ?? "";
  const text = JSON.stringify(log.map(({ v: _, runId: __, at: ___, ...body }) => body))
    .replaceAll(runId, () => "RUN")
    .replace(/"ms":\d+/g, '"ms":0')
    // Node's JSON error messages differ between versions.
    .replace(/The arguments are not JSON: (?:(?!\\n|").|\\")*/g, "The arguments are not JSON: WHY")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replace(/"diff":"(?:[^"\\]|\\.)*"/g, '"diff":"DIFF"')
    .replace(/"(\w*[dD]igest)":"[^"]*"/g, '"$1":"DIGEST"')
    .replace(/"(\w*[hH]ash)":"[^"]*"/g, '"$1":"HASH"');
  return JSON.parse(text) as unknown[];
}

/** Checks that every call has exactly one result, right after it and in order. */
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
