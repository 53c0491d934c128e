import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@haft/core/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "a.txt": "a", "b.txt": "b", "dir/c.txt": "c" });
});
afterEach(() => temp.dispose());

const read = (path: string) => readFileSync(join(temp.root, path), "utf8");
const mode = (path: string) => statSync(join(temp.root, path)).mode & 0o777;
const temps = () =>
  readdirSync(temp.root, { recursive: true }).filter((name) => String(name).includes(".haft-"));
const CALL = { callId: "c", tool: "t" };

describe("commits", () => {
  it("S2.WRITE.4 D4 keep permissions and owner, and apply the umask to new files", async () => {
    chmodSync(join(temp.root, "a.txt"), 0o750);
    if (process.getuid?.() === 0) chownSync(join(temp.root, "a.txt"), 1234, 2345);
    await temp.change(async (ws) => {
      await ws.writeText("a.txt", "changed");
      await ws.createText("new.txt", "new");
    });
    expect(mode("a.txt")).toBe(0o750);
    expect(mode("new.txt")).toBe(0o666 & ~process.umask());
    if (process.getuid?.() === 0)
      expect(statSync(join(temp.root, "a.txt"))).toMatchObject({ uid: 1234, gid: 2345 });
    await temp.change((ws) => ws.writeText("a.txt", "changed", { mode: 0o600 }));
    expect(mode("a.txt")).toBe(0o600);
  });

  it("pe-s-10 break a hard link to the outside on writing; the outside file stays", async () => {
    linkSync(join(temp.outside, "secret.txt"), join(temp.root, "hl.txt"));
    await temp.change((ws) => ws.writeText("hl.txt", "mine"));
    expect(read("hl.txt")).toBe("mine");
    expect(readFileSync(join(temp.outside, "secret.txt"), "utf8")).toBe("canary");
  });

  it("P4 STALE_FILE names both hashes and leaves everything unchanged", async () => {
    const changes = await temp.rehearse(async (ws) => {
      await ws.writeText("a.txt", "mine");
      await ws.createText("n/e/w.txt", "new");
      await ws.writeText("b.txt", "mine");
    });
    writeFileSync(join(temp.root, "b.txt"), "theirs");
    await expect(temp.workspace.commit(changes, CALL)).rejects.toMatchObject({
      code: "STALE_FILE",
      details: {
        path: "b.txt",
        expectedHash: temp.workspace.hash(Buffer.from("b")),
        currentHash: temp.workspace.hash(Buffer.from("theirs")),
      },
    });
    expect([read("a.txt"), read("b.txt"), existsSync(join(temp.root, "n"))]).toEqual(["a", "theirs", false]);
    expect(await temp.workspace.journal.list()).toEqual([]);
  });

  it("a failure in the middle reverts applied changes: files, directories, links, moves, deletes", async () => {
    symlinkSync("a.txt", join(temp.root, "link"));
    mkdirSync(join(temp.root, "shut"));
    const before = execFileSync("find", [temp.root, "-printf", "%P %y %m %l\n"], { encoding: "utf8" });
    const changes = await temp.rehearse(async (ws) => {
      await ws.writeText("a.txt", "mine", { mode: 0o711 });
      await ws.createText("n/e/w.txt", "new");
      await ws.createLink("n/link", "../a.txt");
      await ws.setDirectoryMode("shut", 0o500);
      await ws.remove("dir", { recursive: true });
      await ws.remove("link");
      await ws.move("b.txt", "moved.txt");
      await ws.createText("second.txt", "second");
      await ws.move("second.txt", "a.txt", { overwrite: true });
    });
    const impossible = {
      kind: "create",
      path: "n/e/w.txt/below",
      after: { type: "directory" },
    } as FileChange;
    await expect(temp.workspace.commit([...changes, impossible], CALL)).rejects.toMatchObject({
      code: "STALE_FILE",
    });
    expect(execFileSync("find", [temp.root, "-printf", "%P %y %m %l\n"], { encoding: "utf8" })).toBe(before);
    expect([read("a.txt"), read("b.txt"), read("dir/c.txt")]).toEqual(["a", "b", "c"]);
    expect(await temp.workspace.journal.list()).toMatchObject([{ state: "aborted" }]);
    await temp.workspace.commit(changes, CALL);
    expect([read("a.txt"), read("n/e/w.txt"), read("moved.txt")]).toEqual(["second", "new", "b"]);
  });

  it.skipIf(process.platform !== "linux")(
    "FE20 folders keep the group bit that they have or inherit, and undo restores it",
    async () => {
      const shared = join(temp.root, "shared");
      mkdirSync(join(shared, "in"), { recursive: true });
      for (const folder of [shared, join(shared, "in")]) chmodSync(folder, 0o2755);
      const modes = (...names: string[]) =>
        names.map((name) => (statSync(join(shared, name)).mode & 0o7777).toString(8));
      const changes = await temp.rehearse(async (ws) => {
        await ws.createDirectory("shared/new/below", { mode: 0o755 });
        await ws.setDirectoryMode("shared/in", 0o775);
      });
      await temp.workspace.commit(changes, CALL);
      expect(modes("in", "new", "new/below")).toEqual(["2775", "2755", "2755"]);
      await temp.workspace.undo();
      expect([modes("in"), readdirSync(shared)]).toEqual([["2755"], ["in"]]);
    },
  );

  it("D5 of two creators one fails, and a move overwrites nothing unless it says so", async () => {
    const creating = await temp.rehearse((ws) => ws.createText("new.txt", "mine"));
    const moving = await temp.rehearse((ws) => ws.move("a.txt", "new.txt"));
    writeFileSync(join(temp.root, "new.txt"), "theirs");
    await expect(temp.workspace.commit(creating, CALL)).rejects.toMatchObject({ code: "STALE_FILE" });
    await expect(temp.workspace.commit(moving, CALL)).rejects.toMatchObject({ code: "STALE_FILE" });
    expect([read("new.txt"), read("a.txt"), temps()]).toEqual(["theirs", "a", []]);
  });

  it("do not follow a link that replaced a parent", async () => {
    const changes = await temp.rehearse((ws) => ws.writeText("dir/c.txt", "mine"));
    const created = await temp.rehearse((ws) => ws.createText("dir/new.txt", "mine"));
    rmSync(join(temp.root, "dir"), { recursive: true });
    symlinkSync(temp.outside, join(temp.root, "dir"));
    writeFileSync(join(temp.outside, "c.txt"), "c");
    for (const list of [changes, created])
      await expect(temp.workspace.commit(list, CALL)).rejects.toMatchObject({ code: "STALE_FILE" });
    expect(readdirSync(temp.outside).sort()).toEqual(["c.txt", "secret.txt"]);
    expect(readFileSync(join(temp.outside, "c.txt"), "utf8")).toBe("c");
  });

  it("delete a directory with its content, unless somebody added to it", async () => {
    const changes = await temp.rehearse((ws) => ws.remove("dir", { recursive: true }));
    temp.put({ "dir/theirs.txt": "theirs" });
    await expect(temp.workspace.commit(changes, CALL)).rejects.toMatchObject({ code: "STALE_FILE" });
    expect(read("dir/theirs.txt")).toBe("theirs");
  });

  it("let a directory take a file's place, and restore the file after a later failure", async () => {
    temp.put({ link: { link: "a.txt" }, "other/x": "x" });
    const changes = await temp.rehearse(async (ws) => {
      await ws.move("dir", "b.txt", { overwrite: true });
      await ws.move("other", "link", { overwrite: true });
    });
    const impossible = {
      kind: "create",
      path: "no/where/at/all",
      after: { type: "directory" },
    } as FileChange;
    await expect(temp.workspace.commit([...changes, impossible], CALL)).rejects.toMatchObject({
      code: "STALE_FILE",
    });
    expect([read("b.txt"), read("dir/c.txt"), read("link"), read("other/x")]).toEqual(["b", "c", "a", "x"]);
    await temp.workspace.commit(changes, CALL);
    expect([read("b.txt/c.txt"), read("link/x")]).toEqual(["c", "x"]);
  });

  it("move one of two names of a file over the other", async () => {
    linkSync(join(temp.root, "a.txt"), join(temp.root, "twin.txt"));
    await temp.change((ws) => ws.move("a.txt", "twin.txt", { overwrite: true }));
    expect([existsSync(join(temp.root, "a.txt")), read("twin.txt")]).toEqual([false, "a"]);
  });

  it("do nothing for an empty list", async () => {
    await temp.workspace.commit([], CALL);
    expect(await temp.workspace.journal.list()).toEqual([]);
  });

  it("write the longest possible name", async () => {
    const name = "n".repeat(255);
    await temp.change((ws) => ws.createText(name, "long"));
    await temp.change((ws) => ws.writeText(name, "longer"));
    expect(read(name)).toBe("longer");
    expect(temps()).toEqual([]);
  });
});

describe("commits that the system rejects", () => {
  const mounted: string[] = [];
  afterEach(() => {
    for (const place of mounted.splice(0)) execFileSync("umount", ["-l", place]);
  });

  const mount = (place: string, options: string): boolean => {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place], { stdio: "ignore" });
      mounted.push(place);
      return true;
    } catch {
      return false;
    }
  };

  it("P3 S2.NFR3 a full disk is DISK_FULL, the old content stays, and nothing is left behind", async (context) => {
    mkdirSync(join(temp.root, "small"));
    if (!mount(join(temp.root, "small"), "size=256k")) context.skip("mounting is not permitted here");
    temp.put({ "small/a.txt": "old a", "small/b.txt": "old b" });
    const large = "x".repeat(200_000);
    const changes = await temp.rehearse(async (ws) => {
      await ws.writeText("small/a.txt", large);
      await ws.writeText("small/b.txt", large);
      await ws.createText("elsewhere.txt", "new");
    });
    await expect(temp.workspace.commit(changes, CALL)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect([read("small/a.txt"), read("small/b.txt")]).toEqual(["old a", "old b"]);
    expect([existsSync(join(temp.root, "elsewhere.txt")), temps()]).toEqual([false, []]);
    await temp.change((ws) => ws.writeText("small/a.txt", large));
    expect(read("small/a.txt")).toBe(large);
  });

  it("moves and deletes across disks copy first", async (context) => {
    mkdirSync(join(temp.root, "other"));
    if (!mount(join(temp.root, "other"), "size=4m")) context.skip("mounting is not permitted here");
    temp.put({ "tree/x/y.txt": "y", "tree/link": { link: "x/y.txt" }, "other/old.txt": "old" });
    chmodSync(join(temp.root, "tree/x/y.txt"), 0o700);
    await temp.change(async (ws) => {
      await ws.move("a.txt", "other/a.txt");
      await ws.move("tree", "other/tree");
      await ws.move("b.txt", "other/old.txt", { overwrite: true });
    });
    expect([read("other/a.txt"), read("other/tree/x/y.txt"), read("other/old.txt")]).toEqual(["a", "y", "b"]);
    expect(readlinkSync(join(temp.root, "other/tree/link"))).toBe("x/y.txt");
    expect([
      mode("other/tree/x/y.txt"),
      existsSync(join(temp.root, "tree")),
      existsSync(join(temp.root, "a.txt")),
    ]).toEqual([0o700, false, false]);
    await temp.change((ws) => ws.remove("other/tree", { recursive: true }), { callId: "gone" });
    expect(existsSync(join(temp.root, "other/tree"))).toBe(false);
    await temp.workspace.undo("gone");
    expect(read("other/tree/x/y.txt")).toBe("y");
    temp.put({ "other/pipes/p": { fifo: true } });
    await expect(temp.change((ws) => ws.remove("other/pipes", { recursive: true }))).rejects.toMatchObject({
      code: "NOT_A_FILE",
    });
    expect([existsSync(join(temp.root, "other/pipes/p")), temps()]).toEqual([true, []]);
  });

  it("a read-only disk is PERMISSION_DENIED", async (context) => {
    mkdirSync(join(temp.root, "ro"));
    if (!mount(join(temp.root, "ro"), "size=1m")) context.skip("mounting is not permitted here");
    temp.put({ "ro/a.txt": "a" });
    const changes = await temp.rehearse((ws) => ws.writeText("ro/a.txt", "b"));
    execFileSync("mount", ["-o", "remount,ro", join(temp.root, "ro")]);
    await expect(temp.workspace.commit(changes, CALL)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(read("ro/a.txt")).toBe("a");
  });

  it("a journal that cannot be written stops the commit before anything happens", async () => {
    writeFileSync(join(temp.base, "file"), "");
    const blocked = await temp.open({ stateDirectory: join(temp.base, "file/state") });
    const changes = await temp.rehearse((ws) => ws.writeText("a.txt", "b"));
    await expect(blocked.commit(changes, CALL)).rejects.toMatchObject({
      code: "IO_ERROR",
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
    expect(read("a.txt")).toBe("a");
    await blocked.close();
  });
});
