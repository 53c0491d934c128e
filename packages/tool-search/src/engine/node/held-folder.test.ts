import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { compileWorker } from "../../../test-support/compile-worker.js";
import { diskFixture, type FixtureFiles, searchRequest } from "../../../test-support/search-fixture.js";
import { HeldPaths } from "./held-paths.js";
import { NodeSearchEngine } from "./node-search-engine.js";

function rootOf(files: FixtureFiles): string {
  const fixture = diskFixture(files);
  onTestFinished(fixture.remove);
  return fixture.root;
}

/** Loads the module as on another system. */
async function loadedOn(platform: string): Promise<typeof import("./held-folder.js")> {
  const actual = process.platform;
  vi.resetModules();
  Object.defineProperty(process, "platform", { value: platform });
  try {
    return await import("./held-folder.js");
  } finally {
    Object.defineProperty(process, "platform", { value: actual });
  }
}

/** Returns what this process, with all its threads, has open below a folder. */
function heldBelow(root: string): string[] {
  const places = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return places.filter((place) => place.startsWith(root));
}

describe.each(["linux", "darwin"])("P1 a held folder on %s", (platform) => {
  it("is a folder at its own path, and no link on the way to it", async () => {
    const { HeldFolder } = await loadedOn(platform);
    const root = rootOf({ "a/b/c.txt": "inside", "x.txt": "" });
    symlinkSync("a", join(root, "link"));
    const held = HeldFolder.open(root, "a/b/");
    expect(readFileSync(`${held.at}c.txt`, "utf8")).toBe("inside");
    expect(held.stats().isDirectory()).toBe(true);
    held.close();
    for (const path of ["link/", "link/b/", "a/../a/", "x.txt/", "gone/"])
      expect(() => HeldFolder.open(root, path), path).toThrow();
    const top = HeldFolder.open(root, "");
    expect(() => top.child("link")).toThrow();
    const inner = top.child("a");
    expect(readdirSync(inner.at)).toEqual(["b"]);
    inner.close();
    top.close();
    expect(heldBelow(root)).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("held paths", () => {
  it("stay in the opened folder, even if its name now refers to another", () => {
    const root = rootOf({ "a/c.txt": "inside" });
    const outside = rootOf({ "c.txt": "canary" });
    const paths = new HeldPaths(root);
    const path = paths.to("a/c.txt");
    renameSync(join(root, "a"), join(root, "moved"));
    symlinkSync(outside, join(root, "a"));
    expect(readFileSync(path, "utf8")).toBe("inside");
    paths.release();
    expect(() => paths.to("a/c.txt")).toThrow();
    mkdirSync(join(root, "a2"));
    expect(paths.to("a2/x")).toMatch(/\/x$/);
    paths.release();
    paths.release();
    expect(heldBelow(root)).toEqual([]);
  });

  it.each([0, 1_000_000])(
    "leave nothing open after a search, done or cancelled, pool from %i files",
    async (from) => {
      const names = Array.from({ length: 400 }, (_, index) => `d${index % 20}/f${index}.txt`);
      const root = rootOf(Object.fromEntries(names.map((name) => [name, "needle\n".repeat(200)])));
      const engine = new NodeSearchEngine({ root, threads: compileWorker, poolFrom: from });
      onTestFinished(() => engine.dispose());
      await engine.search(searchRequest("needle"));
      if (from === 0) await engine.warm();
      for (let round = 0; round < 10; round++) {
        const aborter = new AbortController();
        const search = engine.search(searchRequest("ne+dle"), aborter.signal).catch(() => "cancelled");
        setTimeout(() => aborter.abort(), round);
        await search;
      }
      await engine.search(searchRequest("needle"));
      // Threads answer before they close their descriptors.
      await expect.poll(() => heldBelow(root), { timeout: 10_000 }).toEqual([]);
    },
  );
});
