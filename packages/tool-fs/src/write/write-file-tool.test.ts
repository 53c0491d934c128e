import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { makePipe } from "../../fixtures/special-files.js";

describe("write_file as Write", () => {
  it("S2.WRITE.1 S2.WRITE.8 writes a new file and reports the number of bytes", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude" });
    const { value, text } = await succeed("Write", { file_path: at("a.txt"), content: "h\u00e9llo\n" });
    expect(value).toMatchObject({ path: "a.txt", bytesWritten: 7, size: 7, created: true, changed: true });
    expect(text).toBe(`Successfully wrote 7 bytes to ${at("a.txt")} (new file)`);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("h\u00e9llo\n");
  });

  it("S2.WRITE.2 overwrites a file that was read", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": "old\n" } });
    await succeed("Read", { file_path: at("a.txt") });
    await succeed("Write", { file_path: at("a.txt"), content: "new\n" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("new\n");
  });

  it("S2.WRITE.3 D6 creates missing parent directories", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude" });
    await succeed("Write", { file_path: at("x/y/z.txt"), content: "deep\n" });
    expect(readFileSync(at("x/y/z.txt"), "utf8")).toBe("deep\n");
  });

  it.each([0o755, 0o600, 0o640])("S2.WRITE.4 D4 keeps the permissions %o", async (mode) => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "run.sh": "#!/bin/sh\n" } });
    chmodSync(at("run.sh"), mode);
    await succeed("Read", { file_path: at("run.sh") });
    await succeed("Write", { file_path: at("run.sh"), content: "#!/bin/bash\n" });
    expect(statSync(at("run.sh")).mode & 0o777).toBe(mode);
  });

  it("S2.WRITE.5 S2.WRITE.6 accepts text, and only absolute paths", async () => {
    const { fail, at } = await realRuntime({ dialect: "claude" });
    expect((await fail("Write", { file_path: "a.txt", content: "x" })).message).toBe(
      "file_path must be an absolute path",
    );
    expect((await fail("Write", { file_path: at("a.txt"), content: { a: 1 } })).code).toBe(
      "INVALID_ARGUMENTS",
    );
  });

  it("S2.WRITE.7 D8 refuses to overwrite an unread file, and keeps it", async () => {
    const { at, fail, approver } = await realRuntime({ dialect: "claude", files: { "a.txt": "old\n" } });
    expect((await fail("Write", { file_path: at("a.txt"), content: "new\n" })).code).toBe("FILE_NOT_READ");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old\n");
    expect(approver.requests).toEqual([]);
  });

  it("S2.WRITE.9 a dry run reports what would be written, shows the diff and writes nothing", async () => {
    const { at, call, succeed, approver } = await realRuntime({
      dialect: "claude",
      files: { "a.txt": "old\n" },
    });
    await succeed("Read", { file_path: at("a.txt") });
    const { text } = await call("Write", { file_path: at("a.txt"), content: "new\n" }, { dryRun: true });
    expect(text).toContain(`[Dry Run] Would write 4 bytes to ${at("a.txt")}\n--- a/a.txt\n+++ b/a.txt`);
    expect(text).toContain("-old\n+new");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old\n");
    expect(approver.requests).toEqual([]);
  });
});

describe("write_file", () => {
  it("S3.WRITE returns {path, size}; a new file never prompts, an overwrite does", async () => {
    const { at, succeed, approver } = await realRuntime({ dialect: "camel" });
    const first = await succeed("write_file", { path: "d/a.txt", content: "one", createDirs: true });
    expect(first.value).toMatchObject({ path: "d/a.txt", size: 3 });
    expect(approver.requests).toEqual([]);
    await succeed("write_file", { path: "d/a.txt", content: "two!" });
    expect(approver.requests).toHaveLength(1);
    expect(approver.requests[0]?.changes[0]?.diff).toContain("-one");
    expect(readFileSync(at("d/a.txt"), "utf8")).toBe("two!");
  });

  it("S3.WRITE createDirs false leaves a missing directory missing", async () => {
    const { at, fail } = await realRuntime({ dialect: "camel" });
    expect((await fail("write_file", { path: "d/a.txt", content: "", createDirs: false })).code).toBe(
      "PATH_NOT_FOUND",
    );
    expect(existsSync(at("d"))).toBe(false);
  });

  it("S3.WRITE base64 writes the bytes, and rejects invalid base64", async () => {
    const { at, succeed, fail } = await realRuntime({ dialect: "camel" });
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const { value } = await succeed("write_file", {
      path: "a.bin",
      content: bytes.toString("base64"),
      encoding: "base64",
    });
    expect(value).toMatchObject({ bytesWritten: 5 });
    expect(readFileSync(at("a.bin"))).toEqual(bytes);
    for (const content of ["not base64!", "AAAAA", "=A==", "AA=", "AAAA=", "AAA==", "=", "=="])
      expect((await fail("write_file", { path: "b.bin", content, encoding: "base64" })).code).toBe(
        "INVALID_ARGUMENTS",
      );
    expect(existsSync(at("b.bin"))).toBe(false);
  });

  it("S4.002.a creates a file and notifies watchers", async () => {
    const { at, succeed, events } = await realRuntime();
    await succeed("write_file", { path: "src/new.ts", content: "export {};\n" });
    expect(readFileSync(at("src/new.ts"), "utf8")).toBe("export {};\n");
    const changed = events.flatMap((event) => (event.type === "file-changed" ? [event.change] : []));
    expect(changed).toContainEqual(expect.objectContaining({ kind: "create", path: "src/new.ts" }));
  });

  it("S4.002.b changes a file and notifies watchers of the change", async () => {
    const { succeed, events } = await realRuntime({ files: { "a.ts": "old\n" } });
    const { value: read } = await succeed("read_file", { path: "a.ts" });
    const { value } = await succeed("write_file", { path: "a.ts", content: "new\n" });
    const changed = events.flatMap((event) => (event.type === "file-changed" ? [event.change] : []));
    expect(changed).toEqual([
      expect.objectContaining({
        kind: "modify",
        path: "a.ts",
        beforeHash: (read as { hash?: unknown }).hash,
        afterHash: (value as { hash?: unknown }).hash,
        diff: expect.stringContaining("+new"),
      }),
    ]);
  });

  it("S4.002.c creates parent directories itself", async () => {
    const { at, succeed } = await realRuntime();
    await succeed("write_file", { path: "a/b/c.txt", content: "x" });
    expect(existsSync(at("a/b/c.txt"))).toBe(true);
  });

  it("S4.002.d refuses a path outside and writes nothing", async () => {
    const { outside, fail } = await realRuntime();
    for (const path of [`${outside}/x.txt`, "../outside/x.txt"])
      expect((await fail("write_file", { path, content: "x" })).code).toBe("INVALID_PATH");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("D15 writes exactly the content that was shown, or nothing", async () => {
    const { at, call, succeed, approver } = await realRuntime({
      files: { "a.txt": "old\n" },
      answers: () => {
        writeFileSync(at("a.txt"), "somebody else's\n");
        return true;
      },
    });
    await succeed("read_file", { path: "a.txt" });
    const result = await call("write_file", { path: "a.txt", content: "new\n" });
    expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(approver.requests).toHaveLength(1);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("somebody else's\n");
  });

  it("D28 detects a change by content, with any modification time", async () => {
    const { at, succeed, fail } = await realRuntime({ files: { "a.txt": "old\n" } });
    await succeed("read_file", { path: "a.txt" });
    const { atime, mtime } = statSync(at("a.txt"));
    writeFileSync(at("a.txt"), "odd\n");
    utimesSync(at("a.txt"), atime, mtime);
    expect((await fail("write_file", { path: "a.txt", content: "new\n" })).code).toBe("STALE_FILE");
  });

  it("D28 touching a file without changing it is accepted", async () => {
    const { at, succeed } = await realRuntime({ files: { "a.txt": "old\n" } });
    await succeed("read_file", { path: "a.txt" });
    utimesSync(at("a.txt"), new Date(), new Date(Date.now() + 60_000));
    await succeed("write_file", { path: "a.txt", content: "new\n" });
  });

  it("D31 reports bytes, not characters", async () => {
    const { at, succeed } = await realRuntime();
    const { value } = await succeed("write_file", { path: "a.txt", content: "😀漢" });
    expect(value).toMatchObject({ bytesWritten: 7, size: 7 });
    expect(statSync(at("a.txt")).size).toBe(7);
  });

  it("writing existing content changes nothing, never prompts and reports it", async () => {
    const { at, succeed, approver, events } = await realRuntime({ files: { "a.txt": "same\r\n" } });
    const before = statSync(at("a.txt"));
    const { value, text } = await succeed("write_file", { path: "a.txt", content: "same\n" });
    expect(value).toMatchObject({ changed: false, created: false, bytesWritten: 0, size: 6 });
    expect(text).toBe("a.txt: file already has this content");
    expect(statSync(at("a.txt")).ino).toBe(before.ino);
    expect([...approver.requests, ...events.filter(({ type }) => type === "file-changed")]).toEqual([]);
  });

  it("expected_hash: a matching one replaces the read, a wrong one is STALE_FILE", async () => {
    const { at, succeed, fail } = await realRuntime({ files: { "a.txt": "old\n" } });
    const error = await fail("write_file", {
      path: "a.txt",
      content: "new\n",
      expected_hash: "00000000deadbeef",
    });
    expect(error).toMatchObject({ code: "STALE_FILE", next: { tool: "read_file" } });
    const hash = String(error.details?.currentHash);
    const { value } = await succeed("write_file", { path: "a.txt", content: "new\n", expected_hash: hash });
    expect((await fail("write_file", { path: "gone.txt", content: "", expected_hash: hash })).code).toBe(
      "STALE_FILE",
    );
    expect(readFileSync(at("a.txt"), "utf8")).toBe("new\n");
    expect(value).toMatchObject({ changed: true });
  });

  it("refuses a placeholder for omitted code, names its line, and writes nothing", async () => {
    const { at, fail, succeed } = await realRuntime({ files: { "a.ts": "const a = 1;\n" } });
    await succeed("read_file", { path: "a.ts" });
    const content = "const b = 2;\n// ... rest of the code ...\n";
    expect(await fail("write_file", { path: "a.ts", content })).toMatchObject({
      code: "OMISSION_PLACEHOLDER",
      details: { line: 2 },
    });
    expect(readFileSync(at("a.ts"), "utf8")).toBe("const a = 1;\n");
  });

  it("refuses a directory, a pipe, a link out and a dangling link, and writes nothing", async () => {
    const { at, outside, fail } = await realRuntime();
    mkdirSync(at("dir"));
    makePipe(at("pipe"));
    symlinkSync(outside, at("out"));
    symlinkSync("nothing", at("dangling"));
    const codes = {
      dir: "IS_DIRECTORY",
      pipe: "NOT_A_FILE",
      "out/x": "INVALID_PATH",
      dangling: "INVALID_PATH",
    };
    for (const [path, code] of Object.entries(codes))
      expect((await fail("write_file", { path, content: "x" })).code).toBe(code);
    expect([readdirSync(outside), readdirSync(at("."))]).toEqual([[], ["dangling", "dir", "out", "pipe"]]);
  });

  it("a link inside the workspace stays a link, and its target is written", async () => {
    const { at, succeed } = await realRuntime({ files: { "real.txt": "old\n" } });
    symlinkSync("real.txt", at("link.txt"));
    await succeed("read_file", { path: "link.txt" });
    const { value } = await succeed("write_file", { path: "link.txt", content: "new\n" });
    expect(value).toMatchObject({ path: "real.txt", created: false });
    expect(lstatSync(at("link.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("real.txt"), "utf8")).toBe("new\n");
  });

  it("a role that may write but not read writes without reading, and learns less", async () => {
    const role = { name: "writer", permissions: ["WriteFiles", "CreateFiles"] as const };
    const { at, succeed } = await realRuntime({ role, readBeforeWrite: "off", files: { "a.txt": "a\r\n" } });
    const { value } = await succeed("write_file", { path: "a.txt", content: "b\n" });
    expect(value).toMatchObject({ bytesWritten: 2, changed: true });
    expect(value).not.toHaveProperty("hash");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("b\n");
  });
});
