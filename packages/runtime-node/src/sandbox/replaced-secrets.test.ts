import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CodeSandbox } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

const CANARY = "canary-3391";
let place: TemporaryWorkspace;
let sandbox: CodeSandbox;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "a\n", ".env": "old\n", ".aws/credentials": "old\n" });
  const { workspace, stateDirectory } = place;
  sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory });
});
afterEach(async () => {
  await sandbox.dispose?.();
  place.dispose();
});

const at = (path: string) => join(place.root, path);

/** Each puts a new secret where an old one was masked. */
const REPLACING: Readonly<Record<string, () => void>> = {
  "a file, as editors save it": () => {
    writeFileSync(at("saved"), CANARY);
    renameSync(at("saved"), at(".env"));
  },
  "a file that was deleted": () => {
    rmSync(at(".env"));
    writeFileSync(at(".env"), CANARY);
  },
  "a folder": () => {
    rmSync(at(".aws"), { recursive: true });
    mkdirSync(at(".aws"));
    writeFileSync(at(".aws/credentials"), CANARY);
  },
};

describe.skipIf(!existsSync("/usr/bin/bwrap")).each([true, false])(
  "a secret that is replaced while a box is ready (reads: %s)",
  (reads) => {
    it.each(Object.keys(REPLACING))("FE2 stays hidden: %s", async (name) => {
      const request = { kind: "command", reads, timeoutMs: 20_000 } as const;
      const signal = new AbortController().signal;
      for (let round = 0; round < 4; round += 1) {
        await sandbox.run({ ...request, argv: ["true"] }, signal);
        await delay(200);
        REPLACING[name]?.();
        const { stdout } = await sandbox.run({ ...request, argv: ["bash", "-c", "cat .env .aws/*"] }, signal);
        expect(stdout.text).not.toContain(CANARY);
      }
    });
  },
);
