import type { PackNames } from "./tool-pack.js";

export function packReadme({ folder, packageName, toolName }: PackNames): string {
  return `# ${packageName}

A tool for agents, for any Haft runtime.

\`\`\`sh
npm install            # once
npm test               # the contract every tool must hold
\`\`\`

With packages that are not on npm, install their tarballs (\`pnpm pack\` in each package of a clone) before the rest:

\`\`\`sh
npm install --save-dev /path/to/haft-{text,core,testing}-*.tgz
\`\`\`

Try it from the folder above, installed nowhere; with \`npm install\` in a project, its name does as well:

\`\`\`sh
npx haft tools --packs ./${folder}
npx haft call ${toolName} '{"path": "${folder}/README.md"}' --packs ./${folder}
npx haft call ${toolName} '{"path": "README.md"}' --packs ${packageName}
\`\`\`

A pack runs with the rights of whoever starts it, so it is named on the command line, or in a configuration given with
\`--config\`; one that merely lies in the workspace is not imported.
`;
}
