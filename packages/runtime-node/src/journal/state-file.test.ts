import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "@haft/core";
import type { SavedGrant } from "@haft/core/stores";
import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { FileApprovalStore } from "../approval/file-approval-store.js";
import { FileGrantStore } from "../approval/file-grant-store.js";
import { takeConfigSnapshot } from "../config/config-snapshot.js";
import { ConfigTrust } from "../config/config-trust.js";
import type { NodeRuntime } from "../create-node-runtime.js";

const folder = runtimeFolder({ "f.txt": "old\n" }, { tools: [readsFile, writesFile] });
const state = (name: string) => join(folder.base, "state", name);

/** What can be in place of a file. `make` creates it. */
const KINDS: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => mkdirSync(join(path, "full"), { recursive: true }),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
  "a link to a file": (path) => symlinkSync(join(folder.base, "elsewhere"), path),
  "a file of 5 GB": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 5 * 1024 ** 3);
  },
};

/** Replaces a state file, and expects work on it to fail with advice instead of waiting or a bare system error. */
async function expectAdvice(path: string, work: () => Promise<unknown>): Promise<void> {
  for (const [kind, make] of Object.entries(KINDS)) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder.base, "elsewhere"), "not ours\n");
    make(path);
    const thrown = await work().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(ToolError.is(thrown) && thrown.code, `${kind}: ${thrown}`).toBe("STATE_DAMAGED");
    expect(thrown).toMatchObject({
      message: expect.stringContaining(path),
      hint: expect.stringContaining("move it out of the state folder"),
    });
  }
}

async function withRuntime<T>(work: (runtime: NodeRuntime) => Promise<T>): Promise<T> {
  await using runtime = await folder.open({ approver: async () => ({ approved: true }) });
  return await work(runtime);
}

async function writeOnce(): Promise<void> {
  const result = await withRuntime((runtime) =>
    runtime.call("writes_file", { path: "f.txt", text: "new\n" }),
  );
  if (!result.ok) throw new ToolError(result.error.code, result.error.message, { hint: result.error.hint });
}

const AUDIT = ["audit.jsonl", "audit.head", "anchors/audit.json"];

describe("FE17 something else in place of a state file", () => {
  it.each(AUDIT)("FE17 %s: reading the audit log names the remedy", async (name) => {
    await expectAdvice(state(name), () => withRuntime(({ audit }) => audit.verify()));
  });

  it.each([...AUDIT, "audit.lock", "journal.jsonl", "lock"])(
    "FE17 %s: a call names the remedy and changes nothing",
    async (name) => {
      await expectAdvice(state(name), writeOnce);
      expect(folder.content("f.txt")).toBe("old\n");
    },
  );

  it("FE17 approvals, grants and trust: such a record is skipped with a warning, and the others count", async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    const approvals = new FileApprovalStore(state("approvals"));
    const grants = new FileGrantStore(state("grants"));
    await grants.insert(GRANT);
    for (const make of Object.values(KINDS)) {
      const planted = ["approvals/0123.id1.pending.json", "grants/abc.json"].map(state);
      for (const path of planted) {
        rmSync(path, { recursive: true, force: true });
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        make(path);
      }
      expect(await approvals.list()).toEqual([]);
      expect(await grants.list()).toMatchObject([{ id: GRANT.id }]);
    }
    // Each is reported once, however often the folder is read.
    await approvals.list();
    const expected = ["approvals/0123.id1.pending.json", "grants/abc.json"].flatMap((name) =>
      ["is a folder", "is a pipe", "is a link", "has 5368709120 bytes"].map(
        (what) => `${state(name)} ${what}`,
      ),
    );
    for (const begin of expected)
      await expect
        .poll(() => warnings.filter((each) => each.startsWith(begin)).length, { timeout: 10_000 })
        .toBe(1);
    process.off("warning", onWarning);
  });

  it("FE17 an unreadable decision does not count, and the error names the remedy", async () => {
    const approvals = new FileApprovalStore(state("approvals"));
    await expectAdvice(state("approvals/id1.decided.json"), () => approvals.decision("id1"));
  });

  it("FE17 a trust record that is not a file trusts nothing", async () => {
    const file = join(folder.root, "haft.config.json");
    writeFileSync(file, "{}");
    const env = { XDG_STATE_HOME: join(folder.base, "xdg") };
    const snapshot = await takeConfigSnapshot(file);
    const trust = new ConfigTrust(env);
    await trust.decide(snapshot, "trusted");
    const records = join(folder.base, "xdg", "haft", "trust");
    const [name = ""] = readdirSync(records);
    for (const make of Object.values(KINDS)) {
      rmSync(join(records, name), { recursive: true });
      make(join(records, name));
      expect([await trust.decisionOn(snapshot), await trust.list()]).toEqual([undefined, []]);
    }
  });

  it("FE17 garbage in a state file is skipped, and never fails a call with a bare error", async () => {
    for (const name of ["audit.head", "anchors/audit.json", "audit.lock", "lock", "journal.jsonl"])
      for (const garbage of [
        "null",
        "[]",
        '"',
        "\0\0",
        "{}",
        '{"seq":-1,"hash":""}',
        '{"seq":1e400,"hash":"x"}',
      ]) {
        mkdirSync(dirname(state(name)), { recursive: true, mode: 0o700 });
        writeFileSync(state(name), garbage);
        await writeOnce();
      }
    expect(folder.content("f.txt")).toBe("new\n");
  });

  it("FE17 for a state folder that is a file the error names the remedy", async () => {
    for (const name of ["approvals", "grants", "blobs"]) {
      rmSync(join(folder.base, "state"), { recursive: true, force: true });
      mkdirSync(join(folder.base, "state"), { mode: 0o700 });
      writeFileSync(state(name), "");
      await expect(writeOnce(), name).rejects.toMatchObject({
        code: "STATE_DAMAGED",
        message: `${state(name)} is not a folder`,
      });
    }
  });
});

const GRANT: SavedGrant = {
  id: "0a",
  label: "writes f.txt",
  match: { tool: "writes_file", role: "coder" },
  scope: "project",
  createdAt: "2026-01-02T03:04:05.678Z",
} as SavedGrant;
