import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { HeldDirectory } from "./held-directory.js";
import { moveEntry } from "./move-entry.js";
import { Trash } from "./trash.js";

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Runs as an unprivileged user. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

describe("moving entries", () => {
  let base: string;
  let here: HeldDirectory;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "haft-move-"));
    chmodSync(base, 0o777);
    here = HeldDirectory.open(base);
  });
  afterEach(() => {
    here.close();
    rmSync(base, { recursive: true, force: true });
  });
  const entry = (name: string, directory = here) => ({ directory, name });

  it("never replaces an existing name", async () => {
    writeFileSync(join(base, "file"), "file");
    writeFileSync(join(base, "taken"), "taken");
    mkdirSync(join(base, "dir"));
    for (const name of ["file", "dir"])
      await expect(moveEntry(entry(name), entry("taken"))).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(join(base, "taken"), "utf8")).toBe("taken");
    expect(readdirSync(base).sort()).toEqual(["dir", "file", "taken"]);
  });

  it.runIf(isRoot)("renames where the system refuses a hard link", async () => {
    writeFileSync(join(base, "theirs"), "theirs", { mode: 0o644 });
    writeFileSync(join(base, "taken"), "taken", { mode: 0o644 });
    expect(readFileSync("/proc/sys/fs/protected_hardlinks", "utf8").trim()).toBe("1");
    await asNobody(async () => {
      await expect(moveEntry(entry("theirs"), entry("taken"))).rejects.toMatchObject({ code: "EEXIST" });
      await moveEntry(entry("theirs"), entry("moved"));
    });
    expect(readdirSync(base).sort()).toEqual(["moved", "taken"]);
    expect(readFileSync(join(base, "taken"), "utf8")).toBe("taken");
  });

  it.each(["/dev/shm", "the same disk"])(
    "FE20 an ordinary user deletes, restores and removes folders that are not writable (trash on %s)",
    async (disk) => {
      const away = mkdtempSync(disk === "/dev/shm" ? "/dev/shm/haft-trash-" : join(base, "trash-"));
      for (const folder of ["d", "d/closed", "d/empty"]) mkdirSync(join(base, folder));
      writeFileSync(join(base, "d/closed/x"), "x");
      for (const [path, mode] of [
        ["d/closed", 0o500],
        ["d/empty", 0o500],
        ["d", 0o550],
      ] as const)
        chmodSync(join(base, path), mode);
      if (isRoot)
        for (const path of ["d/closed/x", "d/closed", "d/empty", "d", ".", away])
          chownSync(path === away ? away : join(base, path), NOBODY, NOBODY);
      const modes = () => ["d", "d/closed", "d/empty"].map((path) => statSync(join(base, path)).mode & 0o777);
      const trash = new Trash(away);
      await (isRoot ? asNobody : (work: () => Promise<void>) => work())(async () => {
        await trash.put(entry("d"), "key");
        expect(existsSync(join(base, "d"))).toBe(false);
        await trash.restore("key", entry("d"));
        expect(modes()).toEqual([0o550, 0o500, 0o500]);
        expect(readFileSync(join(base, "d/closed/x"), "utf8")).toBe("x");
        await trash.remove("key");
        await trash.put(entry("d"), "key");
        await trash.remove("key");
        expect(readdirSync(away)).toEqual([]);
      });
      rmSync(away, { recursive: true });
    },
  );

  it("a directory entry is a single name", () => {
    for (const name of ["", ".", "..", "a/b"]) expect(() => here.at(name)).toThrow(/Not the name/);
  });

  it("a file that is written while it moves to another disk stays", async () => {
    const away = mkdtempSync("/dev/shm/haft-trash-");
    const trash = new Trash(away);
    writeFileSync(join(base, "busy"), Buffer.alloc(24 * 1024 * 1024));
    mkdirSync(join(base, "dir"));
    writeFileSync(join(base, "dir/busy"), Buffer.alloc(24 * 1024 * 1024));
    for (const [name, written] of [
      ["busy", "busy"],
      ["dir", "dir/busy"],
    ] as const) {
      let isDone = false;
      const write = () => {
        if (isDone) return;
        if (existsSync(join(base, written))) appendFileSync(join(base, written), "x");
        setImmediate(write);
      };
      setImmediate(write);
      const putting = trash.put(entry(name), "key").finally(() => {
        isDone = true;
      });
      await expect(putting).rejects.toMatchObject({ code: "STALE_FILE" });
      expect(statSync(join(base, written)).size).toBeGreaterThan(24 * 1024 * 1024);
      expect(readdirSync(away)).toEqual([]);
    }
    rmSync(away, { recursive: true });
  });

  it("keeps a file in the trash by a hard link, or by a copy on another disk; reports a taken name", async () => {
    writeFileSync(join(base, "file"), "file");
    const away = mkdtempSync("/dev/shm/haft-trash-");
    mkdirSync(join(base, "trash"));
    for (const place of [away, join(base, "trash")]) {
      const trash = new Trash(place);
      await trash.keep(entry("file"), "key");
      await expect(trash.keep(entry("file"), "key")).rejects.toMatchObject({ code: "EEXIST" });
      expect(readFileSync(join(place, "key"), "utf8")).toBe("file");
      await trash.restore("key", entry(`restored-${readdirSync(base).length}`));
      // On another disk the original stays until the copy is confirmed.
      expect(readdirSync(place)).toEqual(place === away ? ["key"] : []);
      await trash.remove("key");
      expect(readdirSync(place)).toEqual([]);
    }
    rmSync(away, { recursive: true });
  });
});

describe.runIf(isRoot)("missing rights", () => {
  it("S2.NFR3 unreadable or unwritable entries are PERMISSION_DENIED, and walks skip them", async () => {
    const temp = await temporaryWorkspace({
      "locked.txt": "x",
      "closed/x.txt": "x",
      "open/.gitignore": "y",
      "open/y": "",
    });
    chmodSync(temp.base, 0o755);
    chmodSync(join(temp.root, "locked.txt"), 0o600);
    chmodSync(join(temp.root, "closed"), 0o700);
    chmodSync(join(temp.root, "open/.gitignore"), 0o600);
    const changes = await temp.rehearse((ws) => ws.createText("new.txt", "x"));
    const seen: string[] = [];
    await asNobody(async () => {
      for (const path of ["locked.txt", "closed/x.txt"])
        await expect(temp.workspace.readText(path)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      await expect(temp.workspace.list("closed")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      for await (const { path } of temp.workspace.walk("")) seen.push(path);
      await expect(temp.workspace.commit(changes, { callId: "c", tool: "t" })).rejects.toMatchObject({
        code: "IO_ERROR",
        message: expect.stringContaining("The state folder of this workspace cannot be created"),
      });
    });
    expect(seen).toEqual(["closed", "locked.txt", "open", "open/y"]);
    expect(existsSync(join(temp.root, "new.txt"))).toBe(false);
    temp.dispose();
  });

  it("S2.WRITE.4 an owner that cannot be kept does not stop a write", async () => {
    const temp = await temporaryWorkspace({ "theirs.txt": "x" });
    for (const folder of [temp.base, temp.root]) chmodSync(folder, 0o777);
    chownSync(join(temp.root, "theirs.txt"), 1234, 1234);
    await asNobody(() => temp.change((ws) => ws.writeText("theirs.txt", "mine")));
    expect(statSync(join(temp.root, "theirs.txt")).uid).toBe(NOBODY);
    expect(readFileSync(join(temp.root, "theirs.txt"), "utf8")).toBe("mine");
    temp.dispose();
  });
});

describe("limits", () => {
  it("refuses to move a directory with more than 50,000 entries at once", { timeout: 60_000 }, async () => {
    const temp = await temporaryWorkspace({ "many/": null });
    execFileSync("sh", ["-c", "seq 50001 | xargs touch"], { cwd: join(temp.root, "many") });
    await expect(temp.rehearse((ws) => ws.remove("many", { recursive: true }))).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
    });
    linkSync(join(temp.root, "many/1"), join(temp.root, "one"));
    expect(await temp.workspace.readText("one")).toBe("");
    temp.dispose();
  });
});
