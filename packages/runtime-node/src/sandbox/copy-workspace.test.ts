import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { never, openCopy, runsOf } from "./copied-view.fixture.js";
import { type CopyOptions, copyWorkspace } from "./copy-workspace.js";
import { scanWorkspace } from "./workspace-scan.js";

const isLinux = process.platform === "linux";
let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "a.txt": "one\n",
    "dir/secret.txt": "inside\n",
    "dir/sub/x.txt": "two\n",
    "large.bin": new Uint8Array(300_000).fill(7),
    link: { link: "a.txt" },
    pipe: { fifo: true },
    "z.txt": "last\n",
  });
});
afterEach(() => place.dispose());

/** Copies while `meanwhile` runs, each time between the check of an entry and its copy. */
async function copied(meanwhile: (path: string) => void = () => {}, signal = never) {
  const copy = join(place.base, "copy");
  const isOpen: CopyOptions["isOpen"] = (path) => {
    meanwhile(path);
    return path !== "left";
  };
  return { copy, ...(await copyWorkspace({ root: place.root, copy, isOpen, signal })) };
}

describe("copyWorkspace", () => {
  it("copies files, folders and links with their modes and times, but no pipes", async () => {
    chmodSync(join(place.root, "a.txt"), 0o750);
    chmodSync(join(place.root, "dir"), 0o750);
    utimesSync(join(place.root, "a.txt"), 1_000, 2_000);
    const { copy, marks, unreadable } = await copied();
    expect(readdirSync(copy)).toEqual(["a.txt", "dir", "large.bin", "link", "z.txt"]);
    const { mode, mtimeMs } = lstatSync(join(copy, "a.txt"));
    expect([mode & 0o777, mtimeMs, lstatSync(join(copy, "dir")).mode & 0o777]).toEqual([
      0o750, 2_000_000, 0o750,
    ]);
    expect(readFileSync(join(copy, "large.bin")).equals(readFileSync(join(place.root, "large.bin")))).toBe(
      true,
    );
    expect(lstatSync(join(copy, "link")).isSymbolicLink()).toBe(true);
    expect([...marks.keys()].sort()).toEqual(
      ["a.txt", "dir", "dir/secret.txt", "dir/sub", "dir/sub/x.txt", "large.bin", "link", "z.txt"].sort(),
    );
    expect(unreadable.size).toBe(0);
  });

  it("S15 omits entries that vanish or change their kind meanwhile, and copies the rest", async () => {
    const { copy, unreadable } = await copied((path) => {
      if (path === "a.txt") unlinkSync(join(place.root, path));
      if (path === "dir") rmSync(join(place.root, path), { recursive: true });
      if (path !== "large.bin") return;
      unlinkSync(join(place.root, path));
      symlinkSync(join(place.outside, "secret.txt"), join(place.root, path));
    });
    expect(readdirSync(copy)).toEqual(["link", "z.txt"]);
    expect(unreadable.size).toBe(0);
  });

  it.runIf(isLinux)(
    "does not follow a folder that is swapped for a link, before or during the copy",
    async () => {
      mkdirSync(join(place.outside, "sub"));
      writeFileSync(join(place.outside, "sub/x.txt"), "canary");
      for (const moment of ["dir", "dir/secret.txt", "dir/sub"]) {
        const { copy } = await copied((path) => {
          if (path !== moment) return;
          renameSync(join(place.root, "dir"), join(place.base, "moved"));
          symlinkSync(place.outside, join(place.root, "dir"));
        });
        const seen = ["dir/secret.txt", "dir/sub/x.txt"].map((path) => join(copy, path)).filter(existsSync);
        for (const path of seen) expect([moment, readFileSync(path, "utf8")]).not.toContain("canary");
        expect(seen.length).toBe(moment === "dir" ? 0 : 2);
        unlinkSync(join(place.root, "dir"));
        renameSync(join(place.base, "moved"), join(place.root, "dir"));
        rmSync(copy, { recursive: true });
      }
    },
  );

  it("S15 can be cancelled while it runs", async () => {
    const cancelling = new AbortController();
    const looked: string[] = [];
    const copying = copied((path) => {
      looked.push(path);
      if (path === "dir") cancelling.abort(new Error("enough"));
    }, cancelling.signal);
    await expect(copying).rejects.toThrow("enough");
    expect(looked).toEqual(["a.txt", "dir"]);
  });

  it("S15 yields to other work", async () => {
    for (let at = 0; at < 500; at += 1) writeFileSync(join(place.root, `f${at}`), "x");
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const { marks } = await copied();
    clearInterval(timer);
    expect(marks.size).toBe(508);
    expect(turns).toBeGreaterThan(0);
  });
});

describe("copiedView", () => {
  it.runIf(isLinux)("S15 reports what the code cannot see because it cannot be read", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/n`), Buffer.from([0xff])]), "x");
    const { view, warnings } = await openCopy(place);
    expect(warnings).toEqual([expect.stringMatching(/^the code did not see n\ufffd, .*not UTF-8/)]);
    await view.close();
  });

  it.runIf(process.geteuid?.() !== 0)("S15 a file that cannot be read fails nothing", async () => {
    chmodSync(join(place.root, "a.txt"), 0);
    const { view, warnings } = await openCopy(place);
    expect(warnings).toEqual(["the code did not see a.txt, which cannot be read (EACCES)"]);
    expect(existsSync(join(view.path, "z.txt"))).toBe(true);
    await view.close();
  });

  it("a secret that appears after the scan is not copied", async () => {
    const scan = scanWorkspace(place.workspace);
    place.put({ "dir/.env": "KEY=canary\n" });
    const { view } = await openCopy(place, scan);
    expect(readdirSync(join(view.path, "dir"))).toEqual(["secret.txt", "sub"]);
    await view.close();
    expect(readdirSync(runsOf(place))).toEqual([]);
  });

  it("S15 reports a full disk in words, and leaves nothing", async () => {
    rmSync(place.root, { recursive: true });
    await expect(openCopy(place)).rejects.toMatchObject({
      code: "IO_ERROR",
      message: "The workspace could not be copied for the code to work on (ENOENT)",
    });
    expect(readdirSync(runsOf(place))).toEqual([]);
  });
});
