import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { fileMask } from "./file-mask.js";
import { OVERLAY_WAYS, type OverlayWay } from "./overlay-view.js";
import { sandboxLimits } from "./sandbox-limits.js";

type Ways = readonly Omit<OverlayWay, "folder">[];
const CANARY = "CANARY-4b7e";
let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "src/a.txt": "TODO one\n",
    ".env": `KEY=${CANARY}\n`,
    "conf/.env": `KEY=${CANARY}\n`,
    "conf/x.txt": "x\n",
  });
});
afterEach(() => place.dispose());

async function bash(
  code: string,
  ways: Ways | undefined,
  more: Partial<SandboxRequest> = {},
): Promise<SandboxOutcome> {
  const { workspace, stateDirectory } = place;
  const sandbox = bubblewrapSandbox({
    workspace,
    limits: sandboxLimits(),
    stateDirectory,
    overlayWays: ways,
    env: process.env,
  });
  try {
    const request = { argv: ["bash", "-c", code], kind: "command", timeoutMs: 20_000, ...more } as const;
    return await sandbox.run(request, new AbortController().signal);
  } finally {
    await sandbox.dispose?.();
  }
}

const secrets = () =>
  [".env", "conf/.env"].map((path) => readFileSync(join(place.root, path), "utf8")).join("");

const VIEWS: readonly (readonly [string, Ways | undefined])[] = [
  ["the best way there is", undefined],
  ["a layer in a namespace of users", OVERLAY_WAYS.slice(1)],
  ["a copy", []],
];

describe.skipIf(!existsSync("/usr/bin/bwrap")).each(VIEWS)("hidden files over %s", (_name, ways) => {
  it.each(["code", "command"] as const)(
    "FE20 appear empty to programs that read everything (%s)",
    async (kind) => {
      const { exitCode, stdout, stderr, changes, warnings } = await bash(
        `set -e -o pipefail; grep -rn TODO .; find . -type f | xargs wc -l; tar cf /tmp/x.tar .; tar xOf /tmp/x.tar ./.env
       cp -r . /tmp/x; cat /tmp/x/.env /tmp/x/conf/.env .env; stat -c '%s %F' .env`,
        ways,
        { kind },
      );
      expect([exitCode, stderr.text]).toEqual([0, ""]);
      expect(stdout.text).toContain("./src/a.txt:1:TODO one\n");
      expect(stdout.text).toMatch(/\n0 regular empty file\n$/);
      expect(stdout.text).not.toContain(CANARY);
      expect([changes, warnings]).toEqual([[], []]);
    },
  );

  it.each([
    "sed -i s/K/L/ .env",
    "echo x >> .env",
    ": > conf/.env",
    "rm -f .env conf/.env",
    "mv .env moved",
    "chmod 600 .env && touch .env",
    "truncate -s 9 .env",
    "dd if=/dev/zero of=.env count=1 conv=notrunc",
    "ln .env hard",
    "exec 3<> .env",
    "cp -f src/a.txt .env",
    "umount .env; mount -o remount,rw,bind .env",
  ])("FE19 are neither changed nor counted as changed: %s", async (command) => {
    const { changes, stdout, stderr } = await bash(`${command} && echo done`, ways);
    expect(stdout.text).toBe("");
    expect(stderr.text).not.toContain(CANARY);
    expect(changes).toEqual([]);
    expect(secrets()).toBe(`KEY=${CANARY}\n`.repeat(2));
    expect((await bash("cat .env", ways)).stdout.text).toBe("");
  });

  it.each([
    ["rm -rf conf", /^$/],
    // On a copy the folder is renamed together with what is mounted in it.
    ["mv conf conf2", /conf2\/\.env was left as it is|conf was left as it is.* holds conf\/\.env/],
    ["cp -r conf conf2", /conf2\/\.env was left as it is/],
    ["cp .env .env.local", /\.env\.local was left as it is/],
    ["cp -r conf conf2; rm -rf conf; mv conf2 conf", /conf\/conf2\/\.env was left as it is/],
  ])("FE19 are not replaced by empty ones: %s", async (command, left) => {
    const { changes, warnings } = await bash(command, ways);
    expect(changes.map(({ path }) => path).filter((path) => path.includes(".env"))).toEqual([]);
    expect(changes.filter(({ kind, path }) => kind === "delete" && path === "conf")).toEqual([]);
    expect(warnings.join()).toMatch(left);
    expect(secrets()).toBe(`KEY=${CANARY}\n`.repeat(2));
  });

  it.each<Partial<SandboxRequest>>([
    { repository: "read" },
    { repository: "write" },
    { passThrough: "ignored" },
    { passThrough: "packages" },
  ])("FE19 cannot be read where empty content could leave unseen: %o", async (more) => {
    const { stdout, stderr } = await bash("cat .env; cp .env x; [ -f .env ] || echo none", ways, more);
    expect(stdout.text).toBe("none\n");
    expect(stderr.text).toContain("Permission denied");
  });
});

describe("what is mounted over a hidden file", () => {
  const request = { argv: ["true"], timeoutMs: 1 } as const;

  it("FE19 is an empty file only where every effect is recorded", () => {
    expect(fileMask(request, "/empty")).toBe("/empty");
    expect(fileMask({ ...request, repository: "masked", passThrough: "none" }, "/empty")).toBe("/empty");
    const network = { hosts: [] } as unknown as NonNullable<SandboxRequest["network"]>;
    const others: readonly Partial<SandboxRequest>[] = [
      { repository: "read" },
      { repository: "write" },
      { passThrough: "ignored" },
      { passThrough: "packages" },
      { network },
      { ports: [80] },
    ];
    for (const other of others) expect(fileMask({ ...request, ...other }, "/empty")).toBe("/dev/null");
  });
});
