import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { canMount, makeReadOnly, mountSmall } from "../../fixtures/special-files.js";

describe("failing writes", () => {
  it.skipIf(!canMount())(
    "S1.I3 a full disk is DISK_FULL, the file is intact and nothing is left behind",
    async () => {
      const { at, succeed, fail } = await realRuntime();
      mountSmall(at("small"));
      writeFileSync(at("small/a.txt"), "old\n");
      await succeed("read_file", { path: "small/a.txt" });
      const content = "x".repeat(200_000);
      expect((await fail("write_file", { path: "small/a.txt", content })).code).toBe("DISK_FULL");
      expect((await fail("create_file", { path: "small/b.txt", content })).code).toBe("DISK_FULL");
      expect((await fail("append_file", { path: "small/a.txt", content })).code).toBe("DISK_FULL");
      expect(readdirSync(at("small"))).toEqual(["a.txt"]);
      expect(readFileSync(at("small/a.txt"), "utf8")).toBe("old\n");
    },
  );

  it.skipIf(!canMount())(
    "a read-only folder is PERMISSION_DENIED for every tool that changes it",
    async () => {
      const { at, succeed, fail } = await realRuntime();
      mountSmall(at("ro"));
      writeFileSync(at("ro/a.txt"), "old\n");
      makeReadOnly(at("ro"));
      await succeed("read_file", { path: "ro/a.txt" });
      for (const [tool, args] of [
        ["write_file", { path: "ro/a.txt", content: "x" }],
        ["create_file", { path: "ro/b.txt", content: "x" }],
        ["append_file", { path: "ro/a.txt", content: "x" }],
        ["delete_file", { path: "ro/a.txt" }],
        ["move_file", { from: "ro/a.txt", to: "ro/c.txt" }],
      ] as const)
        expect((await fail(tool, args)).code).toBe("PERMISSION_DENIED");
      expect(readdirSync(at("ro"))).toEqual(["a.txt"]);
    },
  );

  it("S1.I3 a file removed during the prompt is not written again", async () => {
    const { at, call, succeed } = await realRuntime({
      files: { "a.txt": "old\n" },
      answers: () => {
        rmSync(at("a.txt"));
        return true;
      },
    });
    await succeed("read_file", { path: "a.txt" });
    const result = await call("write_file", { path: "a.txt", content: "new\n" });
    expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(readdirSync(at("."))).toEqual([]);
  });

  it("a file swapped for a link during the prompt redirects nothing", async () => {
    const { at, outside, call, succeed } = await realRuntime({
      files: { "a.txt": "old\n", "dir/b.txt": "old\n" },
      answers: () => {
        rmSync(at("a.txt"));
        symlinkSync(`${outside}/target.txt`, at("a.txt"));
        renameSync(at("dir"), at("dir2"));
        symlinkSync(outside, at("dir"));
        return true;
      },
    });
    writeFileSync(`${outside}/target.txt`, "outside\n");
    writeFileSync(`${outside}/b.txt`, "outside\n");
    for (const path of ["a.txt", "dir/b.txt"]) await succeed("read_file", { path });
    expect(await call("write_file", { path: "a.txt", content: "new\n" })).toMatchObject({ ok: false });
    rmSync(at("a.txt"));
    expect(await call("update_file", { path: "dir/b.txt", content: "new\n" })).toMatchObject({ ok: false });
    expect(readFileSync(`${outside}/target.txt`, "utf8")).toBe("outside\n");
    expect(readFileSync(`${outside}/b.txt`, "utf8")).toBe("outside\n");
    expect(readdirSync(outside).sort()).toEqual(["b.txt", "target.txt"]);
  });

  it("of two writers who saw the same file one wins, and the other is told", async () => {
    const { at, call, succeed } = await realRuntime({ files: { "a.txt": "old\n" } });
    const { value } = await succeed("read_file", { path: "a.txt" });
    const { hash } = value as unknown as { hash: string };
    const results = await Promise.all(
      ["one\n", "two\n"].map((content) =>
        call("write_file", { path: "a.txt", content, expected_hash: hash }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const loser = results.find(({ ok }) => !ok);
    expect(loser).toMatchObject({ error: { code: "STALE_FILE" } });
    const winner = results[0]?.ok ? "one\n" : "two\n";
    expect(readFileSync(at("a.txt"), "utf8")).toBe(winner);
  });
});
