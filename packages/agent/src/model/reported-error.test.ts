import { describe, expect, it } from "vitest";
import { reportedError } from "./reported-error.js";

describe("FU2 an error inside a response", () => {
  it.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "MODEL_OVERLOADED", "Overloaded"],
    [
      { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
      "MODEL_OVERLOADED",
      "Slow down",
    ],
    [{ code: 429, message: "Provider busy" }, "MODEL_OVERLOADED", "Provider busy"],
    [{ type: "api_error", message: "Internal server error" }, "MODEL_FAILED", "Internal server error"],
    [{ code: 502, message: "Bad gateway" }, "MODEL_FAILED", "Bad gateway"],
    ["upstream closed", "MODEL_FAILED", "upstream closed"],
    [{ detail: "odd" }, "MODEL_FAILED", '{"detail":"odd"}'],
    [{ type: "invalid_request_error", message: "No such tool" }, "MODEL_REFUSED", "No such tool"],
    [{ code: 402, message: "No credits" }, "MODEL_REFUSED", "No credits"],
    [
      { code: 400, message: "maximum context length is 8192" },
      "CONTEXT_FULL",
      "maximum context length is 8192",
    ],
    [
      { type: "exceed_context_size_error", message: "exceeds the available context" },
      "CONTEXT_FULL",
      "exceeds the available context",
    ],
  ])("%j is %s", (error, code, told) => {
    const made = reportedError(error, "The provider");
    expect([made.code, made.message]).toEqual([code, `The provider reported: ${told}`]);
    expect(made.retryable).toBe(code === "MODEL_OVERLOADED" || code === "MODEL_FAILED");
  });
});
