import { defineTool, ToolError } from "@haft/core";
import { z } from "zod";

export const WordCount = defineTool({
  name: "word_count",
  summary: "Count the words of a text file.",
  permissions: ["ReadFiles"],
  input: z.object({
    path: z.string().describe("File to count"),
    min_length: z.number().int().min(1).default(1).describe("Ignore words shorter than this"),
  }),
  output: z.object({ words: z.number().int() }),
  errors: ["NO_WORDS"],
  async run({ path, min_length }, { workspace }) {
    const text = await workspace.readText(path);
    const words = text.split(/\s+/).filter((word) => word.length >= min_length).length;
    if (words === 0) throw new ToolError("NO_WORDS", `${path} has no words of ${min_length} letters or more`);
    return { words };
  },
});
