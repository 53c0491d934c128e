import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEntry } from "@haft/core/stores";
import { describeAuditContract } from "@haft/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileAuditStore } from "./file-audit-store.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-audit-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describeAuditContract("files", async () => ({
  store: new FileAuditStore(directory),
  reopen: () => new FileAuditStore(directory),
  [Symbol.asyncDispose]: async () => {},
}));

const entry: AuditEntry = {
  at: "2026-01-02T03:04:05.678Z",
  callId: "c",
  tool: "write_file",
  role: "coder",
  args: { path: "a.txt" },
  changes: [{ kind: "modify", path: "a.txt" }],
  paths: ["a.txt"],
  effect: "ask",
  because: "it would modify a.txt",
  verdict: "deny",
  decider: { how: "person" },
};
const log = () => join(directory, "audit.jsonl");
const HEADS = ["audit.head", "anchors/audit.json"];
const removeHeads = () => {
  for (const name of HEADS) rmSync(join(directory, name));
};
const lines = () => readFileSync(log(), "utf8").trimEnd().split("\n");
const write = (changed: readonly string[]) =>
  writeFileSync(log(), changed.map((line) => `${line}\n`).join(""));

async function recorded(count: number): Promise<FileAuditStore> {
  const store = new FileAuditStore(directory);
  for (let index = 0; index < count; index += 1) await store.append({ ...entry, callId: `c${index}` });
  return store;
}

describe("S13 the audit log on disk", () => {
  it("detects a changed record", async () => {
    const store = await recorded(3);
    write(lines().map((line, index) => (index === 1 ? line.replace('"deny"', '"allow"') : line)));
    expect(await store.verify()).toMatchObject({ intact: false, at: 2, problem: "record 2 was changed" });
  });

  it("the head record reveals a truncated tail, even after more records were added", async () => {
    await recorded(5);
    write(lines().slice(0, 3));
    const store = new FileAuditStore(directory);
    expect(await store.verify()).toMatchObject({ intact: false, problem: "records 4 to 5 were cut off" });
    expect(await store.append(entry)).toMatchObject({ seq: 6 });
    expect(await store.verify()).toMatchObject({ intact: false, problem: "record 4 is missing" });
  });

  it("detects an emptied or deleted log", async () => {
    await recorded(2);
    rmSync(log());
    expect(await new FileAuditStore(directory).verify()).toMatchObject({ intact: false });
  });

  it("detects a log truncated while a runtime is open, even if its head record is removed", async () => {
    const store = await recorded(3);
    write(lines().slice(0, 1));
    removeHeads();
    expect(await store.append(entry)).toMatchObject({ seq: 4 });
    expect(await store.verify()).toMatchObject({ intact: false, problem: "record 2 is missing" });
  });

  it("detects a truncated tail even if both records of its end are removed or emptied with it", async () => {
    for (const spoil of [(head: string) => rmSync(head), (head: string) => writeFileSync(head, "")]) {
      await recorded(4);
      write(lines().slice(0, 3));
      for (const name of HEADS) spoil(join(directory, name));
      expect(await new FileAuditStore(directory).verify()).toMatchObject({
        intact: false,
        problem: "the head record is missing, so the newest records may have been cut off",
      });
      rmSync(directory, { recursive: true });
    }
  });

  it.each([1, 4])("a log truncated to %i of 5 without its head record stays damaged", async (kept) => {
    await recorded(5);
    write(lines().slice(0, kept));
    removeHeads();
    const missing = { intact: false, problem: `record ${kept + 1} is missing` };
    expect(await new FileAuditStore(directory).verify()).toMatchObject({ intact: false, records: kept });
    for (let more = 0; more < 3; more += 1) {
      const store = new FileAuditStore(directory);
      await store.append(entry);
      expect(await store.verify()).toMatchObject(missing);
    }
  });

  it("a log that was deleted with its head stays damaged, whatever is recorded later", async () => {
    await recorded(3);
    rmSync(log());
    rmSync(join(directory, "audit.head"));
    const cut = { intact: false, problem: "records 1 to 3 were cut off" };
    expect(await new FileAuditStore(directory).verify()).toMatchObject(cut);
    for (let more = 0; more < 3; more += 1) {
      const store = new FileAuditStore(directory);
      await store.append(entry);
      expect(await store.verify()).toMatchObject({ intact: false, problem: "record 1 is missing" });
    }
  });

  it.each([2, 3, 4])(
    "a log of 3 that was replaced by another one of %i, head included, stays damaged",
    async (count) => {
      await recorded(3);
      const [anchor, kept] = [join(directory, "anchors"), mkdtempSync(join(tmpdir(), "haft-anchor-"))];
      cpSync(anchor, kept, { recursive: true });
      for (const name of ["audit.jsonl", "audit.head", "anchors"])
        rmSync(join(directory, name), { recursive: true });
      const forger = new FileAuditStore(directory);
      for (let more = 0; more < count; more += 1) await forger.append({ ...entry, verdict: "allow" });
      cpSync(kept, anchor, { recursive: true });
      rmSync(kept, { recursive: true });
      expect(await new FileAuditStore(directory).verify()).toMatchObject({ intact: false });
      await new FileAuditStore(directory).append(entry);
      expect(await new FileAuditStore(directory).verify()).toMatchObject({ intact: false });
    },
  );

  it("restores a head record that is lost alone, and reports nothing missing", async () => {
    await recorded(3);
    rmSync(join(directory, "audit.head"));
    const store = new FileAuditStore(directory);
    expect(await store.verify()).toEqual({ intact: true, records: 3 });
    expect(await store.append(entry)).toMatchObject({ seq: 4 });
    rmSync(join(directory, "anchors"), { recursive: true });
    expect(await new FileAuditStore(directory).append(entry)).toMatchObject({ seq: 5 });
    expect(await new FileAuditStore(directory).verify()).toEqual({ intact: true, records: 5 });
  });

  it("a report of damage lists the files of the log", async () => {
    const anchor = join(directory, "elsewhere", "end.json");
    const store = new FileAuditStore(directory, { anchor });
    await store.append(entry);
    write([]);
    const { remedy } = await store.verify();
    for (const path of [log(), join(directory, "audit.head"), anchor]) expect(remedy).toContain(path);
  });

  it("a crash before or after the first record is not damage", async () => {
    const store = await recorded(1);
    const first = lines();
    for (const name of HEADS) writeFileSync(join(directory, name), JSON.stringify({ seq: 0, hash: "" }));
    expect(await store.verify()).toEqual({ intact: true, records: 1 });
    write([]);
    const reopened = new FileAuditStore(directory);
    expect(await reopened.verify()).toEqual({ intact: true, records: 0 });
    await reopened.append({ ...entry, callId: "c0" });
    expect(await reopened.verify()).toEqual({ intact: true, records: 1 });
    expect(lines()).toEqual(first);
  });

  it("detects a line that is not a record", async () => {
    const store = await recorded(2);
    write([...lines(), "{}"]);
    expect(await store.verify()).toMatchObject({ intact: false, problem: "line 3 is not a record" });
  });

  it("a log that is too large to read accepts further records, also after a crash, and names the remedy", async () => {
    await recorded(1);
    const olderHeads = HEADS.map(
      (name) => [join(directory, name), readFileSync(join(directory, name))] as const,
    );
    await recorded(1);
    const records = lines();
    truncateSync(log(), 0);
    truncateSync(log(), 600 * 1024 ** 2);
    appendFileSync(log(), `\n${records.join("\n")}\n`);
    expect(await new FileAuditStore(directory).append(entry)).toMatchObject({ seq: 3 });
    for (const [path, head] of olderHeads) writeFileSync(path, head);
    expect(await new FileAuditStore(directory).append(entry)).toMatchObject({ seq: 4 });
    await expect(new FileAuditStore(directory).verify()).rejects.toMatchObject({
      code: "STATE_DAMAGED",
      message: expect.stringMatching(/audit\.jsonl has \d+ bytes, and at most \d+ can be read$/),
      hint: expect.stringContaining("move it out of the state folder"),
    });
  });

  it("a record torn by a crash is dropped, and the chain continues", async () => {
    await recorded(2);
    appendFileSync(log(), '{"v":1,"seq":3,"at":"20');
    const store = new FileAuditStore(directory);
    expect(await store.verify()).toMatchObject({ intact: true, records: 2 });
    expect(await store.append(entry)).toMatchObject({ seq: 3 });
    expect(await store.verify()).toEqual({ intact: true, records: 3 });
  });

  it("only the owner can read both files", async () => {
    await recorded(1);
    for (const name of ["audit.jsonl", ...HEADS])
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });
});
