import { Agent, Runner, RunState } from "@openai/agents";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { agentsModel, type Turn } from "../fixtures/scripted-models.js";
import { toOpenAiAgentsTools } from "./openai-agents.js";

let folder: AdapterWorkspace;

beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

const overwrite = { tool: "write_file", args: OVERWRITE, id: "call-1" };
const runner = new Runner({ tracingDisabled: true });

function agentWith(tools: ReturnType<typeof toOpenAiAgentsTools>, turns: readonly Turn[]) {
  const seen: { input: unknown; tools: unknown }[] = [];
  const agent = new Agent({ name: "a", tools: [...tools], model: agentsModel(turns, seen) });
  return { agent, outputs: () => outputsIn(seen.at(-1)?.input), seen };
}

function outputsIn(input: unknown): readonly string[] {
  const items = Array.isArray(input) ? input : [];
  return items.flatMap((item) => (item.type === "function_call_result" ? [JSON.stringify(item.output)] : []));
}

function onlyQuestion<T>({ interruptions }: { readonly interruptions?: readonly T[] }): T {
  expect(interruptions).toHaveLength(1);
  return interruptions?.[0] as T;
}

describe("S1.A3 the tools of a runtime in the OpenAI Agents SDK", () => {
  it("are called with the unchanged schema, and the model receives their text", async () => {
    const tools = toOpenAiAgentsTools(await folder.open(), { askedBy: "library" });
    const { agent, outputs, seen } = agentWith(tools, [
      { tool: "read_file", args: { path: "f.txt" }, id: "call-1" },
      "done",
    ]);
    expect((await runner.run(agent, "go")).finalOutput).toBe("done");
    expect(outputs()).toEqual([expect.stringContaining("old")]);
    expect(seen[0]?.tools).toContainEqual(expect.objectContaining({ name: "read_file", strict: false }));
  });

  it("pass the runtime's question on as an interruption, and run what was shown, also from a stored state", async () => {
    const runtime = await folder.open();
    const { agent, outputs } = agentWith(toOpenAiAgentsTools(runtime, { askedBy: "library" }), [
      overwrite,
      "done",
    ]);
    const first = await runner.run(agent, "go");
    expect(onlyQuestion(first).rawItem).toMatchObject({ callId: "call-1" });
    expect(folder.read("f.txt")).toBe("old\n");
    expect((await runtime.pending())[0]?.changes[0]?.diff).toContain("+new");
    const state = await RunState.fromString(agent, first.state.toString());
    state.approve(onlyQuestion({ interruptions: state.getInterruptions() }));
    expect((await runner.run(agent, state)).finalOutput).toBe("done");
    expect(folder.read("f.txt")).toBe("new\n");
    expect(outputs()).toHaveLength(1);
    expect(await runtime.pending()).toEqual([]);
  });

  it("pass a denial on to the approver, so that the next call on the same file does not wait for it", async () => {
    const runtime = await folder.open();
    const other: Turn = { tool: "write_file", args: { path: "f.txt", content: "other\n" }, id: "call-2" };
    const { agent, outputs } = agentWith(toOpenAiAgentsTools(runtime, { askedBy: "library" }), [
      overwrite,
      other,
      "done",
    ]);
    const first = await runner.run(agent, "go");
    first.state.reject(onlyQuestion(first));
    const second = await runner.run(agent, first.state);
    expect(outputs()).toEqual([expect.stringContaining("not approved")]);
    expect((await runtime.pending()).map(({ callId }) => callId)).toEqual(["call-2"]);
    second.state.approve(onlyQuestion(second));
    await runner.run(agent, second.state);
    expect(folder.read("f.txt")).toBe("other\n");
  });

  it("FE16 do not deadlock if one turn has two calls on one file: only the first prompts", async () => {
    const other = { tool: "delete_file", args: { path: "f.txt" }, id: "call-2" };
    const tools = toOpenAiAgentsTools(await folder.open(), { askedBy: "library" });
    const { agent, outputs } = agentWith(tools, [[overwrite, other], "done"]);
    const asked = await runner.run(agent, "go");
    asked.state.approve(onlyQuestion(asked));
    await runner.run(agent, asked.state);
    expect(folder.read("f.txt")).toBe("new\n");
    expect(outputs()).toContainEqual(expect.stringContaining("earlier call on the same file"));
  });

  it("FE16 a rejection settles the stored request, even if the process that prompted has ended", async () => {
    const asking = await folder.open();
    const { agent } = agentWith(toOpenAiAgentsTools(asking, { askedBy: "library" }), [overwrite]);
    const stored = (await runner.run(agent, "go")).state.toString();
    const [pending] = await asking.pending();
    await asking.dispose();
    const runtime = await folder.open();
    const next = agentWith(toOpenAiAgentsTools(runtime, { askedBy: "library" }), ["done"]);
    const state = await RunState.fromString(next.agent, stored);
    state.reject(onlyQuestion({ interruptions: state.getInterruptions() }));
    await runner.run(next.agent, state);
    expect(await runtime.pending()).toEqual([]);
    await expect(runtime.decide(pending?.approvalId as string, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("return a failure as text that the model can read", async () => {
    const { agent, outputs } = agentWith(toOpenAiAgentsTools(await folder.open()), [
      { tool: "read_file", args: { path: "none.txt" }, id: "call-1" },
      "done",
    ]);
    await runner.run(agent, "go");
    expect(outputs()).toEqual([expect.stringContaining("FILE_NOT_FOUND")]);
  });

  it("leave the question to the runtime's own approver if the library should not ask", async () => {
    const approver = async () => ({ approved: false, feedback: "leave it" });
    const { agent, outputs } = agentWith(toOpenAiAgentsTools(await folder.open({ approver })), [
      overwrite,
      "done",
    ]);
    const { interruptions } = await runner.run(agent, "go");
    expect(interruptions).toEqual([]);
    expect(outputs()).toEqual([expect.stringContaining("leave it")]);
    expect(folder.read("f.txt")).toBe("old\n");
  });
});
