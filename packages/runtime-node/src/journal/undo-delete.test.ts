import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

// On Linux /dev/shm is a different file system than the temporary folder; elsewhere there is only one disk.
const OTHER_DISK = "/dev/shm";
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync("/tmp").dev;
const NOT_UTF_8 = Buffer.from([0x62, 0x61, 0x64, 0xff, 0x2e, 0x74, 0x78, 0x74]);

let temp: TemporaryWorkspace;
let stateDirectory: string | undefined;

async function open(disk: "same" | "other"): Promise<void> {
  stateDirectory = disk === "other" ? mkdtempSync(join(OTHER_DISK, "haft-state-")) : undefined;
  const options = stateDirectory === undefined ? {} : { stateDirectory };
  temp = await temporaryWorkspace({ "dir/sub/f.txt": "f", "a.txt": "a" }, options);
}

afterEach(() => {
  temp.dispose();
  if (stateDirectory !== undefined) rmSync(stateDirectory, { recursive: true, force: true });
});

const at = (path: string) => join(temp.root, path);
const raw = (directory: string, name: Buffer) => Buffer.concat([Buffer.from(`${at(directory)}/`), name]);

/** Returns every name as bytes, with type, permissions, time, size and target. */
function picture(): string {
  const format = "%P %y %#m %T+ %s %l\\n";
  const lines = execFileSync("find", [temp.root, "-mindepth", "1", "-printf", format], {
    encoding: "latin1",
  });
  // The size of a directory differs between disks; so do nanoseconds.
  return lines
    .split("\n")
    .map((line) => line.replace(/(\.\d{5})\d+/, "$1").replace(/^(\S+ d \S+ \S+) \d+/, "$1"))
    .sort()
    .join("\n");
}

const disks = hasOtherDisk ? (["same", "other"] as const) : (["same"] as const);
describe.each(disks)("undo of a delete, with the trash on the %s disk", (disk) => {
  beforeEach(() => open(disk));

  it("S3.DEL restores a directory with everything in it, including what a workspace cannot create", async () => {
    symlinkSync("/usr/bin/env", at("dir/outside"));
    symlinkSync("nowhere", at("dir/dangling"));
    writeFileSync(raw("dir", NOT_UTF_8), "bad name");
    writeFileSync(at("dir/new\nline"), "odd name");
    mkdirSync(at("dir/locked"));
    writeFileSync(at("dir/locked/x"), "x");
    writeFileSync(at("dir/set"), "s");
    chmodSync(at("dir/set"), 0o4755);
    chmodSync(at("dir/sub"), 0o1750);
    utimesSync(at("dir/sub/f.txt"), 1_000_000_000, 1_000_000_000);
    utimesSync(at("dir/sub"), 1_100_000_000, 1_100_000_000);
    chmodSync(at("dir/locked"), 0o500);
    utimesSync(at("dir"), 1_200_000_000, 1_200_000_000);
    // A pipe cannot be copied to another disk, so there it cannot be deleted either.
    if (disk === "same") execFileSync("mkfifo", [at("dir/sub/pipe")]);
    if (disk === "same") utimesSync(at("dir/sub"), 1_100_000_000, 1_100_000_000);
    const before = picture();
    await temp.change((ws) => ws.remove("dir", { recursive: true }), { callId: "delete" });
    expect(existsSync(at("dir"))).toBe(false);
    await temp.workspace.undo("delete");
    expect(picture()).toBe(before);
    expect([readlinkSync(at("dir/outside")), readFileSync(raw("dir", NOT_UTF_8), "utf8")]).toEqual([
      "/usr/bin/env",
      "bad name",
    ]);
    expect(readdirSync(join(temp.stateDirectory, "trash"))).toEqual([]);
    expect((await temp.workspace.journal.list()).map(({ tool, state }) => [tool, state])).toEqual([
      ["test", "undone"],
      ["undo", "done"],
    ]);
  });

  it("undoing that undo deletes it again, and so on", async () => {
    const before = picture();
    await temp.change((ws) => ws.remove("dir", { recursive: true }), { callId: "delete" });
    for (const callId of ["delete", undefined, undefined, undefined]) {
      const last = callId ?? (await temp.workspace.journal.list()).at(-1)?.callId;
      await temp.workspace.undo(last);
      const isBack = existsSync(at("dir/sub/f.txt"));
      expect(isBack).toBe((await temp.workspace.journal.list()).length % 2 === 0);
      if (isBack) expect(picture()).toBe(before);
    }
  });

  it("does not delete again what was restored and changed since", async () => {
    await temp.change((ws) => ws.remove("dir", { recursive: true }), { callId: "delete" });
    await temp.workspace.undo("delete");
    temp.put({ "dir/sub/f.txt": "theirs" });
    const undo = (await temp.workspace.journal.list()).at(-1)?.callId;
    await expect(temp.workspace.undo(undo)).rejects.toMatchObject({ code: "STALE_FILE" });
    expect(readFileSync(at("dir/sub/f.txt"), "utf8")).toBe("theirs");
  });

  it("restores a file of 600 MB without holding it in memory, and one that was overwritten", async () => {
    truncateSync(at("a.txt"), 600 * 1024 * 1024);
    // Copying it for real takes long; the rules are the same for a smaller file.
    if (disk === "other") truncateSync(at("a.txt"), 66 * 1024 * 1024);
    const { size } = statSync(at("a.txt"));
    const peak = process.memoryUsage().rss;
    await temp.change((ws) => ws.remove("a.txt"), { callId: "delete" });
    await temp.workspace.undo("delete");
    expect(statSync(at("a.txt")).size).toBe(size);
    await temp.change((ws) => ws.writeBytes("a.txt", Buffer.from("small"), { mode: 0o600 }), {
      callId: "write",
    });
    await temp.workspace.undo("write");
    expect(statSync(at("a.txt")).size).toBe(size);
    const undo = (await temp.workspace.journal.list()).at(-1)?.callId;
    await temp.workspace.undo(undo);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("small");
    expect(process.memoryUsage().rss - peak).toBeLessThan(300 * 1024 * 1024);
  });

  it("restores a link to the outside that was replaced by a move", async () => {
    symlinkSync("/usr/bin/env", at("link"));
    await temp.change((ws) => ws.move("a.txt", "link", { overwrite: true }), { callId: "move" });
    expect(readFileSync(at("link"), "utf8")).toBe("a");
    await temp.workspace.undo("move");
    expect([readlinkSync(at("link")), readFileSync(at("a.txt"), "utf8")]).toEqual(["/usr/bin/env", "a"]);
  });

  it("is rejected if the path is taken by now, and nothing is lost", async () => {
    symlinkSync("/usr/bin/env", at("dir/outside"));
    await temp.change((ws) => ws.remove("dir", { recursive: true }), { callId: "delete" });
    temp.put({ dir: "in the way" });
    await expect(temp.workspace.undo("delete")).rejects.toMatchObject({ code: "STALE_FILE" });
    expect(readFileSync(at("dir"), "utf8")).toBe("in the way");
    rmSync(at("dir"));
    await temp.workspace.undo("delete");
    expect(lstatSync(at("dir/outside")).isSymbolicLink()).toBe(true);
  });

  it("is refused if a parent directory became a file, and names where everything is", async () => {
    await temp.change((ws) => ws.remove("dir/sub", { recursive: true }), { callId: "delete" });
    rmSync(at("dir"), { recursive: true });
    temp.put({ dir: "in the way" });
    const refused = await temp.workspace.undo("delete").catch((error) => error);
    expect(refused).toMatchObject({ code: "NOT_A_DIRECTORY" });
    const [place = ""] = /\/\S+\/trash\/[^:\s]+/.exec(refused.hint) ?? [];
    expect(readFileSync(join(place, "f.txt"), "utf8")).toBe("f");
  });

  it("undoes a call that deleted, moved and created entries as a whole", async () => {
    symlinkSync("/usr/bin/env", at("dir/outside"));
    const before = picture();
    await temp.change(
      async (ws) => {
        await ws.remove("dir/sub", { recursive: true });
        await ws.createText("dir/sub", "a file now");
        await ws.move("a.txt", "dir/b.txt");
        await ws.remove("dir", { recursive: true });
        await ws.createText("a.txt", "another");
      },
      { callId: "many" },
    );
    await temp.workspace.undo("many");
    expect(picture().replaceAll(/ 20\S+/g, "")).toBe(before.replaceAll(/ 20\S+/g, ""));
  });
});
