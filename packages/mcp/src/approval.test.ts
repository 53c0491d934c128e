import type { ElicitRequestFormParams } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { ERROR_META_KEY } from "./call/call-result.js";
import { type Connected, type ConnectOptions, connected } from "./fixtures/connect.js";

const OVERWRITE = { name: "write_note", arguments: { path: "a.txt", content: "new\n" } };
const NOTES = ["a.txt", "b.txt", "c.txt"];
const accept = (content: object) => () => ({ action: "accept", content });

async function errorOf(connection: Connected, call: typeof OVERWRITE = OVERWRITE): Promise<unknown> {
  const result = await connection.client.callTool(call);
  expect(result.isError).toBe(true);
  return result._meta?.[ERROR_META_KEY];
}

describe.each(["legacy", "modern"] as const)("over the %s revision", (era) => {
  const with_ = (answer: ConnectOptions["answer"], rest: ConnectOptions = {}) =>
    connected({ era, ...rest, ...(answer === undefined ? {} : { answer }) });

  it("ap-901 prompts with tool, reason and diff, and applies the approved changes", async () => {
    const connection = await with_(accept({ approved: true }));
    const result = await connection.client.callTool(OVERWRITE);
    expect(result.isError).toBeFalsy();
    expect(await connection.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "new\n" });
    const [question] = connection.questions;
    expect(question?.message).toContain("write_note needs approval");
    expect(question?.message).toContain("│ -old\n│ +new\n");
  });

  it("FE7 numbers the question among several open ones, and starts again when none is open", async () => {
    const connection = await with_(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { action: "accept", content: { approved: true } };
      },
      { files: Object.fromEntries(NOTES.map((path) => [path, "old\n"])) },
    );
    const write = (path: string) =>
      connection.client.callTool({ name: "write_note", arguments: { path, content: "new\n" } });
    const places = () =>
      connection.questions.map(({ message }) => /^(\d of \d)?,? ?risk/m.exec(message)?.[1]);
    await Promise.all(NOTES.map(write));
    expect(places().sort()).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
    connection.questions.length = 0;
    await connection.client.callTool({
      name: "write_note",
      arguments: { path: "a.txt", content: "newer\n" },
    });
    expect(places()).toEqual([undefined]);
  });

  it.each([true, false])("S13 the record of a decision names the client, approved: %s", async (approved) => {
    const connection = await with_(accept({ approved }));
    await connection.client.callTool(OVERWRITE);
    const answered = connection.runtimes[0]?.events.filter(({ type }) => type === "approval-answered");
    expect(answered).toMatchObject([{ answer: { approved, by: { how: "person", who: "test" } } }]);
  });

  it("offers the form of the interface, with the arguments filled in and the rule it would save", async () => {
    const connection = await with_(accept({ approved: true }));
    await connection.client.callTool(OVERWRITE);
    const schema = connection.questions[0]?.requestedSchema as ElicitRequestFormParams["requestedSchema"];
    expect(schema.required).toEqual(["approved"]);
    expect(Object.keys(schema.properties)).toEqual(["approved", "feedback", "arguments", "remember"]);
    expect(schema.properties).toMatchObject({
      approved: { type: "boolean" },
      feedback: { type: "string" },
      arguments: { type: "string", default: JSON.stringify(OVERWRITE.arguments, undefined, 2) },
      remember: { type: "string", enum: ["once", "session", "project"], default: "once" },
    });
    expect(JSON.stringify(schema.properties.remember)).toContain("write_note may modify a.txt");
  });

  it("ap-902 runs with the person's arguments, and reports that", async () => {
    const edited = JSON.stringify({ path: "a.txt", content: "human\n" });
    const connection = await with_(accept({ approved: true, arguments: edited }));
    const result = await connection.client.callTool(OVERWRITE);
    expect(JSON.stringify(result.content)).toContain("arguments changed by the user");
    // FE10: their effect is shown before they run.
    expect(connection.questions).toHaveLength(2);
    expect(connection.questions[1]?.message).toContain("│ -old\n│ +human\n");
    expect(await connection.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "human\n" });
  });

  it("arguments that are returned unchanged are not an edit", async () => {
    const connection = await with_(({ requestedSchema }) => {
      const shown = (requestedSchema.properties.arguments as { default?: string }).default;
      return {
        action: "accept",
        content: { approved: true, arguments: shown, remember: "once", feedback: "" },
      };
    });
    const result = await connection.client.callTool(OVERWRITE);
    expect(JSON.stringify(result.content)).not.toContain("changed by the user");
  });

  it.each<[string, unknown]>([
    ["decline", { action: "decline" }],
    ["cancel", { action: "cancel" }],
    ["approved: false", { action: "accept", content: { approved: false, feedback: "not that file" } }],
    ["no approved at all", { action: "accept", content: { feedback: "hm" } }],
    ["approved as a text", { action: "accept", content: { approved: "true" } }],
    ["arguments that are not JSON", { action: "accept", content: { approved: true, arguments: "{" } }],
    ["arguments that are no object", { action: "accept", content: { approved: true, arguments: "[1]" } }],
    ["an unknown remember", { action: "accept", content: { approved: true, remember: "forever" } }],
  ])("%s is a denial", async (_name, answer) => {
    const connection = await with_(() => answer);
    expect(await errorOf(connection)).toMatchObject({ code: "APPROVAL_DENIED" });
    expect(await connection.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("FE11 cancel stops the task: the model is told to make no more calls", async () => {
    const connection = await with_(() => ({ action: "cancel" }));
    expect(await errorOf(connection)).toMatchObject({
      code: "APPROVAL_DENIED",
      message: expect.stringContaining("and stopped the task"),
      hint: "Nothing was done. Make no more calls; report what is done so far.",
    });
    expect(JSON.stringify(connection.questions[0]?.requestedSchema)).toContain("Cancel stops the task");
  });

  it("decline rejects one call, and the task continues", async () => {
    const connection = await with_(() => ({ action: "decline" }));
    expect(await errorOf(connection)).toMatchObject({
      code: "APPROVAL_DENIED",
      hint: "Nothing was done. Do not retry the same call.",
    });
  });

  it("a refusal passes the person's feedback to the model", async () => {
    const connection = await with_(accept({ approved: false, feedback: "not that file" }));
    expect(await errorOf(connection)).toMatchObject({ message: expect.stringContaining("not that file") });
  });

  it("no answer in time is a denial, and a late one changes nothing", async () => {
    const connection = await with_(
      () =>
        new Promise((resolve) =>
          setTimeout(() => resolve({ action: "accept", content: { approved: true } }), 400),
        ),
      { options: { approvalTimeoutMs: 100 } },
    );
    expect(await errorOf(connection)).toMatchObject({ code: "APPROVAL_TIMEOUT" });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await connection.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("edited arguments are validated like any others", async () => {
    const connection = await with_(accept({ approved: true, arguments: '{"path":7}' }));
    expect(await errorOf(connection)).toMatchObject({ code: "INVALID_ARGUMENTS" });
    expect(await connection.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("does not prompt if no approval is needed", async () => {
    const connection = await with_(accept({ approved: false }));
    const created = await connection.client.callTool({
      name: "write_note",
      arguments: { path: "b.txt", content: "b" },
    });
    expect(created.isError).toBeFalsy();
    expect(connection.questions).toEqual([]);
  });

  it("without elicitation nothing is applied unless --approve all", async () => {
    const refused = await with_(undefined);
    expect(await errorOf(refused)).toMatchObject({ code: "APPROVAL_REQUIRED" });
    expect(await refused.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "old\n" });
    const asked = await with_(undefined, { options: { approve: "ask" } });
    expect(await errorOf(asked)).toMatchObject({ code: "APPROVAL_REQUIRED" });
    const allowed = await with_(undefined, { options: { approve: "all" } });
    expect((await allowed.client.callTool(OVERWRITE)).isError).toBeFalsy();
    expect(await allowed.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "new\n" });
  });

  it("a client that can only open URLs cannot be asked with a form", async () => {
    const connection = await with_(undefined, { capabilities: { elicitation: { url: {} } } });
    expect(await errorOf(connection)).toMatchObject({ code: "APPROVAL_REQUIRED" });
  });

  it("te-901 shows a command completely, with escapes", async () => {
    const connection = await with_(accept({ approved: false }));
    await connection.client.callTool({ name: "send", arguments: { command: 'echo "\u001b[31mred\u202e"' } });
    const question = connection.questions[0] as ElicitRequestFormParams;
    expect(question.message).toContain('command:\n│ echo "\\x1b[31mred\\u202e"\n');
    const shown = (question.requestedSchema.properties.arguments as { default: string }).default;
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(shown)).toEqual({ command: 'echo "\u001b[31mred\u202e"' });
  });

  it("other calls continue while a person thinks", async () => {
    let decide: (answer: unknown) => void = () => {};
    const connection = await with_(
      () =>
        new Promise((resolve) => {
          decide = resolve;
        }),
    );
    const waiting = connection.client.callTool(OVERWRITE);
    await expect.poll(() => connection.questions.length).toBe(1);
    const read = await connection.client.callTool({ name: "read_note", arguments: { path: "a.txt" } });
    expect(read.structuredContent).toEqual({ content: "old\n" });
    decide({ action: "accept", content: { approved: true } });
    expect((await waiting).isError).toBeFalsy();
  });
});

describe("remembering", () => {
  it.each(["session", "project"])("%s names the grant whose rule was shown", async (remember) => {
    const connection = await connected({ answer: accept({ approved: true, remember }) });
    await connection.client.callTool(OVERWRITE);
    const answered = connection.runtimes[0]?.events.find(({ type }) => type === "approval-answered");
    expect(answered).toMatchObject({
      answer: { approved: true, remember: { grant: "paths", scope: remember } },
    });
  });
});
