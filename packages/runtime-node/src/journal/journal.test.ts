import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BeginLine, JournalLine } from "@haft/core/journal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { tempName } from "../workspace/temp-name.js";
import { isAlive, ownIdentity } from "./process-identity.js";
import { stateDirectoryOf } from "./state-directory.js";
import { WorkspaceLock } from "./workspace-lock.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "a.txt": "a", "b.txt": "b" });
});
afterEach(() => temp.dispose());

const read = (path: string) => readFileSync(join(temp.root, path), "utf8");
const journalPath = () => join(temp.stateDirectory, "journal.jsonl");
const lines = () =>
  readFileSync(journalPath(), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JournalLine);
const deadPid = () => spawnSync("true").pid;

describe("the journal", () => {
  it("R23 records who changed what, durable before visible, readable by its owner only", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "changed"), { callId: "one", tool: "edit" });
    await temp.change(
      async (ws) => {
        await ws.remove("b.txt");
        await ws.move("a.txt", "c.txt");
      },
      { callId: "two" },
    );
    const hash = (text: string) => temp.workspace.hash(Buffer.from(text));
    expect(await temp.workspace.journal.list()).toMatchObject([
      {
        seq: 1,
        callId: "one",
        tool: "edit",
        state: "done",
        changes: [
          {
            kind: "modify",
            path: "a.txt",
            type: "file",
            beforeHash: hash("a"),
            afterHash: hash("changed"),
            mode: 0o644,
          },
        ],
      },
      {
        seq: 2,
        callId: "two",
        state: "done",
        changes: [
          { kind: "delete", path: "b.txt", beforeHash: hash("b") },
          { kind: "move", from: "a.txt", path: "c.txt", afterHash: hash("changed") },
        ],
      },
    ]);
    expect(lines().map(({ type }) => type)).toEqual(["begin", "done", "begin", "applied", "applied", "done"]);
    expect(statSync(temp.stateDirectory).mode & 0o777).toBe(0o700);
    expect(statSync(journalPath()).mode & 0o777).toBe(0o600);
  });

  it("S1 a call id is committed at most once, in any process, also after a restart", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "1"), { callId: "same" });
    await expect(temp.change((ws) => ws.writeText("a.txt", "2"), { callId: "same" })).rejects.toMatchObject({
      code: "CALL_ID_CONFLICT",
    });
    const again = await temp.open();
    const changes = await temp.rehearse((ws) => ws.writeText("a.txt", "3"));
    await expect(again.commit(changes, { callId: "same", tool: "t" })).rejects.toMatchObject({
      code: "CALL_ID_CONFLICT",
    });
    again.close();
    expect(read("a.txt")).toBe("1");
  });

  it("skips a line torn by a crash, and continues after it", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "1"));
    appendFileSync(journalPath(), '{"type":"begin","seq":7,"cal');
    const again = await temp.open();
    const changes = await temp.rehearse((ws) => ws.writeText("a.txt", "2"));
    await again.commit(changes, { callId: "after", tool: "t" });
    expect((await again.journal.list()).map(({ callId }) => callId)).toEqual(["call-1", "after"]);
    expect(await (await temp.open()).journal.list()).toHaveLength(2);
    again.close();
  });

  it("deletes records beyond the age or size limit, with their content", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "1"), { callId: "old" });
    await temp.change((ws) => ws.remove("b.txt"), { callId: "delete" });
    await temp.change((ws) => ws.writeText("a.txt", "2"), { callId: "new" });
    await temp.workspace.undo("new");
    const blobs = () => readdirSync(join(temp.stateDirectory, "blobs")).length;
    const trash = () => readdirSync(join(temp.stateDirectory, "trash")).length;
    expect([blobs(), trash()]).toEqual([3, 1]);
    const aged = readFileSync(journalPath(), "utf8").replace(/"at":"20\d\d/, '"at":"2001');
    writeFileSync(journalPath(), aged);
    const pruned = await temp.open();
    expect((await pruned.journal.list()).map(({ callId, state }) => [callId, state]).slice(0, 2)).toEqual([
      ["delete", "done"],
      ["new", "undone"],
    ]);
    expect([blobs(), trash()]).toEqual([2, 1]);
    const limits = { maxBytes: 0, maxAgeMs: 1e12, minCalls: 1 };
    const small = await temp.open({ journal: limits });
    // The newest changes, which the next undo would revert.
    expect((await small.journal.list())[0]).toMatchObject({ callId: "delete" });
    expect([blobs(), trash()]).toEqual([2, 1]);
    await temp.change((ws) => ws.writeText("a.txt", "3"), { callId: "later" });
    const onlyLater = await temp.open({ journal: limits });
    expect((await onlyLater.journal.list()).map(({ callId }) => callId)).toEqual(["later"]);
    const none = await temp.open({ journal: { maxBytes: 1e12, maxAgeMs: -1e3 } });
    expect([await none.journal.list(), blobs(), trash()]).toEqual([[], 0, 0]);
    onlyLater.close();
    none.close();
    pruned.close();
    small.close();
  });

  it("lies below the user's state directory, one folder per root", () => {
    expect(stateDirectoryOf("/x/proj", { XDG_STATE_HOME: "/state" })).toMatch(
      /^\/state\/haft\/proj-[0-9a-f]{12}$/,
    );
    expect(stateDirectoryOf("/y/proj", { XDG_STATE_HOME: "/state" })).not.toBe(
      stateDirectoryOf("/x/proj", { XDG_STATE_HOME: "/state" }),
    );
    expect(stateDirectoryOf("/", { XDG_STATE_HOME: "relative" })).toMatch(
      /\/\.local\/state\/haft\/root-[0-9a-f]{12}$/,
    );
  });
});

describe("recovery", () => {
  /** Leaves the journal like a process that died after it had begun a commit. */
  async function abandon(
    work: Parameters<TemporaryWorkspace["change"]>[0],
    keep: (lines: JournalLine[]) => JournalLine[],
  ): Promise<void> {
    await temp.change(work, { callId: "abandoned" });
    const begin = lines().find((line): line is BeginLine => line.type === "begin");
    const kept = keep(
      lines()
        .slice(1)
        .filter(({ type }) => type === "applied"),
    );
    const dead = { ...begin, pid: deadPid() };
    writeFileSync(journalPath(), [dead, ...kept].map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  it("P3 a commit that is complete on disk counts as done", async () => {
    await abandon(
      (ws) => ws.writeText("a.txt", "new"),
      () => [],
    );
    expect(await (await temp.open()).journal.list()).toMatchObject([{ callId: "abandoned", state: "done" }]);
    expect(read("a.txt")).toBe("new");
    await temp.workspace.undo("abandoned");
    expect(read("a.txt")).toBe("a");
  });

  it("P3 an unfinished commit is reverted, and its temporary files are removed", async () => {
    temp.put({ "dir/x": "x", link: { link: "a.txt" } });
    await abandon(
      async (ws) => {
        await ws.writeText("a.txt", "new");
        await ws.createText("made/n.txt", "n");
        await ws.createLink("made/l", "../a.txt");
        await ws.remove("dir", { recursive: true });
        await ws.move("b.txt", "made/b.txt");
        await ws.remove("link");
        await ws.createText("last.txt", "last");
      },
      (applied) => applied.slice(0, -1),
    );
    rmSync(join(temp.root, "last.txt"));
    const dead = deadPid() ?? 0;
    writeFileSync(join(temp.root, tempName("a.txt", dead)), "half");
    mkdirSync(join(temp.root, "made", tempName("dir", dead)));
    writeFileSync(join(temp.root, tempName("live", process.ppid)), "theirs");
    const reopened = await temp.open();
    expect(await reopened.journal.list()).toMatchObject([{ state: "aborted" }]);
    expect([read("a.txt"), read("b.txt"), read("dir/x"), read("link")]).toEqual(["a", "b", "x", "a"]);
    expect(
      readdirSync(temp.root)
        .filter((name) => !name.includes(`-${process.ppid}-`))
        .sort(),
    ).toEqual(["a.txt", "b.txt", "dir", "link"]);
    expect(readdirSync(temp.root)).toHaveLength(5);
    reopened.close();
  });

  it("keeps later writes of other programs", async () => {
    await abandon(
      async (ws) => {
        await ws.writeText("a.txt", "mine");
        await ws.createText("new.txt", "mine");
        await ws.remove("b.txt");
        await ws.writeText("a.txt", "mine again");
        await ws.createText("never.txt", "");
      },
      (applied) => applied.slice(0, 4),
    );
    rmSync(join(temp.root, "never.txt"));
    temp.put({ "a.txt": "theirs", "new.txt": "theirs", "b.txt": "theirs" });
    (await temp.open()).close();
    expect([read("a.txt"), read("new.txt"), read("b.txt")]).toEqual(["theirs", "theirs", "theirs"]);
  });

  it("the next commit of a running workspace recovers as well", async () => {
    await abandon(
      async (ws) => {
        await ws.writeText("a.txt", "new");
        await ws.writeText("b.txt", "new");
      },
      (applied) => applied.slice(0, 1),
    );
    writeFileSync(join(temp.root, "b.txt"), "b");
    await temp.change((ws) => ws.createText("c.txt", "c"));
    expect([read("a.txt"), read("b.txt"), read("c.txt")]).toEqual(["a", "b", "c"]);
  });

  it("reverts an interrupted move, with both names or with neither", async () => {
    await abandon(
      (ws) => ws.move("a.txt", "moved.txt"),
      () => [],
    );
    linkSync(join(temp.root, "moved.txt"), join(temp.root, "a.txt"));
    (await temp.open()).close();
    expect([read("a.txt"), existsSync(join(temp.root, "moved.txt"))]).toEqual(["a", false]);
  });

  it("restores a file when a directory stopped half way to its place", async () => {
    temp.put({ "dir/x": "x" });
    await abandon(
      (ws) => ws.move("dir", "b.txt", { overwrite: true }),
      () => [],
    );
    renameSync(join(temp.root, "b.txt"), join(temp.root, "dir"));
    (await temp.open()).close();
    expect([read("b.txt"), read("dir/x")]).toEqual(["b", "x"]);
  });

  it("a delete that only got as far as a copy leaves no copy", async () => {
    await abandon(
      (ws) => ws.remove("b.txt"),
      () => [],
    );
    temp.put({ "b.txt": "b" });
    (await temp.open()).close();
    expect([read("b.txt"), readdirSync(join(temp.stateDirectory, "trash"))]).toEqual(["b", []]);
  });

  it("reports a change that cannot be reverted, and reverts the others", async () => {
    await abandon(
      async (ws) => {
        await ws.writeText("a.txt", "new");
        await ws.writeText("b.txt", "new");
        await ws.createText("c.txt", "c");
      },
      (applied) => applied.slice(0, 2),
    );
    rmSync(join(temp.root, "c.txt"));
    const blob = lines().flatMap((line) =>
      line.type === "begin" ? line.changes.map(({ beforeBlob }) => beforeBlob) : [],
    )[1];
    rmSync(join(temp.stateDirectory, "blobs", blob ?? ""));
    (await temp.open()).close();
    expect([read("a.txt"), read("b.txt")]).toEqual(["a", "new"]);
    expect(lines().at(-1)).toMatchObject({
      type: "aborted",
      reason: expect.stringContaining("b.txt could not be put back"),
    });
  });
});

describe("the lock", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "haft-lock-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const owned = (pid: number | undefined, nonce: string) => JSON.stringify({ pid, startTime: "", nonce });

  it("admits one holder at a time and leaves nothing behind", async () => {
    const locks = [1, 2, 3].map(() => new WorkspaceLock(join(directory, "lock")));
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(1);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => locks[index % 3]?.hold(work)));
    expect([most, readdirSync(directory)]).toEqual([1, []]);
    await expect(locks[0]?.hold(() => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("is taken from a dead process, also from a dead successor, and never from a living one", async () => {
    const dead = deadPid();
    writeFileSync(join(directory, "lock"), owned(dead, "aa"));
    writeFileSync(join(directory, "lock.dead-aa"), owned(dead, "bb"));
    const lock = new WorkspaceLock(join(directory, "lock"));
    expect(await lock.hold(async () => "held")).toBe("held");
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(join(directory, "lock"), "");
    expect(await lock.hold(async () => "held")).toBe("held");
  });

  it("is not taken from a living process", async () => {
    writeFileSync(join(directory, "lock"), JSON.stringify({ ...ownIdentity(), nonce: "cc" }));
    const lock = new WorkspaceLock(join(directory, "lock"), { maxWaitMs: 30 });
    await expect(lock.hold(async () => "held")).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(existsSync(join(directory, "lock"))).toBe(true);
  });

  it("removes the entries of processes that died while they waited", () => {
    writeFileSync(join(directory, "lock.0123456789abcdef"), owned(deadPid(), "x"));
    writeFileSync(join(directory, "lock.1123456789abcdef"), JSON.stringify({ ...ownIdentity(), nonce: "x" }));
    new WorkspaceLock(join(directory, "lock")).sweep();
    expect(readdirSync(directory)).toEqual(["lock.1123456789abcdef"]);
  });

  it("distinguishes a process from a later one with its id", () => {
    expect(isAlive(ownIdentity())).toBe(true);
    expect(isAlive({ pid: process.pid, startTime: "another-1" })).toBe(false);
    expect(isAlive({ pid: 1, startTime: "" })).toBe(true);
    expect(isAlive({ pid: deadPid() ?? 0, startTime: "" })).toBe(false);
  });
});
