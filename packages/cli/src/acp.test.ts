import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EditorOptions, startEditor } from "./fixtures/acp-editor.js";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const BEFORE = "export const total = (a, b) => a - b;\n";
const AFTER = "export const total = (a, b) => a + b;\n";
const READ = { name: "read_file", args: { path: "src/total.js" } };
const EDIT = {
  name: "edit",
  args: { path: "src/total.js", old_string: "a - b", new_string: "a + b" },
};
const WAIT = { name: "wait_for", args: { path: "go" } };

let workspace: ReturnType<typeof workspaceWithGate>;
let model: ScriptedModel | undefined;
let editor: Awaited<ReturnType<typeof startEditor>> | undefined;
beforeEach(() => {
  workspace = workspaceWithGate({ "src/total.js": BEFORE });
});
afterEach(async () => {
  await editor?.kill();
  await model?.close();
  workspace.remove();
});

async function open(script: Script, options: Partial<EditorOptions> = {}) {
  model ??= await startScriptedModel(script);
  const args = ["--base-url", model.url, "--model", "scripted", ...GATE_PACKS, ...(options.args ?? [])];
  editor = await startEditor({ cwd: workspace.folder, ...options, args });
  return editor;
}
afterEach(() => {
  model = undefined;
  editor = undefined;
});
const source = () => readFileSync(join(workspace.folder, "src/total.js"), "utf8");
const of = <K extends SessionUpdate["sessionUpdate"]>(kind: K) =>
  (editor?.updates ?? []).filter((update) => update.sessionUpdate === kind) as Extract<
    SessionUpdate,
    { sessionUpdate: K }
  >[];
const text = () =>
  of("agent_message_chunk")
    .map(({ content }) => (content.type === "text" ? content.text : ""))
    .join("");
const told = () => JSON.stringify(model?.requests.at(-1)?.messages ?? []);
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 30_000, interval: 10 });

describe("haft acp", () => {
  it("S4.002.b streams a turn; an edit prompts with its diff and tells the editor the changed location", async () => {
    const { newSession, prompt, questions, welcome } = await open(
      [{ text: "Looking.", calls: [READ] }, { calls: [EDIT] }, { text: "Fixed the total." }],
      { choose: () => "once" },
    );
    expect(welcome).toMatchObject({ protocolVersion: 1, agentInfo: { name: "haft" } });
    const { sessionId, modes } = await newSession();
    expect(modes).toMatchObject({ currentModeId: "ask" });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(["ask", "edits", "plan"]);

    expect(await prompt(sessionId, "fix the total")).toEqual({ stopReason: "end_turn" });

    expect(text()).toBe("Looking.Fixed the total.");
    expect(source()).toBe(AFTER);
    const path = join(workspace.folder, "src/total.js");
    const diff = { type: "diff", path, oldText: BEFORE, newText: AFTER };
    expect(questions).toHaveLength(1);
    expect(questions[0]?.toolCall.content).toContainEqual(diff);
    expect(questions[0]?.options.map(({ kind }) => kind)).toEqual([
      "allow_once",
      "allow_always",
      "allow_always",
      "reject_once",
    ]);
    expect(of("tool_call").map(({ title, kind, locations }) => ({ title, kind, locations }))).toEqual([
      { title: "read_file src/total.js", kind: "read", locations: [{ path }] },
      { title: expect.stringMatching(/^edit src\/total\.js/), kind: "edit", locations: [{ path }] },
    ]);
    expect(of("tool_call_update").at(-1)).toMatchObject({
      status: "completed",
      content: [diff],
      locations: [{ path, line: 1 }],
    });
    expect(await editor?.leave()).toBe(0);
    expect(editor?.stderr()).toBe("");
  });

  it("a rejection leaves the file alone and reaches the model", async () => {
    const { newSession, prompt } = await open(
      [{ calls: [READ] }, { calls: [EDIT] }, { text: "All right." }],
      {
        choose: ({ options }) => options.find(({ kind }) => kind === "reject_once")?.optionId,
      },
    );
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, "fix it")).toEqual({ stopReason: "end_turn" });
    expect(source()).toBe(BEFORE);
    expect(told()).toContain("APPROVAL_DENIED");
    expect(of("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  });

  it("an answer that was not offered denies", async () => {
    const { newSession, prompt } = await open(
      [{ calls: [READ] }, { calls: [EDIT] }, { text: "All right." }],
      {
        choose: () => "approve everything",
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, "fix it");
    expect(source()).toBe(BEFORE);
  });

  it("allow always names the exact rule and is not asked again in the session", async () => {
    const back = { ...EDIT, args: { ...EDIT.args, old_string: "a + b", new_string: "a * b" } };
    const { newSession, prompt, questions } = await open(
      [{ calls: [READ] }, { calls: [EDIT] }, { calls: [back] }, { text: "Done." }],
      { choose: () => "session" },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, "fix it");
    expect(questions).toHaveLength(1);
    expect(questions[0]?.options[1]?.name).toBe("Allow in this session: edit may modify src/total.js");
    expect(source()).toContain("a * b");
  });

  it("images of a prompt reach the model, and come back when the session is loaded", async () => {
    const { agent, newSession } = await open([{ text: "A red dot." }]);
    const { sessionId } = await newSession();
    const image = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const odd = { type: "image" as const, mimeType: "image/x-odd", data: "AA==" };
    const prompt = [
      { type: "text" as const, text: "What is " },
      image,
      odd,
      { type: "text" as const, text: "?" },
    ];
    expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({
      stopReason: "end_turn",
    });
    const said = 'What is [image 1][image of type "image/x-odd", not sent]?';
    expect(model?.requests.at(-1)?.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: said },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    });
    await agent.request(methods.agent.session.close, { sessionId });
    await agent.request(methods.agent.session.load, { sessionId, cwd: workspace.folder, mcpServers: [] });
    expect(of("user_message_chunk").map(({ content }) => content)).toEqual([
      { type: "text", text: said },
      image,
    ]);
  });

  it("a request that is too long to read does not prompt: the call is rejected with that reason", async () => {
    const long = { name: "write_file", args: { path: "src/total.js", content: "x\n".repeat(150_000) } };
    const { newSession, prompt, questions } = await open(
      [{ calls: [READ] }, { calls: [long] }, { text: "Then in parts." }],
      {
        choose: () => "once",
      },
    );
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, "write it")).toEqual({ stopReason: "end_turn" });
    expect(questions).toEqual([]);
    expect(source()).toBe(BEFORE);
    expect(told()).toContain("split it into smaller calls");
  });

  it("cancel ends the turn, answers the open question and keeps the session", async () => {
    const { newSession, prompt, cancel, nextQuestion } = await open([
      { calls: [READ] },
      { calls: [EDIT] },
      { text: "Later, then." },
    ]);
    const { sessionId } = await newSession();
    const asked = nextQuestion();
    const turn = prompt(sessionId, "fix it");
    await asked;
    await cancel(sessionId);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(source()).toBe(BEFORE);
    expect(await prompt(sessionId, "never mind")).toEqual({ stopReason: "end_turn" });
    expect(text()).toContain("Later, then.");
  });

  it("cancel ends a turn that is only starting", async () => {
    const { newSession, prompt, cancel } = await open([{ text: "Hello." }, { text: "Later, then." }]);
    const { sessionId } = await newSession();
    const turn = prompt(sessionId, "fix it");
    await cancel(sessionId);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(await prompt(sessionId, "never mind")).toEqual({ stopReason: "end_turn" });
  });

  it("a prompt that arrives while a turn starts belongs to that turn", async () => {
    const { newSession, prompt } = await open([{ text: "Hello." }, { text: "With tabs." }]);
    const { sessionId } = await newSession();
    const stops = await Promise.all([prompt(sessionId, "fix it"), prompt(sessionId, "use tabs")]);
    expect(stops).toEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    expect(told()).toContain("fix it");
    expect(told()).toContain("use tabs");
  });

  it("accept edits asks nothing about edits; plan changes the role and the message", async () => {
    const { agent, newSession, prompt, questions } = await open([
      { calls: [READ] },
      { calls: [EDIT] },
      { text: "Edited." },
      { calls: [EDIT] },
      { text: "The plan." },
    ]);
    const { sessionId } = await newSession();
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: "edits" });
    await prompt(sessionId, "fix it");
    expect(source()).toBe(AFTER);
    expect(questions).toEqual([]);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
    await prompt(sessionId, "now what?");
    expect(told()).toContain("Plan only");
    expect(told()).toMatch(/edit is not|TOOL_NOT_FOUND|not offered|PERMISSION_DENIED/);
    await expect(agent.request(methods.agent.session.setMode, { sessionId, modeId: "yolo" })).rejects.toThrow(
      /mode was not changed/,
    );
  });

  it("a second prompt steers the turn under way", async () => {
    const { newSession, prompt } = await open([{ calls: [WAIT] }, { text: "With tabs." }]);
    const { sessionId } = await newSession();
    const turn = prompt(sessionId, "fix it");
    await until(() => of("tool_call_update").some(({ status }) => status === "in_progress"));
    const steer = prompt(sessionId, "use tabs");
    workspace.write("go", "");
    expect(await turn).toEqual({ stopReason: "end_turn" });
    expect(await steer).toEqual({ stopReason: "end_turn" });
    expect(told()).toContain("use tabs");
  });

  it("a session of the terminal is listed and loaded, and continues in the same journal", async () => {
    model = await startScriptedModel([
      { text: "Hello.", calls: [READ] },
      { text: "It adds." },
      { text: "Yes." },
    ]);
    const ran = await runHaft(
      ["run", "what does it do?", "--base-url", model.url, "--model", "scripted", ...GATE_PACKS],
      { cwd: workspace.folder },
    );
    expect(ran.code).toBe(0);
    const { agent, prompt } = await open([]);
    const { sessions } = await agent.request(methods.agent.session.list, { cwd: workspace.folder });
    expect(sessions).toMatchObject([{ title: "what does it do?", cwd: workspace.folder }]);
    const sessionId = sessions[0]?.sessionId ?? "";
    await agent.request(methods.agent.session.load, { sessionId, cwd: workspace.folder, mcpServers: [] });
    expect(of("user_message_chunk")).toMatchObject([{ content: { text: "what does it do?" } }]);
    expect(text()).toBe("Hello.It adds.");
    expect(of("tool_call")).toHaveLength(1);
    expect(of("tool_call_update").at(-1)).toMatchObject({ status: "completed" });
    expect(await prompt(sessionId, "sure?")).toEqual({ stopReason: "end_turn" });
    expect(told()).toContain("It adds.");
    await expect(
      agent.request(methods.agent.session.load, { sessionId: "nope", cwd: workspace.folder, mcpServers: [] }),
    ).rejects.toThrow(/RUN_NOT_FOUND/);
  });

  it("reads a file with unsaved changes from the editor, and does not change it until it is saved", async () => {
    const shown = "export const total = (a, b, c) => a - b;\n";
    let buffer = shown;
    const { newSession, prompt } = await open(
      [
        { calls: [EDIT] },
        { calls: [{ name: "read_open_file", args: { path: "src/total.js" } }] },
        { text: "Please save it." },
        { calls: [READ] },
        { calls: [EDIT] },
        { text: "Fixed." },
      ],
      {
        capabilities: { fs: { readTextFile: true } },
        choose: () => "once",
        buffer: () => buffer,
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, "fix it");
    expect(source()).toBe(BEFORE);
    expect(told()).toContain("open in the editor with unsaved changes");
    expect(told()).toContain("(a, b, c)");
    workspace.write("src/total.js", shown);
    await prompt(sessionId, "saved");
    buffer = source();
    expect(source()).toBe("export const total = (a, b, c) => a + b;\n");
  });

  it("undoes changes with /undo, and lists the commands that need a model", async () => {
    const { newSession, prompt } = await open([{ calls: [READ] }, { calls: [EDIT] }, { text: "Fixed." }], {
      choose: () => "once",
    });
    const { sessionId } = await newSession();
    await until(() => of("available_commands_update").length > 0);
    expect(of("available_commands_update")[0]?.availableCommands.map(({ name }) => name)).toContain("undo");
    await prompt(sessionId, "fix it");
    expect(source()).toBe(AFTER);
    expect(await prompt(sessionId, "/undo")).toEqual({ stopReason: "end_turn" });
    expect(source()).toBe(BEFORE);
    expect(text()).toContain("Undone: restored src/total.js");
    await editor?.leave();
    editor = await startEditor({ cwd: workspace.folder, args: [...GATE_PACKS, "--model", "x"] });
    await expect(editor.newSession()).rejects.toThrow(/NO_MODEL: .*--base-url/);
  });

  it("rejects wrong folders and unknown sessions, and continues", async () => {
    const { agent, newSession, prompt } = await open([{ text: "Hello." }]);
    await agent.notify(methods.agent.session.cancel, { sessionId: "nope" });
    for (const cwd of ["/does/not/exist", "src"])
      await expect(agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).rejects.toThrow(
        /WORKSPACE_NOT_FOUND/,
      );
    expect(await agent.request(methods.agent.session.list, { cwd: "/does/not/exist" })).toEqual({
      sessions: [],
    });
    await expect(prompt("nope", "hi")).rejects.toThrow(/RUN_NOT_FOUND/);
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, "hi")).toEqual({ stopReason: "end_turn" });
    expect(editor?.stderr()).toBe("");
  });

  it("leaves a run intact when the editor disconnects, and the terminal finds it", async () => {
    const { newSession, prompt, leave } = await open([{ calls: [WAIT] }, { text: "Done." }]);
    const { sessionId } = await newSession();
    prompt(sessionId, "wait").catch(() => {});
    await until(() => of("tool_call_update").some(({ status }) => status === "in_progress"));
    await leave();
    const listed = await runHaft(["runs", "--json"], { cwd: workspace.folder });
    expect(listed.json()).toMatchObject([{ runId: sessionId, state: "interrupted" }]);
    expect(existsSync(join(workspace.folder, "go"))).toBe(false);
  });
});
