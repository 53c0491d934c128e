import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CodeSandbox, SandboxRequest } from "@haft/core/capabilities";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

const CANARY = "canary-8842";
let place: TemporaryWorkspace;
let sandbox: CodeSandbox;

beforeAll(async () => {
  const files = Array.from({ length: 2_500 }, (_, index) => [`d${index % 50}/f${index}.txt`, "x\n"]);
  place = await temporaryWorkspace(Object.fromEntries(files));
  const { workspace, stateDirectory } = place;
  sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory });
});
afterAll(async () => {
  await sandbox.dispose?.();
  place.dispose();
});

async function run(line: string, more: Partial<SandboxRequest> = {}) {
  const told: string[] = [];
  const outcome = await sandbox.run(
    {
      ...{ kind: "command", argv: ["bash", "-c", line], reads: true, timeoutMs: 20_000 },
      onOutput: (chunk) => told.push(chunk),
      ...more,
    },
    new AbortController().signal,
  );
  return { ...outcome, told: told.join("") };
}

/** Prepares a box, as in the pause between two calls. */
async function prepare(more: Partial<SandboxRequest> = {}): Promise<void> {
  await run("true", more);
  await delay(150);
}

describe.skipIf(!existsSync("/usr/bin/bwrap"))(
  "a command in a large workspace, started before it is scanned",
  () => {
    it.each([
      ["reads the workspace itself", {}],
      ["works on a view", { reads: false }],
    ] as const)(
      "never shows a secret that appeared since the last scan: it %s",
      async (_how, more) => {
        for (let round = 0; round < 6; round += 1) {
          await prepare(more);
          const folder = round % 2 === 0 ? "." : `new${round}`;
          mkdirSync(join(place.root, folder), { recursive: true });
          writeFileSync(join(place.root, folder, `key${round}.pem`), CANARY);
          const { told, stdout, exitCode } = await run(
            `cat ${folder}/*.pem 2>/dev/null; echo read; sleep 0.1`,
            more,
          );
          expect([exitCode, stdout.text, told]).toEqual([0, "read\n", "read\n"]);
        }
      },
      60_000,
    );

    it("shows files that appeared since, and reports its output once", async () => {
      await prepare();
      writeFileSync(join(place.root, "plain.txt"), "plain\n");
      const { told, stdout } = await run("cat plain.txt; for i in 1 2 3; do echo $i; done");
      expect([stdout.text, told]).toEqual(["plain\n1\n2\n3\n", "plain\n1\n2\n3\n"]);
    });

    it("a discarded run changes nothing", async () => {
      await prepare({ reads: false });
      writeFileSync(join(place.root, "late.key"), CANARY);
      const { changes } = await run("echo $RANDOM >> log.txt; ls *.key > found.txt", { reads: false });
      expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["file found.txt", "file log.txt"]);
      expect(existsSync(join(place.root, "log.txt"))).toBe(false);
      rmSync(join(place.root, "late.key"));
    });

    it("ends when its caller cancels", async () => {
      await prepare();
      const caller = new AbortController();
      const running = sandbox.run(
        { kind: "command", argv: ["sleep", "60"], reads: true, timeoutMs: 60_000 },
        caller.signal,
      );
      setTimeout(() => caller.abort(new Error("given up")), 100);
      await expect(running).rejects.toThrow("given up");
    });
  },
);
