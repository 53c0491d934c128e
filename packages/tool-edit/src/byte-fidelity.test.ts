import { encodeText, lineSpans, type TextFormat } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

// Bytes outside the edited span are identical, in every encoding and with every mix of line endings.
const RUNS = Number(process.env.HAFT_FIDELITY_RUNS ?? 5_000);

/** Enough text of each language for its encoding to be detected, and letters to edit with. */
const LANGUAGES: readonly { readonly formats: readonly string[]; readonly words: readonly string[] }[] = [
  {
    formats: ["utf-8", "utf-8 with a mark", "utf-16le", "utf-16be", "utf-32le", "utf-32be"],
    words: ["naïve", "日本語", "😀", "Привет", "plain"],
  },
  { formats: ["gb18030"], words: ["简体中文", "我们的文件", "编码检测", "这是一个测试", "内容"] },
  {
    formats: ["shift_jis", "euc-jp"],
    words: ["これはテストです", "日本語の文章", "ファイル", "カタカナ", "ひらがな"],
  },
  { formats: ["euc-kr"], words: ["한국어", "파일을", "읽습니다", "그리고", "문장"] },
  { formats: ["big5"], words: ["繁體中文", "檔案內容", "這是測試", "我們", "編碼"] },
  {
    formats: ["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "maccyrillic"],
    words: ["Привет", "мир", "это", "проверка", "файл"],
  },
  { formats: ["koi8-u"], words: ["привіт", "світ", "її", "перевірка", "файл"] },
  { formats: ["windows-1253", "iso-8859-7"], words: ["Άλλο", "κείμενο", "αρχείο", "και", "γραμμή"] },
  { formats: ["windows-1254"], words: ["dosyayı", "güneş", "şimdi", "çalışır", "İstanbul"] },
  { formats: ["windows-1255", "iso-8859-8"], words: ["שלום", "עולם", "קובץ", "טקסט", "שורה"] },
  { formats: ["windows-1256", "iso-8859-6"], words: ["مرحبا", "بالعالم", "ملف", "سطر", "اسم"] },
  { formats: ["windows-874"], words: ["สวัสดี", "ไฟล์", "ข้อความ", "ภาษาไทย", "บรรทัด"] },
  { formats: ["windows-1250", "iso-8859-2"], words: ["žluťoučký", "kůň", "šťastný", "łąka", "źdźbło"] },
  { formats: ["windows-1257"], words: ["žydėjo", "šešėlis", "valodā", "ąžuolas", "ģimene"] },
  { formats: ["windows-1252"], words: ["café", "naïve", "déjà", "garçon", "über"] },
];

interface Sample {
  readonly format: TextFormat;
  readonly lines: readonly string[];
  readonly endings: readonly string[];
  readonly target: number;
  readonly mode: number;
  readonly replacement: string;
}

const sample: fc.Arbitrary<Sample> = fc.constantFrom(...LANGUAGES).chain(({ formats, words }) =>
  fc.constantFrom(...formats).chain((encoding) =>
    fc.record({
      format: fc.constant({
        encoding: encoding.split(" ")[0] ?? encoding,
        bom: encoding.startsWith("utf-16") || encoding.startsWith("utf-32") || encoding.endsWith("mark"),
      }),
      lines: fc.array(
        fc
          .array(fc.constantFrom(...words, "x = 1;", "\tif (a)", "  "), { maxLength: 4 })
          .map((parts) => parts.join(" ")),
        { minLength: 1, maxLength: 8 },
      ),
      endings: fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 9, maxLength: 9 }),
      target: fc.nat(),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o751),
      replacement: fc
        .array(fc.constantFrom(...words, "$&", "y"), { minLength: 1, maxLength: 3 })
        .map((parts) => parts.join("-")),
    }),
  ),
);

/** A file whose target line is unique, with a marker that every tool can find. */
function textOf({ lines, endings, target }: Sample): { text: string; marker: string; line: number } {
  const marker = "MARK_7f3a";
  const index = target % lines.length;
  const marked = lines.map((line, at) => (at === index ? `${line} ${marker} ${line}` : line));
  const text = marked
    .map((line, at) => line + (at === marked.length - 1 && target % 3 === 0 ? "" : (endings[at] ?? "\n")))
    .join("");
  const line = lineSpans(text).findIndex(({ start, end }) => text.slice(start, end).includes(marker)) + 1;
  return { text, marker, line };
}

const TOOLS = ["edit", "replace_in_file", "edit_lines", "apply_patch"] as const;

describe.each(TOOLS)("P5 %s changes only the requested text", (tool) => {
  it(`in ${RUNS} random edits over every encoding, ending and mode`, async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(sample, async (given) => {
        const { text, marker, line } = textOf(given);
        const bytes = encodeText(text, given.format);
        const { runtime } = editRuntime({ "f.txt": { content: bytes, mode: given.mode } as never });
        const decoded = await runtime.workspace.readTextFile("f.txt").catch(() => undefined);
        // A short text may be detected as another encoding; it is still written back byte for byte.
        if (decoded === undefined) return;
        const edit = editOf(tool, {
          text: decoded.text,
          marker,
          line,
          replacement: decoded.text === text ? given.replacement : "ascii",
        });
        const result = await runtime.call(tool, edit.args);
        if (!result.ok) {
          expect(result.error.code).toBe("ENCODING_ERROR");
          expect(await runtime.workspace.readBytes("f.txt")).toEqual(bytes);
          return;
        }
        applied += 1;
        const after = await runtime.workspace.readBytes("f.txt");
        expect(Buffer.from(after).equals(Buffer.from(encodeText(edit.expected, decoded.format)))).toBe(true);
        expect(commonPrefix(bytes, after)).toBeGreaterThanOrEqual(
          encodeText(edit.head, decoded.format).length,
        );
        expect((await runtime.workspace.stat("f.txt")).mode).toBe(given.mode);
      }),
      { numRuns: RUNS },
    );
    expect(applied, "most samples must really have been edited").toBeGreaterThan(RUNS * 0.9);
  }, 900_000);
});

describe("FA6 an edit in a named encoding", () => {
  it("changes only the requested text, and writes in that encoding", async () => {
    for (const { formats, words } of LANGUAGES) {
      for (const encoding of formats.filter((name) => !name.startsWith("utf"))) {
        const format = { encoding, bom: false };
        const [first = "", second = "", third = ""] = words;
        const { runtime } = editRuntime({ "f.txt": encodeText(`${first}\r\n${second}\n`, format) as never });
        const path = "f.txt";
        for (const [tool, args] of [
          ["edit", { old_string: second, new_string: third }],
          ["replace_in_file", { find: third, replace: second }],
          ["edit_lines", { operation: "replace", start_line: 2, content: third }],
        ] as const) {
          const result = await runtime.call(tool, { path, encoding, ...args });
          expect(result, `${tool} ${encoding}`).toMatchObject({ ok: true });
        }
        for (const patch of [
          `*** Begin Patch\n*** Update File: f.txt\n@@\n-${third}\n+${second}\n*** End Patch`,
          `--- a/f.txt\n+++ b/f.txt\n@@ -2 +2 @@\n-${second}\n+${third}\n`,
        ]) {
          const result = await runtime.call("apply_patch", { patch, encoding });
          expect(result, `${patch} ${encoding}`).toMatchObject({ ok: true });
        }
        const wanted = Buffer.from(encodeText(`${first}\r\n${third}\n`, format));
        expect(Buffer.from(await runtime.workspace.readBytes(path)), encoding).toEqual(wanted);
      }
    }
  });

  it("shows a diff in that encoding", async () => {
    const format = { encoding: "windows-1255", bom: false };
    const { runtime } = editRuntime({ "f.txt": encodeText("עץ\n", format) as never });
    const args = { path: "f.txt", encoding: "windows-1255", old_string: "עץ", new_string: "אש" };
    const result = await runtime.call("edit", args);
    expect(result).toMatchObject({ ok: true, changes: [{ diff: expect.stringContaining("-עץ\n+אש") }] });
  });
});

interface Request {
  readonly text: string;
  readonly marker: string;
  readonly line: number;
  readonly replacement: string;
}

/** The call, the expected text computed in the simplest way, and the text before the change. */
function editOf(tool: (typeof TOOLS)[number], { text, marker, line, replacement }: Request) {
  const at = text.indexOf(marker);
  const inPlace = text.slice(0, at) + replacement + text.slice(at + marker.length);
  if (tool === "edit")
    return {
      args: { path: "f.txt", old_string: marker, new_string: replacement },
      expected: inPlace,
      head: text.slice(0, at),
    };
  if (tool === "replace_in_file")
    return {
      args: { path: "f.txt", find: marker, replace: replacement },
      expected: inPlace,
      head: text.slice(0, at),
    };
  const span = lineSpans(text)[line - 1] ?? { start: 0, end: 0 };
  const expected = text.slice(0, span.start) + replacement + text.slice(span.end);
  const head = text.slice(0, span.start);
  if (tool === "edit_lines")
    return {
      args: { path: "f.txt", operation: "replace", start_line: line, content: replacement },
      expected,
      head,
    };
  const patch = `*** Begin Patch\n*** Update File: f.txt\n@@\n-${text.slice(span.start, span.end)}\n+${replacement}\n*** End Patch`;
  return { args: { patch }, expected, head };
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
