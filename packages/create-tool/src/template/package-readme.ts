import type { PackProject } from "../scaffold.js";

/** The README of a scaffolded package. */
export function packageReadme({ names, kind, language }: PackProject): string {
  const { title, packageName, toolName, folder } = names;
  const call = kind === "tool" ? `${toolName} '{"path": "README.md"}'` : `list_${toolName} '{}'`;
  const build = language === "ts" ? "npm run build    # compiles src to dist\n" : "";
  return `# ${title}

${kind === "tool" ? `\`${toolName}\`, a tool` : `\`add_${toolName}\` and \`list_${toolName}\`, two tools`} for any Haft runtime.

\`\`\`sh
npm install      # once
npm test         # the contract that every tool must keep
${build}\`\`\`

Call it from this folder:

\`\`\`sh
npx @haft/cli tools --packs .
npx @haft/cli call ${call} --packs .
\`\`\`

In a project, install it and name it in \`haft.config.json\`: \`"packs": ["@haft/tool-fs", "${packageName}"]\`.
In code, import the tool and pass it to \`createNodeRuntime({ tools: [...] })\`.

A pack runs with the rights of whoever starts it. So Haft imports one only if you name it on the command line, or in a configuration that you trust.
${kind === "pack" ? configuration(names) : ""}
## Release

Push a tag such as \`v0.1.0\`. The workflow in \`.github/workflows\` tests ${language === "ts" ? "and builds " : ""}the package and publishes it with provenance.

## Source

The source is in \`src\`; start with \`src/${kind === "tool" ? folder : `add-${folder}`}.${language}\`.${kind === "tool" ? " It counts lines, as an example." : ""}
`;
}

function configuration({ folder, toolName, packageName }: PackProject["names"]): string {
  return `
## Configuration

\`haft.config.json\` has a section for the pack. These are its keys and their defaults:

\`\`\`json
{
  "packs": ["@haft/tool-fs", "${packageName}"],
  "packConfig": { "${toolName}": { "file": "${folder}.md" } }
}
\`\`\`

| key    | meaning                               |
| ------ | ------------------------------------- |
| \`file\` | The file that entries are written to. |

\`src/settings\` declares the section. Haft checks it at start and rejects unknown keys.
`;
}
