import { rulePolicy } from "@haft/core/policy";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { commandFacts } from "./command-facts.js";

const isDenied = (command: string): boolean =>
  rulePolicy([{ effect: "deny", when: { command: ["npm", "publish"] } }])({
    command: commandFacts(command),
    definition: { name: "execute_command", category: "execute", permissions: [], input: {} },
    args: {},
    changes: [],
  } as never)?.effect === "deny";

const repeated = (text: string, count: number): string => Array<string>(count).fill(text).join(" ");

describe("FE15 the work on a long line is bounded, and a denial still holds", () => {
  it.each([
    ["a wrapper that starts itself", `${repeated("parallel", 1_500)} npm publish`],
    ["a wrapper with an unknown option", `${repeated("xargs --bogus", 700)} npm publish`],
    ["a word of git with very many dots", `git -c ${"a.".repeat(30_000)} status; npm publish`],
  ])("%s", (_title, command) => {
    const usedMs = measureProcessorTime();
    expect(isDenied(command)).toBe(true);
    expect(usedMs()).toBeLessThan(5_000);
  });
});
