import type { PackProject } from "../scaffold.js";

/** The sources of a package with one tool. */
export function toolSources(project: PackProject): Readonly<Record<string, string>> {
  const { names, language, style } = project;
  return {
    [`src/index.${language}`]: `export { ${names.exportName} } from "./${names.folder}.js";\n`,
    [`src/${names.folder}.${language}`]: style === "decorator" ? decorated(project) : plain(project),
    [`src/${names.folder}.test.${language}`]: contractTest(project),
  };
}

function definition({ names }: PackProject): string {
  return `  name: "${names.toolName}",
  summary: "Run ${names.words} on a text file.",
  category: "x-${names.folder.replaceAll("_", "-")}",
  permissions: ["ReadFiles"],
  input: s.object({
    path: s.path("File to read"),
    min_length: s.integer("Ignore lines shorter than this", { default: 1, minimum: 0 }),
  }),
  output: s.object({ lines: s.integer("Number of lines") }),
  errors: ["NO_LINES"],
  examples: [{ when: "run it on one file", args: { path: "README.md" } }],
  termination: "terminate=true when the result is what the user asked for.",
  render: ({ lines }) => \`\${lines} lines\`,
`;
}

const BODY = `// Counts lines as an example. Replace it, the parameters and the output with your own.
    const text = await workspace.readText(path);
    const lines = text.split("\\n").filter((line) => line.length >= min_length).length;
    if (lines === 0) throw new ToolError("NO_LINES", \`\${path} has no lines of \${min_length} characters or more\`);
    return { lines };`;

function plain(project: PackProject): string {
  return `import { defineTool, s, ToolError } from "@haft/core";

export const ${project.names.exportName} = defineTool({
${definition(project)}
  async run({ path, min_length }, { workspace }) {
    ${BODY}
  },
});
`;
}

function decorated(project: PackProject): string {
  const { exportName } = project.names;
  return `import { type ArgsOf, type ContextOf, s, ToolError, tool, toolDefinition } from "@haft/core";

const definition = toolDefinition({
${definition(project)}});

@tool(definition)
export class ${exportName} {
  async run({ path, min_length }: ArgsOf<typeof definition>, { workspace }: ContextOf<typeof definition>) {
    ${BODY}
  }
}
`;
}

function contractTest({ names }: PackProject): string {
  return `import { describeToolContract } from "@haft/testing";
import { ${names.exportName} } from "./${names.folder}.js";

describeToolContract(${names.exportName}, {
  files: { "README.md": "first line\\nsecond line\\n" },
  args: { path: "README.md" },
});
`;
}
