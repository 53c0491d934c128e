import { readFileSync } from "node:fs";
import { cell } from "./markdown.mjs";

const CATALOGUE = JSON.parse(readFileSync(new URL("./error-catalogue.json", import.meta.url), "utf8"));

const SECTIONS = {
  kernel: ["Any call", "Every tool can return these codes."],
  tools: ["Tools", "Codes that tools of the first-party packs and mounted MCP servers declare."],
  host: ["Host", "Thrown while a runtime is created: configuration, state and packs."],
  run: ["Runs", "Why a run of a model ended or retried, from `@haft/agent`."],
  command: ["Command and console", "From `haft` and its console."],
};

/** Describes every error code of every package, with its meaning and remedy. */
export function errorPage() {
  const sections = Object.entries(SECTIONS).map(([key, [title, intro]]) => {
    const entries = Object.entries(CATALOGUE[key]).sort(([a], [b]) => a.localeCompare(b));
    return `## ${title}\n\n${intro}\n\n${entries.map(entry).join("\n\n")}`;
  });
  return `# Errors

A failed call returns \`{ ok: false, error }\`. \`error\` has a \`code\`, a \`message\`, and where they are known a \`hint\` and the \`next\` call to make.
A test compares this page with the codes in the source.

${sections.join("\n\n")}
`;
}

function entry([code, [meaning, remedy]]) {
  return `### ${code} {#${code.toLowerCase()}}\n\n${cell(meaning)}\n\n**Remedy:** ${cell(remedy)}`;
}
