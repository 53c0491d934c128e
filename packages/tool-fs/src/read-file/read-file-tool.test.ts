import { mkdirSync, symlinkSync } from "node:fs";
import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { ReadFile } from "./read-file-tool.js";

describeToolContract(ReadFile, {
  files: { "a.txt": "one\ntwo\n", "dir/": null },
  args: { path: "a.txt" },
  failing: [
    { path: "dir" },
    { path: "missing" },
    { path: "a.txt", offset: 9 },
    { path: "a.txt", pages: "x" },
  ],
});

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

describe("read_file as Read", () => {
  it("S2.READ.1 reads a whole file", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": "one\ntwo" } });
    const { value, text } = await succeed("Read", { file_path: at("a.txt") });
    expect(value).toMatchObject({ content: "one\ntwo", totalLines: 2, truncated: false });
    expect(text).toBe("1: one\n2: two");
  });

  it("S2.READ.2 S2.READ.3 reads from an offset, up to the limit, and says how to continue", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": lines(1, 120) } });
    const { value, text } = await succeed("Read", { file_path: at("a.txt"), offset: 11, limit: 2 });
    expect(value).toMatchObject({ content: lines(11, 12), startLine: 11, endLine: 12, nextOffset: 13 });
    expect(text).toBe("11: line 11\n12: line 12\n(Showing lines 11-12 of 120. Use offset=13 to continue.)");
  });

  it("S2.READ.3 the limit defaults to 2000 and is at most 10000", async () => {
    const { at, succeed, fail } = await realRuntime({
      dialect: "claude",
      files: { "a.txt": "x\n".repeat(2500) },
    });
    expect((await succeed("Read", { file_path: at("a.txt") })).value).toMatchObject({
      linesRead: 2000,
      nextOffset: 2001,
    });
    expect((await fail("Read", { file_path: at("a.txt"), limit: 10_001 })).code).toBe("INVALID_ARGUMENTS");
  });

  it("S2.READ.9 numbers every line as in the file, and leaves the value without numbers", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": lines(1, 12) } });
    const { value, text } = await succeed("Read", { file_path: at("a.txt"), offset: 9, limit: 3 });
    expect(text.split("\n").slice(0, 3)).toEqual(["9: line 9", "10: line 10", "11: line 11"]);
    expect(value).toMatchObject({ content: lines(9, 11) });
  });

  it("S2.READ.11 truncates a long line in the text, with a mark, and not in the value", async () => {
    const line = "x".repeat(2500);
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": `${line}\nend\n` } });
    const { value, text } = await succeed("Read", { file_path: at("a.txt") });
    expect(text).toBe(`1: ${"x".repeat(2000)} …[+500 chars]\n2: end`);
    expect(value).toMatchObject({ content: `${line}\nend\n` });
  });

  it("S2.READ.12 a missing file: the seed's text, and the nearest name as a ready call", async () => {
    const { at, fail } = await realRuntime({ dialect: "claude", files: { "src/index.ts": "x" } });
    const error = await fail("Read", { file_path: at("src/idnex.ts") });
    expect(error).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: `File not found: ${at("src/idnex.ts")}`,
      hint: `Did you mean ${at("src/index.ts")}?`,
      next: { tool: "Read", args: { file_path: at("src/index.ts") } },
    });
  });

  it("S2.READ.13 a directory: the seed's text", async () => {
    const { at, fail } = await realRuntime({ dialect: "claude" });
    mkdirSync(at("src"));
    expect(await fail("Read", { file_path: at("src") })).toMatchObject({
      code: "IS_DIRECTORY",
      message: `Cannot read directory: ${at("src")}`,
      next: { tool: "LS", args: { path: at("src") } },
    });
  });

  it("S2.READ.14 names the file and the number of lines", async () => {
    const { at, succeed } = await realRuntime({ dialect: "claude", files: { "a.txt": lines(1, 7) } });
    expect((await succeed("Read", { file_path: at("a.txt") })).value).toMatchObject({
      absolutePath: at("a.txt"),
      linesRead: 7,
    });
  });

  it("refuses a relative path with the seed's text and the corrected call", async () => {
    const { at, fail } = await realRuntime({ dialect: "claude", files: { "a.txt": "x" } });
    expect(await fail("Read", { file_path: "a.txt" })).toMatchObject({
      message: "file_path must be an absolute path",
      next: { tool: "Read", args: { file_path: at("a.txt") } },
    });
  });
});

describe("read_file", () => {
  it("S3.READ returns {content, size, modified} without prompting", async () => {
    const { succeed, approver } = await realRuntime({ dialect: "camel", files: { "a.txt": "h\u00e9\n" } });
    const { value } = await succeed("read_file", { path: "a.txt", encoding: "utf-8" });
    expect(value).toMatchObject({ content: "h\u00e9\n", size: 4 });
    expect(Number.isNaN(Date.parse(String((value as { modified?: unknown }).modified)))).toBe(false);
    expect(approver.requests).toEqual([]);
  });

  it("S3.READ encoding base64 returns the bytes", async () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);
    const { succeed } = await realRuntime({ dialect: "camel", files: { "a.bin": bytes } });
    const { value } = await succeed("read_file", { path: "a.bin", encoding: "base64" });
    expect(value).toMatchObject({ content: Buffer.from(bytes).toString("base64"), size: 20_000 });
  });

  it("S4.001.a returns the whole content as plain text", async () => {
    const content = "import x from 'y';\r\n\nexport {};";
    const { succeed } = await realRuntime({ files: { "src/index.ts": content } });
    expect((await succeed("read_file", { path: "src/index.ts" })).value).toMatchObject({ content });
  });

  it("S4.001.b a missing file is an error", async () => {
    const { fail } = await realRuntime();
    expect(await fail("read_file", { path: "src/missing.ts" })).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: "File not found: src/missing.ts",
    });
  });

  it("omits line numbers on request, and accepts other spellings", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": lines(1, 3) } });
    const { text } = await succeed("read_file", { filePath: "a.txt", lineNumbers: false, start_line: "2" });
    expect(text).toBe("line 2\nline 3\n(Showing lines 2-3 of 3: the end of the file.)");
  });

  it("counts from the end with a negative offset", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": lines(1, 300) } });
    const { value } = await succeed("read_file", { path: "a.txt", offset: -2 });
    expect(value).toMatchObject({ content: lines(299, 300), startLine: 299, endLine: 300, totalLines: 300 });
    const all = await succeed("read_file", { path: "a.txt", offset: -1000, limit: 1 });
    expect(all.value).toMatchObject({ content: "line 1\n", startLine: 1 });
  });

  it("an offset beyond the end is an error with the number of lines", async () => {
    const { fail } = await realRuntime({ files: { "a.txt": lines(1, 120), "empty.txt": "" } });
    expect(await fail("read_file", { path: "a.txt", offset: 900 })).toMatchObject({
      code: "INVALID_RANGE",
      message: "Offset 900 is out of range for this file (120 lines)",
      next: { tool: "read_file", args: { path: "a.txt", offset: -120 } },
    });
    expect((await fail("read_file", { path: "empty.txt", offset: 2 })).code).toBe("INVALID_RANGE");
  });

  it("reports an empty file", async () => {
    const { succeed } = await realRuntime({ files: { "empty.txt": "", "bom.txt": "\ufeff" } });
    expect((await succeed("read_file", { path: "empty.txt" })).text).toBe("(empty file, 0 bytes)");
    expect((await succeed("read_file", { path: "bom.txt" })).text).toBe("(empty file, 3 bytes)");
  });

  it("if_changed_since: one line if it still matches, otherwise the content", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": "one\n" } });
    const { hash } = (await succeed("read_file", { path: "a.txt" })).value as unknown as { hash: string };
    const same = await succeed("read_file", { path: "a.txt", if_changed_since: hash });
    expect(same.value).toMatchObject({ unchanged: true, content: "", hash });
    expect(same.text).toBe(`a.txt has not changed since you read it (hash ${hash}).`);
    const other = await succeed("read_file", { path: "a.txt", if_changed_since: "0123456789abcdef" });
    expect(other.value).toMatchObject({ content: "one\n", hash });
  });

  it("reads through a link inside the workspace and names the target", async () => {
    const { at, succeed } = await realRuntime({ files: { "real.txt": "one\n" } });
    symlinkSync("real.txt", at("link.txt"));
    expect((await succeed("read_file", { path: "link.txt" })).value).toMatchObject({ path: "real.txt" });
  });

  it("suggests a name that differs only in its Unicode form", async () => {
    const { fail } = await realRuntime({ files: { "re\u0301sume\u0301.txt": "x", "it\u2019s.txt": "y" } });
    expect((await fail("read_file", { path: "r\u00e9sum\u00e9.txt" })).next).toMatchObject({
      args: { path: "re\u0301sume\u0301.txt" },
    });
    expect((await fail("read_file", { path: "it's.txt" })).next).toMatchObject({
      args: { path: "it\u2019s.txt" },
    });
  });
});
