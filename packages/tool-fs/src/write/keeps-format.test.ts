import { readFileSync, writeFileSync } from "node:fs";
import { decodeText, encodeText, type TextFormat, withLineEnding } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";

const SAMPLES: readonly (readonly [encoding: string, bom: boolean, text: string])[] = [
  ["utf-8", false, "héllo wörld, größer\nzwei\n"],
  ["utf-8", true, "héllo\nzwei\n"],
  ["utf-16le", true, "héllo 漢字\nzwei\n"],
  ["utf-16be", true, "héllo 漢字\nzwei\n"],
  ["utf-32le", true, "héllo 漢字\nzwei\n"],
  ["utf-32be", true, "héllo 漢字\nzwei\n"],
  ["gb18030", false, "这是一个简体中文的文件，里面有一些常用的汉字。\n第二行也是中文。\n"],
  ["shift_jis", false, "これは日本語のテキストです。漢字とかなが混ざっています。\n二行目です。\n"],
  ["euc-kr", false, "이것은 한국어로 쓴 글입니다. 여러 가지 낱말이 있습니다.\n둘째 줄입니다.\n"],
  ["windows-1251", false, "Это обычный русский текст, записанный в старой кодировке.\nВторая строка.\n"],
  ["windows-1252", false, "Größe, Übung und naïve façade: ganz gewöhnliche Wörter.\nzweite Zeile\n"],
];

describe("writing keeps the format of a file", () => {
  it.each(SAMPLES)(
    "D14 D33 S2.READ.4 %s (mark: %s) is read, and written back in the same encoding",
    async (encoding, bom, text) => {
      const { at, succeed } = await realRuntime();
      const format: TextFormat = { encoding, bom };
      writeFileSync(at("f.txt"), encodeText(text, format));
      const { value } = await succeed("read_file", { path: "f.txt" });
      expect(value).toMatchObject({ content: text, bom });
      const [first = "", second = ""] = text.split("\n");
      const changed = `${second}\n${first}\n`;
      await succeed("write_file", { path: "f.txt", content: changed });
      expect(readFileSync(at("f.txt"))).toEqual(Buffer.from(encodeText(changed, format)));
      await succeed("append_file", { path: "f.txt", content: `${first}\n` });
      expect(readFileSync(at("f.txt"))).toEqual(Buffer.from(encodeText(`${changed}${first}\n`, format)));
    },
  );

  it("text that the encoding cannot represent is ENCODING_ERROR, and nothing is written", async () => {
    const { at, succeed, fail } = await realRuntime();
    const bytes = encodeText("Größe, Übung und naïve façade: ganz gewöhnliche Wörter.\n", {
      encoding: "windows-1252",
      bom: false,
    });
    writeFileSync(at("f.txt"), bytes);
    await succeed("read_file", { path: "f.txt" });
    for (const tool of ["write_file", "update_file", "append_file"])
      expect((await fail(tool, { path: "f.txt", content: "漢字\n" })).code).toBe("ENCODING_ERROR");
    expect(readFileSync(at("f.txt"))).toEqual(Buffer.from(bytes));
  });

  it("does not double a byte order mark in the content", async () => {
    const { at, succeed } = await realRuntime({ files: { "f.txt": "\ufeffold\n" } });
    await succeed("read_file", { path: "f.txt" });
    await succeed("update_file", { path: "f.txt", content: "\ufeffnew\n" });
    expect(readFileSync(at("f.txt"), "utf8")).toBe("\ufeffnew\n");
  });

  it("D4 keeps the file's line endings unless the content brings its own", async () => {
    const { at, succeed } = await realRuntime({ files: { "crlf.txt": "a\r\nb\r\n", "lf.txt": "a\nb\n" } });
    for (const path of ["crlf.txt", "lf.txt"]) await succeed("read_file", { path });
    await succeed("write_file", { path: "crlf.txt", content: "x\ny\n" });
    await succeed("write_file", { path: "lf.txt", content: "x\r\ny\r\n" });
    expect(readFileSync(at("crlf.txt"), "utf8")).toBe("x\r\ny\r\n");
    expect(readFileSync(at("lf.txt"), "utf8")).toBe("x\r\ny\r\n");
    await succeed("append_file", { path: "crlf.txt", content: "z" });
    expect(readFileSync(at("crlf.txt"), "utf8")).toBe("x\r\ny\r\nz");
  });

  it("D13 a write can add and remove the final newline", async () => {
    const { at, succeed } = await realRuntime({ files: { "a.txt": "a\n" } });
    await succeed("read_file", { path: "a.txt" });
    await succeed("write_file", { path: "a.txt", content: "a" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("a");
    await succeed("update_file", { path: "a.txt", content: "a\n" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe("a\n");
  });

  it("a new file gets the line ending of .editorconfig, nearest first", async () => {
    const { at, succeed } = await realRuntime({
      files: {
        ".editorconfig": "root = true\n[*]\nend_of_line = lf\n[*.{bat,cmd}]\nend_of_line = crlf\n",
        "win/.editorconfig": "[*.txt]\nend_of_line = CRLF\n[lib/**]\nend_of_line = lf\n[\n",
      },
    });
    const content = "a\nb\n";
    for (const path of ["run.bat", "a.txt", "win/a.txt", "win/a.md", "win/lib/a.txt"])
      await succeed("create_file", { path, content });
    await succeed("write_file", { path: at("win/b.txt"), content });
    const endings = (path: string) => readFileSync(at(path), "utf8");
    expect(endings("run.bat")).toBe("a\r\nb\r\n");
    expect(endings("a.txt")).toBe(content);
    expect(endings("win/a.txt")).toBe("a\r\nb\r\n");
    expect(endings("win/b.txt")).toBe("a\r\nb\r\n");
    expect(endings("win/a.md")).toBe(content);
    expect(endings("win/lib/a.txt")).toBe(content);
  });

  it("FA8 appending keeps every byte before it and uses the endings of the file", async () => {
    const { at, call } = await realRuntime({ readBeforeWrite: "off" });
    const formats = SAMPLES.map(([encoding, bom]) => ({ encoding, bom }));
    const property = fc.asyncProperty(
      fc.constantFrom(...SAMPLES),
      fc.constantFrom("lf", "crlf"),
      fc.constantFrom("plain", "two\nlines\n", "", "x\r\n"),
      fc.boolean(),
      async ([encoding, bom, text], ending, content, ensureNewline) => {
        const before = encodeText(withLineEnding(text, ending as "lf"), { encoding, bom });
        writeFileSync(at("f.txt"), before);
        await call("append_file", { path: "f.txt", content, ensure_newline: ensureNewline });
        const after = readFileSync(at("f.txt"));
        expect(after.subarray(0, before.length)).toEqual(Buffer.from(before));
        expect(decodeText(after)?.text.endsWith(withLineEnding(content, ending as "lf"))).toBe(true);
      },
    );
    expect(formats).not.toEqual([]);
    await fc.assert(property, { numRuns: 60 });
  });
});
