import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

let bundles: string;
let bundle: string;
beforeAll(async () => {
  bundles = realpathSync(mkdtempSync(join(tmpdir(), "haft-many-bundle-")));
  bundle = await bundleProcess(new URL("../../test-support/many-waiting.ts", import.meta.url), bundles);
}, 60_000);
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

const folder = runtimeFolder({}, { tools: [writesFile], decidable: true });
const COUNT = 100;

/** A process with 100 calls that wait for approval; ends on request. */
async function askInProcess(end: "close" | "crash"): Promise<void> {
  const setting = JSON.stringify({
    workspace: folder.root,
    stateDirectory: join(folder.base, "state"),
    count: COUNT,
  });
  const child = spawn(process.execPath, [bundle, setting], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  await said(child, "all asked");
  if (end === "crash") child.kill("SIGKILL");
  else child.stdin?.end("close\n");
  await gone;
}

function said(child: ChildProcess, word: string): Promise<void> {
  let heard = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      heard += chunk;
      if (heard.includes(word)) resolve();
    });
    child.once("exit", () => reject(new Error(`it ended: ${heard}`)));
  });
}

/** Two deciders with opposite answers race for every request. */
async function decideTwice(): Promise<void> {
  await using one = await folder.open();
  await using other = await folder.open();
  const pending = await one.pending();
  expect(pending).toHaveLength(COUNT);
  expect(pending.every(({ waiter }) => waiter === "gone")).toBe(true);
  expect((await other.pending()).map(({ approvalId }) => approvalId)).toEqual(
    pending.map(({ approvalId }) => approvalId),
  );
  const outcomes = await Promise.all(
    pending.map(async ({ approvalId }) => {
      const [yes, no] = await Promise.allSettled([
        one.decide(approvalId, { approved: true }),
        other.decide(approvalId, { approved: false }),
      ]);
      return { yes: yes.status === "fulfilled", no: no.status === "fulfilled" };
    }),
  );
  // Exactly one of the two decided each request, and only an approval had an effect.
  expect(outcomes.filter(({ yes, no }) => yes === no)).toEqual([]);
  const approved = outcomes.filter(({ yes }) => yes).length;
  expect(readdirSync(folder.root)).toHaveLength(approved);
  expect((await one.changes()).filter(({ state }) => state === "done")).toHaveLength(approved);
  expect(await one.pending()).toEqual([]);
}

describe("S6 100 pending approvals", { timeout: 120_000 }, () => {
  it("FE16 survive closing the runtime, and each is decided once by two deciders", async () => {
    await askInProcess("close");
    await decideTwice();
  });

  it("FE16 survive kill -9, and each is decided once by two deciders", async () => {
    await askInProcess("crash");
    await decideTwice();
  });

  it("FE16 survive an upgrade: records in the format of version 0.1.0 are read and decided", async () => {
    await askInProcess("crash");
    const approvals = join(folder.base, "state", "approvals");
    for (const name of readdirSync(approvals)) {
      const file = join(approvals, name);
      if (!name.endsWith(".pending.json")) rmSync(file);
      else writeFileSync(file, JSON.stringify(asVersion010(JSON.parse(readFileSync(file, "utf8")))));
    }
    await decideTwice();
  });
});

/** The owner had only a process id and a start time. */
function asVersion010({ owner, ...record }: { readonly owner: Record<string, unknown> }): object {
  const { pid, startTime } = owner;
  return { ...record, owner: { pid, startTime } };
}
