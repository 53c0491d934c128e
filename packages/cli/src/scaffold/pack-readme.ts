import type { PackNames } from "./tool-pack.js";

export function packReadme({ packageName, toolName }: PackNames): string {
  return `# ${packageName}

A tool for agents, for any Haft runtime.

\`\`\`sh
npm install            # once
npm test               # the contract every tool must hold
\`\`\`

In a project that has it installed, nothing else is needed:

\`\`\`sh
npx haft tools --packs ${packageName}
npx haft call ${toolName} '{"path": "README.md"}' --packs ${packageName}
\`\`\`
`;
}
