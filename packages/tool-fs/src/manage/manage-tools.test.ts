import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ALL, realRuntime } from "../../fixtures/real-runtime.js";
import { DeleteFile } from "./delete-file-tool.js";
import { MoveFile } from "./move-file-tool.js";

const files = { "a.txt": "one\n", "dir/b.txt": "two\n" };

describeToolContract(DeleteFile, {
  files,
  args: { path: "a.txt" },
  failing: [{ path: "dir" }, { path: "missing" }, { path: "." }],
});
describeToolContract(MoveFile, {
  files,
  args: { from: "a.txt", to: "new/c.txt" },
  failing: [
    { from: "a.txt", to: "dir" },
    { from: "missing", to: "c" },
    { from: "a.txt", to: "dir/b.txt" },
  ],
});

describe("delete_file", () => {
  it("S3.DEL S0.PERM.3 deletes a file after approval, and returns {deleted}", async () => {
    const { at, succeed, approver } = await realRuntime({ dialect: "camel", files });
    const { value, text } = await succeed("delete_file", { path: "a.txt" });
    expect(value).toEqual({ deleted: ["a.txt"] });
    expect(text).toBe("Deleted a.txt");
    expect(approver.requests).toMatchObject([{ tool: "delete_file", risk: "high" }]);
    expect(existsSync(at("a.txt"))).toBe(false);
  });

  it("S3.DEL a directory needs recursive, and every deleted entry is named", async () => {
    const { at, succeed, fail } = await realRuntime({ dialect: "camel", files });
    expect(await fail("delete_file", { path: "dir" })).toMatchObject({
      code: "DIRECTORY_NOT_EMPTY",
      next: { tool: "delete_file", args: { path: "dir", recursive: true, dryRun: true } },
    });
    const { value, text } = await succeed("delete_file", { path: "dir", recursive: true });
    expect(value).toEqual({ deleted: ["dir", "dir/b.txt"] });
    expect(text).toBe("Deleted dir with 1 entry below it\n  dir/b.txt");
    expect(existsSync(at("dir"))).toBe(false);
  });

  it("S3.DEL keeps the file if denied; a dry run never prompts", async () => {
    const { at, succeed, fail, approver } = await realRuntime({ files, answers: false });
    const { text } = await succeed("delete_file", { path: "a.txt", dry_run: true });
    expect(text).toMatch(
      /^\[Dry Run\] Would delete a\.txt\n--- a\/a\.txt\n\+\+\+ \/dev\/null\n.*\nNothing was changed\.$/s,
    );
    expect(approver.requests).toEqual([]);
    expect((await fail("delete_file", { path: "a.txt" })).code).toBe("APPROVAL_DENIED");
    expect(existsSync(at("a.txt"))).toBe(true);
  });

  it("deletes a link and an empty directory, never the target of a link", async () => {
    const { at, outside, succeed } = await realRuntime({ files });
    writeFileSync(`${outside}/kept.txt`, "kept");
    symlinkSync(outside, at("link"));
    mkdirSync(at("empty"));
    await succeed("delete_file", { path: "link", recursive: true });
    await succeed("delete_file", { path: "empty" });
    expect([existsSync(at("link")), existsSync(at("empty")), existsSync(`${outside}/kept.txt`)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("a missing file names the nearest, but suggests no call that would delete it", async () => {
    const { fail } = await realRuntime({ files: { "report.txt": "x" } });
    const error = await fail("delete_file", { path: "reprot.txt" });
    expect(error).toMatchObject({ code: "FILE_NOT_FOUND", hint: "Did you mean report.txt?" });
    expect(error.next).toBeUndefined();
  });

  it("lists fifty of many", async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`d/${index}.txt`, "x"]));
    const { succeed } = await realRuntime({ files: many });
    const { value, text } = await succeed("delete_file", { path: "d", recursive: true });
    expect((value as unknown as { deleted: string[] }).deleted).toHaveLength(61);
    expect(text).toContain("… 10 more entries");
  });

  it("a role that may delete but not read can still delete", async () => {
    const role = { name: "cleaner", permissions: ["DeleteFiles"] as const };
    const { succeed, fail } = await realRuntime({ role, files });
    await succeed("delete_file", { path: "a.txt" });
    expect((await fail("delete_file", { path: "b.txt" })).code).toBe("FILE_NOT_FOUND");
  });
});

describe("move_file", () => {
  it("S3.MOVE moves a file without a prompt, and returns {from, to}", async () => {
    const { at, succeed, approver, events } = await realRuntime({ dialect: "camel", files });
    const inode = statSync(at("a.txt")).ino;
    const { value, text } = await succeed("move_file", { from: "a.txt", to: "new/place.txt" });
    expect(value).toMatchObject({ from: "a.txt", to: "new/place.txt" });
    expect(text).toBe("Moved a.txt to new/place.txt");
    expect(approver.requests).toEqual([]);
    expect(statSync(at("new/place.txt")).ino).toBe(inode);
    const changed = events.flatMap((event) => (event.type === "file-changed" ? [event.change] : []));
    expect(changed).toContainEqual(
      expect.objectContaining({ kind: "move", from: "a.txt", path: "new/place.txt" }),
    );
  });

  it("S3.MOVE D5 an existing target is an error and both files stay; overwrite prompts and replaces", async () => {
    const { at, succeed, fail, approver } = await realRuntime({ dialect: "camel", files });
    expect((await fail("move_file", { from: "a.txt", to: "dir/b.txt" })).code).toBe("DESTINATION_EXISTS");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(at("dir/b.txt"), "utf8")).toBe("two\n");
    expect(approver.requests).toEqual([]);
    const { value, text } = await succeed("move_file", { from: "a.txt", to: "dir/b.txt", overwrite: true });
    expect(value).toMatchObject({ overwritten: true });
    expect(text).toBe("Moved a.txt to dir/b.txt, replacing the existing file");
    expect(approver.requests).toHaveLength(1);
    expect(readFileSync(at("dir/b.txt"), "utf8")).toBe("one\n");
    expect(existsSync(at("a.txt"))).toBe(false);
  });

  it("S3.MOVE overwrite without an existing target never prompts", async () => {
    const { succeed, approver } = await realRuntime({ files });
    expect((await succeed("move_file", { from: "a.txt", to: "c.txt", overwrite: true })).value).toMatchObject(
      {
        overwritten: false,
      },
    );
    expect(approver.requests).toEqual([]);
  });

  it("moves a directory and a link themselves", async () => {
    const { at, succeed } = await realRuntime({ files });
    symlinkSync("a.txt", at("link"));
    await succeed("move_file", { from: "dir", to: "lib" });
    await succeed("move_file", { from: "link", to: "link2" });
    expect(readFileSync(at("lib/b.txt"), "utf8")).toBe("two\n");
    expect(lstatSync(at("link2")).isSymbolicLink()).toBe(true);
  });

  it("an existing directory as the target: suggests the call that moves into it", async () => {
    const { fail } = await realRuntime({ files });
    expect(await fail("move_file", { from: "a.txt", to: "dir/" })).toMatchObject({
      code: "DESTINATION_EXISTS",
      next: { tool: "move_file", args: { from: "a.txt", to: "dir/a.txt" } },
    });
  });

  it("a dry run moves nothing; moving to the same path does nothing", async () => {
    const { at, succeed } = await realRuntime({ files });
    const dry = await succeed("move_file", { from: "a.txt", to: "c.txt", dry_run: true });
    expect(dry.text).toBe("[Dry Run] Would move a.txt to c.txt\nNothing was changed.");
    expect(existsSync(at("a.txt"))).toBe(true);
    expect((await succeed("move_file", { from: "a.txt", to: at("a.txt") })).text).toBe(
      "a.txt is at a.txt already",
    );
  });

  it("overwriting needs DeleteFiles; outside is denied; a missing source names the nearest", async () => {
    const permissions = ALL.permissions.filter((permission) => permission !== "DeleteFiles");
    const limited = await realRuntime({ role: { name: "mover", permissions }, files });
    const args = { from: "a.txt", to: "dir/b.txt", overwrite: true };
    expect((await limited.fail("move_file", args)).code).toBe("PERMISSION_DENIED");
    const { outside, fail } = await realRuntime({ files });
    expect((await fail("move_file", { from: "a.txt", to: `${outside}/a.txt` })).code).toBe("INVALID_PATH");
    expect((await fail("move_file", { from: "a.tyt", to: "b.txt" })).hint).toBe("Did you mean a.txt?");
  });
});
