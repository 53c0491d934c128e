import { appendFileSync, writeFileSync } from "node:fs";
import type { ToolResult } from "@haft/core";
import { encodeText, type TextFormat } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { CONFIG_LIMITS, DEFAULT_READ_LIMITS, READ_LIMITS, type ReadLimits } from "./read-limits.js";

const STREAMED: ReadLimits = { ...DEFAULT_READ_LIMITS, wholeBytes: 0 };
const UNCOUNTED: ReadLimits = { ...STREAMED, countedBytes: 0 };

const FORMATS: readonly TextFormat[] = [
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: true },
  { encoding: "utf-16le", bom: true },
  { encoding: "utf-16be", bom: true },
  { encoding: "utf-32le", bom: true },
  { encoding: "utf-32be", bom: true },
];

const reader = async (limits: ReadLimits) => realRuntime({ services: [[READ_LIMITS, limits]] });

const texts = fc
  .array(
    fc.tuple(
      fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("漢字", "é😀", "\u0a0a\u0a00", "x".repeat(90))),
      fc.constantFrom("\n", "\r\n", "\r"),
    ),
    { maxLength: 40 },
  )
  .map((pairs) => pairs.flat().join(""))
  // Other control characters would make a short text look binary, and a byte order mark is not tested here.
  .filter((text) => !/[\p{Cc}\p{Cs}\ufeff]/u.test(text.replace(/[\r\n]/g, "")));

describe("reading a part of a file", () => {
  it("equals reading the whole, in every encoding, from either end", async () => {
    const whole = await reader(DEFAULT_READ_LIMITS);
    const streamed = await reader(STREAMED);
    const property = fc.asyncProperty(
      texts,
      fc.constantFrom(...FORMATS),
      fc.integer({ min: -20, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      async (text, format, offset, limit) => {
        const bytes = encodeText(text, format);
        for (const { at } of [whole, streamed]) writeFileSync(at("f.txt"), bytes);
        const args = { path: "f.txt", offset, limit };
        const [expected, actual] = [
          await whole.call("read_file", args),
          await streamed.call("read_file", args),
        ];
        expect(comparable(actual)).toEqual(comparable(expected));
      },
    );
    await fc.assert(property, { numRuns: 400 });
  });

  it("the pages together equal the file", async () => {
    const small: ReadLimits = { ...STREAMED, pageBytes: 300, pageTokens: 60 };
    const { at, succeed } = await reader(small);
    const property = fc.asyncProperty(texts, fc.constantFrom(...FORMATS), async (text, format) => {
      writeFileSync(at("f.txt"), encodeText(text, format));
      let content = "";
      for (let offset: number | undefined = 1; offset !== undefined; ) {
        const { value } = await succeed("read_file", { path: "f.txt", offset });
        const page = value as unknown as { content: string; nextOffset?: number };
        content += page.content;
        offset = page.nextOffset;
      }
      expect(content).toBe(text);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it.each([
    ["service", [READ_LIMITS, { ...DEFAULT_READ_LIMITS, pageBytes: 10 }]],
    ["configuration", [CONFIG_LIMITS, { readBytes: 10 }]],
  ] as const)("S2.READ.10 a host configures how much one call returns, by %s", async (_by, service) => {
    const { at, succeed } = await realRuntime({ services: [service] });
    writeFileSync(at("f.txt"), "1234\n5678\n90\n");
    expect((await succeed("read_file", { path: "f.txt" })).value).toMatchObject({
      content: "1234\n5678\n",
      nextOffset: 3,
    });
  });

  it.each([
    "plain words of ordinary length\n",
    "x\n",
    "漢字かな交じり文です\n",
    "😀😀😀\n",
    `${"y".repeat(9_000)}\n`,
  ])("a page of %j fits into the budget, so that the runtime never cuts it", async (line) => {
    const { at, succeed } = await reader(DEFAULT_READ_LIMITS);
    writeFileSync(at("f.txt"), line.repeat(12_000));
    const { text } = await succeed("read_file", { path: "f.txt", limit: 10_000, offset: 1_000 });
    expect(text).toMatch(/Use offset=\d+ to continue\.\)$/);
    expect(text.length).toBeGreaterThan(8_000);
  });

  it("numbers lines from the end if a file is too big to count", async () => {
    const { at, succeed } = await reader(UNCOUNTED);
    writeFileSync(at("f.log"), Array.from({ length: 50_000 }, (_, index) => `entry ${index + 1}\n`).join(""));
    const { value, text } = await succeed("read_file", { path: "f.log", offset: -3 });
    expect(value).toMatchObject({ startLine: -3, endLine: -1, totalLinesExact: false, truncated: false });
    expect(value).not.toHaveProperty("hash");
    expect(text).toBe(
      "-3: entry 49998\n-2: entry 49999\n-1: entry 50000\n(Showing the last lines, -3 to -1.)",
    );
    const first = await succeed("read_file", { path: "f.log", limit: 2 });
    expect(first.text).toBe("1: entry 1\n2: entry 2\n(Showing lines 1-2 of 2+. Use offset=3 to continue.)");
  });

  it("truncates and counts a line longer than a page, and the next offset skips it", async () => {
    for (const limits of [DEFAULT_READ_LIMITS, STREAMED, UNCOUNTED]) {
      const { at, succeed } = await reader(limits);
      writeFileSync(at("min.js"), `${"a".repeat(3_000_000)}\nend\n`);
      const { value, text } = await succeed("read_file", { path: "min.js" });
      expect(value).toMatchObject({ linesRead: 1, nextOffset: 2, truncated: true });
      expect((value as unknown as { content: string }).content).toBe("a".repeat(limits.pageBytes));
      expect(text).toContain(`${"a".repeat(2000)} …[+2998000 chars]`);
      expect((await succeed("read_file", { path: "min.js", offset: 2 })).value).toMatchObject({
        content: "end\n",
      });
    }
  });

  it("does not wait for lines that no scan from the end would reach", async () => {
    const { at, succeed, fail } = await reader(DEFAULT_READ_LIMITS);
    writeFileSync(at("one.json"), `x\n${"y".repeat(70 * 1024 * 1024)}`);
    expect((await fail("read_file", { path: "one.json", offset: -1 })).code).toBe("LIMIT_EXCEEDED");
    appendFileSync(at("one.json"), "\nlast\n");
    expect((await succeed("read_file", { path: "one.json", offset: -9 })).value).toMatchObject({
      content: "last\n",
      startLine: -1,
    });
  });

  it("decodes a stray byte of another encoding, and never replaces it", async () => {
    const { at, succeed } = await reader(STREAMED);
    const clean = `${"plain text\n".repeat(20_000)}`;
    writeFileSync(at("f.log"), Buffer.concat([Buffer.from(clean), Buffer.from("caf\xe9\n", "latin1")]));
    expect((await succeed("read_file", { path: "f.log", limit: 5 })).value).toMatchObject({
      encoding: "utf-8",
    });
    const { value } = await succeed("read_file", { path: "f.log", offset: -2 });
    expect(value).toMatchObject({ content: "plain text\ncafé\n" });
  });
});

/** The value or error without what may differ: line endings are detected from the part that was read. */
function comparable(result: ToolResult): unknown {
  const differing = ["modified", "absolutePath", "eol"];
  const outcome = result.ok ? result.value : result.error;
  return JSON.parse(JSON.stringify(outcome, (key, value) => (differing.includes(key) ? undefined : value)));
}
