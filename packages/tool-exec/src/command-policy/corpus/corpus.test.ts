import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createCommandPolicy } from "../command-policy.js";
import { decideCommand } from "../decide-command.js";
import { defaultAllowList } from "../default-allow-list.js";
import { lexicalPathCheck } from "../lexical-path-check.js";

type Corpus = Readonly<Record<string, readonly string[]>>;

// The widest sensible list: everything by default, and the two git commands that write.
const policy = createCommandPolicy({
  allow: [...defaultAllowList(["test", "lint", "build", "typecheck"]), "git add", "git commit", "npx tsc"],
  checkPath: lexicalPathCheck("/work/ws"),
});

describe("the corpus of commands", () => {
  const benign = read("benign.json");
  const bypass = read("bypass.json");

  it("contains at least 400 commands, half of them attacks", () => {
    expect(count(benign)).toBeGreaterThanOrEqual(200);
    expect(count(bypass)).toBeGreaterThanOrEqual(200);
    expect(new Set([...all(benign), ...all(bypass)]).size).toBe(count(benign) + count(bypass));
  });

  it("allows at least 97 % of everyday commands", () => {
    const refused = all(benign).filter((command) => decideCommand(command, policy).verdict !== "allow");
    expect(refused.length / count(benign), refused.join("\n")).toBeLessThanOrEqual(0.03);
  });

  it.each(Object.keys(bypass))("lets none of these run: %s", (family) => {
    const passed = (bypass[family] ?? []).filter(
      (command) => decideCommand(command, policy).verdict === "allow",
    );
    expect(passed).toEqual([]);
  });

  it("names a reason and the responsible part for every refusal", () => {
    for (const command of all(bypass)) {
      const decision = decideCommand(command, policy);
      expect(decision.reason).not.toBe("");
      expect(command).toContain(decision.offending);
      expect(decision.plan === undefined || decision.verdict === "ask").toBe(true);
    }
  });
});

function read(name: string): Corpus {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as Corpus;
}

function all(corpus: Corpus): readonly string[] {
  return Object.values(corpus).flat();
}

function count(corpus: Corpus): number {
  return all(corpus).length;
}
