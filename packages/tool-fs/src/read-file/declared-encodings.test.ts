import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { encodeText, textFormatOf } from "@haft/text";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";

const LANGUAGES: readonly (readonly [encoding: string, text: string])[] = [
  ["windows-1255", "זה קובץ טקסט רגיל בעברית, ויש בו כמה שורות.\n"],
  ["iso-8859-8", "זה קובץ טקסט רגיל בעברית, ויש בו כמה שורות.\n"],
  ["windows-1253", "Αυτό είναι ένα συνηθισμένο αρχείο κειμένου.\n"],
  ["iso-8859-7", "Αυτό είναι ένα συνηθισμένο αρχείο κειμένου.\n"],
  ["windows-1254", "Bu dosya kodlamayı sınamak için yazılmıştır.\n"],
  ["iso-8859-9", "Bu dosya kodlamayı sınamak için yazılmıştır.\n"],
  ["tis-620", "นี่คือไฟล์ข้อความธรรมดาภาษาไทย\n"],
  ["windows-1256", "هذا ملف نصي عادي باللغة العربية.\n"],
  ["iso-8859-6", "هذا ملف نصي عادي باللغة العربية.\n"],
  ["iso-8859-5", "Это обычный русский текст.\n"],
  ["koi8-u", "Це звичайний український текст, і її назва.\n"],
  ["ibm866", "Это обычный русский текст.\n"],
  ["x-mac-cyrillic", "Это обычный русский текст.\n"],
  ["iso-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy.\n"],
];

function bytesOf(encoding: string, text: string): Buffer {
  return Buffer.from(encodeText(text, { encoding: textFormatOf(encoding)?.encoding ?? "", bom: false }));
}

describe("read_file in legacy encodings", () => {
  it.each(LANGUAGES)("FA6 reads %s without a declaration", async (encoding, text) => {
    const { at, succeed } = await realRuntime();
    writeFileSync(at("f.txt"), bytesOf(encoding, text));
    const { value } = await succeed("read_file", { path: "f.txt" });
    expect(value).toMatchObject({ content: text });
  });

  it.each(LANGUAGES)(
    "FA6 is certain of %s if the page declares it, and edits keep its bytes",
    async (encoding, text) => {
      const { at, succeed } = await realRuntime();
      const page = `<!doctype html>\n<meta charset="${encoding}">\n<p>${text}</p>\n`;
      writeFileSync(at("p.html"), bytesOf(encoding, page));
      const { value } = await succeed("read_file", { path: "p.html" });
      expect(value).toMatchObject({ content: page });
      expect(value).not.toHaveProperty("encodingGuessed");
      await succeed("append_file", { path: "p.html", content: text });
      expect(readFileSync(at("p.html"))).toEqual(bytesOf(encoding, page + text));
    },
  );

  it.each([
    ["ISO-2022-JP", "\x1b$B$3$s$K$A$O\x1b(B\n"],
    ["ISO-2022-KR", "\x1b$)C\x0e0!36\x0f\n"],
  ])("FA6 says that undeclared %s is not read as what it is", async (_name, escaped) => {
    const { at, succeed } = await realRuntime();
    writeFileSync(at("f.txt"), escaped);
    const { value, text } = await succeed("read_file", { path: "f.txt" });
    expect(value).toMatchObject({ encodingGuessed: true });
    expect(text).toContain("ISO-2022, which is not supported");
    writeFileSync(at("log.txt"), "\x1b[31mred\x1b(B\x1b[m costs $B\n");
    expect((await succeed("read_file", { path: "log.txt" })).value).not.toHaveProperty("encodingGuessed");
  });

  it("FA6 marks a guessed encoding in value and text, and reads in a named one", async () => {
    const { at, succeed, fail } = await realRuntime();
    writeFileSync(at("f.txt"), bytesOf("windows-1255", "עץ\n"));
    const guess = await succeed("read_file", { path: "f.txt" });
    expect(guess.value).toMatchObject({ encodingGuessed: true, encodingDoubt: "no charset is declared" });
    expect(guess.text).toContain("is a guess: no charset is declared. If letters look wrong, pass encoding.");
    const named = await succeed("read_file", { path: "f.txt", encoding: "cp1255" });
    expect(named.value).toMatchObject({ content: "עץ\n", encoding: "windows-1255" });
    expect(named.value).not.toHaveProperty("encodingGuessed");
    expect((await fail("read_file", { path: "f.txt", encoding: "klingon" })).code).toBe("INVALID_ARGUMENTS");
    expect((await fail("read_file", { path: "f.txt", encoding: "utf-16le" })).code).toBe("ENCODING_ERROR");
  });

  it("FA6 reports bytes that contradict the declared charset", async () => {
    const { at, succeed } = await realRuntime();
    const text = "# coding: utf-8\n# Это обычный русский текст в старой кодировке.\n";
    writeFileSync(at("f.py"), bytesOf("windows-1251", text));
    const { value, text: shown } = await succeed("read_file", { path: "f.py" });
    expect(value).toMatchObject({ content: text, encodingGuessed: true });
    expect(shown).toContain("the file declares utf-8, but the bytes are not valid in it");
  });

  it("FA6 honours the charset of .editorconfig by its sections, below the file's own declaration", async () => {
    const { at, succeed } = await realRuntime();
    mkdirSync(at("docs/old"), { recursive: true });
    writeFileSync(
      at(".editorconfig"),
      "root = true\n[*.{txt,py}]\ncharset = koi8-r\n[*.md]\ncharset = latin1\n",
    );
    writeFileSync(at("docs/.editorconfig"), "[old/**.txt]\ncharset = windows-1253\n");
    const cases = [
      ["a.txt", "koi8-r", "да"],
      ["docs/a.txt", "koi8-r", "да"],
      ["docs/old/a.txt", "windows-1253", "ναι"],
      ["docs/a.md", "windows-1252", "Ãñ"],
      ["b.py", "windows-1255", "# coding: cp1255\nעץ\n"],
    ] as const;
    for (const [path, encoding, text] of cases) {
      writeFileSync(at(path), bytesOf(encoding, text));
      const { value } = await succeed("read_file", { path });
      expect(value, path).toMatchObject({ content: text, encoding });
      expect(value, path).not.toHaveProperty("encodingGuessed");
      await succeed("append_file", { path, content: "x" });
      expect(readFileSync(at(path)).subarray(0, -1).toString("latin1").trimEnd()).toBe(
        bytesOf(encoding, text).toString("latin1").trimEnd(),
      );
    }
  });

  it("FA6 honours a declared charset in a file that is read in slices", async () => {
    const { at, succeed } = await realRuntime();
    const head = '<?xml version="1.0" encoding="iso-8859-7"?>\n';
    const text = head + `<p>${"Άλλο κείμενο ".repeat(20)}</p>\n`.repeat(20_000);
    writeFileSync(at("big.xml"), bytesOf("iso-8859-7", text));
    const { value } = await succeed("read_file", { path: "big.xml", offset: -1 });
    expect(value).toMatchObject({
      encoding: "iso-8859-7",
      content: `<p>${"Άλλο κείμενο ".repeat(20)}</p>\n`,
    });
    expect(value).not.toHaveProperty("encodingGuessed");
    const named = await succeed("read_file", { path: "big.xml", offset: 2, limit: 1, encoding: "cp1253" });
    expect(named.value).toMatchObject({ encoding: "windows-1253" });
  });
});

describe("writing in legacy encodings", () => {
  it("FA6 writes a new file in the charset that it or its project declares", async () => {
    const { at, succeed } = await realRuntime();
    writeFileSync(at(".editorconfig"), "[*.txt]\ncharset = latin1\n[*.csv]\ncharset = utf-8-bom\n");
    await succeed("create_file", { path: "a.txt", content: "café\n" });
    expect(readFileSync(at("a.txt"), "latin1")).toBe("café\n");
    await succeed("write_file", { path: "a.csv", content: "café\n" });
    expect(readFileSync(at("a.csv"), "utf8")).toBe("\ufeffcafé\n");
    const page = '<?xml version="1.0" encoding="windows-1251"?>\n<a>да</a>\n';
    await succeed("create_file", { path: "a.xml", content: page });
    expect(readFileSync(at("a.xml"))).toEqual(bytesOf("windows-1251", page));
  });

  it("FA6 writes non-ASCII text into an ASCII file in its declared charset", async () => {
    const { at, succeed } = await realRuntime();
    writeFileSync(at("p.html"), '<meta charset="koi8-r">\n');
    await succeed("read_file", { path: "p.html" });
    await succeed("append_file", { path: "p.html", content: "да\n" });
    expect(readFileSync(at("p.html"))).toEqual(bytesOf("koi8-r", '<meta charset="koi8-r">\nда\n'));
  });

  it("FA6 writes in a named encoding", async () => {
    const { at, succeed, fail } = await realRuntime();
    await succeed("write_file", { path: "a.txt", content: "да\n", encoding: "cp866" });
    expect(readFileSync(at("a.txt"))).toEqual(bytesOf("ibm866", "да\n"));
    await succeed("append_file", { path: "a.txt", content: "нет\n", encoding: "cp866" });
    expect(readFileSync(at("a.txt"))).toEqual(bytesOf("ibm866", "да\nнет\n"));
    const error = await fail("write_file", { path: "c.txt", content: "x", encoding: "klingon" });
    expect(error.code).toBe("INVALID_ARGUMENTS");
  });
});
