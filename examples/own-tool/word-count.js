import { defineTool, s, ToolError } from "@haft/core";

export const WordCount = defineTool({
  name: "word_count",
  summary: "Count the words of a text file.",
  category: "search",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: s.object({
    path: s.path("File to count"),
    min_length: s.integer("Ignore words shorter than this", { default: 1, minimum: 1 }),
  }),
  output: s.object({
    words: s.integer("Number of words"),
  }),
  errors: ["NO_WORDS"],

  async run({ path, min_length }, { workspace }) {
    const text = await workspace.readText(path);
    const words = text.split(/\s+/).filter((word) => word.length >= min_length).length;
    if (words === 0) throw new ToolError("NO_WORDS", `${path} has no words of ${min_length} letters or more`);
    return { words };
  },
});
