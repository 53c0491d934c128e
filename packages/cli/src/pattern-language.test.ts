// grep and replace_in_file support one regular expression language: the same patterns, matches, limits and refusals.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import "@haft/tool-edit";
import "@haft/tool-search";

const folder = mkdtempSync(join(tmpdir(), "haft-patterns-"));
let runtime: Awaited<ReturnType<typeof createNodeRuntime>>;

beforeAll(async () => {
  const place = { workspace: folder, stateDirectory: mkdtempSync(join(tmpdir(), "haft-state-")) };
  runtime = await createNodeRuntime({ role: "coder", ...place });
});
afterAll(async () => {
  await runtime.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the lines with a match, or the reason why there are none. */
type Answer = readonly number[] | { readonly message: string; readonly details: unknown };

async function byGrep(pattern: string, text: string): Promise<Answer> {
  writeFileSync(join(folder, "f.txt"), text);
  const args = {
    pattern,
    path: "f.txt",
    case_sensitive: true,
    multiline: true,
    context: 0,
    max_results: 500,
  };
  const result = await runtime.call("grep", args);
  if (!result.ok) return { message: result.error.message, details: withoutRewrite(result.error.details) };
  return [...new Set((result.value as { matches: { line: number }[] }).matches.map(({ line }) => line))];
}

async function byReplace(find: string, text: string): Promise<Answer> {
  writeFileSync(join(folder, "f.txt"), text);
  const args = { path: "f.txt", find, replace: "", is_regex: true, expected_count: 99, preview_only: true };
  const result = await runtime.call("replace_in_file", args);
  if (result.ok) throw new Error("there cannot be 99 matches");
  const { code, message, details } = result.error;
  if (code !== "COUNT_MISMATCH") return { message, details: withoutRewrite(details) };
  return [...new Set((details as { lines: number[] }).lines)];
}

/** Only grep suggests another pattern: in a replacement it would change what is replaced. */
function withoutRewrite(details: unknown): unknown {
  const { rewrite: _, ...rest } = details as Record<string, unknown>;
  return rest;
}

async function expectSame(pattern: string, text: string): Promise<Answer> {
  const [searched, replaced] = [await byGrep(pattern, text), await byReplace(pattern, text)];
  expect(replaced, JSON.stringify([pattern, text])).toEqual(searched);
  return searched;
}

describe("one regular expression language", () => {
  it.each<[string, string, readonly number[]]>([
    ["\\bcaf\\b", "naïve café\ncaf", [2]],
    ["^\\w+$", "naïve\na b", [1]],
    ["^\\d$", "٣\nx", [1]],
    ["a\\sb", "a\u00a0b\nab", [1]],
    ["(?i)straße", "STRAẞE", [1]],
    ["a$", "a\r\nb\r\na", [1, 3]],
    ["^$", "a\r\n\r\nb", [2]],
    ["^.$", "ab\r\nc\r\n", [2]],
    ["a\\r$", "a\r\nb\na\n", [1]],
    ["[^\\s\\S]", "abc", []],
    ["\\141", "a\nb", [1]],
    ["x{2}{2}", "xxxx\nxxx", [1]],
    ["a++", "aa\nb", [1]],
    ["\\Qa.b\\E", "a.b\naxb", [1]],
    ["[\\w--\\d]", "1\na", [2]],
  ])("FA3 FA4 FA11 %s means the same to grep and replace_in_file", async (pattern, text, lines) => {
    expect(await expectSame(pattern, text)).toEqual(lines);
  });

  it.each([
    "a(?=b)",
    "(?<!a)b",
    "(a)\\1",
    "(?>a)",
    "(a",
    "a)",
    "[a",
    "*",
    "a{3,2}",
    "\\y",
    "\\p{Nope}",
    "(?z)",
    "((a{100}){100}){100}",
    "x{1001}{1001}{1001}",
    "\\w{9999}",
    "(?:".repeat(201),
  ])("FA4 FR3 %s is refused in the same words", async (pattern) => {
    expect(await expectSame(pattern, "abc")).toMatchObject({ message: expect.stringContaining("Invalid") });
  });

  it("FA3 FA4 every pattern finds the same lines in both, or both reject it", {
    timeout: 120_000,
  }, async () => {
    const part = fc.constantFrom(
      ...[
        "a",
        "b",
        "é",
        "漢",
        "1",
        " ",
        ".",
        "\\w",
        "\\W",
        "\\d",
        "\\s",
        "\\S",
        "\\b",
        "\\B",
        "^",
        "$",
        "[ab]",
        "[^a]",
      ],
      ...[
        "(",
        ")",
        "|",
        "*",
        "+",
        "?",
        "{2}",
        "+?",
        "(?:",
        "(?i)",
        "\\r",
        "\\pL",
        "[[:alpha:]]",
        "\\101",
        "\\x61",
        "\\<",
      ],
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
    const char = fc.constantFrom(..."abéA漢1_ \t-".split(""), "\r\n", "\n", "\u00a0");
    const text = fc.array(char, { minLength: 1, maxLength: 14 }).map((chars) => `${chars.join("")}.`);
    await fc.assert(
      fc.asyncProperty(pattern, text, async (source, subject) => void (await expectSame(source, subject))),
      { numRuns: Number(process.env.HAFT_LANGUAGE_RUNS ?? 300), seed: 3, endOnFailure: true },
    );
  });
});

describe("patterns that are too large", () => {
  it.each([
    ["nested counts", "((a{100}){100}){100}"],
    ["counts behind counts", "x{1001}{1001}{1001}"],
    ["counts in groups of unknown length", "(((((a+b?){60}){60}){60}){60}){60}"],
    ["repeated Unicode classes", "(\\w{50}|\\W{50}){50}"],
    [
      "many different Unicode classes",
      Array.from({ length: 200 }, (_, at) => `[\\w--\\x{${(0x4e00 + at).toString(16)}}]`).join(""),
    ],
    ["the same class over and over", "[\\w.-]".repeat(500)],
    ["many properties", "\\p{ID_Start}\\p{Cased}\\p{Dash}\\p{Hex_Digit}\\p{Emoji}\\p{Math}".repeat(8)],
    ["deep nesting", "(".repeat(2_000)],
    ["a long alternation of counts", "a{900}|".repeat(500)],
  ])("FR3 %s are refused within 50 ms of processor time", async (_, pattern) => {
    await byGrep("warm (up)", "x");
    await byReplace("warm (up)", "x");
    for (const ask of [byGrep, byReplace]) {
      const usedMs = measureProcessorTime();
      const answer = await ask(pattern, "abc");
      const used = usedMs();
      expect(answer).toMatchObject({ message: expect.stringContaining("Invalid regular expression") });
      // Twice the documented limit, because the test process does other work too.
      expect(used).toBeLessThan(100);
    }
  });

  it("FR3 the suggested next call is useful, or there is none", async () => {
    const next = async (pattern: string) => {
      const result = await runtime.call("grep", { pattern, path: "f.txt" });
      return result.ok ? undefined : result.error.next?.args;
    };
    expect(await next("x{1001}{1001}{1001}")).toBeUndefined();
    expect(await next("a".repeat(5_000))).toBeUndefined();
    expect(await next("foo(?=bar)")).toMatchObject({ pattern: "foo(?:bar)" });
    expect(await next("items[0")).toMatchObject({ pattern: "items[0]" });
    expect(await next("\\p{")).toMatchObject({ literal: true });
  });
});
