import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createsFile, readsFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { makeFolder } from "./make-folder.js";

describe("makeFolder", () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "haft-folder-"));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it("creates all missing folders, for their owner only, and accepts existing ones", () => {
    const folder = join(base, "a", "b", "c");
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(base, "a")).mode & 0o777).toBe(0o700);
  });

  it("a file in its place is an error", () => {
    writeFileSync(join(base, "file"), "");
    expect(() => makeFolder(join(base, "file"))).toThrow(/file is not a folder/);
    expect(() => makeFolder(join(base, "file", "below"))).toThrow(/cannot be created \(ENOTDIR\)/);
  });

  it.runIf(existsSync("/proc/self"))("comes back where no folder can be made at all", () => {
    expect(() => makeFolder("/proc/haft-none/a/b")).toThrow(/cannot be created \(ENOENT\)/);
  });
});

describe.runIf(existsSync("/proc/self"))("a state directory that cannot be made", () => {
  const folder = runtimeFolder(
    { "a.txt": "old\n" },
    { tools: [readsFile, createsFile], approver: async () => ({ approved: true }) },
  );

  const refused = {
    ok: false,
    error: { code: "IO_ERROR", hint: expect.stringContaining("XDG_STATE_HOME") },
  };

  it.each(["/proc/haft-none/state", "/dev/null/x/state"])(
    "reading works; a change is refused with the remedy and not applied: %s",
    async (stateDirectory) => {
      await using runtime = await folder.open({ stateDirectory });
      expect(await runtime.call("reads_file", { path: "a.txt" })).toMatchObject({ ok: true });
      expect(await runtime.call("creates_file", { path: "b.txt", text: "new\n" })).toMatchObject(refused);
      await using allowed = await folder.open({
        stateDirectory,
        rules: [{ effect: "allow", tool: "creates_file" }],
      });
      expect(await allowed.call("creates_file", { path: "b.txt", text: "new\n" })).toMatchObject(refused);
      expect(await allowed.changes()).toEqual([]);
      expect(await allowed.pending()).toEqual([]);
      expect(existsSync(join(folder.root, "b.txt"))).toBe(false);
    },
  );
});
