import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { declaredCharset, decodeText, encodeText, textFormatOf } from "../index.js";

const RUSSIAN = "Привет, мир: это обычный текст.\n";

const DECLARATIONS: readonly (readonly [where: string, declared: (charset: string) => string])[] = [
  ["<meta charset>", (charset) => `<!doctype html>\n<html><head><meta charset="${charset}">\n`],
  ["<meta charset> without quotes", (charset) => `<html><META CHARSET=${charset}>\n`],
  [
    "<meta http-equiv>",
    (charset) => `<html><meta http-equiv="Content-Type" content="text/html; charset=${charset}">\n`,
  ],
  ["a meta tag in a template", (charset) => `{% extends "a" %}\n<meta charset='${charset}'/>\n`],
  ["a far meta tag", (charset) => `<html><!--${"x".repeat(4000)}--><meta charset="${charset}">\n`],
  ["an XML declaration", (charset) => `<?xml version="1.0" encoding="${charset}"?>\n<a/>`],
  ["an XML declaration in single quotes", (charset) => `<?xml version='1.0' encoding='${charset}' ?>\n`],
  ["@charset", (charset) => `@charset "${charset}";\na { content: "x" }\n`],
  ["a coding line", (charset) => `# -*- coding: ${charset} -*-\n`],
  ["a coding line behind a shebang", (charset) => `#!/usr/bin/python\n# coding=${charset}\n`],
  ["a coding line in Lisp", (charset) => `;;; x.el -*- mode: lisp; coding: ${charset}; -*-\n`],
  ["a coding line in C", (charset) => `/* -*- coding: ${charset} -*- */\n`],
  ["a modeline of Vim", (charset) => `# vim: set fileencoding=${charset} :\n`],
  ["a short modeline of Vim", (charset) => `// vim: fenc=${charset}\n`],
  ["a message catalogue", (charset) => `"Content-Type: text/plain; charset=${charset}\\n"\n`],
  ["a JSP page", (charset) => `<%@ page pageEncoding="${charset}" %>\n`],
];

describe("declared charsets", () => {
  it.each(DECLARATIONS)("FA6 honours %s", (_where, declare) => {
    for (const charset of ["koi8-r", "iso-8859-5", "cp866", "x-mac-cyrillic", "windows-1251"]) {
      const format = textFormatOf(charset);
      const text = `${declare(charset)}${RUSSIAN}`;
      const bytes = encodeText(text, format ?? { encoding: "utf-8", bom: false });
      expect(decodeText(bytes)).toEqual({ text, format });
    }
  });

  it("FA6 honours a charset that nothing else would reveal", () => {
    for (const [charset, word] of [
      ["windows-1258", "Đ"],
      ["iso-8859-15", "€"],
      ["iso-8859-4", "ĸ"],
      ["cp437", "é"],
      ["iso-8859-16", "ț"],
    ] as const) {
      const text = `# coding: ${charset}\n${word}\n`;
      const format = textFormatOf(charset);
      expect(format, charset).toBeDefined();
      const bytes = encodeText(text, format ?? { encoding: "utf-8", bom: false });
      expect(decodeText(bytes), charset).toEqual({ text, format });
    }
  });

  it.each([
    ["in a comment", '<html><!-- <meta charset="koi8-r"> --><meta charset="windows-1251">', "windows-1251"],
    ["in a comment that does not end", '<html><!-- <meta charset="koi8-r">', undefined],
    ["in the content of another tag", '<html><meta name="d" content="charset=koi8-r">', undefined],
    ["in another attribute", '<html><meta data-charset="koi8-r">', undefined],
    ["in an example of a header", "Send this:\n\nContent-Type: text/html; charset=koi8-r\n", undefined],
    ["in the header of a message", "From: a\nX: b\n c\ncontent-type: text/html; charset=koi8-r\n", "koi8-r"],
    [
      "with its attributes in another order",
      '<meta content="text/html;charset=koi8-r" http-equiv=x>',
      "koi8-r",
    ],
    ["with an open quotation mark", '<meta charset="koi8-r>', "koi8-r"],
  ])("FA6 a charset %s", (_where, text, expected) => {
    expect(declaredCharset(text)).toBe(expected);
  });

  it("FA6 lets a byte order mark win over the declared charset", () => {
    const text = `<?xml version="1.0" encoding="koi8-r"?>\n${RUSSIAN}`;
    for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
      const format = { encoding, bom: true };
      expect(decodeText(encodeText(text, format))).toEqual({ text, format });
    }
  });

  it("FA6 reports bytes that are invalid in the declared charset, and falls back", () => {
    const text = `# coding: utf-8\n${RUSSIAN.repeat(3)}`;
    expect(decodeText(encodeText(text, { encoding: "windows-1251", bom: false }))).toEqual({
      text,
      format: { encoding: "windows-1251", bom: false },
      doubt: "the file declares utf-8, but the bytes are not valid in it",
    });
  });

  it("FA6 reports an unsupported declared charset", () => {
    const text = '<meta charset="iso-2022-jp">\n\x1b$B$3\x1b(B\n';
    expect(decodeText(encodeText(text, { encoding: "utf-8", bom: false }))?.doubt).toBe(
      "the file declares iso-2022-jp, which is not supported",
    );
  });

  it("FA6 reads UTF-8 under a wrong declaration as UTF-8, and reports it", () => {
    const format = { encoding: "utf-8", bom: false };
    for (const charset of ["iso-8859-1", "windows-1251", "gb2312", "shift_jis"]) {
      const text = `<html><meta charset="${charset}">\n${RUSSIAN} déjà vu, größer\n`;
      const found = decodeText(encodeText(text, format));
      expect(found).toMatchObject({ text, format });
      expect(found?.doubt).toContain(`the file declares ${charset}`);
    }
  });

  it("FA6 reads a declared charset that happens to be valid UTF-8, and reports it", () => {
    const text = '<meta charset="gb2312">\n模\n';
    const found = decodeText(encodeText(text, { encoding: "gb18030", bom: false }));
    expect(found).toMatchObject({ text, format: { encoding: "gb18030" } });
    expect(found?.doubt).toContain("valid UTF-8 as well");
  });

  it("FA6 keeps the declared charset of a file that is still ASCII", () => {
    const bytes = encodeText('<meta charset="windows-1251">\nplain\n', { encoding: "utf-8", bom: false });
    expect(decodeText(bytes)?.format).toEqual({ encoding: "windows-1251", bom: false });
  });

  it.each([
    "const page = '<meta charset=\"iso-8859-1\">';",
    "# the encoding: of things\n",
    "line\nline\n# coding: koi8-r\n",
    "charset koi8-r",
    '<?xml version="1.0"?>',
  ])("finds no declaration in %j", (text) => {
    const label = declaredCharset(text);
    expect(label === undefined || textFormatOf(label) === undefined).toBe(true);
  });

  it.each([
    ["latin1", "windows-1252"],
    ["latin-1", "windows-1252"],
    ["ISO_8859-2", "iso-8859-2"],
    ["cp1251", "windows-1251"],
    ["koi8_u", "koi8-u"],
    ["mac_cyrillic", "maccyrillic"],
    ["tis-620", "windows-874"],
    ["cp932", "shift_jis"],
    ["sjis", "shift_jis"],
    ["euc_jp", "euc-jp"],
    ["gb2312", "gb18030"],
    ["ks_c_5601-1987", "euc-kr"],
    ["utf-8-unix", "utf-8"],
    ["iso-8859-8-i", "iso-8859-8"],
    ["visual", "iso-8859-8"],
    ["cp866", "ibm866"],
  ])("FA6 resolves %s to %s", (label, encoding) => {
    expect(textFormatOf(label)?.encoding).toBe(encoding);
  });

  it.each(["utf-7", "iso-2022-kr", "the", "", "__proto__", "constructor"])("does not resolve %j", (label) => {
    expect(textFormatOf(label)).toBeUndefined();
  });

  it("S0.NFR searches for a declaration in linear time", () => {
    for (const piece of ["<meta ", "<meta charset", "# coding", "-*-", "vim:", "Content-Type:", "<?xml "]) {
      const usedMs = measureProcessorTime();
      declaredCharset(`<${piece.repeat(8192 / piece.length)}charset`);
      expect(usedMs(), piece).toBeLessThan(500);
    }
  });
});
