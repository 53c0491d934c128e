import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { DurableBody, EphemeralBody } from "@haft/agent";
import { describe, expect, it } from "vitest";
import { RunScreen } from "./run-screen.js";
import { RunTerminal } from "./run-terminal.js";

/** Creates a screen of 40 columns, and returns its rows after one event. */
function screenWith() {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 40, rows: 24 });
  const terminal = new RunTerminal({ stderr, env: { TERM: "xterm", NO_COLOR: "1" } });
  const screen = new RunScreen(terminal, { asks: false });
  const frameAfter = (event: EphemeralBody | DurableBody) => {
    screen.show({ v: 1, runId: "run", seq: 1, at: "2026-01-01T00:00:00.000Z", ...event });
    stderr.read();
    terminal.refresh();
    return stripVTControlCharacters(String(stderr.read())).split(/[\r\n]+/);
  };
  return { screen, frameAfter };
}

describe("FU5 while a model responds", () => {
  it("shows the reasoning of the model, then its text", () => {
    const { screen, frameAfter } = screenWith();
    const thinking = frameAfter({ type: "step.started", step: 1, attempt: 1 });
    expect(thinking.at(-1)).toMatch(/^\S thinking…/);
    const thought = "The sign is wrong, and the test says so.\n\nI change it. \u001b[2J";
    const frame = frameAfter({ type: "reasoning.delta", step: 1, delta: thought });
    expect(frame.slice(-3)).toEqual([
      "  The sign is wrong, and the test says",
      "  so.",
      "  I change it. \\x1b[2J",
    ]);
    const writing = frameAfter({ type: "text.delta", step: 1, delta: "Done" });
    expect(writing.at(-2)).toBe("Done");
    expect(writing.at(-1)).toMatch(/^\S writing…/);
    screen.end();
  });
});

describe("FU2 a full context", () => {
  it("is compacted, and nothing claims that the model gave up", () => {
    const { screen, frameAfter } = screenWith();
    const error = { code: "CONTEXT_FULL", message: "prompt is too long" };
    const failed = { step: 1, attempt: 1, error, retryable: false, willRetry: false };
    expect(frameAfter({ type: "step.failed", ...failed })).toContain("! CONTEXT_FULL: prompt is too long");
    const frame = frameAfter({ type: "context.compacted", upToSeq: 9, cleared: ["c1"] });
    expect(frame.join("\n")).toContain("context: 1 older result is no longer");
    screen.end();
  });
});
