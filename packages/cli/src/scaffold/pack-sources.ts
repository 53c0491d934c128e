import type { PackNames } from "./tool-pack.js";

export function packTool({ toolName, exportName }: PackNames): string {
  return `import { defineTool, s, ToolError } from "@haft/core";

export const ${exportName} = defineTool({
  name: "${toolName}",
  summary: "Count the words of a text file.",
  category: "x-text",
  permissions: ["ReadFiles"],
  input: s.object({
    path: s.path("File to count"),
    min_length: s.integer("Ignore words shorter than this", { default: 1, minimum: 1 }),
  }),
  output: s.object({ words: s.integer("Number of words") }),
  errors: ["NO_WORDS"],
  examples: [{ when: "count long words", args: { path: "README.md", min_length: 8 } }],
  termination: "terminate=true when the number is what the user asked for.",

  async run({ path, min_length }, { workspace }) {
    const text = await workspace.readText(path);
    const words = text.split(/\\s+/).filter((word) => word.length >= min_length).length;
    if (words === 0) throw new ToolError("NO_WORDS", \`\${path} has no words of \${min_length} letters or more\`);
    return { words };
  },
  render: ({ words }) => \`\${words} words\`,
});
`;
}

export function packTest({ folder, exportName }: PackNames): string {
  return `import { describeToolContract } from "@haft/testing";
import { ${exportName} } from "./${folder}.js";

describeToolContract(${exportName}, {
  files: { "README.md": "understand everything, notwithstanding\\n" },
  args: { path: "README.md" },
});
`;
}
