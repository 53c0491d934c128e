import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTextPart, lineSpans, type TextPlace } from "./index.js";

const text = fc
  .array(fc.constantFrom("a\n", "aa\n", "\n", "é日\n", "😀", "b", "\rx"), { maxLength: 80 })
  .map((pieces) => pieces.join(""));

describe("findTextPart", () => {
  it("consists of whole lines and contains every occurrence of the text", () => {
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.constantFrom("a", "aa\na", "\n\n", "日", "😀b", "b"),
        (whole, bom, sought) => {
          const { part, above, below } = partOf(whole, bom, { find: [sought] });
          expect(part === undefined).toBe(!whole.includes(sought));
          if (part === undefined) return;
          expect(above + part.text + below).toBe(whole);
          expect(above === "" || above.endsWith("\n")).toBe(true);
          expect(below === "" || part.text.endsWith("\n")).toBe(true);
          expect(part.linesAbove).toBe(lineSpans(above).length);
          const inPart = placesOf(part.text, sought).map((at) => at + above.length);
          expect(inPart).toEqual(placesOf(whole, sought));
          expect(lineSpans(part.text.slice(0, placesOf(part.text, sought)[0])).length).toBeGreaterThan(
            above === "" ? -1 : 7,
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("contains the requested lines and their total number", () => {
    fc.assert(
      fc.property(text, fc.boolean(), fc.nat({ max: 90 }), fc.nat({ max: 3 }), (whole, bom, first, more) => {
        const spans = lineSpans(whole);
        const last = first + more;
        const { part, above } = partOf(whole, bom, { lines: [first, last] });
        expect(part === undefined).toBe(last > spans.length);
        if (part === undefined) return;
        expect(part.lineCount).toBe(spans.length);
        expect(part.linesAbove).toBe(lineSpans(above).length);
        expect(part.linesAbove).toBeLessThanOrEqual(Math.max(0, first - 1));
        expect(part.linesAbove + lineSpans(part.text).length).toBeGreaterThanOrEqual(last);
      }),
      { numRuns: 2000 },
    );
  });

  it("ends with the text if that is requested", () => {
    const whole = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    const { part, above, below } = partOf(whole, false, { end: true });
    expect(above + part?.text).toBe(whole);
    expect(below).toBe("");
    expect(part?.linesAbove).toBeGreaterThan(80);
  });

  it("is undefined if a line ends in CRLF, the text is spread or split, or a match is too long", () => {
    const far = `x\n${"-\n".repeat(200_000)}x\n`;
    expect(partOf("a\r\nb\n", false, { find: ["b"] }).part).toBeUndefined();
    expect(partOf(far, false, { find: ["x"] }).part).toBeUndefined();
    expect(partOf("a\n", false, { find: ["a", "b"] }).part).toBeUndefined();
    expect(partOf("a\n", false, { find: [""] }).part).toBeUndefined();
    expect(partOf("\ufffd\n", false, { find: ["\ud83d"] }).part).toBeUndefined();
    expect(partOf(`a${"-".repeat(300_000)}`, false, { find: ["a"] }).part).toBeUndefined();
  });
});

function partOf(whole: string, bom: boolean, place: TextPlace) {
  const bytes = Uint8Array.from(Buffer.from((bom ? "\ufeff" : "") + whole));
  const body = bom ? 3 : 0;
  const indexOf = (wanted: Uint8Array, from: number) => Buffer.from(bytes.buffer).indexOf(wanted, from);
  const part = findTextPart({ bytes, body, indexOf }, place);
  const decoded = (from: number, to?: number) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(from, to));
  return { part, above: decoded(body, part?.start ?? 0), below: part === undefined ? "" : decoded(part.end) };
}

function placesOf(given: string, sought: string): number[] {
  const places: number[] = [];
  for (let at = given.indexOf(sought); at !== -1; at = given.indexOf(sought, at + 1)) places.push(at);
  return places;
}
