import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALL, realRuntime } from "../../fixtures/real-runtime.js";

describe("create_file", () => {
  it("S0.PERM.3 creates a file after approval, and never overwrites", async () => {
    const { at, succeed, fail, approver } = await realRuntime({ files: { "a.txt": "old\n" } });
    const { value, text } = await succeed("create_file", { path: "dir/new.txt", content: "x\n" });
    expect(value).toMatchObject({ created: true, changed: true, bytesWritten: 2 });
    expect(text).toBe("Successfully wrote 2 bytes to dir/new.txt (new file)");
    expect(approver.requests).toHaveLength(1);
    expect(await fail("create_file", { path: "a.txt", content: "x\n" })).toMatchObject({
      code: "ALREADY_EXISTS",
      next: { tool: "read_file", args: { path: "a.txt" } },
    });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old\n");
  });

  it("leaves nothing behind if denied", async () => {
    const { at, fail } = await realRuntime({ answers: false });
    expect((await fail("create_file", { path: "dir/new.txt", content: "x" })).code).toBe("APPROVAL_DENIED");
    expect(existsSync(at("dir"))).toBe(false);
  });

  it("a dry run shows the whole file as added", async () => {
    const { at, succeed, approver } = await realRuntime();
    const { text, preview } = await succeed("create_file", { path: "n.txt", content: "x\n", dryRun: true });
    expect(preview).toBe(true);
    expect(text).toContain("[Dry Run] Would write 2 bytes to n.txt\n--- /dev/null\n+++ b/n.txt");
    expect(existsSync(at("n.txt"))).toBe(false);
    expect(approver.requests).toEqual([]);
  });
});

describe("update_file", () => {
  it("replaces a file that was read, after approval", async () => {
    const { at, succeed, fail, approver } = await realRuntime({ files: { "a.txt": "old\n" } });
    expect((await fail("update_file", { path: "a.txt", content: "new\n" })).code).toBe("FILE_NOT_READ");
    await succeed("read_file", { path: "a.txt" });
    await succeed("update_file", { path: "a.txt", content: "new\n" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("new\n");
    expect(approver.requests).toHaveLength(1);
  });

  it("a missing file is an error with the call that creates it", async () => {
    const { at, fail } = await realRuntime({ files: { "readme.md": "x" } });
    expect(await fail("update_file", { path: "b.txt", content: "new\n" })).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: "File not found: b.txt",
      next: { tool: "create_file", args: { path: "b.txt", content: "new\n" } },
    });
    expect((await fail("update_file", { path: "redame.md", content: "" })).hint).toBe(
      "Did you mean readme.md? Use create_file to create it.",
    );
    expect(existsSync(at("b.txt"))).toBe(false);
  });

  it("writing equal content changes nothing and never prompts", async () => {
    const { succeed, approver } = await realRuntime({ files: { "a.txt": "same\n" } });
    const { value, text } = await succeed("update_file", { path: "a.txt", content: "same\n", dry_run: true });
    expect(value).toMatchObject({ changed: false });
    expect(text).toBe("[Dry Run] a.txt: file already has this content\nNothing was changed.");
    expect(approver.requests).toEqual([]);
  });
});

describe("append_file", () => {
  it("appends on a new line, and reports how much", async () => {
    const { at, succeed, approver } = await realRuntime({ files: { "log.txt": "one" } });
    const { value, text } = await succeed("append_file", { path: "log.txt", content: "two\n" });
    expect(readFileSync(at("log.txt"), "utf8")).toBe("one\ntwo\n");
    expect(value).toMatchObject({ bytesWritten: 5, size: 8, created: false });
    expect(text).toBe("Appended 5 bytes to log.txt (now 8 bytes)");
    expect(approver.requests).toHaveLength(1);
  });

  it("appends directly after the last character on request", async () => {
    const { at, succeed } = await realRuntime({ files: { "log.txt": "one" } });
    await succeed("append_file", { path: "log.txt", content: "two", ensure_newline: false });
    expect(readFileSync(at("log.txt"), "utf8")).toBe("onetwo");
  });

  it("creates the file only if the role may create files", async () => {
    const { at, succeed } = await realRuntime();
    const { text } = await succeed("append_file", { path: "new.log", content: "x\n" });
    expect(text).toBe("Appended 2 bytes to new.log (new file)");
    expect(readFileSync(at("new.log"), "utf8")).toBe("x\n");
    const permissions = ALL.permissions.filter((permission) => permission !== "CreateFiles");
    const limited = await realRuntime({ role: { name: "changer", permissions } });
    expect((await limited.fail("append_file", { path: "new.log", content: "x" })).code).toBe(
      "PERMISSION_DENIED",
    );
    const blind = await realRuntime({ role: { name: "blind", permissions: ["WriteFiles"] } });
    expect((await blind.fail("append_file", { path: "new.log", content: "x" })).details).toEqual({
      missing: ["ReadFiles"],
    });
  });

  it("a file too large to rehearse is not called binary: the error has its size, the limit and the remedy", async () => {
    const { at, fail } = await realRuntime({ files: { "big.log": "a line of a log\n".repeat(1_400_000) } });
    expect(await fail("append_file", { path: "big.log", content: "x\n" })).toMatchObject({
      code: "FILE_TOO_LARGE",
      message: expect.stringMatching(/^Cannot append to big\.log: it has 2\d\.?\d* MB/),
      details: { size: 22_400_000, maxBytes: 20 * 1024 * 1024 },
    });
    expect(statSync(at("big.log")).size).toBe(22_400_000);
  });

  it("appends to a file even if two copies would exceed the limit", async () => {
    const { at, succeed } = await realRuntime({
      files: { "big.log": "a line of a log\n".repeat(1_000_000) },
    });
    await succeed("append_file", { path: "big.log", content: "x\n" });
    expect(statSync(at("big.log")).size).toBe(16_000_002);
    expect(readFileSync(at("big.log")).subarray(-7).toString()).toBe(" log\nx\n");
  });

  it("appending nothing changes nothing; a binary file is refused", async () => {
    const { succeed, fail, approver } = await realRuntime({
      files: { "a.txt": "x", "b.bin": new Uint8Array(9) },
    });
    expect((await succeed("append_file", { path: "a.txt", content: "" })).text).toBe(
      "a.txt: nothing was added",
    );
    expect((await fail("append_file", { path: "b.bin", content: "x" })).code).toBe("BINARY_FILE");
    expect(approver.requests).toEqual([]);
  });

  it("a dry run shows the appended text", async () => {
    const { at, succeed } = await realRuntime({ files: { "a.txt": "x\n" } });
    const { text } = await succeed("append_file", { path: "a.txt", content: "y\n", dry_run: true });
    expect(text).toContain("[Dry Run] Would append 2 bytes to a.txt");
    expect(text).toContain("+y");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("x\n");
  });

  it("two hundred parallel appends allowed by a rule lose nothing", async () => {
    const { at, call } = await realRuntime({ policy: () => ({ effect: "allow", because: "a log" }) });
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        call("append_file", { path: "log.txt", content: `${index}\n` }),
      ),
    );
    const written = readFileSync(at("log.txt"), "utf8").trimEnd().split("\n").map(Number);
    expect(written.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });
});
