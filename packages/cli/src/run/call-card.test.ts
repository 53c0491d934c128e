import type { CallSettled, ProposedCall } from "@haft/agent";
import { describe, expect, it } from "vitest";
import { coloursFor } from "../output/colours.js";
import { addProgress, liveLines, newCard, settledText } from "./call-card.js";

const CALL = {
  callId: "c",
  tool: "execute_command",
  args: { command: "npm test" },
} as unknown as ProposedCall;
const style = { colours: coloursFor({ isTTY: false } as never, {}), columns: 60 };

/** Returns the rows below the title after these reports. */
function rowsAfter(...messages: readonly string[]): readonly string[] {
  const card = newCard(CALL);
  for (const message of messages) card.progress = addProgress(card.progress, message);
  const [, ...rows] = liveLines(card, "*", style);
  return rows.map((row) => row.trim());
}

describe("FU5 the live output of a call", () => {
  it("is its last three lines, however the output is split", () => {
    expect(rowsAfter("one\n", "two\nthr", "ee\r\n", "four\n", "fi", "ve\n")).toEqual([
      "three",
      "four",
      "five",
    ]);
    expect(rowsAfter("one\n")).toEqual(["one"]);
    expect(rowsAfter("\n")).toEqual([]);
  });

  it("replaces the tool's current activity, and a line that is rewritten", () => {
    expect(rowsAfter("reading a", "reading b")).toEqual(["reading b"]);
    expect(rowsAfter("start\n", "10 %\r", "20 %\r", "30 %")).toEqual(["start", "30 %"]);
    expect(rowsAfter("10 %\r20 %\r30 %\n")).toEqual(["30 %"]);
  });
});

describe("FU5 the result of a call", () => {
  const text =
    "POLICY_DENIED: this is not allowed here, because a rule of the project says so.\nAsk the user.";
  const settled = {
    outcome: "error",
    code: "POLICY_DENIED",
    ms: 5,
    effects: [],
    model: [{ type: "text", text }],
  };

  it("shows an error whole, at any width", () => {
    for (const columns of [40, 80, 120]) {
      const card = settledText(newCard(CALL), settled as unknown as CallSettled, { ...style, columns });
      const rows = card.trimEnd().split("\n");
      expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(columns);
      expect(rows.slice(1).join(" ").replace(/\s+/g, " ").trim()).toBe(text.replace("\n", " "));
    }
  });
});
