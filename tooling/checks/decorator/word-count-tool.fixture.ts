// The class of docs/writing-tools.md, which each compiler gets unchanged.
import { type ArgsOf, type ContextOf, createRuntime, s, tool, toolDefinition } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";

const wordCount = toolDefinition({
  name: "word_count",
  summary: "Count the words of a file.",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File to read") }),
  output: s.object({ words: s.integer("Number of words") }),
});

@tool(wordCount)
export class WordCount {
  async run({ path }: ArgsOf<typeof wordCount>, { workspace }: ContextOf<typeof wordCount>) {
    const text = await workspace.readText(path);
    return { words: text.split(/\s+/).filter(Boolean).length };
  }
}

const runtime = await createRuntime({
  workspace: new MemoryWorkspace({ "a.txt": "three small words\n" }),
  role: "reader",
  tools: [WordCount],
});
const result = await runtime.call("word_count", { path: "a.txt" });
console.log(JSON.stringify(result.ok ? result.value : result.error));
await runtime.dispose();
