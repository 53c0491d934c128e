import { renderForHuman } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamedText } from "./streamed-text.js";

const shownInPieces = (pieces: readonly string[]) => {
  const text = new StreamedText();
  return pieces.map((piece) => text.add(piece)).join("") + text.end();
};

describe("streamed text", () => {
  it("FA12 looks the same wherever it is split", () => {
    const hostile = fc.constantFrom(
      "a",
      "\r",
      "\n",
      "\r\n",
      "\u001b[2J",
      "\u202e",
      "🙂",
      "\ud83d",
      "\ude42",
      "é",
      "👨\u200d👩",
      "\u200d",
      "می\u200cخ",
      "1\ufe0f\u20e3",
      "\ufe0f",
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e007f}",
    );
    fc.assert(
      fc.property(fc.array(hostile), fc.array(fc.nat(60)), (parts, cuts) => {
        const whole = parts.join("");
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
          whole.length,
        ];
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        expect(shownInPieces(pieces)).toBe(renderForHuman(whole));
      }),
    );
  });
});
