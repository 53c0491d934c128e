import { expect, it } from "vitest";
import { MemoryWorkspace } from "../memory/memory-workspace.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import { createRuntime } from "./create-runtime.js";
import { type CallWrapper, wrapRuntime } from "./wrap-runtime.js";

let runs = 0;
const Flaky = defineTool({
  name: "fp3_flaky",
  summary: "Fails the first time.",
  input: s.object({ text: s.string("Text") }),
  run: async ({ text }) => {
    runs += 1;
    if (runs === 1) throw new Error("try again");
    return { text };
  },
});
const open = () => createRuntime({ workspace: new MemoryWorkspace(), role: "reader", tools: [Flaky] });

it("FP3 wraps whole calls: retry inside a cache inside telemetry", async () => {
  runs = 0;
  const told: string[] = [];
  const telemetry: CallWrapper = async ({ tool }, next) => {
    const result = await next();
    told.push(`${tool} ${result.ok}`);
    return result;
  };
  const kept = new Map<string, Awaited<ReturnType<Parameters<CallWrapper>[1]>>>();
  const cache: CallWrapper = async ({ tool, args }, next) => {
    const key = JSON.stringify([tool, args]);
    const result = kept.get(key) ?? (await next());
    if (result.ok) kept.set(key, result);
    return result;
  };
  const retry: CallWrapper = async (_call, next) => {
    const first = await next();
    return first.ok ? first : next();
  };
  const runtime = wrapRuntime(await open(), telemetry, cache, retry);
  const first = await runtime.call(Flaky, { text: "a" });
  const second = await runtime.call("fp3_flaky", { text: "a" });
  expect(first.ok && first.value.text).toBe("a");
  expect(second).toBe(first);
  expect(runs).toBe(2);
  expect(told).toEqual(["fp3_flaky true", "fp3_flaky true"]);
});

it("FP3 a wrapper cannot change a call or skip a check", async () => {
  runs = 1;
  const runtime = wrapRuntime(await open(), (call, next) => {
    expect(() => Object.assign(call, { tool: "other" })).toThrow(TypeError);
    Object.assign(call.args as object, { text: "changed" });
    return next();
  });
  expect(await runtime.call("fp3_flaky", { text: "a" })).toMatchObject({ ok: true, value: { text: "a" } });
  expect(await runtime.call("fp3_flaky", {})).toMatchObject({
    ok: false,
    error: { code: "INVALID_ARGUMENTS" },
  });
});
