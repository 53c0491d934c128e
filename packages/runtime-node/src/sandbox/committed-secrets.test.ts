import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeSandbox, SandboxOutcome } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { OVERLAY_WAYS } from "./overlay-view.js";
import { findPortable, portableSandbox } from "./portable-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

const CANARY = "CANARY-0bjects";
let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n", ".env": `KEY=${CANARY}\n` });
  commitAll(place.root);
  execFileSync("git", ["-C", place.root, "config", "remote.origin.url", `https://me:${CANARY}@host/x.git`]);
  execFileSync("git", ["clone", "-q", "--bare", place.root, join(place.root, "store")]);
  mkdirSync(join(place.root, "sub"));
  writeFileSync(join(place.root, "sub/.env"), `KEY=${CANARY}\n`);
  commitAll(join(place.root, "sub"));
  // This object is unreachable.
  execFileSync("git", ["-C", place.root, "hash-object", "-w", "--stdin"], { input: `lost ${CANARY}\n` });
  execFileSync("git", ["-C", place.root, "gc", "-q"]);
});
afterEach(() => place.dispose());

function commitAll(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-C", folder, ...args]);
  git("init", "-q");
  git("add", "-A", "-f");
  git("commit", "-q", "-m", "all");
  rmSync(join(folder, ".env"));
  git("commit", "-q", "-a", "-m", "gone");
}

/** Returns every file, also unpacked: a loose object is compressed, and a pack holds many. */
const UNPACK = `
import os, zlib
for folder, _, names in os.walk("."):
  for name in names:
    try:
      data = open(os.path.join(folder, name), "rb").read()
    except OSError:
      continue
    if b"${CANARY}" in data: print("found plain in", folder, name)
    for start in range(max(len(data) - 1, 0)):
      if data[start] != 0x78: continue
      try:
        if b"${CANARY}" in zlib.decompressobj().decompress(data[start:]): print("found packed in", folder, name)
      except zlib.error:
        pass
`;
const GIT = `git show HEAD~1:.env; git log -p --all; git cat-file --batch-all-objects --batch; git -C sub show HEAD~1:.env
git -C store show HEAD~1:.env; git --git-dir=store log -p; git config -l; git remote -v; cat .git/config store/config; git fsck --lost-found; true`;

const options = (overlayWays?: typeof OVERLAY_WAYS) => {
  const { workspace, stateDirectory } = place;
  return { workspace, stateDirectory, limits: sandboxLimits(), overlayWays };
};
const SANDBOXES: readonly (readonly [string, () => Promise<CodeSandbox>])[] = [
  ["bubblewrap over the best view", async () => bubblewrapSandbox(options())],
  ["bubblewrap over a layer of a user", async () => bubblewrapSandbox(options(OVERLAY_WAYS.slice(1)))],
  ["bubblewrap over a copy", async () => bubblewrapSandbox(options([]))],
  ["the portable tier", async () => portableSandbox({ ...options(), programs: await findPortable() })],
];

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap")).each(SANDBOXES)(
  "a secret that was committed, in %s",
  { timeout: 60_000 },
  (name, open) => {
    const run = async (program: string, content: string): Promise<SandboxOutcome> => {
      const request = {
        argv: [program, "{script}"] as const,
        script: { name: program === "bash" ? "main.sh" : "main.py", content },
        timeoutMs: 50_000,
      };
      return (await open()).run(request, new AbortController().signal);
    };

    it("P7 S4.005.c git, its objects and its settings do not reveal them", async () => {
      const { stdout, stderr } = await run("bash", GIT);
      expect(stdout.text + stderr.text).not.toContain(CANARY);
      const unpacked = await run("python3", UNPACK);
      expect([unpacked.stdout.text, unpacked.stderr.text]).toEqual(["", ""]);
    });

    it("every attempt leaves the repositories unchanged", async () => {
      const head = readFileSync(join(place.root, ".git/HEAD"), "utf8");
      const { changes } = await run(
        "bash",
        "echo x > .git/HEAD; echo x > store/HEAD; rm -rf .git sub/.git store; echo b > b.txt; true",
      );
      expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["file b.txt"]);
      expect(readFileSync(join(place.root, ".git/HEAD"), "utf8")).toBe(head);
    });

    it.skipIf(name.includes("portable"))("leaves git able to name files and versions", async () => {
      const { stdout, stderr } = await run(
        "bash",
        "git ls-files; git rev-parse --show-toplevel; git rev-parse HEAD; git -C sub ls-files",
      );
      const head = execFileSync("git", ["-C", place.root, "rev-parse", "HEAD"], { encoding: "utf8" });
      expect([stdout.text, stderr.text]).toEqual([`a.txt\n${place.root}\n${head}`, ""]);
    });
  },
);
