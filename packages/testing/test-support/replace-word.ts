import { defineTool, s, ToolError } from "@haft/core";

/** A tool that satisfies every contract. */
export const ReplaceWord = defineTool({
  name: "replace_word",
  summary: "Replace a word of a text file.",
  permissions: ["ReadFiles", "WriteFiles"],
  input: s.object({
    path: s.path("File to change"),
    from: s.string("The word to replace"),
    to: s.string("Its replacement"),
  }),
  output: s.object({ changed: s.boolean("Whether the word occurred") }),
  errors: ["NO_SUCH_WORD"],
  async run({ path, from, to }, { workspace }) {
    const text = await workspace.readText(path);
    if (from === "" || !text.includes(from)) throw new ToolError("NO_SUCH_WORD", `${path} does not have it`);
    const changed = text.replace(from, () => to);
    if (changed !== text) await workspace.writeText(path, changed);
    return { changed: changed !== text };
  },
});
