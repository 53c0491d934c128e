import fs, {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { makePipe } from "../../fixtures/special-files.js";

/** Returns an answer within three seconds, whatever the file is. */
async function quickly<T>(work: Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work;
  expect(performance.now() - started).toBeLessThan(3_000);
  return result;
}

describe("read_file on anything but a regular file", () => {
  it("refuses a pipe, a socket and a device before opening them", async () => {
    const { at, fail } = await realRuntime();
    makePipe(at("pipe"));
    const server = createServer().listen(at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    for (const path of ["pipe", "socket"])
      expect(await quickly(fail("read_file", { path }))).toMatchObject({ code: "NOT_A_FILE" });
  });

  it("refuses a cycle of links", async () => {
    const { at, fail } = await realRuntime();
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    expect(["INVALID_PATH", "FILE_NOT_FOUND"]).toContain(
      (await quickly(fail("read_file", { path: "a" }))).code,
    );
  });

  it.each([1, 10])("a sparse file of %i GB is reported as binary at once", async (gigabytes) => {
    const { at, fail } = await realRuntime();
    sparse(at("huge.log"), gigabytes * 1024 ** 3);
    const before = process.memoryUsage.rss();
    for (const args of [{}, { offset: 1_000_000 }, { offset: -10 }])
      expect((await quickly(fail("read_file", { path: "huge.log", ...args }))).code).toBe("BINARY_FILE");
    expect((await quickly(fail("read_file", { path: "huge.log", encoding: "base64" }))).code).toBe(
      "FILE_TOO_LARGE",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("answers in time for text before a hole of 1 GB", async () => {
    const { at, call } = await realRuntime();
    writeFileSync(at("log.txt"), "line\n".repeat(50_000));
    sparse(at("log.txt"), 1024 ** 3);
    expect(await quickly(call("read_file", { path: "log.txt", limit: 3 }))).toMatchObject({ ok: true });
    expect((await quickly(call("read_file", { path: "log.txt", offset: -3 }))).text).toContain("BINARY_FILE");
  });

  it("truncates a line of 20 MB, without holding it in the answer", async () => {
    const { at, succeed } = await realRuntime();
    writeFileSync(at("line.json"), `{"a":"${"x".repeat(20_000_000)}"}`);
    const result = await quickly(succeed("read_file", { path: "line.json" }));
    expect(JSON.stringify(result).length).toBeLessThan(200_000);
    expect(result.text).toContain(`…[+${20_000_008 - 2000} chars]`);
  });

  it.runIf(existsSync("/proc/self/io"))(
    "S2.NFR1 a page of a big file is read without reading the rest of it",
    async () => {
      const { call } = await realRuntime({
        files: { "big.log": "a line of a log, and some words\n".repeat(3_000_000) },
      });
      const readBytes = () => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
      for (const args of [{ limit: 100 }, { offset: -100 }]) {
        const before = readBytes();
        const result = await quickly(call("read_file", { path: "big.log", ...args }));
        expect(result).toMatchObject({ ok: true, value: { linesRead: 100 } });
        expect(readBytes() - before).toBeLessThan(8 * 1024 * 1024);
      }
    },
  );

  it("names with a newline or invalid UTF-8 crash nothing", async () => {
    const { root, call, succeed } = await realRuntime();
    writeFileSync(`${root}/new\nline.txt`, "a");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff, 0xfe])]), "b");
    for (const path of ["new\nline.txt", "bad\ufffd\ufffd", "bad"]) {
      const result = await quickly(call("read_file", { path }));
      if (!result.ok) expect(["INVALID_PATH", "FILE_NOT_FOUND"]).toContain(result.error.code);
    }
    const listed = await quickly(call("list_directory", { recursive: true }));
    expect(listed.text).toContain("new\\nline.txt (the name is not plain text and cannot be opened)");
    expect(listed).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/^2 entries have names .*bad\\xff\\xfe, new\\nline\.txt$/)],
    });
    expect((await succeed("list_directory", { sort: "modified" })).value).toMatchObject({
      total: 2,
      entries: [{ unnamed: true }, { unnamed: true }],
    });
  });
});

describe("read_file on forbidden paths", () => {
  it("S4.001.c denies a path outside, and opens nothing outside", async () => {
    const { root, outside, fail, at } = await realRuntime({ files: { "a.txt": "x" } });
    writeFileSync(`${outside}/secret.txt`, "canary");
    symlinkSync(`${outside}/secret.txt`, at("link.txt"));
    symlinkSync(outside, at("linkdir"));
    const opened = recordOpens();
    for (const path of [`${outside}/secret.txt`, "../outside/secret.txt", "link.txt", "linkdir/secret.txt"]) {
      const error = await fail("read_file", { path });
      expect(error).toMatchObject({ code: "INVALID_PATH" });
      expect(error.message).toContain("Access denied");
      expect(JSON.stringify(error)).not.toContain("canary");
    }
    await fail("read_file", { path: "missing.txt" });
    expect(opened.paths()).not.toEqual([]);
    expect(opened.paths().filter((path) => path.includes("secret") || path.startsWith(outside))).toEqual([]);
    expect(opened.paths().every((path) => path.startsWith("/proc/self/fd/") || path.startsWith(root))).toBe(
      true,
    );
  });

  it("S4.005.a refuses traversal, and suggests the path without it", async () => {
    const { fail } = await realRuntime({ files: { "a.txt": "x" } });
    const error = await fail("read_file", { path: "src/../a.txt" });
    expect(error).toMatchObject({ code: "INVALID_PATH" });
    expect(error.hint).toContain("a.txt");
  });

  it.each([".env", "config/credentials.json", "deploy.pem"])(
    "S4.005.c refuses the sensitive file %s",
    async (path) => {
      const { fail } = await realRuntime({ files: { [path]: "SECRET=1" } });
      expect((await fail("read_file", { path })).code).toBe("SENSITIVE_FILE");
      expect((await fail("write_file", { path, content: "x" })).code).toBe("SENSITIVE_FILE");
      expect((await fail("delete_file", { path })).code).toBe("SENSITIVE_FILE");
      expect((await fail("move_file", { from: path, to: "plain.txt" })).code).toBe("SENSITIVE_FILE");
    },
  );
});

function sparse(path: string, bytes: number): void {
  const descriptor = openSync(path, "a");
  ftruncateSync(descriptor, bytes);
  closeSync(descriptor);
}

/** Records every path that this process opens from now on, with any function of node:fs. */
function recordOpens(): { paths(): readonly string[] } {
  const paths: string[] = [];
  const original = { open: fs.open, openSync: fs.openSync, promises: fs.promises.open };
  const noting =
    <F extends (...args: never[]) => unknown>(open: F) =>
    (...args: Parameters<F>) => {
      paths.push(String(args[0]));
      return open(...args);
    };
  fs.open = noting(original.open as never) as never;
  fs.openSync = noting(original.openSync as never) as never;
  fs.promises.open = noting(original.promises as never) as never;
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { open: original.open, openSync: original.openSync });
    fs.promises.open = original.promises;
    syncBuiltinESMExports();
  });
  return { paths: () => paths };
}
