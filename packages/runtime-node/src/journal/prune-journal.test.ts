import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

const HUGE_BYTES = 5 * 1024 ** 3;

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "small.txt": "old" });
});
afterEach(() => temp.dispose());

const at = (path: string) => join(temp.root, path);

/** Creates a sparse file, which is quick and looks as large as given. */
function putHuge(path: string): void {
  writeFileSync(at(path), "");
  truncateSync(at(path), HUGE_BYTES);
}

/** Returns the records that a later process reads after it has pruned the journal. */
async function callsFound(): Promise<readonly string[]> {
  const later = await temp.open();
  try {
    return (await later.journal.list()).map(({ callId }) => callId);
  } finally {
    await later.close();
  }
}

describe("a change to a file larger than the whole journal may be", () => {
  it.each([
    ["deleted", (name: string) => temp.change((ws) => ws.remove(name), { callId: "huge" })],
    ["overwritten", (name: string) => temp.change((ws) => ws.writeText(name, "x"), { callId: "huge" })],
  ])("%s: it can be undone by a later process, and so can what was changed before", async (_, change) => {
    putHuge("huge.bin");
    await temp.change((ws) => ws.writeText("small.txt", "new"), { callId: "small" });
    await change("huge.bin");
    expect(await callsFound()).toEqual(["small", "huge"]);
    const later = await temp.open();
    await later.undo();
    expect(statSync(at("huge.bin")).size).toBe(HUGE_BYTES);
    await later.undo();
    expect(statSync(at("small.txt")).size).toBe(3);
    await later.close();
  });

  it("does not push out small changes older than the calls that are always kept", async () => {
    for (let round = 0; round < 15; round += 1)
      await temp.change((ws) => ws.writeText("small.txt", `round ${round}`), { callId: `small-${round}` });
    for (let round = 0; round < 3; round += 1) {
      putHuge("huge.bin");
      await temp.change((ws) => ws.remove("huge.bin"), { callId: `huge-${round}` });
    }
    expect(await callsFound()).toHaveLength(18);
  });

  it("of many, the oldest are deleted, and the newest ten stay", async () => {
    for (let round = 0; round < 12; round += 1) {
      putHuge("huge.bin");
      await temp.change((ws) => ws.remove("huge.bin"), { callId: `huge-${round}` });
    }
    expect(await callsFound()).toEqual(Array.from({ length: 10 }, (_, index) => `huge-${index + 2}`));
    const kept = readdirSync(join(temp.stateDirectory, "trash"));
    expect(kept).toHaveLength(10);
    expect(existsSync(at("huge.bin"))).toBe(false);
  });
});
