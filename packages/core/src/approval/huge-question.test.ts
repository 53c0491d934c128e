import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s } from "../index.js";
import { canonicalJson } from "./canonical-json.js";

const Send = defineTool({
  name: "send",
  summary: "Send anything.",
  category: "write",
  permissions: ["NetworkAccess"],
  approval: "confirm",
  input: { type: "object", properties: { data: {} }, required: ["data"] },
  output: s.object({ sent: s.boolean("Whether it was sent") }),
  run: async () => ({ sent: true }),
});

describe("FR8 a question about 99,000 values", () => {
  it("lets timers run while it is prepared", async () => {
    let turns = 0;
    let turnsBefore = -1;
    const approver = async () => {
      turnsBefore = turns;
      return { approved: true };
    };
    const runtime = createTestRuntime({ tools: [Send], approver });
    const data = Object.fromEntries(
      Array.from({ length: 99_000 }, (_, index) => [`k${(index * 7_919) % 99_000}`, index]),
    );
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    expect(await runtime.call("send", { data })).toMatchObject({ ok: true });
    clearInterval(counting);
    expect(turnsBefore).toBeGreaterThanOrEqual(2);
  });

  it.each([
    [{ b: 1, a: [null, undefined, "x"], c: undefined, "10": true, "9": { z: {}, y: [] } }],
    [["\ud800", 'q"', -0, 1e21]],
    [undefined],
  ])("has the same text in whatever order its members were written: %j", (value) => {
    const turned = (given: unknown): unknown =>
      Array.isArray(given) || typeof given !== "object" || given === null
        ? given
        : Object.fromEntries(
            Object.entries(given)
              .reverse()
              .map(([key, member]) => [key, turned(member)]),
          );
    expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
  });

  it("is written without members that are undefined, in the order of code units", () => {
    expect(canonicalJson({ b: [undefined, "x"], a: undefined, "10": 1, "9": 2, é: 3, Z: 4 })).toBe(
      '{"10":1,"9":2,"Z":4,"b":[null,"x"],"é":3}',
    );
  });
});
