import type { PolicyRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../test-support/real-runtime.js";

const files = {
  "private/key.txt": "needle in private",
  "private/deep/more.txt": "needle deeper",
  "src/a.txt": "needle in src",
  "docs/b.txt": "needle in docs",
  // Enough files that the search is shared among threads.
  ...Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`private/many/${n}.txt`, `needle ${n}`])),
};
const found = async (rules: readonly PolicyRule[], tool: string, args: object) => {
  const { runtime } = await realRuntime({ files, rules });
  const result = await runtime.call(tool, args);
  expect(result.ok).toBe(true);
  return JSON.stringify(result);
};

describe("FE13 searches do not reveal files that a rule denies", () => {
  const rules: PolicyRule[] = [{ effect: "deny", when: { path: "private/**" } }];
  const searches: [string, object][] = [
    ["grep", { pattern: "needle" }],
    ["glob", { pattern: "**/*.txt" }],
    ["search", { query: "needle" }],
  ];

  it.each(searches)("%s", async (tool, args) => {
    const closed = await found(rules, tool, args);
    expect(closed).toContain("src/a.txt");
    expect(closed).not.toContain("private/");
    expect(await found([], tool, args)).toContain("private/");
    const onlyDocs = await found([{ effect: "deny", when: { path: { not: "docs/**" } } }], tool, args);
    expect(onlyDocs).toContain("docs/b.txt");
    expect(onlyDocs).not.toMatch(/private\/|src\/a/);
  });

  it.each(searches)("%s, if the rule depends on the call or on wildcards", async (tool, args) => {
    const when = { path: { not: "*/b.txt" } };
    const onlyB = await found([{ effect: "deny", when }], tool, args);
    expect(onlyB).toContain("docs/b.txt");
    expect(onlyB).not.toMatch(/private\/|src\/a/);
  });

  it("a rule for one tool does not affect the others", async () => {
    const { runtime } = await realRuntime({
      files,
      rules: [{ tool: "grep", effect: "deny", when: { path: "private/**" } }],
    });
    const text = async (tool: string, args: object) => JSON.stringify(await runtime.call(tool, args));
    expect(await text("grep", { pattern: "needle" })).not.toContain("private/");
    expect(await text("glob", { pattern: "**/*.txt" })).toContain("private/");
    expect(await text("grep", { pattern: "needle" })).not.toContain("private/");
  });

  it("files that need approval under a rule are not searched without it", async () => {
    const ask: PolicyRule[] = [{ effect: "ask", when: { path: "private/**" } }];
    expect(await found(ask, "grep", { pattern: "needle" })).not.toContain("private/");
    const { runtime } = await realRuntime({ files, rules: ask, approver: async () => ({ approved: true }) });
    const asked = await runtime.call("grep", { pattern: "needle", path: "private/deep" });
    expect(JSON.stringify(asked)).toContain("needle deeper");
  });
});
