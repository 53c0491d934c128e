import { describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { limitHit } from "./limit-hit.js";
import { sandboxLimits } from "./sandbox-limits.js";
import { seccompFilter } from "./seccomp-filter.js";

const quiet = { wasMemoryHit: false, wasProcessesHit: false };

describe("limitHit", () => {
  it.each([
    [{ exitCode: 152 }, "", quiet, "cpu"],
    [{ exitCode: 153 }, "", quiet, "files"],
    [{ exitCode: 137 }, "", { ...quiet, wasMemoryHit: true }, "memory"],
    [{ exitCode: 143, endedBy: "time" }, "", { ...quiet, wasProcessesHit: true }, "pids"],
    [{ exitCode: 143, endedBy: "time" }, "", quiet, "time"],
    [{ exitCode: 143, endedBy: "disk" }, "", quiet, "files"],
    [{ exitCode: 1 }, "OSError: [Errno 101] Network is unreachable", quiet, "network"],
    [{ exitCode: 1 }, "MemoryError", quiet, "memory"],
    [{ exitCode: 1 }, "ValueError: 3", quiet, undefined],
    [{ exitCode: 0 }, "MemoryError was handled", quiet, undefined],
  ] as const)("%o with %j is reported correctly", (end, stderr, group, expected) => {
    expect(limitHit(end, stderr, group)).toBe(expected);
  });
});

describe("seccompFilter", () => {
  it("is a program of whole instructions whose jumps all land inside it", () => {
    const filter = seccompFilter("x64") as Buffer;
    expect(filter.length % 8).toBe(0);
    const count = filter.length / 8;
    for (let at = 0; at < count; at += 1) {
      const code = filter.readUInt16LE(at * 8);
      const furthest = Math.max(filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3));
      if (code === 0x15 || code === 0x35) expect(at + 1 + furthest).toBeLessThan(count);
    }
    expect(filter.readUInt16LE((count - 1) * 8)).toBe(0x06);
    expect(seccompFilter("riscv64")).toBeUndefined();
  });
});

describe("bubblewrapSandbox", () => {
  it("R22 runs nothing if code cannot be confined", async () => {
    const refuse = (): never => {
      throw new Error("nothing may be looked at");
    };
    const workspace = { root: "/", vet: refuse, locate: refuse, absolute: refuse };
    const sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory: "/nonexistent" });
    const run = sandbox.run({ argv: ["true"], timeoutMs: 1_000 }, new AbortController().signal);
    await expect(run).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
  });
});
