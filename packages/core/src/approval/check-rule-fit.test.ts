import { describe, expect, it } from "vitest";
import { defineTool, type PolicyRule, s, type ToolPermission } from "../index.js";
import { assertRulesFit } from "../policy.js";

const tool = (name: string, permissions: readonly ToolPermission[], more: object = {}) =>
  defineTool({
    name,
    summary: name,
    permissions,
    input: s.object({
      path: s.optional(s.path("File")),
      mode: s.optional(s.enum("How", ["fast", "slow"])),
      deep: s.optional(s.boolean("Below too")),
    }),
    output: s.object({}),
    run: async () => ({}),
    ...more,
  });
const TOOLS = [
  tool("reads", ["ReadFiles"]),
  tool("writes", ["WriteFiles", "CreateFiles"]),
  tool("runs", ["ExecuteCommands"], { inspect: () => ({}) }),
  tool("fetches", ["NetworkAccess"], { input: s.object({ url: s.string("Where") }), inspect: () => ({}) }),
  tool("own", ["x-mail"], { inspect: () => ({}) }),
];
const check = (rule: object) => () =>
  assertRulesFit([{ effect: "deny", ...rule } as PolicyRule], TOOLS, "role r");

describe("FE15 a rule whose parts contradict each other is an error at start", () => {
  it.each<[object, string]>([
    [
      { tool: "reads", permission: "WriteFiles" },
      'reads does not use the permission "WriteFiles"; it uses ReadFiles',
    ],
    [{ tool: "reads", category: "write" }, 'reads is not in the category "write"; it is in "read"'],
    [
      { tool: "writes", when: { command: ["git"] } },
      "when.command never matches: writes cannot run commands; runs, own can",
    ],
    [{ tool: "fetches", when: { command: ["curl"] } }, "when.command never matches"],
    [
      { tool: "reads", when: { url: "example.com" } },
      "when.url never matches: reads cannot reach addresses; runs, fetches, own can",
    ],
    [{ tool: "fetches", when: { path: "docs/**" } }, "when.path never matches: fetches cannot touch paths"],
    [
      { tool: "reads", when: { argument: { name: "pth", oneOf: ["a"] } } },
      'reads has no argument "pth"; did you mean "path"?',
    ],
    [
      { tool: "reads", when: { exactly: [{ path: "a" }, { pat: "b" }] } },
      'reads has no argument "pat"; did you mean "path"?',
    ],
    [
      { tool: "fetches", when: { argument: { name: "zzz", oneOf: [1] } } },
      'fetches has no argument "zzz"; it has url',
    ],
    [
      { tool: "reads", when: { argument: { name: "mode", oneOf: ["quick"] } } },
      'for "mode"; it takes "fast", "slow"',
    ],
    [
      { tool: "reads", when: { argument: { name: "deep", oneOf: ["true"] } } },
      "it takes a value of type boolean",
    ],
    [{ permission: "x-mial" }, 'no tool has the permission "x-mial"; did you mean "x-mail"?'],
    [
      { when: { argument: { name: "pth", oneOf: ["a"] } } },
      'no tool has the argument "pth"; did you mean "path"?',
    ],
    [
      { permission: "NetworkAccess", when: { argument: { name: "urll", oneOf: ["a"] } } },
      'no tool has the argument "urll"; did you mean "url"?',
    ],
    [
      { tool: "reads", doesNotMatch: [{ arguments: { pth: "a" } }] },
      'reads has no argument "pth"; did you mean "path"?',
    ],
  ])("%j", (rule, message) => {
    expect(check(rule)).toThrow(TypeError);
    expect(check(rule)).toThrow(message);
    expect(check(rule)).toThrow("role r, rule 1: ");
  });

  it.each<[object]>([
    [{ tool: "writes", permission: "CreateFiles", category: "write", when: { path: "docs/**" } }],
    [{ tool: "runs", when: { command: ["git"], url: "example.com", path: "docs/**" } }],
    [{ tool: "fetches", when: { url: "example.com", argument: { name: "url", oneOf: ["http://x"] } } }],
    [{ tool: "reads", when: { argument: { name: "mode", oneOf: ["quick", "fast"] } } }],
    [{ tool: "own", when: { command: ["mail"], url: "example.com", path: "x" } }],
    [{ tool: "not_here", permission: "WriteFiles", when: { command: ["git"] } }],
    [{ category: "x-other", when: { command: ["git"] } }],
    [{ permission: "x-mail-send" }],
    [{ permission: "x-calendar", when: { argument: { name: "pth", oneOf: ["a"] } } }],
    [{ permission: "DeleteFiles", when: { command: ["git"] } }],
    [{ when: { command: ["git"] } }],
    [{ category: "write", when: { command: ["git"] } }],
    [{ category: "read", when: { argument: { name: "later", oneOf: [1] } } }],
  ])("%j can match", (rule) => {
    expect(check(rule)).not.toThrow();
  });
});
