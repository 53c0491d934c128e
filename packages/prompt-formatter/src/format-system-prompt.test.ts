import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describedTool, SEED_TOOLS } from "./fixtures/seed-tools.js";
import { formatSystemPrompt } from "./format-system-prompt.js";
import { promptStats } from "./prompt-options.js";

const prompt = formatSystemPrompt(SEED_TOOLS);

/** The text between a category's heading and the next one. */
function section(title: string, text = prompt): string {
  const start = text.indexOf(`\n## ${title}\n`);
  expect(start, `the prompt has a section ${title}`).toBeGreaterThan(-1);
  const end = text.indexOf("\n## ", start + 1);
  return text.slice(start, end === -1 ? undefined : end);
}

function toolsIn(text: string): readonly string[] {
  return [...text.matchAll(/^### (\S+)$/gm)].map((match) => match[1] ?? "");
}

describe("categories", () => {
  it("S0.CAT.1 groups grep, glob, search and list_directory under Search & Discovery", () => {
    const text = section("Search & Discovery");
    expect(toolsIn(text)).toEqual(["glob", "grep", "list_directory", "search"]);
    expect(text).toMatch(/Find code, files and names/);
  });

  it("S0.CAT.2 groups read_file under File Reading, described as read-only", () => {
    const text = section("File Reading");
    expect(toolsIn(text)).toEqual(["read_file"]);
    expect(text).toMatch(/read-only/i);
  });

  it("S0.CAT.3 groups the writing tools under File Writing, which notes approval", () => {
    const text = section("File Writing");
    expect(toolsIn(text)).toEqual([
      "append_file",
      "create_file",
      "edit_lines",
      "replace_in_file",
      "update_file",
      "write_file",
    ]);
    expect(text.slice(0, text.indexOf("###"))).toMatch(/approval/);
  });

  it("S0.CAT.4 groups delete_file under File Management, which warns of destruction", () => {
    const text = section("File Management");
    expect(toolsIn(text)).toEqual(["delete_file"]);
    expect(text).toMatch(/Destructive operations/);
  });

  it("puts third-party categories after the known ones, by name", () => {
    const text = formatSystemPrompt([
      describedTool("z_tool", "x-zoo"),
      describedTool("fetch", "web"),
      describedTool("a_tool", "x-acme-billing"),
      describedTool("read_file", "read"),
    ]);
    expect([...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      "File Reading",
      "Web",
      "Acme Billing",
      "Zoo",
    ]);
  });
});

describe("one tool", () => {
  it("S0.DOC.1 contains the termination guidance of search tools", () => {
    const text = section("Search & Discovery");
    expect(text).toContain("Termination: terminate=false if the results need further processing");
    expect(text).toContain("terminate=true if they are what the user wanted to see");
  });

  it("S0.DOC.2 contains the termination guidance of edit tools: preview first, then when to stop", () => {
    const text = section("File Writing");
    expect(text.match(/Termination: Use preview mode first/g)).toHaveLength(2);
    expect(text).toContain("terminate=true after a successful edit");
    expect(text).toContain("terminate=false if it needs to be verified");
  });

  it("S0.DOC.3 shows an example as JSON with its use case, and the important options", () => {
    expect(prompt).toContain('Example (find open work in TypeScript): `{"pattern":"TODO","file_type":"ts"}`');
    expect(prompt).toContain("Narrow with file_type or glob before you raise max_results.");
    for (const match of prompt.matchAll(/^Example \(.*?\): `(.*)`$/gm)) {
      expect(JSON.parse(match[1] ?? "")).toBeTypeOf("object");
    }
  });

  it("lists required parameters first, then the others with their defaults", () => {
    const grep = section("Search & Discovery").split("### grep\n")[1]?.split("\n\n")[0];
    expect(grep?.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      "- `pattern` (string, required): Regular expression (RE2 syntax)",
      "- `file_type` (string): Only files with this extension",
      "- `max_results` (integer, default 50): Return at most this many",
      "- `exclude` (string[]): Leave these out",
      '- `output_mode` ("content" | "count", default "content"): What to show',
    ]);
  });

  it("states the accessible paths and whether the user is prompted", () => {
    expect(section("File Reading")).toContain("Permissions: ReadFiles. Approval: not needed.");
    expect(section("File Management")).toContain("Permissions: DeleteFiles. Approval: the user is asked.");
    expect(section("File Writing")).toContain("Approval: the user may be asked.");
    expect(formatSystemPrompt([describedTool("a", "x-b", { permissions: [] })])).toContain(
      "Permissions: none.",
    );
  });

  it("names complex types", () => {
    const text = formatSystemPrompt([
      describedTool("odd", "x-odd", {
        input: {
          type: "object",
          properties: {
            pattern: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
            list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
            loose: { type: "array" },
            either: { type: ["string", "null"] },
            free: { description: "Two\n  lines" },
          },
        },
      }),
    ]);
    expect(text).toContain("- `pattern` (string or string[])\n");
    expect(text).toContain("- `list` ((string or integer)[])\n");
    expect(text).toContain("- `loose` (array)\n");
    expect(text).toContain("- `either` (string or null)\n");
    expect(text).toContain("- `free` (any): Two lines\n");
  });
});

describe("the whole prompt", () => {
  it("is the same bytes for any order of the tools", () => {
    const shuffled = fc.shuffledSubarray([...SEED_TOOLS], { minLength: SEED_TOOLS.length });
    const flavours = fc.constantFrom("markdown" as const, "xml" as const);
    fc.assert(
      fc.property(shuffled, flavours, (tools, flavour) => {
        expect(formatSystemPrompt(tools, { flavour })).toBe(formatSystemPrompt(SEED_TOOLS, { flavour }));
      }),
    );
  });

  it("explains parameters without a default once", () => {
    expect(prompt.match(/without a stated default they are false, empty or unused/g)).toHaveLength(1);
    expect(prompt).toContain("- `preview_only` (boolean): Show the diff, change nothing");
    expect(prompt).not.toMatch(/default (false|\[\])/);
  });

  it("explains terminate once, and never for a loop without it", () => {
    expect(prompt.match(/Every call may carry `terminate`/g)).toHaveLength(1);
    for (const flavour of ["markdown", "xml"] as const) {
      expect(formatSystemPrompt(SEED_TOOLS, { terminate: false, flavour })).not.toMatch(/terminat/i);
    }
  });

  it("starts with the given introduction", () => {
    expect(formatSystemPrompt(SEED_TOOLS, { introduction: "You are careful.\n" })).toMatch(
      /^You are careful\.\n\n# Tools\n/,
    );
    expect(formatSystemPrompt([], { introduction: "Hi", flavour: "xml" })).toBe("Hi\n\n<tools>\n</tools>\n");
  });

  it("says if there are no tools", () => {
    expect(formatSystemPrompt([])).toBe("# Tools\n\nNo tools are available.\n");
  });

  it("reports its size", () => {
    expect(promptStats("abcdefgh")).toEqual({ characters: 8, tokens: 2 });
    expect(promptStats(prompt).tokens).toBeLessThan(6000);
  });
});

describe("the XML flavour", () => {
  const xml = formatSystemPrompt(SEED_TOOLS, { flavour: "xml" });

  it("contains the same tools, categories and examples", () => {
    expect([...xml.matchAll(/<category name="(.*?)"/g)].map((match) => match[1])).toEqual([
      "search",
      "read",
      "write",
      "manage",
    ]);
    expect(xml.match(/<tool name=/g)).toHaveLength(SEED_TOOLS.length);
    expect(xml).toContain(
      '<parameter name="max_results" type="integer" default="50">Return at most this many</parameter>',
    );
    expect(xml).toContain(
      '<example when="find open work in TypeScript">{"pattern":"TODO","file_type":"ts"}</example>',
    );
  });

  it("cannot be closed from inside a description", () => {
    const text = formatSystemPrompt(
      [
        describedTool("a", "x-b", {
          summary: 'Ends </tools> & "quotes"',
          examples: [{ when: '"<x>"', args: {} }],
        }),
      ],
      { flavour: "xml" },
    );
    expect(text.match(/<\/tools>/g)).toHaveLength(1);
    expect(text).toContain('Ends &lt;/tools&gt; &amp; "quotes"');
    expect(text).toContain('when="&quot;&lt;x&gt;&quot;"');
  });
});
