import { spawn } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DurableEvent } from "../index.js";
import { listRuns, openRunJournal } from "./run-journal-file.js";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-runs-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const event = (seq: number, text = "hello"): DurableEvent => ({
  v: 1,
  runId: "one",
  seq,
  at: "2026-01-01T00:00:00.000Z",
  type: "message.user",
  id: `${seq}`,
  text,
});
const file = () => join(directory, "one.jsonl");
const open = () => openRunJournal({ directory, runId: "one" });

describe("a run journal on disk", () => {
  it("stores records that only their owner can read", () => {
    const journal = open();
    void journal.append(event(1));
    void journal.append(event(2, "größer 🙂"), { durable: false });
    void journal.close();
    const again = open();
    expect(again.events).toEqual([event(1), event(2, "größer 🙂")]);
    void again.append(event(3));
    void again.close();
    expect(open().events).toHaveLength(3);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("drops a record torn by a crash at any position, and the next record is intact", () => {
    const whole = `${JSON.stringify(event(2))}\n`;
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(file(), `${JSON.stringify(event(1))}\n${whole.slice(0, length)}`);
      const journal = open();
      expect(journal.events).toEqual([event(1)]);
      void journal.append(event(2, "again"));
      void journal.close();
      const after = open();
      expect(after.events).toEqual([event(1), event(2, "again")]);
      void after.close();
    }
  });

  it("truncates zeros that a power cut left at the end", () => {
    writeFileSync(file(), `${JSON.stringify(event(1))}\n${"\0".repeat(100)}\n`);
    const journal = open();
    expect(journal.events).toEqual([event(1)]);
    void journal.close();
  });

  it("reports damage before the end, a gap, and another version or run, without truncating anything", () => {
    const line = (each: object) => `${JSON.stringify(each)}\n`;
    const damaged = [
      `${line(event(1))}{"broken\n${line(event(3))}`,
      line(event(1)) + line(event(3)),
      line({ ...event(1), v: 2 }),
      line(event(1)) + line({ ...event(2), runId: "two" }),
    ];
    for (const text of damaged) {
      writeFileSync(file(), text);
      expect(open).toThrow(/[Jj]ournal (is|has)/);
      expect(readFileSync(file(), "utf8")).toBe(text);
    }
    expect(listRuns(directory)).toEqual([]);
  });

  it("has one writer: a second one learns who the first is, and may write after the first has died", async () => {
    const journal = open();
    expect(open).toThrow(/is driving this run/);
    void journal.close();
    void journal.close();
    const child = spawn(process.execPath, ["-e", "process.stdout.write('up'); setTimeout(() => {}, 60000)"]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    const owner = { pid: child.pid, startTime: `${boot}-${start}`, nonce: "abc" };
    writeFileSync(join(directory, "one.lock"), JSON.stringify(owner));
    expect(open).toThrow(new RegExp(`Process ${child.pid} is driving this run`));
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    void open().close();
    // A reused process id belongs to a different process.
    writeFileSync(join(directory, "one.lock"), JSON.stringify({ ...owner, pid: process.pid }));
    void open().close();
    // A power cut can leave a lock without its content.
    writeFileSync(join(directory, "one.lock"), "");
    void open().close();
  });

  it("lists the known runs with their tasks", () => {
    const journal = open();
    void journal.append({ ...event(1), type: "run.started" } as never);
    void journal.append(event(2, "Fix it."));
    void journal.close();
    appendFileSync(join(directory, "junk.jsonl"), "junk");
    expect(listRuns(directory)).toMatchObject([
      { runId: "one", task: "Fix it.", state: { status: "thinking" } },
    ]);
    expect(listRuns(join(directory, "nowhere"))).toEqual([]);
  });

  it("rejects an id that would name another file", () => {
    for (const runId of ["../x", "", "a/b", ".."])
      expect(() => openRunJournal({ directory, runId })).toThrow("not a valid run id");
  });
});
