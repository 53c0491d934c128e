import { Pace } from "@haft/core/workspace";
import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

const MANY = 2_000_000;

const call = async (tool: string, content: string, args: object) => {
  const { runtime, text } = editRuntime({ "a.txt": content });
  const result = await runtime.call(tool, { path: "a.txt", ...args });
  return { result, isUntouched: (await text("a.txt")) === content };
};

describe("bounded work", () => {
  it("edit stops counting early if a text is everywhere", async () => {
    const { result, isUntouched } = await call("edit", "b".repeat(MANY), {
      old_string: "b",
      new_string: "c",
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "EDIT_NOT_UNIQUE", details: { count: 100_000 } },
    });
    expect(result.text).toContain("more than 100000 times");
    expect(isUntouched).toBe(true);
  });

  it("100,000 matches are replaced, one more is refused", async () => {
    const args = { old_string: "b", new_string: "c", replace_all: true };
    expect((await call("edit", "b\n".repeat(100_000), args)).result).toMatchObject({
      ok: true,
      value: { replacements: 100_000, endLine: 100_000 },
    });
    const { result, isUntouched } = await call("edit", "b\n".repeat(100_001), args);
    expect(result).toMatchObject({ ok: false, error: { code: "LIMIT_EXCEEDED" } });
    expect(result.text).toContain("longer text");
    expect(isUntouched).toBe(true);
  }, 60_000);

  it("the limit applies to all edits of a call together", async () => {
    const edits = ["a", "b"].map((old_string) => ({ old_string, new_string: "c", replace_all: true }));
    const { result, isUntouched } = await call("edit", "a b\n".repeat(60_000), { edits });
    expect(result).toMatchObject({ ok: false, error: { code: "LIMIT_EXCEEDED" } });
    expect(isUntouched).toBe(true);
  });

  it("edit refuses a result that would explode before building it", async () => {
    const { result, isUntouched } = await call("edit", "b\n".repeat(90_000), {
      old_string: "b",
      new_string: "x".repeat(1_000_000),
      replace_all: true,
    });
    expect(result).toMatchObject({ ok: false, error: { code: "OUTPUT_TOO_LARGE" } });
    expect(isUntouched).toBe(true);
  });

  it.each([
    ["a literal", { find: "b" }],
    ["any case", { find: "B", case_sensitive: false }],
    ["a pattern that matches nothing everywhere", { find: "z*", is_regex: true }],
  ])("replace_in_file stops at the limit: %s", async (_title, args) => {
    const { result, isUntouched } = await call("replace_in_file", "b".repeat(MANY), {
      ...args,
      replace: "c",
    });
    expect(result).toMatchObject({ ok: false, error: { code: "LIMIT_EXCEEDED" } });
    expect(isUntouched).toBe(true);
  });

  it("many matches in one long line of a CRLF file inspect its ending once", async () => {
    const line = "b ".repeat(50_000);
    const { runtime, text } = editRuntime({ "a.txt": `${line}${"x".repeat(3_000_000)}\r\n` });
    const args = { path: "a.txt", old_string: "b", new_string: "b\nc", replace_all: true };
    expect(await runtime.call("edit", args)).toMatchObject({ ok: true, value: { replacements: 50_000 } });
    expect((await text("a.txt"))?.slice(0, 12)).toBe("b\r\nc b\r\nc b\r");
  });

  it("a long search yields to other work, and ends with the call", async () => {
    const { runtime, text } = editRuntime({ "a.txt": "x".repeat(60_000) });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    // Every match inspects the whole rest of the text, which takes far too long to wait for.
    const args = { path: "a.txt", find: "x*y|x", replace: "z", is_regex: true };
    const result = await runtime.call("replace_in_file", args, { signal: controller.signal });
    expect(result).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(await text("a.txt")).toHaveLength(60_000);
  });

  it("does not pause a short search, and pauses a long one", async () => {
    const controller = new AbortController();
    const pace = new Pace(controller.signal);
    expect(pace.breathe()).toBeUndefined();
    const until = performance.now() + 60;
    while (performance.now() < until);
    const rest = pace.breathe();
    controller.abort(new Error("over"));
    await expect(rest).rejects.toThrow("over");
  });
});
