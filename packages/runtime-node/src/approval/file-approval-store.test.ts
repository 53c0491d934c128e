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
import type { ApprovalRecord } from "@haft/core/stores";
import { describeApprovalContract } from "@haft/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileApprovalStore } from "./file-approval-store.js";
import { createPrivateFile, removePrivateFile, writePrivateFile } from "./private-file.js";

let folder: string;
let store: FileApprovalStore;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-store-")));
  store = new FileApprovalStore(join(folder, "approvals"));
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
  call: { tool: "t", args: { content: "of a file" } },
});

const files = () => readdirSync(join(folder, "approvals"));

describeApprovalContract("files", async () => ({
  store,
  reopen: () => new FileApprovalStore(join(folder, "approvals")),
  [Symbol.asyncDispose]: async () => {},
}));

const callsOf = async (callId: string) => (await store.list({ callId })).map(({ request }) => request.stepId);

describe("FileApprovalStore", () => {
  it("does not exist before the first request", async () => {
    expect(await store.list()).toEqual([]);
    expect(await callsOf("call")).toEqual([]);
    expect(await store.decision("a")).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    await store.insert(record("a"));
    expect([await callsOf("call"), await callsOf("other")]).toEqual([["a"], []]);
  });

  it("sees requests that other processes store, at once and later", async () => {
    const other = new FileApprovalStore(join(folder, "approvals"));
    await other.insert(record("a", "first"));
    expect(await callsOf("first")).toEqual(["a"]);
    await other.insert(record("b", "second"));
    expect(await callsOf("second")).toEqual(["b"]);
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(join(folder, "approvals"), longAgo, longAgo);
    expect([await callsOf("second"), await callsOf("third")]).toEqual([["b"], []]);
    await other.insert(record("c", "third"));
    expect(await callsOf("third")).toEqual(["c"]);
  });

  it("finds records by call, for any form of its id", async () => {
    await store.insert(record("a", "../../etc"));
    await store.insert(record("b", "x".repeat(5_000)));
    await store.insert(record("c", "../../etc"));
    expect([...(await callsOf("../../etc"))].sort()).toEqual(["a", "c"]);
    expect(await callsOf("other")).toEqual([]);
    expect(files().every((name) => name.length < 120)).toBe(true);
  });

  it("a request is decided once and claimed once, by any process; its content is deleted, its decision is kept", async () => {
    const asked = record("a");
    await store.insert(asked);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        new FileApprovalStore(join(folder, "approvals")).decide("a", {
          approved: true,
          modifiedArgs: { secret: index },
        }),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const taken = await Promise.all(Array.from({ length: 16 }, () => store.take("a")));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store.decision("a")).toEqual({ decidedAt: expect.any(String), approved: true });
    const everything = files().map((name) => readFileSync(join(folder, "approvals", name), "utf8"));
    expect(everything.join()).not.toMatch(/secret|of a file/);
    expect(files()).toEqual(["a.decided.json"]);
    expect(statSync(join(folder, "approvals", "a.decided.json")).mode & 0o777).toBe(0o600);
  });

  it("skips files that are torn or not its own", async () => {
    await store.insert(record("good"));
    for (const [index, text] of ["", "{", "null", "7", "{}", '{"request":{}}'].entries())
      writeFileSync(join(folder, "approvals", `${index}.pending.json`), text);
    writeFileSync(join(folder, "approvals", "x.decided.json"), "torn");
    expect((await store.list()).map(({ request }) => request.stepId)).toEqual(["good"]);
    expect(await store.decision("x")).toBeUndefined();
  });

  it("deletes records older than a week, and stray temporary files", async () => {
    await store.insert(record("old"));
    await store.insert(record("new"));
    writeFileSync(join(folder, "approvals", "stray.tmp"), "");
    const longAgo = Date.now() / 1000 - 8 * 24 * 60 * 60;
    for (const name of files().filter((one) => !one.includes("new")))
      utimesSync(join(folder, "approvals", name), longAgo, longAgo);
    await store.list();
    expect((await store.list()).map(({ request }) => request.stepId)).toEqual(["new"]);
    expect(files()).toHaveLength(1);
  });

  it("rejects an id that could name another file, and names an obstacle at its folder's path", async () => {
    await expect(store.insert(record("../x"))).rejects.toThrow("not the id of an approval");
    await writePrivateFile(join(folder, "approvals"), "in the way");
    await expect(store.list()).rejects.toMatchObject({
      code: "STATE_DAMAGED",
      message: `${join(folder, "approvals")} is not a folder`,
    });
  });
});

describe("private files", () => {
  it("are written completely or not at all, and leave no files behind on failure", async () => {
    const file = join(folder, "sub", "a");
    await writePrivateFile(file, "one");
    await writePrivateFile(file, "two");
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(await createPrivateFile(file, "three")).toBe(false);
    await writePrivateFile(join(folder, "dir", "below"), "x");
    await expect(writePrivateFile(join(folder, "dir"), "x")).rejects.toMatchObject({ code: "STATE_DAMAGED" });
    await expect(createPrivateFile(join(folder, "x".repeat(250)), "x")).rejects.toMatchObject({
      code: "ENAMETOOLONG",
    });
    await expect(removePrivateFile(join(folder, "dir"))).rejects.toMatchObject({ code: "STATE_DAMAGED" });
    expect(readdirSync(folder).sort()).toEqual(["dir", "sub"]);
    expect(readdirSync(join(folder, "sub"))).toEqual(["a"]);
  });
});
