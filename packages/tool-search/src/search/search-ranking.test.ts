import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import { queryTerms } from "./query-terms.js";
import type { SearchResult } from "./search-schema.js";

const noise = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`lib/noise-${index}.ts`, "export const nothing = 1;\n"]),
);

async function ranked(files: Readonly<Record<string, string>>, query: string, args: object = {}) {
  const { succeed } = await realRuntime({ files: { ...noise, ...files } });
  return (await succeed<SearchResult>("search", { query, ...args })).value.results;
}

const pathsOf = (results: SearchResult["results"]) => results.map(({ path }) => path);

describe("the order of search results", () => {
  it("S0.SRCH.1 the words of a name count in any order and any form", async () => {
    const results = await ranked(
      { "src/estimate-tokens.ts": "export const x = 1;\n", "src/a.ts": "// counting tokens, estimated\n" },
      "token estimation",
    );
    expect(pathsOf(results)).toEqual(["src/estimate-tokens.ts", "src/a.ts"]);
  });

  it("S0.SRCH.1 a file with every word ranks above one that repeats one of them", async () => {
    const results = await ranked(
      { "src/a.ts": "timeout\n".repeat(40), "src/b.ts": "approval\nsomething\ntimeout\n" },
      "approval timeout",
    );
    expect(pathsOf(results)).toEqual(["src/b.ts", "src/a.ts"]);
  });

  it("S0.SRCH.1 code ranks above its test, and both above generated files", async () => {
    const line = "export function redactSecrets() {}\n";
    const results = await ranked(
      { "pnpm-lock.yaml": line, "src/one.test.ts": line, "src/two.ts": line },
      "redact secrets",
    );
    expect(pathsOf(results)).toEqual(["src/two.ts", "src/one.test.ts", "pnpm-lock.yaml"]);
  });

  it("shows the line that defines a name, not the one that imports it", async () => {
    const [first] = await ranked(
      { "src/a.ts": 'import { loadPack } from "./load-pack.js";\n\nexport function loadPack() {}\n' },
      "loadPack",
      { in: "content" },
    );
    expect(first).toMatchObject({ line: 3, snippet: "export function loadPack() {}" });
  });

  it("a question is matched by its meaningful words", async () => {
    const results = await ranked(
      {
        "src/sensitive-names.ts": "export const NAMES = [];\n",
        "src/a.ts": "// where are the files of the user\n",
      },
      "where are the sensitive names listed?",
    );
    expect(pathsOf(results)).toEqual(["src/sensitive-names.ts"]);
  });

  it.each([
    ["loading loads loader", ["load"]],
    ["policies policy", ["polic"]],
    ["createNodeRuntime", ["createnoderuntime"]],
    ["how are the", ["how", "are", "the"]],
    ["=>", ["=>"]],
    ["ids", ["ids"]],
    ["EDIT_NOT_FOUND x", ["edit_not_found"]],
  ])("the stems of %j", (query, stems) => {
    expect(queryTerms(query).map(({ stem }) => stem)).toEqual(stems);
  });
});
