import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { HeldDirectory } from "./held-directory.js";
import { NameGuard } from "./name-guard.js";
import { windowsNameProblem, windowsPathProblem } from "./windows-name.js";

/** Each is a second name of a file on Windows, or leads elsewhere. */
const REFUSED = {
  "a drive": ["C:", "C:\\Windows", "c:/work/a.txt", "C:a.txt"],
  "a share": ["\\\\server\\share\\a.txt", "\\\\?\\C:\\a.txt", "\\\\.\\PhysicalDrive0"],
  "a backslash": ["..\\outside", "src\\a.ts", "src\\..\\..\\a.ts"],
  "a stream": ["a.txt:secret", "a.txt::$DATA", "src:$I30:$INDEX_ALLOCATION"],
  "a device": [
    "NUL",
    "nul",
    "con.txt",
    "AUX ",
    "Prn .md",
    "COM1",
    "com\u00b9",
    "lpt9.log",
    "CONIN$",
    "src/NUL/x",
  ],
  "a trailing dot or blank": ["a.txt.", "a.txt ", "src./a.ts", ".env."],
  "a short name": ["PROGRA~1", "SECRET~1.TXT", "src/ENV~2"],
  "a character of patterns": ["a?.txt", "*.ts", "<a>", "a|b", 'a"b'],
};

const ORDINARY = [
  ...[
    "a.txt",
    ".env.example",
    "src/a.ts",
    "console.ts",
    "nullable.ts",
    "com.ts",
    "com10",
    "auxiliary",
    "v1..v2.diff",
  ],
  ...["a b.txt", "~", "a~1", "backup~10-of-many.txt", "\u00fcber.md", "%2e%2e", "src/..hidden"],
];

describe("names on Windows", () => {
  for (const [what, paths] of Object.entries(REFUSED))
    it(`S2.NFR2 refuses ${what}`, () => {
      expect(paths.filter((path) => windowsPathProblem(path) === undefined)).toEqual([]);
    });

  it("S2.NFR2 accepts ordinary names", () => {
    expect(ORDINARY.filter((path) => path !== "a~1" && windowsPathProblem(path) !== undefined)).toEqual([]);
    expect(windowsNameProblem("a~1")).toContain("short name");
  });
});

describe("a workspace on Windows, as far as it can run here", () => {
  let temp: TemporaryWorkspace;
  beforeEach(async () => {
    vi.spyOn(process, "platform", "get").mockReturnValue("win32");
    temp = await temporaryWorkspace({ "src/a.ts": "inside" }, { portable: true });
  });
  afterEach(async () => {
    await temp.dispose();
    vi.restoreAllMocks();
  });

  it("S2.NFR2 refuses to read and write every second name, and explains how to write paths", async () => {
    for (const path of Object.values(REFUSED).flat()) {
      await expect(temp.workspace.readText(path)).rejects.toMatchObject({ code: "INVALID_PATH" });
      const write = temp.change((overlay) => overlay.createText(path, "x"));
      await expect(write).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
    await expect(temp.workspace.readText("src\\a.ts")).rejects.toThrow('use "/" between names');
    expect(await temp.workspace.readText("src/a.ts")).toBe("inside");
  });

  it("S2.NFR2 follows a link inside, and none that leads out by backslashes or a drive", async () => {
    mkdirSync(join(temp.root, "docs"));
    symlinkSync("..\\src", join(temp.root, "docs/in"));
    symlinkSync("..\\..\\outside", join(temp.root, "docs/out"));
    symlinkSync("C:\\Windows", join(temp.root, "docs/drive"));
    writeFileSync(join(temp.outside, "secret.txt"), "secret");
    expect(await temp.workspace.readText("docs/in/a.ts")).toBe("inside");
    for (const path of ["docs/out/secret.txt", "docs/drive/win.ini"])
      await expect(temp.workspace.readText(path)).rejects.toMatchObject({ code: "INVALID_PATH" });
  });

  it("S2.NFR2 opens no child by a second name, wherever the name comes from", () => {
    const directory = HeldDirectory.open(temp.root);
    for (const name of ["..\\outside", "NUL", "a.txt:stream", "src."])
      expect(() => directory.at(name)).toThrow("Not the name of a directory entry");
    expect(directory.at("src")).toBe(`${temp.root}/src`);
    directory.close();
  });
});

describe("names on file systems that ignore case", () => {
  it("S2.NFR2 hides reserved folders in every spelling that such a file system accepts", () => {
    const guard = new NameGuard(["build/State", "caf\u00e9"], () => false);
    for (const path of [
      "build/State",
      "build/state/x",
      "BUILD/STATE",
      "build/state./x",
      "cafe\u0301/x",
      "CAFE\u0301",
    ])
      expect(guard.isHidden(path), path).toBe(true);
    for (const path of ["build", "build/stately", "build/other", "cafe", ""])
      expect(guard.isHidden(path), path).toBe(false);
    expect(new NameGuard([""], () => false).isHidden("a")).toBe(true);
  });

  it("S2.NFR2 recognizes sensitive names in every spelling", () => {
    const guard = new NameGuard([], () => false);
    for (const path of [".ENV", ".Env", "ID_RSA", ".SSH/config", ".env.", "Server.PEM"])
      expect(guard.isSensitive(path), path).toBe(true);
  });
});
