import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownIdentity } from "../journal/process-identity.js";
import type { ApprovalRecord } from "./approval-record.js";
import { ApprovalStore } from "./approval-store.js";
import { createPrivateFile, removePrivateFile, writePrivateFile } from "./private-file.js";

let folder: string;
let store: ApprovalStore;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-store-")));
  store = new ApprovalStore(join(folder, "approvals"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = (stepId: string, callId = "call"): ApprovalRecord => ({
  request: {
    stepId,
    callId,
    tool: "t",
    role: "r",
    args: {},
    reason: "",
    changes: [],
    risk: "low",
    grants: [],
    planDigest: "p",
  },
  requestedAt: new Date().toISOString(),
  workspace: "/w",
  owner: ownIdentity(),
  call: { tool: "t", args: { content: "of a file" } },
});

const files = () => readdirSync(join(folder, "approvals"));

describe("ApprovalStore", () => {
  it("is not used before somebody was asked", async () => {
    expect(store.has("call")).toBe(false);
    expect(await store.list()).toEqual([]);
    expect(await store.ofCall("call")).toEqual([]);
    expect(await store.decision("a")).toBeUndefined();
    await store.save(record("a"));
    expect([store.has("call"), store.has("other")]).toEqual([true, false]);
  });

  it("sees what others store, at once and after a while", async () => {
    const other = new ApprovalStore(join(folder, "approvals"));
    await other.save(record("a", "first"));
    expect(store.has("first")).toBe(true);
    await other.save(record("b", "second"));
    expect(store.has("second")).toBe(true);
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(join(folder, "approvals"), longAgo, longAgo);
    expect([store.has("second"), store.has("third")]).toEqual([true, false]);
    await other.save(record("c", "third"));
    expect(store.has("third")).toBe(true);
  });

  it("finds records by call, whatever the call's id looks like", async () => {
    await store.save(record("a", "../../etc"));
    await store.save(record("b", "x".repeat(5_000)));
    await store.save(record("c", "../../etc"));
    expect((await store.ofCall("../../etc")).map(({ request }) => request.stepId).sort()).toEqual(["a", "c"]);
    expect(await store.ofCall("other")).toEqual([]);
    expect(files().every((name) => name.length < 120)).toBe(true);
  });

  it("decides once and is taken once, by anybody; then the content is gone, the decision is not", async () => {
    const asked = record("a");
    await store.save(asked);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        new ApprovalStore(join(folder, "approvals")).decide("a", {
          approved: true,
          modifiedArgs: { secret: index },
        }),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const taken = await Promise.all(Array.from({ length: 16 }, () => store.take(asked)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store.decision("a")).toEqual({ decidedAt: expect.any(String), approved: true });
    const everything = files().map((name) => readFileSync(join(folder, "approvals", name), "utf8"));
    expect(everything.join()).not.toMatch(/secret|of a file/);
    expect(files()).toEqual(["a.decided.json"]);
    expect(statSync(join(folder, "approvals", "a.decided.json")).mode & 0o777).toBe(0o600);
  });

  it("passes over files that are torn or not its own", async () => {
    await store.save(record("good"));
    for (const [index, text] of ["", "{", "null", "7", "{}", '{"request":{}}'].entries())
      writeFileSync(join(folder, "approvals", `${index}.pending.json`), text);
    writeFileSync(join(folder, "approvals", "x.decided.json"), "torn");
    expect((await store.list()).map(({ request }) => request.stepId)).toEqual(["good"]);
    expect(await store.decision("x")).toBeUndefined();
  });

  it("forgets what is older than a week, stray temporary files too", async () => {
    await store.save(record("old"));
    await store.save(record("new"));
    writeFileSync(join(folder, "approvals", "stray.tmp"), "");
    const longAgo = Date.now() / 1000 - 8 * 24 * 60 * 60;
    for (const name of files().filter((one) => !one.includes("new")))
      utimesSync(join(folder, "approvals", name), longAgo, longAgo);
    await store.list();
    expect((await store.list()).map(({ request }) => request.stepId)).toEqual(["new"]);
    expect(files()).toHaveLength(1);
  });

  it("refuses an id that could name another file, and tells what the system objects to", async () => {
    await expect(store.save(record("../x"))).rejects.toThrow("not the id of an approval");
    await writePrivateFile(join(folder, "approvals"), "in the way");
    await expect(store.list()).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("private files", () => {
  it("are written whole or not at all, and leave nothing behind when that fails", async () => {
    const file = join(folder, "sub", "a");
    await writePrivateFile(file, "one");
    await writePrivateFile(file, "two");
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(await createPrivateFile(file, "three")).toBe(false);
    await writePrivateFile(join(folder, "dir", "below"), "x");
    await expect(writePrivateFile(join(folder, "dir"), "x")).rejects.toMatchObject({ code: "EISDIR" });
    await expect(createPrivateFile(join(folder, "x".repeat(250)), "x")).rejects.toMatchObject({
      code: "ENAMETOOLONG",
    });
    await expect(removePrivateFile(join(folder, "dir"))).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(folder).sort()).toEqual(["dir", "sub"]);
    expect(readdirSync(join(folder, "sub"))).toEqual(["a"]);
  });
});
