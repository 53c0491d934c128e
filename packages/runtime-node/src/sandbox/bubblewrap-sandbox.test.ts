import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SandboxChange, SandboxOutcome } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { MAX_COPIED } from "./copied-view.js";
import { findOverlayWay, OVERLAY_WAYS, type OverlayWay } from "./overlay-view.js";
import { makeRunFolder } from "./run-folder.js";
import { sandboxLimits } from "./sandbox-limits.js";

type Ways = readonly Omit<OverlayWay, "folder">[];
const never = new AbortController().signal;
let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "a.txt": "one\n",
    "sub/b.txt": "two\n",
    "gone/c.txt": "three\n",
    link: { link: "a.txt" },
    pipe: { fifo: true },
    ".env": "KEY=canary\n",
    ".git/config": "[core]\n",
    "odd, name: \\ 'x'": "odd\n",
  });
});
afterEach(() => place.dispose());

function bash(code: string, overlayWays?: Ways, limits = sandboxLimits()): Promise<SandboxOutcome> {
  const { workspace, stateDirectory } = place;
  const sandbox = bubblewrapSandbox({ workspace, limits, stateDirectory, overlayWays });
  return sandbox.run({ argv: ["bash", "-c", code], timeoutMs: 20_000 }, never);
}

function told(changes: readonly SandboxChange[]): readonly string[] {
  return changes.map((change) => {
    if (change.kind === "file") return `file ${change.path} ${Buffer.from(change.bytes).toString()}`;
    return change.kind === "symlink"
      ? `link ${change.path} ${change.target}`
      : `${change.kind} ${change.path}`;
  });
}

const VIEWS: readonly (readonly [string, Ways | undefined])[] = [
  ["the best way there is", undefined],
  ["a layer in a namespace of users", OVERLAY_WAYS.slice(1)],
  ["a copy", []],
];

describe.skipIf(!existsSync("/usr/bin/bwrap")).each(VIEWS)("bubblewrapSandbox over %s", (_name, ways) => {
  it("modifies nothing and reports every kind of change", async () => {
    const { changes, exitCode, stderr } = await bash(
      `echo more >> a.txt; rm -r gone; rm -r sub; mkdir sub; echo new > sub/n; rm link; ln -s sub link
       mkdir d; echo x > d/x; echo o >> "odd, name: \\\\ 'x'"; rm -f pipe`,
      ways,
    );
    expect([exitCode, stderr.text]).toEqual([0, ""]);
    expect(told(changes)).toEqual([
      "delete gone",
      "file a.txt one\nmore\n",
      "directory d",
      "file d/x x\n",
      "delete link",
      "link link sub",
      "file odd, name: \\ 'x' odd\no\n",
      "delete sub/b.txt",
      "file sub/n new\n",
    ]);
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("one\n");
    expect(lstatSync(join(place.root, "link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(place.stateDirectory, "sandbox"))).toEqual([]);
  });

  it("hides secrets and protects guarded files", async () => {
    const { changes, stdout, warnings } = await bash(
      "cat .env; echo x >> .git/config || echo refused; rm -rf .git .env; ls -A .git; mkdir -p new/.git; echo y > new/.git/HEAD",
      ways,
    );
    expect(stdout.text).toContain("refused");
    expect(stdout.text).not.toContain("canary");
    expect(told(changes)).toEqual(["directory new"]);
    expect(warnings.join()).toContain("new/.git was left as it is");
  });

  it("S3.RUN code cannot change the settings of the machine, root or not", async () => {
    const settings = ["kernel/core_pattern", "vm/drop_caches", "kernel/hostname", "net/ipv4/ip_forward"];
    // Writes back the existing content, so that a leaking box changes nothing either.
    const write =
      'v=$(cat "/proc/sys/$f" 2>/dev/null || echo 0); echo "$v" > "/proc/sys/$f" && echo "wrote $f"';
    const search = 'find /proc -maxdepth 4 -writable -not -path "/proc/[0-9]*"';
    const { stdout, stderr } = await bash(`for f in ${settings.join(" ")}; do ${write}; done; ${search}`);
    expect(stdout.text).toBe("");
    expect(stderr.text).toContain("Read-only file system");
  });

  it("stops code that fills the disk with many files", async () => {
    const limits = { ...sandboxLimits(), fileSizeMb: 8 };
    const { limitHit, changes, warnings } = await bash(
      "i=0; while head -c 4000000 /dev/zero > f$i; do i=$((i+1)); done",
      ways,
      limits,
    );
    expect(limitHit).toBe("files");
    expect([changes, warnings]).toEqual([[], [expect.stringContaining("none of its file changes")]]);
  });
});

describe.skipIf(!existsSync("/usr/bin/bwrap"))("bubblewrapSandbox", () => {
  it("mounts a workspace read-only that can be neither layered nor copied, with a warning", async () => {
    writeFileSync(join(place.root, "huge"), "");
    truncateSync(join(place.root, "huge"), MAX_COPIED.bytes + 1);
    const { changes, stdout, stderr, warnings } = await bash("cat a.txt; echo x > a.txt", []);
    expect(stdout.text).toBe("one\n");
    expect(stderr.text).toContain("Read-only file system");
    expect(changes).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("the workspace was read-only")]);
  });

  it("removes the leftovers of a dead process, and nothing of a living one", async () => {
    const parent = join(place.base, "runs");
    const living = makeRunFolder(parent);
    const dead = join(parent, `4194999-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`);
    for (const folder of [dead, join(parent, "something-else")]) mkdirSync(folder);
    makeRunFolder(parent);
    await vi.waitFor(() => expect(existsSync(dead)).toBe(false));
    expect([living, join(parent, "something-else")].map((each) => existsSync(each))).toEqual([true, true]);
  });

  it("uses no layer if there is no place for one", async () => {
    expect(await findOverlayWay(["/proc/nowhere"])).toBeUndefined();
    expect(
      await findOverlayWay(
        [join(place.base, "runs")],
        [{ unshare: ["--mount"], options: "no_such_option=1" }],
      ),
    ).toBeUndefined();
  });
});
