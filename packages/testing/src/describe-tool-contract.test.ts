import { defineTool, s } from "@haft/core";
import { describeToolContract } from "./describe-tool-contract.js";

const WordCount = defineTool({
  name: "word_count",
  summary: "Count the words of a text file.",
  category: "search",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File to count") }),
  output: s.object({ words: s.integer("Number of words") }),
  run: async ({ path }, { workspace }) => ({ words: (await workspace.readText(path)).split(/\s+/).length }),
});

describeToolContract(WordCount, { files: { a: "one two" }, args: { path: "a" } });

const Shout = defineTool({
  name: "shout",
  summary: "Put a file into capitals.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  input: s.object({ path: s.path("File to change") }),
  output: s.object({ changed: s.boolean("Whether it was") }),
  errors: ["QUIET"],
  run: async ({ path }, { workspace }) => {
    const text = await workspace.readText(path);
    await workspace.writeText(path, text.toUpperCase());
    return { changed: text !== text.toUpperCase() };
  },
  render: ({ changed }) => `changed: ${changed} ${"and much more ".repeat(500)}`,
});

describeToolContract(Shout, { files: { "a/b.txt": "one two\n" }, args: { path: "a/b.txt" } });
