import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layerFolders } from "./open-view.js";
import { isPrivateFolder } from "./private-folder.js";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-private-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe.runIf(process.geteuid !== undefined)("isPrivateFolder", () => {
  it("S10 creates it for its owner only, and recognizes it later", () => {
    const folder = join(base, "new");
    expect([isPrivateFolder(folder), isPrivateFolder(folder)]).toEqual([true, true]);
    expect(lstatSync(folder).mode & 0o7777).toBe(0o700);
  });

  it("S10 takes no link, no file, nothing that others may enter", () => {
    mkdirSync(join(base, "own"), { mode: 0o700 });
    symlinkSync(join(base, "own"), join(base, "link"));
    symlinkSync(join(base, "nowhere"), join(base, "dangling"));
    writeFileSync(join(base, "file"), "", { mode: 0o700 });
    for (const mode of [0o755, 0o770, 0o701, 0o777]) {
      mkdirSync(join(base, `mode-${mode}`));
      chmodSync(join(base, `mode-${mode}`), mode);
      expect(isPrivateFolder(join(base, `mode-${mode}`))).toBe(false);
    }
    for (const name of ["link", "dangling", "file", "missing/below"])
      expect(isPrivateFolder(join(base, name))).toBe(false);
  });

  it.runIf(process.geteuid?.() === 0)("S10 takes no folder of another user", () => {
    mkdirSync(join(base, "theirs"), { mode: 0o700 });
    chownSync(join(base, "theirs"), 12_345, 12_345);
    expect(isPrivateFolder(join(base, "theirs"))).toBe(false);
  });
});

describe.runIf(process.geteuid !== undefined)("layerFolders", () => {
  it("S10 the folder in memory is private to each user, and unused if another user owns it", () => {
    const uid = String(process.geteuid?.());
    expect(layerFolders("/ws", "/state/sandbox", base)).toEqual([
      "/state/sandbox",
      join(base, `haft-sandbox-${uid}`),
    ]);
    rmSync(join(base, `haft-sandbox-${uid}`), { recursive: true });
    symlinkSync("/tmp", join(base, `haft-sandbox-${uid}`));
    expect(layerFolders("/ws", "/state/sandbox", base)).toEqual(["/state/sandbox"]);
    expect(layerFolders(base, "/state/sandbox", base)).toEqual(["/state/sandbox"]);
  });
});
