import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";

const LINE = `${"é".repeat(60_000)}needle${"y".repeat(50_000)}`;

async function grep(content: string, args = {}) {
  const { succeed } = await realRuntime({ files: { "bundle.js": content } });
  const { value, text } = await succeed<GrepResult>("grep", { pattern: "needle", ...args });
  return { text, match: value.matches?.[0] };
}

describe("a line that is too long to show", () => {
  it("S0.GREP.1 is truncated around the match wherever it is, with the omitted length", async () => {
    const { match, text } = await grep(`${LINE}\n`);
    const { before = 0, after = 0 } = match?.cut ?? {};
    expect(match).toMatchObject({ column: 60_001, line: 1 });
    expect(match?.text.slice(60_000 - before)).toMatch(/^needley/);
    expect(before + (match?.text.length ?? 0) + after).toBe(LINE.length);
    const [, left = 0, shown = "", right = 0] =
      /1:…\[(\d+) chars\] (é+needley+) …\[\+(\d+) chars\]/.exec(text) ?? [];
    expect(shown).toHaveLength(500);
    expect(Number(left) + shown.length + Number(right)).toBe(LINE.length);
  });

  it("keeps its value complete up to 20,000 characters", async () => {
    const { match } = await grep(`${"x".repeat(19_994)}needle\n`);
    expect(match).toMatchObject({ text: `${"x".repeat(19_994)}needle`, column: 19_995 });
    expect(match).not.toHaveProperty("cut");
  });

  it("is not cut inside a character", async () => {
    for (const shift of ["", "x"]) {
      const { match } = await grep(`${shift}${"😀".repeat(30_000)}needle${"😀".repeat(30_000)}\n`);
      expect(match?.text).not.toMatch(/\p{Cs}/u);
      expect(match?.text.slice((match.column ?? 0) - 1 - (match.cut?.before ?? 0))).toMatch(/^needle/);
    }
  });

  it("says that context has more than it counts", async () => {
    const { text } = await grep(`${"x".repeat(30_000)}\nneedle\n`);
    expect(text).toContain(`1-${"x".repeat(500)} …[+19500 or more chars]\n2:needle`);
  });
});
