import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import { scoreName } from "./score-name.js";
import type { SearchResult } from "./search-schema.js";
import { Search } from "./search-tool.js";

describeToolContract(Search, {
  files: { "a.txt": "one two\n", "dir/two.txt": "three\n" },
  args: { query: "two" },
  failing: [
    { query: "two", path: "missing" },
    { query: "two", path: "a.txt" },
  ],
});

const files = {
  "src/session.ts": "export class Session {\n  timeout = 5;\n}\n",
  "src/http.ts": "// the session timeout of a request\nconst limit = 1;\n",
  "src/other.py": "session = 1\n",
  "vendor/lib.ts": "session timeout\n",
  "docs/notes.md": "nothing\n",
  "node_modules/x/session.ts": "session timeout\n",
};

const pathsOf = ({ results }: SearchResult) => results.map(({ path }) => path);

describe("search", () => {
  it("S0.SRCH.1 narrows by file_type and sorts by relevance", async () => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<SearchResult>("search", {
      query: "session timeout",
      file_type: "ts",
    });
    expect(pathsOf(value).sort()).toEqual(["src/http.ts", "src/session.ts", "vendor/lib.ts"]);
    const scores = value.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(value.results.find(({ path }) => path === "src/http.ts")).toMatchObject({
      line: 1,
      snippet: "// the session timeout of a request",
    });
    expect(text).toMatch(/^Found 3 files for "session timeout", best first\.\n/);
    expect(text).toContain("src/http.ts:1: // the session timeout of a request");
  });

  it("S0.SRCH.2 omits exclude_dirs", async () => {
    const { succeed } = await realRuntime({ files });
    const { value } = await succeed<SearchResult>("search", { query: "session", exclude_dirs: ["vendor"] });
    expect(pathsOf(value).sort()).toEqual(["src/http.ts", "src/other.py", "src/session.ts"]);
    expect(value.total).toBe(3);
  });

  it("S0.SRCH.3 respects max_results, returns the total and says how to narrow", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `${index % 3 ? "src/api" : "tests"}/f${index}.ts`,
        "needle\n",
      ]),
    );
    const { succeed } = await realRuntime({ files: many });
    const { value, text } = await succeed<SearchResult>("search", { query: "needle" });
    expect(value).toMatchObject({ total: 60, truncated: true });
    expect(value.results).toHaveLength(20);
    expect(text).toMatch(/^Found 60 files for "needle", showing the best 20\.\n/);
    expect(text).toContain("top folders: src/api 40, tests 20.");
    const { warnings } = await succeed<SearchResult>("search", { query: "needle", limit: 900 });
    expect(warnings).toEqual(["max_results is at most 500; 900 was lowered to it"]);
  });

  it("a file's name counts, also abbreviated; the definition ranks above its uses", async () => {
    const { succeed } = await realRuntime({
      files: {
        "src/user-controller.ts": "x\n",
        "src/a.ts": "loadUser();\n",
        "src/z.ts": "export function loadUser() {}\n",
      },
    });
    const named = await succeed<SearchResult>("search", { query: "usrctrl", in: "names" });
    expect(pathsOf(named.value)).toEqual(["src/user-controller.ts"]);
    expect(named.value.results[0]).not.toHaveProperty("line");
    const defined = await succeed<SearchResult>("search", { query: "loadUser", in: "content" });
    expect(pathsOf(defined.value)).toEqual(["src/z.ts", "src/a.ts"]);
  });

  it("S0.SRCH.2 excludes default folders also below a folder of such a name", async () => {
    const { succeed } = await realRuntime({
      files: {
        "build/a.ts": "widget\n",
        "build/node_modules/b.ts": "widget\n",
        "build/dist/c.ts": "widget\n",
      },
    });
    const found = async (args: object) =>
      pathsOf((await succeed<SearchResult>("search", { query: "widget", ...args })).value);
    expect(await found({ path: "build" })).toEqual(["build/a.ts"]);
    expect(await found({ path: "build/node_modules" })).toEqual(["build/node_modules/b.ts"]);
    expect(await found({})).toEqual([]);
  });

  it("S0.SRCH.2 folders excluded by default are not reported as sensitive", async () => {
    const { succeed } = await realRuntime({ files });
    for (const where of ["names", "content", "both"]) {
      const { value } = await succeed<SearchResult>("search", { query: "zebra", in: where });
      expect(value.skipped.sensitive).toBe(0);
    }
  });

  it("searches signs line by line, and rejects a query of blanks", async () => {
    const { succeed, fail } = await realRuntime({ files });
    const { value } = await succeed<SearchResult>("search", { query: "= \n{\n", in: "content" });
    expect(pathsOf(value)).toContain("src/session.ts");
    for (const query of ["   ", "\n", "\t\r\n "])
      expect(await fail("search", { query })).toMatchObject({
        code: "INVALID_ARGUMENTS",
        message: "query is blank",
      });
  });

  it("S0.SRCH.3 shows as many as fit, with their number, and keeps the hint, however long the names are", async () => {
    const name = "a-long-name-".repeat(15);
    const many = Array.from({ length: 400 }, (_, index) => [`src/${name}${index}.txt`, "session 漢字漢字\n"]);
    const { succeed } = await realRuntime({ files: Object.fromEntries(many) });
    const { value, text } = await succeed<SearchResult>("search", { query: "session", max_results: 500 });
    const lines = text.split("\n").filter((line) => line.startsWith("src/"));
    expect(value.results).toHaveLength(400);
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThan(400);
    expect(text).toContain(`Found 400 files for "session", showing the best ${lines.length}.`);
    expect(text).toMatch(/Narrow with path, file_type or more words; top folders: src 400\.$/);
  });

  it("S0.SRCH.1 shows the part of a long line that has the words", async () => {
    for (const shift of ["", "x"]) {
      const line = `${"😀".repeat(900)}${shift}retryBackoff()${"😀".repeat(900)}`;
      const { succeed } = await realRuntime({ files: { "min.js": `${line}\n` } });
      const { value, text } = await succeed<SearchResult>("search", { query: "retrybackoff" });
      expect(value.results[0]?.snippet).toMatch(/^…😀+x?retryBackoff\(\)😀+$/u);
      expect(text).toMatch(/retryBackoff\(\)😀+ …/u);
    }
  });

  it("reports when nothing matches, and never opens sensitive files", async () => {
    const { succeed } = await realRuntime({
      files: { ".env": "canary=1\n", id_rsa: "canary\n", "a.ts": "x\n" },
    });
    const { value, text } = await succeed<SearchResult>("search", { query: "canary" });
    expect(value).toMatchObject({ results: [], total: 0 });
    expect(text).toMatch(/^No match for "canary" in 1 file/);
  });

  it("scores names: the whole name above a part, a part above scattered letters", () => {
    const scores = ["config.ts", "src/config.ts", "src/config-loader.ts", "src/c/o/n/f/i/g.ts"].map((path) =>
      scoreName("config.ts", path),
    );
    expect(scores[0]).toBe(scores[1]);
    expect(scores[1]).toBeGreaterThan(scores[2] as number);
    expect(scoreName("zzz", "src/config.ts")).toBe(0);
  });
});
