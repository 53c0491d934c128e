import { PassThrough } from "node:stream";
import { ToolError } from "@haft/core";
import { describe, expect, it } from "vitest";
import { reportError } from "./report-error.js";

function reported(error: unknown, env: Readonly<Record<string, string>> = {}, terminal: object = {}) {
  const stderr = Object.assign(new PassThrough(), terminal);
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env, cwd: "/" };
  const code = reportError(error, io);
  return { code, text: String(stderr.read()) };
}

describe("error reports", () => {
  it("a usage error is reported without a stack", () => {
    const { code, text } = reported(new ToolError("CONFIG_INVALID", "no such key", { hint: "Take it out." }));
    expect([code, text]).toEqual([2, "haft: CONFIG_INVALID: no such key\nTake it out.\n"]);
  });

  it("FU5 wraps between words on a terminal", () => {
    const error = new ToolError("CONFIG_INVALID", "no such key", { hint: "Take it out or rename it." });
    expect(reported(error, {}, { isTTY: true, columns: 16 }).text.split("\n")).toEqual([
      "haft:",
      "CONFIG_INVALID:",
      "no such key",
      "Take it out or",
      "rename it.",
      "",
    ]);
  });

  it("names a full disk once, with the remedy", () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    expect(reported(error).text).toBe(
      "haft: ENOSPC: no space left on device, write\nFree some space on the disk, then repeat the command.\n",
    );
  });

  it("a defect of Haft is not reported as a usage error", () => {
    expect(reported(new TypeError("x is not a function"))).toEqual({
      code: 1,
      text: "haft: INTERNAL: x is not a function\n",
    });
  });

  it("HAFT_DEBUG=1 shows the stack and the cause", () => {
    const { text } = reported(new Error("outer", { cause: new Error("inner") }), { HAFT_DEBUG: "1" });
    expect(text).toMatch(/outer\n +at .*report-error\.test/s);
    expect(text).toContain("[cause]: Error: inner");
  });
});
