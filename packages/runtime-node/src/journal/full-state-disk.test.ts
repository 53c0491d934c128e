import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { createsFile, deletesFile, readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const STATE_BYTES = 256 * 1024;

describe("a small disk for workspace state", () => {
  const folder = runtimeFolder(
    { "a.txt": "old\n", "large.bin": "" },
    {
      tools: [readsFile, createsFile, writesFile, deletesFile],
      approver: async () => ({ approved: true }),
    },
  );
  const mounted: string[] = [];
  afterEach(() => {
    for (const place of mounted.splice(0)) execFileSync("umount", ["-l", place]);
  });

  function mountState(context: TestContext): string {
    const place = join(folder.base, "state");
    mkdirSync(place);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${STATE_BYTES}`, "tmpfs", place], {
        stdio: "ignore",
      });
    } catch {
      context.skip("mounting is not permitted here");
    }
    mounted.push(place);
    return place;
  }

  const full = { ok: false, error: { code: "DISK_FULL", hint: expect.stringContaining("state folder") } };

  it("S8 full: a change is refused with that reason, with or without approval, and reading works", async (context) => {
    const fill = join(mountState(context), "fill");
    fillUp(fill);
    for (const rules of [[], [{ effect: "allow", tool: "creates_file" } as const]]) {
      await using runtime = await folder.open({ rules });
      expect(await runtime.call("creates_file", { path: "b.txt", text: "new\n" })).toMatchObject(full);
      expect(await runtime.call("reads_file", { path: "a.txt" })).toMatchObject({ ok: true });
    }
    expect(readdirSync(folder.root).sort()).toEqual(["a.txt", "large.bin"]);
    rmSync(fill);
    await using runtime = await folder.open();
    expect(await runtime.call("creates_file", { path: "b.txt", text: "new\n" })).toMatchObject({ ok: true });
  });

  it.for([
    ["deletes_file", { path: "large.bin" }],
    ["writes_file", { path: "large.bin", text: "new" }],
  ] as const)("M3 content without room for a backup is not destroyed: %s", async ([tool, args], context) => {
    const size = 64 * 1024 * 1024;
    mountState(context);
    truncateSync(join(folder.root, "large.bin"), size);
    await using runtime = await folder.open();
    expect(await runtime.call(tool, args)).toMatchObject(full);
    expect(statSync(join(folder.root, "large.bin")).size).toBe(size);
    expect(readdirSync(join(folder.base, "state", "trash"))).toEqual([]);
  });
});

function fillUp(file: string): void {
  try {
    writeFileSync(file, "x".repeat(2 * STATE_BYTES));
  } catch {
    // As much as fits.
  }
}
