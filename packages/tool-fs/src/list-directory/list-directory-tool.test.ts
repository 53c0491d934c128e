import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { realRuntime } from "../../fixtures/real-runtime.js";
import { makePipe } from "../../fixtures/special-files.js";
import { ListDirectory } from "./list-directory-tool.js";

describeToolContract(ListDirectory, {
  files: { "a.txt": "one\n", "dir/b.txt": "two\n" },
  args: { path: "." },
  failing: [{ path: "a.txt" }, { path: "missing" }],
});

const files = { "b.txt": "12345", "a/deep/x.ts": "x", "a/y.ts": "yy", ".hidden": "", "Z.md": "z" };

describe("list_directory", () => {
  it("S3.LIST returns entries with name, type, size and time, without prompting", async () => {
    const { succeed, approver } = await realRuntime({ dialect: "camel", files });
    const { value, text } = await succeed("list_directory", { path: "." });
    const { entries } = value as unknown as { entries: { modified: string }[] };
    expect(entries).toMatchObject([
      { name: "a", path: "a", type: "directory" },
      { name: "Z.md", type: "file", size: 1 },
      { name: "b.txt", type: "file", size: 5 },
    ]);
    for (const { modified } of entries) expect(new Date(modified).toISOString()).toBe(modified);
    expect(text).toBe(".\na/\nZ.md (1 byte)\nb.txt (5 bytes)\n(Not shown: 1 hidden (include_hidden))");
    expect(approver.requests).toEqual([]);
  });

  it("S3.LIST includeHidden and recursive", async () => {
    const { succeed } = await realRuntime({ dialect: "camel", files });
    const { text, value } = await succeed("list_directory", {
      path: ".",
      includeHidden: true,
      recursive: true,
    });
    expect(text).toBe(".\na/\n  deep/\n  y.ts (2 bytes)\n.hidden (0 bytes)\nZ.md (1 byte)\nb.txt (5 bytes)");
    expect(value).toMatchObject({ total: 6, truncated: false });
    const deep = await succeed("list_directory", { path: "a", recursive: true, maxDepth: 3 });
    expect(deep.text).toBe("a/\ndeep/\n  x.ts (1 byte)\ny.ts (2 bytes)");
  });

  it("shows links as links, with their target, and whether they lead out", async () => {
    const { at, outside, succeed } = await realRuntime({ files });
    symlinkSync("b.txt", at("link"));
    symlinkSync(outside, at("out"));
    symlinkSync("circle", at("circle"));
    makePipe(at("pipe"));
    const { value, text } = await succeed("list_directory", {});
    expect((value as unknown as { entries: object[] }).entries).toContainEqual(
      expect.objectContaining({ name: "out", type: "symlink", target: outside, outside: true }),
    );
    expect(text).toContain("link -> b.txt\n");
    expect(text).toContain(`out -> ${outside} (outside the workspace)\n`);
    expect(text).toContain("circle -> circle\n");
    expect(text).toContain("pipe (pipe, socket or device)");
  });

  it("collapses ignored directories and omits ignored files", async () => {
    const { succeed } = await realRuntime({
      files: {
        ".gitignore": "dist/\n*.log\n",
        "dist/a.js": "",
        "dist/b/c.js": "",
        "node_modules/x/index.js": "",
        "debug.log": "",
        "src/a.ts": "",
      },
    });
    const { value, text } = await succeed("list_directory", { recursive: true });
    expect(text).toBe(
      [
        ".",
        "dist/ (ignored, 3 entries not listed)",
        "node_modules/ (ignored, 2 entries not listed)",
        "src/",
        "  a.ts (0 bytes)",
        "(Not shown: 1 hidden (include_hidden), 1 ignored (include_ignored))",
      ].join("\n"),
    );
    expect(value).toMatchObject({ ignored: 1, hidden: 1 });
    const all = await succeed("list_directory", { recursive: true, include_ignored: true });
    expect(all.text).toContain("debug.log");
    expect(all.text).toContain("dist/\n  b/");
    expect((await succeed("list_directory", { path: "dist" })).text).toBe("dist/\nb/\na.js (0 bytes)");
  });

  it("FR2 says how many lines of ignore files it skipped, and counts each of them once", async () => {
    const { succeed } = await realRuntime({
      files: {
        ".gitignore": `${"[".repeat(20_000)}\n*.log\n`,
        "sub/.ignore": `${"ä".repeat(20_000)}\n`,
        "sub/deep/a.txt": "",
        "sub/deep/b.log": "",
      },
    });
    const { value, warnings, text } = await succeed("list_directory", { recursive: true, max_depth: 5 });
    expect(value).toMatchObject({ ignored: 1, ignoreRules: 2 });
    expect(text).toContain("a.txt");
    expect(warnings).toEqual([
      "skipped 2 lines of ignore files: too long, too many, or after the first 1 MB",
    ]);
    const below = await succeed("list_directory", { path: "sub/deep" });
    expect(below.value).toMatchObject({ ignored: 1, ignoreRules: 2 });
    expect((await succeed("list_directory", { include_ignored: true })).value).toMatchObject({
      ignoreRules: 0,
    });
  });

  it("lists a directory with a leading dot completely", async () => {
    const { succeed } = await realRuntime({
      files: { ".github/workflows/ci.yml": "x", ".github/.keep": "" },
    });
    expect((await succeed("list_directory", { path: ".github" })).text).toBe(
      ".github/\nworkflows/\n.keep (0 bytes)",
    );
  });

  it("omits the deepest entries first, not the last in the alphabet, and counts them", async () => {
    const many: Record<string, string> = { "z.txt": "" };
    for (let index = 0; index < 30; index += 1) many[`a/${String(index).padStart(2, "0")}.txt`] = "";
    const { succeed } = await realRuntime({ files: many });
    const { value, text } = await succeed("list_directory", { recursive: true, max_results: 4 });
    expect(text).toBe(
      [
        ".",
        "a/",
        "  00.txt (0 bytes)",
        "  01.txt (0 bytes)",
        "  … 28 more",
        "z.txt (0 bytes)",
        "(Showing 4 of 32 entries. List a directory further down to see the rest.)",
      ].join("\n"),
    );
    expect(value).toMatchObject({ total: 32, truncated: true, omitted: [{ path: "a", count: 28 }] });
  });

  it("truncates the workspace itself like any directory", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": "", "b.txt": "", "c.txt": "" } });
    const { value, text } = await succeed("list_directory", { limit: 1 });
    expect(value).toMatchObject({ path: ".", omitted: [{ path: ".", count: 2 }] });
    expect(text).toContain(".\na.txt (0 bytes)\n… 2 more\n(Showing 1 of 3 entries.");
  });

  it("sorts by size and by time, directories first", async () => {
    const { at, succeed } = await realRuntime({ files: { "a.txt": "1", "b.txt": "333", "c.txt": "22" } });
    mkdirSync(at("z"));
    utimesSync(at("c.txt"), 1, 2_000_000_000);
    utimesSync(at("a.txt"), 1, 1_900_000_000);
    utimesSync(at("b.txt"), 1, 1_000_000_000);
    const names = async (sort: string) => {
      const { value } = await succeed("list_directory", { sort });
      return (value as unknown as { entries: { name: string }[] }).entries.map(({ name }) => name).join(" ");
    };
    expect(await names("size")).toBe("z b.txt c.txt a.txt");
    expect(await names("modified")).toBe("z c.txt a.txt b.txt");
    expect(await names("name")).toBe("z a.txt b.txt c.txt");
  });

  it("a file and a missing directory are errors with a ready call", async () => {
    const { fail } = await realRuntime({ files });
    expect(await fail("list_directory", { path: "b.txt" })).toMatchObject({
      code: "NOT_A_DIRECTORY",
      next: { tool: "read_file", args: { path: "b.txt" } },
    });
    expect(await fail("list_directory", { path: "a/depe" })).toMatchObject({
      code: "PATH_NOT_FOUND",
      message: "Directory not found: a/depe",
      next: { tool: "list_directory", args: { path: "a/deep" } },
    });
    expect((await fail("list_directory", { path: "zzz/yyy" })).code).toBe("PATH_NOT_FOUND");
  });

  it("answers in time for a thousand directories and more results than allowed", async () => {
    const { at, succeed } = await realRuntime();
    for (let index = 0; index < 1000; index += 1) {
      mkdirSync(at(`d${index}`));
      writeFileSync(at(`d${index}/f`), "");
    }
    const usedMs = measureProcessorTime();
    const { value, warnings } = await succeed("list_directory", { recursive: true, max_results: 99_999 });
    expect(usedMs()).toBeLessThan(5_000);
    expect(value).toMatchObject({ total: 2000, truncated: false });
    expect(warnings).toEqual(["max_results is at most 2000"]);
  });

  it("reports an empty directory", async () => {
    const { succeed } = await realRuntime();
    expect((await succeed("list_directory", {})).text).toBe(".\n(no entries)");
  });
});
