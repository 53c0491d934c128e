import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { FolderCache } from "./folder-cache.js";
import * as folders from "./read-folder.js";
import { scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";
import { WorkspaceScanner } from "./workspace-scanner.js";

let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "src/a.ts": "a\n",
    "src/deep/er/b.ts": "b\n",
    "config/.env": "TOKEN=abc\n",
    "package.json": "{}\n",
    "dist/out.js": "out\n",
    "node_modules/left/index.js": "x\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "tools/bare/HEAD": "ref: refs/heads/main\n",
  });
  // Folders that changed in the last seconds are always read again.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await place.dispose();
});

const isIgnored = (above: string, name: string) => above === "" && (name === "dist" || name === "cache");

/** Waits for the next tick of the disk's clock, so that later changes have another time. */
function nextTick(): void {
  const probe = join(place.base, "probe");
  const time = () => {
    writeFileSync(probe, "");
    return lstatSync(probe).ctimeMs;
  };
  for (const before = time(); time() === before; );
}

/** Sizes are as of the last read of a folder. */
function comparable({ guarded, open, ...scan }: WorkspaceScan) {
  const sorted = Object.entries(scan).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  ]);
  return { ...Object.fromEntries(sorted), guarded: [...guarded.keys()].sort(), entries: open.entries };
}

const at = (path: string) => join(place.root, path);

const CHANGES: Readonly<Record<string, () => void>> = {
  "a new secret": () => writeFileSync(at("src/deep/.env"), "KEY=1\n"),
  "a secret under another name": () => linkSync(at("config/.env"), at("src/deep/er/harmless.txt")),
  "a sensitive name for a file that was harmless": () => linkSync(at("src/a.ts"), at("config/id_rsa")),
  "a folder renamed to a hidden name": () => renameSync(at("src/deep"), at("src/.ssh")),
  "a folder behind the same name": () => {
    renameSync(at("src"), at("before"));
    mkdirSync(at("src/deep/er"), { recursive: true });
    writeFileSync(at("src/deep/er/.npmrc"), "x\n");
  },
  "a folder swapped for a link": () => {
    renameSync(at("src/deep"), at("kept"));
    symlinkSync("../config", at("src/deep"));
  },
  "a repository without its usual name": () => {
    for (const name of ["objects", "refs"]) mkdirSync(at(`tools/bare/${name}`));
  },
  "a new package": () => writeFileSync(at("tools/package.json"), "{}\n"),
  "a secret in an ignored folder": () => writeFileSync(at("dist/.env"), "KEY=1\n"),
  "an ignored folder that appears": () => mkdirSync(at("cache")),
  "a secret that goes away": () => rmSync(at("config/.env")),
  "everything gone": () => {
    for (const name of readdirSync(place.root)) rmSync(at(name), { recursive: true });
  },
};

describe("WorkspaceScanner", () => {
  it.each(Object.keys(CHANGES))("sees %s like a scan that reads everything", (name) => {
    const scanner = new WorkspaceScanner(place.workspace, isIgnored);
    nextTick();
    scanner.scan({});
    CHANGES[name]?.();
    const found = comparable(scanner.scan({}));
    expect(found).toEqual(comparable(scanWorkspace(place.workspace, isIgnored)));
    expect(comparable(scanner.scan({}))).toEqual(found);
  });

  it("detects every change of a long series like a scan that reads everything", () => {
    const scanner = new WorkspaceScanner(place.workspace, isIgnored);
    let seed = 7;
    const pick = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % count;
    };
    const names = ["a", ".env", "package.json", ".git", "node_modules", "HEAD", "objects", "refs", "dist"];
    const name = () => names[pick(names.length)] ?? "a";
    for (let round = 0; round < 150; round += 1) {
      nextTick();
      const path = at([...Array(1 + pick(3))].map(name).join("/"));
      const other = at(`${name()}/${name()}`);
      const steps = [
        () => mkdirSync(path, { recursive: true }),
        () => writeFileSync(path, "x"),
        () => rmSync(path, { recursive: true }),
        () => renameSync(path, other),
        () => linkSync(path, other),
        () => symlinkSync(name(), path),
      ];
      try {
        steps[pick(steps.length)]?.();
      } catch {
        // Some steps are impossible in some states.
      }
      const found = comparable(scanner.scan({}));
      expect(found, `round ${round}`).toEqual(comparable(scanWorkspace(place.workspace, isIgnored)));
    }
  });

  it("reads only changed folders", () => {
    const cache = new FolderCache();
    nextTick();
    scanWorkspace(place.workspace, isIgnored, cache);
    const reads = vi.spyOn(folders, "readFolder");
    scanWorkspace(place.workspace, isIgnored, cache);
    expect(reads.mock.calls.length).toBe(0);
    nextTick();
    writeFileSync(at("src/deep/new.ts"), "");
    scanWorkspace(place.workspace, isIgnored, cache);
    expect(reads.mock.calls.map(([, { path }]) => path)).toEqual(["src/deep"]);
  });

  it("reads a folder again that changed a moment before it was read", () => {
    vi.useRealTimers();
    const scanner = new WorkspaceScanner(place.workspace, isIgnored);
    scanner.scan({});
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(at(`src/deep/.env.r${round}`), "");
      const { secret } = scanner.scan({});
      expect(secret.map(({ path }) => path)).toContain(`src/deep/.env.r${round}`);
    }
  });
});
