import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileWorker } from "../../test-support/compile-worker.js";
import {
  type DiskFixture,
  diskFixture,
  type FixtureFiles,
  memorySource,
  type RequestChanges,
  searchRequest,
} from "../../test-support/search-fixture.js";
import { NodeSearchEngine } from "./node/node-search-engine.js";
import { PortableSearchEngine } from "./portable/portable-search-engine.js";
import type { SearchOutcome } from "./search/search-outcome.js";
import type { SearchRequest } from "./search/search-request.js";

const FILES: FixtureFiles = {
  "a.txt": "one\ntwo TODO\nthree\nfour TODO end\nfive\n",
  "src/main.ts": "export function main() {\n  // TODO later\n}\nmain();\nmain(); main();\n",
  "src/crlf.txt": "one\r\ntwo\r\nthree two\r\n",
  "src/deep/er/x.py": "def todo():\n    pass\n",
  "src/no-newline.txt": "last line TODO",
  "src/.hidden/h.txt": "hidden TODO\n",
  ".env.local": "TODO\n",
  "logs/app.log": "TODO in a log\n",
  "logs/keep.log": "TODO kept\n",
  "build/out.js": "TODO built\n",
  "nested/.gitignore": "*.tmp\n!keep.tmp\n",
  "nested/x.tmp": "TODO\n",
  "nested/keep.tmp": "TODO\n",
  "nested/sub/y.tmp": "TODO\n",
  ".gitignore": "*.log\n!keep.log\n/build/\n",
  ".ignore": "secret-ish.txt\n",
  "secret-ish.txt": "TODO\n",
  ".git/info/exclude": "excluded.txt\n",
  "excluded.txt": "TODO\n",
  "bin.dat": new Uint8Array([0, 1, 84, 79, 68, 79, 10]),
  "utf16.txt": new Uint8Array([
    0xff,
    0xfe,
    ...Array.from("x TODO\n", (char) => [char.charCodeAt(0), 0]).flat(),
  ]),
  "bom.txt": new Uint8Array([0xef, 0xbb, 0xbf, 84, 79, 68, 79, 10]),
  "bom-only.txt": new Uint8Array([0xef, 0xbb, 0xbf]),
  "latin1.txt": new Uint8Array([0x63, 0xe9, 32, 84, 79, 68, 79, 10]),
  "empty.txt": "",
  "blank.txt": "\n\nword\n",
  "multi.txt": "BEGIN\n  inner\nEND\nother\nBEGIN\nEND\n",
  "letters.txt": "K\ns\n1\n",
  "joined.csv": "first\n\ufeffmarked\n",
  "large.txt": `TODO ${"x".repeat(5000)}\n`,
};

interface Engine {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome>;
}

let disk: DiskFixture;
let pooled: NodeSearchEngine;
beforeAll(async () => {
  disk = diskFixture(FILES);
  pooled = new NodeSearchEngine({ root: disk.root, threads: compileWorker, poolFrom: 0 });
  await pooled.warm();
  expect(pooled.threads).toBe(2);
}, 60_000);
afterAll(async () => {
  await pooled.dispose();
  disk.remove();
});

const ENGINES: [string, () => Engine][] = [
  ["on disk, on this thread", () => new NodeSearchEngine({ root: disk.root })],
  ["on disk, on two threads", () => pooled],
  ["in memory", () => inMemory()],
];

function inMemory(): Engine {
  const engine = new PortableSearchEngine();
  return { search: (request, signal) => engine.search(memorySource(FILES), request, signal) };
}

function brief(outcome: SearchOutcome): string[] {
  return outcome.files.flatMap(({ path, lines }) =>
    lines.map(({ line, text, match }) => `${path}:${line}${match ? ":" : "-"}${text.slice(0, 20)}`),
  );
}

describe.each(ENGINES)("a search %s", (_, engine) => {
  it("finds lines, counts all of them and obeys ignore files", async () => {
    const outcome = await engine().search(searchRequest("TODO"));
    expect(brief(outcome)).toEqual([
      "a.txt:2:two TODO",
      "a.txt:4:four TODO end",
      "bom.txt:1:TODO",
      "large.txt:1:TODO xxxxxxxxxxxxxxx",
      "latin1.txt:1:c\ufffd TODO",
      "logs/keep.log:1:TODO kept",
      "nested/keep.tmp:1:TODO",
      "src/main.ts:2:  // TODO later",
      "src/no-newline.txt:1:last line TODO",
      "utf16.txt:1:x TODO",
    ]);
    expect([outcome.totalLines, outcome.totalFiles, outcome.searchedFiles]).toEqual([10, 9, 17]);
    expect(outcome.skipped).toMatchObject({ ignored: 6, hidden: 5, binary: 1, tooLarge: 0 });
  });

  it("reports the position of the first match in a line", async () => {
    const outcome = await engine().search(searchRequest("m[a-z]+\\(\\);$"));
    const spans = outcome.files.flatMap(({ lines }) => lines.map(({ match }) => match));
    expect(spans).toEqual([
      { start: 0, end: 7 },
      { start: 8, end: 15 },
    ]);
  });

  it("adds context once, and marks the matching lines", async () => {
    const outcome = await engine().search(
      searchRequest("TODO", { context: { before: 1, after: 1 }, walk: { globs: ["a.txt"] } }),
    );
    expect(brief(outcome)).toEqual([
      "a.txt:1-one",
      "a.txt:2:two TODO",
      "a.txt:3-three",
      "a.txt:4:four TODO end",
      "a.txt:5-five",
    ]);
  });

  it("shows more context around a few matches than around many", async () => {
    const lines = async (pattern: string) =>
      brief(await engine().search(searchRequest(pattern, { context: "auto" }))).length;
    expect(await lines("four TODO end")).toBe(5);
    expect(await lines("^other$")).toBe(6);
  });

  it("pages by matching lines, in a fixed order", async () => {
    const page = await engine().search(searchRequest("TODO", { offset: 1, limit: 2 }));
    expect(brief(page)).toEqual(["a.txt:4:four TODO end", "bom.txt:1:TODO"]);
    expect(page.totalLines).toBe(10);
    const files = await engine().search(searchRequest("TODO", { filesOnly: true, offset: 1, limit: 2 }));
    expect(files.files.map(({ path, total }) => [path, total])).toEqual([
      ["bom.txt", 1],
      ["large.txt", 1],
    ]);
  });

  it("searches among given files, if the walk finds them", async () => {
    const among = ["bom.txt", "a.txt", "build/out.js", "src/.hidden/h.txt", "no-such.txt"];
    const pathsOf = async (changes: RequestChanges) => {
      const { files } = await engine().search(searchRequest("TODO", { among, filesOnly: true, ...changes }));
      return files.map(({ path }) => path);
    };
    expect(await pathsOf({})).toEqual(["a.txt", "bom.txt"]);
    expect(await pathsOf({ walk: { includeHidden: true, includeIgnored: true } })).toEqual([
      "a.txt",
      "bom.txt",
      "build/out.js",
      "src/.hidden/h.txt",
    ]);
    expect((await engine().search(searchRequest("TODO"))).totalLines).toBe(10);
  });

  it("lists definitions first, then files with more matches", async () => {
    const outcome = await engine().search(
      searchRequest({ pattern: "todo|main", ignoreCase: true }, { order: "relevance", filesOnly: true }),
    );
    expect(outcome.files.slice(0, 3).map(({ path }) => path)).toEqual([
      "src/main.ts",
      "src/deep/er/x.py",
      "a.txt",
    ]);
  });

  it("includes hidden and ignored files on request", async () => {
    const hidden = await engine().search(searchRequest("TODO", { walk: { includeHidden: true } }));
    expect(hidden.files.map(({ path }) => path)).toContain("src/.hidden/h.txt");
    const all = await engine().search(
      searchRequest("TODO", { walk: { includeHidden: true, includeIgnored: true } }),
    );
    expect(all.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["build/out.js", "excluded.txt", "nested/x.tmp"]),
    );
    expect(all.files.map(({ path }) => path)).not.toContain(".git/info/exclude");
  });

  it("searches only the given path", async () => {
    const paths = async (walk: object) =>
      (await engine().search(searchRequest("TODO", { walk }))).files.map(({ path }) => path);
    expect(await paths({ folder: "src" })).toEqual(["src/main.ts", "src/no-newline.txt"]);
    expect(await paths({ folder: "nested" })).toEqual(["nested/keep.tmp"]);
    expect(await paths({ extensions: ["ts"] })).toEqual(["src/main.ts"]);
    expect(await paths({ globs: ["src/*.ts"] })).toEqual(["src/main.ts"]);
    expect(await paths({ globs: ["*.log"] })).toEqual(["logs/app.log", "logs/keep.log"]);
    expect(await paths({ exclude: ["*.txt", "nested/"] })).toEqual(["logs/keep.log", "src/main.ts"]);
    expect(await paths({ maxDepth: 1, globs: ["l*"] })).toEqual(["large.txt", "latin1.txt"]);
  });

  it("searches one file, even an ignored one", async () => {
    expect(brief(await engine().search(searchRequest("TODO", { file: "logs/app.log" })))).toEqual([
      "logs/app.log:1:TODO in a log",
    ]);
  });

  it("skips and names files that are too large or too deep", async () => {
    const limits = { maxFileBytes: 1000, fileMs: 5000, callMs: 30_000 };
    const outcome = await engine().search(searchRequest("TODO", { limits, walk: { maxDepth: 2 } }));
    expect(outcome.skipped.examples).toMatchObject({
      tooLarge: ["large.txt"],
      tooDeep: ["nested/sub", "src/deep"],
    });
  });

  it("S1.I1 skips nothing if there is nothing to search", async () => {
    const { searchedFiles, skipped } = await engine().search(
      searchRequest("TODO", { walk: { globs: ["*.nowhere"] } }),
    );
    expect([searchedFiles, skipped.denied, skipped.examples.denied]).toEqual([0, 0, []]);
  });

  it("S2.GREP.1 shows a line with all its characters, including a leading byte order mark", async () => {
    const { files } = await engine().search(searchRequest("marked", { file: "joined.csv" }));
    expect(files[0]?.lines).toEqual([{ line: 2, text: "\ufeffmarked", match: { start: 1, end: 7 } }]);
  });

  it.each([
    ["\\P{Lu}", ["1"]],
    ["[^\\p{Lu}]", ["1"]],
    ["[[:^upper:]]", ["1"]],
    ["[[:^alpha:]]", ["1"]],
    ["\\p{^Ll}", ["1"]],
    ["\\P{Greek}", ["K", "s", "1"]],
  ])("S0.GREP.2 %s without case excludes either case of its letters", async (pattern, lines) => {
    const outcome = await engine().search(
      searchRequest({ pattern: `^${pattern}$`, ignoreCase: true }, { file: "letters.txt" }),
    );
    expect(outcome.files.flatMap((file) => file.lines.map(({ text }) => text))).toEqual(lines);
  });

  it("matches across lines on request", async () => {
    const outcome = await engine().search(
      searchRequest({ pattern: "BEGIN\\n(.*\\n)*?END", multiline: true }),
    );
    expect(brief(outcome)).toEqual(["multi.txt:1:BEGIN\n  inner\nEND", "multi.txt:5:BEGIN\nEND"]);
    const absent = await engine().search(
      searchRequest({ pattern: "TODO\\n\\z", multiline: true }, { file: "src/no-newline.txt" }),
    );
    expect(absent.totalLines).toBe(0);
  });

  it("splits lines as ripgrep does", async () => {
    const lines = async (pattern: string, file: string) =>
      brief(await engine().search(searchRequest(pattern, { file })));
    expect(await lines("^TODO$", "bom.txt")).toEqual(["bom.txt:1:TODO"]);
    expect(await lines("^$", "blank.txt")).toEqual(["blank.txt:1:", "blank.txt:2:"]);
    expect(await lines("^$", "empty.txt")).toEqual([]);
    expect(await lines("two$", "src/crlf.txt")).toEqual(["src/crlf.txt:2:two", "src/crlf.txt:3:three two"]);
    expect(await lines("two\\r$", "src/crlf.txt")).toEqual([
      "src/crlf.txt:2:two",
      "src/crlf.txt:3:three two",
    ]);
    expect(await lines("x*", "blank.txt")).toEqual(["blank.txt:1:", "blank.txt:2:", "blank.txt:3:word"]);
  });

  it("answers many searches at once, and none after its signal", async () => {
    const current = engine();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => current.search(searchRequest("TODO"))),
    );
    expect(outcomes.map(({ totalLines }) => totalLines)).toEqual(Array(20).fill(10));
    const reason = new Error("enough");
    await expect(current.search(searchRequest("TODO"), AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(current.search(searchRequest("(?=x)"))).rejects.toThrow("look-ahead");
  });
});
