import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  { asked = request, inRun = false } = {},
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
  const answer = await askInTerminal(asked, io, { signal, inRun });
  return { answer, shown: shown.join("") };
}

describe("a terminal prompt", () => {
  it("shows tool, reason, diff and the exact rule, and none of them can control the terminal", async () => {
    const { shown } = await answering(["y"], { NO_COLOR: "1" });
    expect(shown).toContain(
      "write_file needs approval to modify a.txt\nreason: write_file asks before it runs\n",
    );
    expect(shown).toContain("│ -old\n│ +new\\x1b[2J");
    expect(shown).toContain(
      "a = yes, always (until haft policy revoke), for:\n│ write_file may modify a.txt\\x1b[2J\n",
    );
    expect(shown).not.toContain("\u001b[2J");
  });

  it("colours the diff unless NO_COLOR is set", async () => {
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

  it("offers to remember for the session only during a run", async () => {
    const run = await answering(["t"], {}, { inRun: true });
    expect(run.answer).toEqual({ approved: true, remember: { grant: "paths", scope: "session" } });
    expect(run.shown).toContain("t = yes, this session · a = yes, always");
    const call = await answering(["t", "y"]);
    expect(call.answer).toEqual({ approved: true });
    expect(call.shown).toContain("a = yes, always");
    expect(call.shown).not.toMatch(/session|model/);
  });

  it("offers to stop only during a run", async () => {
    const run = await answering(["s", "not today"], {}, { inRun: true });
    expect(run.answer).toEqual({ approved: false, abort: true, feedback: "not today" });
    expect(run.shown).toContain("s = no, and stop");
    const call = await answering(["s", "y"]);
    expect(call.answer).toEqual({ approved: true });
    expect(call.shown).not.toContain("and stop");
  });

  it("opens the person's own editor for arguments of any length", async () => {
    const args = { path: "a.txt", content: "x".repeat(5_000) };
    const env = { EDITOR: "sed -i 's/xx*x/mine/'" };
    const { answer } = await answering(["e"], env, { asked: { ...request, args } });
    expect(answer).toEqual({
      approved: true,
      modifiedArgs: { path: "a.txt", content: "mine" },
      showAgain: true,
    });
  });

  it.each([
    ["fails", "false", "The arguments are unchanged: the editor failed."],
    ["leaves the text as it is", "true", "The arguments are unchanged."],
    ["lays it out anew", "sed -i 's/^ *//'", "The arguments are unchanged."],
    ["empties it", "truncate -s 0", "The arguments are unchanged."],
  ])("FE10 an editor that %s returns to the question", async (_what, EDITOR, message) => {
    const { answer, shown } = await answering(["e", "n", ""], { EDITOR });
    expect(shown).toContain(message);
    expect(shown.split("Approve? ")).toHaveLength(3);
    expect(answer).toEqual({ approved: false });
  });

  it("FE10 an editor that returns text other than an object opens again with that text and the reason", async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-editor-"));
    // The first edit drops the last brace, the second restores it.
    const script = `cp "$1" ${folder}/seen; if [ -e ${folder}/once ]; then echo '}' >> "$1"; else touch ${folder}/once; sed -i 's/new/mine/; $d' "$1"; fi`;
    writeFileSync(join(folder, "editor"), script);
    try {
      const { answer, shown } = await answering(["e", ""], { EDITOR: `sh ${folder}/editor`, NO_COLOR: "1" });
      expect(shown).toMatch(
        /The text is not a JSON object: [\s\S]+ Your text is kept\.\n[\s\S]*Edit it again\? \(Enter = yes, n = /,
      );
      expect(readFileSync(join(folder, "seen"), "utf8")).toContain("mine");
      expect(answer).toMatchObject({ modifiedArgs: { path: "a.txt", content: "mine\n" }, showAgain: true });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("FE10 edited text that is not an object can be discarded", async () => {
    const { answer, shown } = await answering(["e", "n", "n", ""], { EDITOR: "sed -i 's/{/[/'" });
    expect(shown).toContain("Your text is kept.");
    expect(shown).toContain("The arguments are unchanged.");
    expect(answer).toEqual({ approved: false });
  });

  it("names the subject of a short question once, and repeats it when it asks again", async () => {
    const title = "write_file needs approval to modify a.txt";
    expect((await answering(["y"], { NO_COLOR: "1" })).shown.split(title)).toHaveLength(2);
    expect((await answering(["hm", "y"], { NO_COLOR: "1" })).shown.split(title)).toHaveLength(3);
    const diff = `@@ -1 +1,15 @@\n${"+line\n".repeat(15)}`;
    const long = { ...request, changes: [{ kind: "modify" as const, path: "a.txt", diff }] };
    expect(
      (await answering(["n", ""], { NO_COLOR: "1" }, { asked: long })).shown.split(title).length,
    ).toBeGreaterThan(2);
  });

  it("offers nothing to remember if there is no grant", async () => {
    const { answer, shown } = await answering(["a", "y"], {}, { asked: { ...request, grants: [] } });
    expect(shown).not.toContain("always");
    expect(answer).toEqual({ approved: true });
  });

  it("escapes arguments for editing, so that they cannot control the terminal", async () => {
    const args = { content: "\u001b]0;x\u0007\u202e" };
    const { answer, shown } = await answering(
      ["e", "", "n", ""],
      { NO_COLOR: "1" },
      { asked: { ...request, args } },
    );
    expect(answer).toEqual({ approved: false });
    expect(shown).toContain('{"content":"\\u001b]0;x\\u0007\\u202e"}');
    for (const hostile of ["\u001b]0", "\u0007", "\u202e"]) expect(shown).not.toContain(hostile);
  });

  it("does not offer to edit arguments that are too long to read", async () => {
    const args = { content: "x".repeat(5_000) };
    const { answer, shown } = await answering(["e", "y"], {}, { asked: { ...request, args } });
    expect(shown).not.toContain("e = edit");
    expect(answer).toEqual({ approved: true });
  });

  it("ignores input typed before the question, even an unfinished line", async () => {
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

  it.each([[true], [false]])(
    "honours Ctrl-C among that input if something listens for it: %s",
    async (isHeard) => {
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
    },
  );

  it("denies when it is aborted", async () => {
    const controller = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const io = { stdin, stderr, stdout: new PassThrough(), env: {}, cwd: "/" };
    const asking = askInTerminal(request, io, { signal: controller.signal });
    controller.abort();
    expect(await asking).toEqual({ approved: false });
  });
});
