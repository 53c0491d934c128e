import { existsSync } from "node:fs";
import type { ToolResult } from "@haft/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverydayWorld, openEverydayWorld, readCorpus } from "./everyday.fixture.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const everyday = readCorpus("everyday.json");
let project: EverydayWorld;

beforeAll(async () => {
  project = await openEverydayWorld();
}, 60_000);
afterAll(() => project[Symbol.asyncDispose](), 60_000);

describe.skipIf(noBox)("everyday commands of developers", () => {
  const failures: string[] = [];
  const all = Object.values(everyday).flat();

  it.each(Object.keys(everyday))(
    "FE20 %s",
    async (family) => {
      for (const command of everyday[family] ?? []) {
        project.reset();
        const result = await project.world.call("execute_command", { command, timeout: 30 });
        if (!worked(result)) failures.push(`${command}\n    ${result.text.slice(0, 300)}`);
        expect(project.asked.length, `${command}: ${project.asked.map(({ reason }) => reason)}`).toBeLessThan(
          2,
        );
      }
    },
    180_000,
  );

  it("FE20 at least 95 % of 200 work for a person who approves, with at most one question each", () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(failures.length / all.length, failures.join("\n")).toBeLessThanOrEqual(0.05);
  });
});

function worked(result: ToolResult): boolean {
  return result.ok && (result.value as { exitCode: number }).exitCode === 0;
}
