import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ApprovalAnswer } from "@haft/core";
import { describe, expect, it } from "vitest";
import {
  createsFile,
  deletesFile,
  readsFile,
  runsCommand,
  writesFile,
} from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import type { NodeRuntimeOptions } from "../node-runtime-options.js";

const folder = runtimeFolder(
  { "a.txt": "old\n", "b.txt": "old\n" },
  {
    tools: [readsFile, writesFile, createsFile, deletesFile, runsCommand],
  },
);

/** A runtime whose approver answers once as given and denies from then on, and the number of its questions. */
async function open(first: ApprovalAnswer, options: Partial<NodeRuntimeOptions> = {}) {
  let asked = 0;
  const runtime = await folder.open({
    approver: async () => {
      asked += 1;
      return asked === 1 ? first : { approved: false };
    },
    ...options,
  });
  return { runtime, asked: () => asked };
}

const session: ApprovalAnswer = { approved: true, remember: "session" };
const project: ApprovalAnswer = { approved: true, remember: "project" };
const never: ApprovalAnswer = { approved: false };
const write = (path: string, text = "new\n") => ["writes_file", { path, text }] as const;
const grantFiles = () => readdirSync(join(folder.base, "state", "grants"));

describe("S3.APPR remembered grants", () => {
  it("D12 always for one file allows that file, not every edit", async () => {
    const { runtime, asked } = await open(session);
    expect(await runtime.call(...write("a.txt"))).toMatchObject({ ok: true });
    expect(await runtime.call(...write("a.txt", "newer\n"))).toMatchObject({ ok: true });
    expect(asked()).toBe(1);
    expect(await runtime.call(...write("b.txt"))).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked()).toBe(2);
    expect(folder.content("b.txt")).toBe("old\n");
    await runtime.dispose();
  });

  it("D20 always for one edit changes nothing for other tools, kinds or new files", async () => {
    const { runtime, asked } = await open(session);
    await runtime.call(...write("a.txt"));
    expect(await runtime.call("deletes_file", { path: "a.txt" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(await runtime.call(...write("c.txt"))).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(await runtime.call("creates_file", { path: "d.txt" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(asked()).toBe(4);
    await runtime.dispose();
  });

  it("ap-903 a remembered command is exactly that command", async () => {
    const { runtime, asked } = await open(session);
    const run = (...command: string[]) => runtime.call("runs_command", { command });
    expect(await run("echo", "a")).toMatchObject({ ok: true });
    expect(await run("echo", "a")).toMatchObject({ ok: true });
    expect(asked()).toBe(1);
    expect(await run("echo", "a", "--all")).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked()).toBe(2);
    await runtime.dispose();
  });

  it("session grants end with the runtime; project grants survive it in private files", async () => {
    const one = await open(session);
    await one.runtime.call(...write("a.txt"));
    await one.runtime.dispose();
    const two = await open(project);
    expect(await two.runtime.grants.list()).toEqual([]);
    await two.runtime.call(...write("a.txt", "2"));
    await two.runtime.dispose();
    const three = await open(never);
    expect(await three.runtime.call(...write("a.txt", "3"))).toMatchObject({ ok: true });
    expect(three.asked()).toBe(0);
    expect(await three.runtime.grants.list()).toMatchObject([
      {
        scope: "project",
        label: "writes_file may modify a.txt",
        match: { tool: "writes_file", role: "coder", paths: ["a.txt"] },
      },
    ]);
    expect(grantFiles()).toHaveLength(1);
    expect(statSync(join(folder.base, "state", "grants", grantFiles()[0] as string)).mode & 0o777).toBe(
      0o600,
    );
    await three.runtime.dispose();
  });

  it("can be revoked, which also affects a running runtime", async () => {
    const one = await open(project);
    await one.runtime.call(...write("a.txt"));
    const other = await open(never);
    const [grant] = await other.runtime.grants.list();
    expect(await other.runtime.grants.revoke(grant?.id as string)).toBe(true);
    expect(await other.runtime.grants.revoke(grant?.id as string)).toBe(false);
    for (const id of ["../../x", "", "nope"]) expect(await other.runtime.grants.revoke(id)).toBe(false);
    expect(await one.runtime.call(...write("a.txt", "again"))).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    const third = await open(session);
    await third.runtime.call(...write("a.txt", "x"));
    const [inMemory] = await third.runtime.grants.list();
    expect(await third.runtime.grants.revoke(inMemory?.id as string)).toBe(true);
    expect(await third.runtime.grants.list()).toEqual([]);
    for (const { runtime } of [one, other, third]) await runtime.dispose();
  });

  it("are bound to the role", async () => {
    const one = await open(project);
    await one.runtime.call(...write("a.txt"));
    const editor = await open(never, { role: "editor" });
    expect(await editor.runtime.call(...write("a.txt", "x"))).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(editor.asked()).toBe(1);
    for (const { runtime } of [one, editor]) await runtime.dispose();
  });

  it("never override a denial, even a later one", async () => {
    const one = await open(project);
    await one.runtime.call(...write("a.txt"));
    const denying = await open(never, { rules: [{ effect: "deny", when: { path: "a.txt" } }] });
    expect(await denying.runtime.call(...write("a.txt", "x"))).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    for (const { runtime } of [one, denying]) await runtime.dispose();
  });

  it("protected paths prompt every time", async () => {
    const { runtime, asked } = await open(project);
    mkdirSync(join(folder.root, ".git", "hooks"), { recursive: true });
    writeFileSync(join(folder.root, ".git", "hooks", "pre-commit"), "old");
    expect(await runtime.call(...write(".git/hooks/pre-commit"))).toMatchObject({ ok: true });
    expect(await runtime.call(...write(".git/hooks/pre-commit", "evil"))).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(asked()).toBe(2);
    await runtime.dispose();
  });

  it("a path that became protected is no longer covered by a grant that does not name it", async () => {
    const one = await open({ approved: true, remember: { grant: "call", scope: "project" } });
    await one.runtime.call(...write("a.txt"));
    writeFileSync(join(folder.root, "a.txt"), "old\n");
    const two = await open(never, { paths: { protected: ["a.txt"] } });
    expect(await two.runtime.call(...write("a.txt"))).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    for (const { runtime } of [one, two]) await runtime.dispose();
  });

  it("FE15 a decision that names a grant which was not offered is an error, and the request stays pending", async () => {
    const runtime = await folder.open({ decidable: true });
    const writing = runtime.call(...write("a.txt"));
    await expect.poll(async () => (await runtime.pending()).length).toBe(1);
    const [pending] = await runtime.pending();
    const approvalId = pending?.approvalId ?? "";
    const remember = { grant: "everything", scope: "project" } as const;
    await expect(runtime.decide(approvalId, { approved: true, remember })).rejects.toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining('"everything", which was not offered'),
    });
    expect(folder.content("a.txt")).toBe("old\n");
    expect(await runtime.pending()).toHaveLength(1);
    await runtime.decide(approvalId, { approved: true, remember: "session" });
    expect(await writing).toMatchObject({ ok: true });
    await runtime.dispose();
  });

  it("FE9 a grant that answers a waiting call is recorded as its decider", async () => {
    const runtime = await folder.open({ decidable: true });
    const run = () => runtime.call("runs_command", { command: ["echo", "a"] });
    const both = [run(), run()];
    await expect.poll(async () => (await runtime.pending()).length).toBe(2);
    const [first] = await runtime.pending();
    await runtime.decide(first?.approvalId ?? "", { approved: true, remember: "session" });
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    const [grant] = await runtime.grants.list();
    const deciders = (await runtime.audit.list()).flatMap(({ decider, verdict }) =>
      verdict === "allow" ? [decider] : [],
    );
    expect(deciders).toContainEqual({ how: "person" });
    expect(deciders).toContainEqual({ how: "grant", who: grant?.id });
    await runtime.dispose();
  });

  it("may expire", async () => {
    for (const [expiresInMs, timesAsked] of [
      [1, 2],
      [600_000, 1],
    ] as const) {
      const { runtime, asked } = await open({
        approved: true,
        remember: { grant: "paths", scope: "session", expiresInMs },
      });
      await runtime.call(...write("a.txt", `${expiresInMs}`));
      await delay(10);
      await runtime.call(...write("a.txt", "again"));
      expect(asked()).toBe(timesAsked);
      expect(await runtime.grants.list()).toHaveLength(2 - timesAsked);
      await runtime.dispose();
    }
  });

  it("saving a grant again saves it once; saving one answers covered calls that wait behind it", async () => {
    const runtime = (await open(never, { approver: undefined as never, decidable: true })).runtime;
    const calls = ["1", "2"].map((text) => runtime.call(...write("a.txt", text)));
    let pending = await runtime.pending();
    for (let round = 0; round < 300 && pending.length < 1; round += 1) {
      await delay(5);
      pending = await runtime.pending();
    }
    await runtime.decide(pending[0]?.approvalId as string, { approved: true, remember: "project" });
    const results = await Promise.all(calls);
    // The grant approved the second call: it was rehearsed when the first was done.
    expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual(["ok", "ok"]);
    await runtime.dispose();
    const again = await open(project, { rules: [{ effect: "ask" }] });
    await again.runtime.call(...write("a.txt", "3"));
    expect(grantFiles()).toHaveLength(1);
    await again.runtime.dispose();
  });

  it("a file that is not a grant grants nothing", async () => {
    mkdirSync(join(folder.base, "state", "grants"), { recursive: true });
    for (const [index, text] of [
      "{torn",
      "null",
      "[]",
      '{"id":"x"}',
      '{"id":"x","match":{"tool":"writes_file","role":"coder"},"scope":"session"}',
      '{"id":"x","match":{"tool":"writes_file","role":"coder"},"scope":"project"}',
    ].entries())
      writeFileSync(join(folder.base, "state", "grants", `${index}.json`), text);
    const { runtime, asked } = await open(never);
    expect(await runtime.call(...write("a.txt"))).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked()).toBe(1);
    await runtime.dispose();
  });
});
