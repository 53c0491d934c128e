import { chmodSync, mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileEntry } from "@haft/core";
import type { WalkOptions } from "@haft/core/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "src/index.ts": "one\ntwo\n", "src/readme.md": "hello" });
});
afterEach(() => temp.dispose());

async function walked(path: string, options: WalkOptions = {}): Promise<string[]> {
  const seen: string[] = [];
  for await (const entry of temp.workspace.walk(path, options)) seen.push(describeEntry(entry));
  return seen;
}

function describeEntry({ path, ignored }: FileEntry): string {
  return ignored ? `${path} (ignored)` : path;
}

describe("reading", () => {
  it("S4.001.a returns the whole text, its format, its hash", async () => {
    expect(await temp.workspace.readText("src/index.ts")).toBe("one\ntwo\n");
    const file = await temp.workspace.readTextFile("src/index.ts");
    expect(file).toMatchObject({ path: "src/index.ts", size: 8, format: { encoding: "utf-8", bom: false } });
    expect(file.hash).toBe(temp.workspace.hash(Buffer.from("one\ntwo\n")));
    expect(file.hash).toBe(await temp.workspace.hashOf("src/index.ts"));
    expect(file.hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it("S4.001.b S2.READ.12 names the missing path and similar ones", async () => {
    temp.put({ "src/.env": "x", "src/Index.tsx": "" });
    await expect(temp.workspace.readText("src/INDEX.ts")).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
      message: "File not found: src/INDEX.ts",
      next: { tool: "read_file", args: { path: "src/index.ts" } },
    });
    await expect(temp.workspace.readText("SRC/index.ts")).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
      hint: "Did you mean src/index.ts?",
      details: { nearest: ["src/index.ts"] },
      next: { tool: "read_file", args: { path: "src/index.ts" } },
    });
    const absolute = `${temp.root}/srcs/index.ts`;
    await expect(temp.workspace.readText(absolute)).rejects.toMatchObject({
      hint: `Did you mean ${temp.root}/src/index.ts?`,
    });
    await expect(temp.workspace.readText("SRC/nowhere.ts")).rejects.toMatchObject({ hint: undefined });
    await expect(temp.workspace.list("nowhere")).rejects.toMatchObject({
      code: "PATH_NOT_FOUND",
      hint: undefined,
    });
    await expect(temp.workspace.stat("src/x")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  it("S2.READ.13 refuses to read a directory", async () => {
    for (const work of [
      temp.workspace.readText("src"),
      temp.workspace.readBytes("."),
      temp.workspace.hashOf("src"),
    ])
      await expect(work).rejects.toMatchObject({ code: "IS_DIRECTORY" });
    await expect(temp.workspace.readText("src")).rejects.toMatchObject({
      message: "Cannot read directory: src. Use list_directory",
      next: { tool: "list_directory", args: { path: "src" } },
    });
  });

  it("S2.READ.5 describes binary content instead of showing it", async () => {
    temp.put({ "a.bin": Uint8Array.from({ length: 40 }, (_, index) => index % 3) });
    await expect(temp.workspace.readText("a.bin")).rejects.toMatchObject({
      code: "BINARY_FILE",
      details: { size: 40, head: "00010200010200010200010200010200" },
    });
  });

  it("reads ranges, also beyond the end and of large files, and streams in chunks", async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
    temp.put({ "big.bin": bytes });
    expect(Buffer.from(await temp.workspace.readBytes("big.bin")).equals(bytes)).toBe(true);
    expect([...(await temp.workspace.readBytes("big.bin", { start: 699_998 }))]).toEqual([
      ...bytes.subarray(699_998),
    ]);
    expect(await temp.workspace.readBytes("big.bin", { start: 10, end: 5 })).toHaveLength(0);
    expect(await temp.workspace.readBytes("big.bin", { start: 9e9, end: 9e9 + 1 })).toHaveLength(0);
    const chunks: Uint8Array[] = [];
    for await (const chunk of temp.workspace.stream("big.bin", { start: 100_000 })) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).equals(bytes.subarray(100_000))).toBe(true);
  });

  it("P2 reads a part of a huge file but not the whole, and hashes it in one go", async () => {
    temp.put({ "huge.bin": "start" });
    truncateSync(join(temp.root, "huge.bin"), 10 * 1024 ** 3);
    await expect(temp.workspace.readText("huge.bin")).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    await expect(temp.workspace.readBytes("huge.bin", { start: 1 })).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
    });
    expect(Buffer.from(await temp.workspace.readBytes("huge.bin", { end: 5 })).toString()).toBe("start");
    const hash = await temp.workspace.hashOf("huge.bin");
    expect(hash).toMatch(/^stat-[0-9a-f]{16}$/);
    expect(await temp.workspace.snapshot("huge.bin")).toMatchObject({ hash, size: 10 * 1024 ** 3 });
    utimesSync(join(temp.root, "huge.bin"), 1, 1);
    expect(await temp.workspace.hashOf("huge.bin")).not.toBe(hash);
  });

  it("errors of the operating system are reported without its paths", async () => {
    const { asToolError } = await import("./system-error.js");
    const errno = (code: string) => Object.assign(new Error(`${code}: /proc/self/fd/7/x`), { code });
    const codes = {
      EACCES: "PERMISSION_DENIED",
      EROFS: "PERMISSION_DENIED",
      ENOSPC: "DISK_FULL",
      EDQUOT: "DISK_FULL",
      EIO: "IO_ERROR",
      EMFILE: "LIMIT_EXCEEDED",
      EFBIG: "FILE_TOO_LARGE",
      ENOTEMPTY: "DIRECTORY_NOT_EMPTY",
      EEXIST: "ALREADY_EXISTS",
      EISDIR: "IS_DIRECTORY",
      ENXIO: "NOT_A_FILE",
      ENAMETOOLONG: "INVALID_PATH",
      ELOOP: "INVALID_PATH",
      EWHATEVER: "IO_ERROR",
    };
    for (const [code, expected] of Object.entries(codes)) {
      const error = asToolError(errno(code), "a.txt") as Error;
      expect(error).toMatchObject({ code: expected, details: { path: "a.txt", errno: code } });
      expect(error.message).not.toContain("/proc");
      expect(error.cause).toBeInstanceOf(Error);
    }
    const other = new TypeError("no system call");
    expect(asToolError(other, "a")).toBe(other);
  });

  it("D28 snapshots are distinguished by content, not by times", async () => {
    const before = await temp.workspace.snapshot("src/index.ts");
    utimesSync(join(temp.root, "src/index.ts"), 1, 1);
    expect((await temp.workspace.snapshot("src/index.ts"))?.hash).toBe(before?.hash);
    const directory = await temp.workspace.snapshot("src");
    expect(directory).toMatchObject({ type: "directory", entries: ["index.ts", "readme.md"], size: 13 });
    writeFileSync(join(temp.root, "src/index.ts"), "one\nTWO\n");
    expect((await temp.workspace.snapshot("src"))?.hash).not.toBe(directory?.hash);
    expect(await temp.workspace.snapshot("nothing/at/all")).toBeUndefined();
  });

  it("keeps no more of a file than was requested", async () => {
    const small = await temp.open({ maxHeldBytes: 4 });
    const snapshot = await small.snapshot("src/index.ts");
    expect(snapshot).toMatchObject({ size: 8, hash: await temp.workspace.hashOf("src/index.ts") });
    expect(snapshot?.bytes).toBeUndefined();
    small.close();
  });

  it("entries are cheap and correct", async () => {
    chmodSync(join(temp.root, "src/index.ts"), 0o640);
    expect(await temp.workspace.entry("src/index.ts")).toMatchObject({
      name: "index.ts",
      mode: 0o640,
      type: "file",
    });
    expect(await temp.workspace.entry("")).toMatchObject({ path: "", name: "", type: "directory" });
    expect(await temp.workspace.entry("src/nothing")).toBeUndefined();
    expect(await temp.workspace.entry("no/thing/here")).toBeUndefined();
  });
});

describe("walking", () => {
  it("S1.I1 applies the ignore files as git and ripgrep do", async () => {
    temp.put({
      ".gitignore": "dist/\n*.log\n!keep.log\n/only-root\n",
      ".git/info/exclude": "excluded\n",
      ".git/config": "x",
      "dist/x.js": "",
      "a.log": "",
      "keep.log": "",
      excluded: "",
      "only-root": "",
      "src/only-root": "",
      "src/.gitignore": "!debug.log\nlocal\n",
      "src/debug.log": "",
      "src/other.log": "",
      "src/local": "",
      local: "",
      ".ignore": "!a.log\nsrc/readme.md\n",
    });
    expect(await walked("")).toEqual([
      "a.log",
      "dist (ignored)",
      "keep.log",
      "local",
      "src",
      "src/debug.log",
      "src/index.ts",
      "src/only-root",
    ]);
    expect(await walked("src")).toEqual(["src/debug.log", "src/index.ts", "src/only-root"]);
    const all = await walked("", { includeIgnored: true, includeHidden: true });
    expect(all).toContain("dist/x.js");
    expect(all).toContain(".git (ignored)");
    expect(all).not.toContain(".git/config");
  });

  it("R18 starting in an ignored directory includes it", async () => {
    temp.put({ ".gitignore": "dist\n", "dist/lib/x.js": "", "dist/.gitignore": "y.js\n", "dist/y.js": "" });
    expect(await walked("dist")).toEqual(["dist/lib", "dist/lib/x.js"]);
    expect(await walked("dist/lib")).toEqual(["dist/lib/x.js"]);
  });

  it("ignore files that are links, pipes or directories hold no rules", async () => {
    temp.put({
      ".ignore": { fifo: true },
      ".gitignore": { link: "/etc/passwd" },
      "src/.gitignore": null,
      "src/a.log": "",
    });
    expect(await walked("")).toEqual(["src", "src/a.log", "src/index.ts", "src/readme.md"]);
  });

  it("does not follow links, respects the depth, lists entries it may not enter", async () => {
    temp.put({ "src/up": { link: ".." }, "src/deep/er/x": "" });
    expect(await walked("", { maxDepth: 2 })).toEqual([
      "src",
      "src/deep",
      "src/index.ts",
      "src/readme.md",
      "src/up",
    ]);
    expect(await walked("src/up")).toContain("src/deep/er/x");
    mkdirSync(join(temp.root, "d/".repeat(30)), { recursive: true });
    expect(await walked("d")).toHaveLength(20);
  });

  it("P2 ends at its budget, stops when it is cancelled, and lets timers run", async () => {
    const few = await temp.open({ maxWalkEntries: 2 });
    const walk = async () => {
      for await (const _ of few.walk(""));
    };
    await expect(walk()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    few.close();
    await expect(walked("", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    for (let index = 0; index < 100; index += 1) writeFileSync(join(temp.root, `src/f${index}`), "");
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    // The consumer is slow, so that the walk takes equally long on every machine.
    for await (const _ of temp.workspace.walk("")) await busyFor(1);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });

  it("leaves nothing open after reads, failures, or streams and walks that are left early", async () => {
    temp.put({
      "a/b/c/d.txt": "x".repeat(600_000),
      link: { link: "a/b" },
      out: { link: "/etc" },
      pipe: { fifo: true },
    });
    const round = async () => {
      for await (const _ of temp.workspace.stream("a/b/c/d.txt")) break;
      for await (const entry of temp.workspace.walk("")) if (entry.path === "a/b/c/d.txt") break;
      await temp.workspace.readBytes("link/c/d.txt");
      await temp.workspace.snapshot("a");
      await temp.workspace.list("a");
      await temp.workspace.locate("a/new/file", { purpose: "write" });
      await temp.change((ws) => ws.writeText("a/b/c/e.txt", String(Math.random())), {
        callId: String(Math.random()),
      });
      for (const path of ["out/passwd", "pipe", "missing/x", "a", "../x", "a/b/c/d.txt/x"])
        await temp.workspace.readText(path).catch(() => undefined);
    };
    await round();
    const before = readdirSync("/proc/self/fd").length;
    for (let index = 0; index < 30; index += 1) await round();
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 1);
  });
});

/** Blocks the thread, like a walk over many entries; a settled promise gives timers no turn. */
async function busyFor(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
