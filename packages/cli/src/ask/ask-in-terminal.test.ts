import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import type { CliIo } from "../cli-io.js";
import { askInTerminal } from "./ask-in-terminal.js";

const request: ApprovalRequest = {
  stepId: "s1",
  callId: "c1",
  tool: "write_file",
  role: "coder",
  args: { path: "a.txt", content: "new\n" },
  reason: "write_file asks before it runs",
  changes: [{ kind: "modify", path: "a.txt", diff: "@@ -1 +1 @@\n-old\n+new\u001b[2J\n" }],
  risk: "medium",
  grants: [
    { id: "call", label: "this exact write_file call", match: { tool: "write_file", role: "coder" } },
    {
      id: "paths",
      label: "write_file may modify a.txt\u001b[2J",
      match: { tool: "write_file", role: "coder" },
    },
  ],
  planDigest: "d",
};

/** A person who types these lines, one for each question. */
async function answering(
  lines: readonly string[],
  env: CliIo["env"] = {},
  { asked = request, canStop = false } = {},
) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const rest = [...lines];
  stderr.on("data", (chunk: Buffer) => {
    shown.push(chunk.toString("utf8"));
    if (!/(?:> |\) |\})$/.test(stripVTControlCharacters(chunk.toString("utf8")))) return;
    const next = rest.shift();
    if (next === undefined) setImmediate(() => stdin.end());
    else setImmediate(() => stdin.write(`${next}\n`));
  });
  const io = { stdin, stderr, stdout: new PassThrough(), env, cwd: "/" };
  const { signal } = new AbortController();
  const answer = await askInTerminal(asked, io, { signal, canStop });
  return { answer, shown: shown.join("") };
}

describe("asking in a terminal", () => {
  it("shows tool, reason, diff and the exact rule, none of which can steer the terminal", async () => {
    const { shown } = await answering(["y"], { NO_COLOR: "1" });
    expect(shown).toContain("write_file needs approval: write_file asks before it runs");
    expect(shown).toContain("-old\n+new\\x1b[2J");
    expect(shown).toContain(
      "a = always for this project: write_file may modify a.txt\\x1b[2J (until haft policy revoke)",
    );
    expect(shown).not.toContain("\u001b[2J");
  });

  it("colours the diff unless NO_COLOR says no", async () => {
    expect((await answering(["y"])).shown).toContain("\u001b[32m+new\\x1b[2J\u001b[39m");
    expect((await answering(["y"], { NO_COLOR: "1" })).shown).not.toContain("\u001b[32m");
  });

  it.each<[readonly string[], object]>([
    [["y"], { approved: true }],
    [["YES"], { approved: true }],
    [["n", "not that one"], { approved: false, feedback: "not that one" }],
    [["n", ""], { approved: false }],
    [["a"], { approved: true, remember: { grant: "paths", scope: "project" } }],
    [["what?", "", "y"], { approved: true }],
    [[], { approved: false }],
    [Array(12).fill("hm"), { approved: false }],
  ])("%j means %j", async (lines, expected) => {
    expect((await answering(lines)).answer).toEqual(expected);
  });

  it("offers to stop only where there is a run", async () => {
    const run = await answering(["s", "not today"], {}, { canStop: true });
    expect(run.answer).toEqual({ approved: false, abort: true, feedback: "not today" });
    expect(run.shown).toContain("s = no, and stop");
    const call = await answering(["s", "y"]);
    expect(call.answer).toEqual({ approved: true });
    expect(call.shown).not.toContain("and stop");
  });

  it("edits in the editor a person has chosen, however long the arguments are", async () => {
    const args = { path: "a.txt", content: "x".repeat(5_000) };
    const env = { EDITOR: "sed -i 's/xx*x/mine/'" };
    const { answer } = await answering(["e"], env, { asked: { ...request, args } });
    expect(answer).toEqual({ approved: true, modifiedArgs: { path: "a.txt", content: "mine" } });
    const failed = await answering(["e", "n", ""], { EDITOR: "false" });
    expect(failed.shown).toContain("That is not a JSON object.");
    expect(failed.answer).toEqual({ approved: false });
  });

  it("offers nothing to remember where there is nothing", async () => {
    const { answer, shown } = await answering(["a", "y"], {}, { asked: { ...request, grants: [] } });
    expect(shown).not.toContain("always");
    expect(answer).toEqual({ approved: true });
  });

  it("shows arguments to edit in a form that cannot steer the terminal", async () => {
    const args = { content: "\u001b]0;x\u0007\u202e" };
    const { answer, shown } = await answering(["e", ""], { NO_COLOR: "1" }, { asked: { ...request, args } });
    expect(answer).toEqual({ approved: true, modifiedArgs: args });
    expect(shown).toContain('{"content":"\\u001b]0;x\\u0007\\u202e"}');
    for (const hostile of ["\u001b]0", "\u0007", "\u202e"]) expect(shown).not.toContain(hostile);
  });

  it("does not offer to edit what is too long to be read", async () => {
    const args = { content: "x".repeat(5_000) };
    const { answer, shown } = await answering(["e", "y"], {}, { asked: { ...request, args } });
    expect(shown).not.toContain("edit the arguments");
    expect(answer).toEqual({ approved: true });
  });

  it("what was typed before the question is no answer to it, not even half a line of it", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    stdin.write("y\ny\na\ny");
    stderr.on("data", (chunk: Buffer) => {
      const shown = stripVTControlCharacters(chunk.toString("utf8"));
      if (shown.endsWith("> ")) setImmediate(() => stdin.write("n\n"));
      if (shown.endsWith(") ")) setImmediate(() => stdin.write("\n"));
    });
    const io = { stdin, stderr, stdout: new PassThrough(), env: {}, cwd: "/" };
    const { signal } = new AbortController();
    expect(await askInTerminal(request, io, { signal })).toEqual({ approved: false });
  });

  it.each([[true], [false]])("Ctrl-C among it counts, with somebody to hear of it: %s", async (isHeard) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    stderr.resume();
    stdin.write("y\n\u0003");
    const io = { stdin, stderr, stdout: new PassThrough(), env: {}, cwd: "/" };
    const over = new AbortController();
    const onInterrupt = isHeard ? () => over.abort() : undefined;
    expect(await askInTerminal(request, io, { signal: over.signal, onInterrupt })).toEqual({
      approved: false,
    });
    expect(over.signal.aborted).toBe(isHeard);
  });

  it("an abort ends the question as a denial", async () => {
    const controller = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const io = { stdin, stderr, stdout: new PassThrough(), env: {}, cwd: "/" };
    const asking = askInTerminal(request, io, { signal: controller.signal });
    controller.abort();
    expect(await asking).toEqual({ approved: false });
  });
});
