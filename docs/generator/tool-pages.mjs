import { definitionOf } from "@haft/core";
import { boundsOf, cell, escapeText, linkTools, table, typeOf } from "./markdown.mjs";

export const PACKS = ["tool-fs", "tool-edit", "tool-search", "tool-exec", "tool-web"];

/** Creates one page for each tool of the first-party packs, and an index. */
export async function toolPages() {
  const tools = (await Promise.all(PACKS.map(toolsOf))).flat();
  const names = tools.map(({ name }) => name);
  const pages = tools.map((tool) => [`reference/tools/${tool.name}.md`, linkTools(toolPage(tool), names)]);
  return Object.fromEntries([["reference/tools/index.md", indexPage(tools)], ...pages]);
}

async function toolsOf(pack) {
  const exported = Object.values(await import(`@haft/${pack}`));
  const definitions = exported.map(definitionOrUndefined).filter(Boolean);
  return definitions.map((definition) => ({ ...definition, pack: `@haft/${pack}` }));
}

function definitionOrUndefined(value) {
  try {
    return typeof value === "function" ? definitionOf(value) : undefined;
  } catch {
    return undefined; // Packs also export functions.
  }
}

function indexPage(tools) {
  const rows = tools.map(({ name, summary, permissions, pack }) => [
    `[\`${name}\`](./${name}.md)`,
    cell(summary),
    permissions.join(", ") || "none",
    `\`${pack}\``,
  ]);
  return `# Tools

Each page is generated from the definition of the tool, which is also what a model reads.

${table(["tool", "what it does", "permissions", "package"], rows)}
`;
}

function toolPage(tool) {
  const parts = [
    `# ${tool.name}`,
    escapeText(tool.summary),
    facts(tool),
    tool.guidance && prose(tool.guidance),
    `## Parameters\n\n${parameters(tool.input)}`,
    examples(tool),
    `## Result\n\n${parameters(tool.output)}`,
    errors(tool),
    tool.termination && `## When to stop\n\n${prose(tool.termination)}`,
    otherSpellings(tool),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Text for a model, in which arguments stand as they are: `literal:true`. */
function prose(text) {
  return escapeText(text.replaceAll(/(?<![`\w])[a-z_]+:(?:true|false|\d+)\b/g, "`$&`"));
}

function facts({ pack, permissions, alsoUses = [], approval }) {
  const needs = approval === undefined && permissions.every((permission) => permission === "ReadFiles");
  const asks =
    approval === "auto" || needs ? "no" : typeof approval === "function" ? "depends on the call" : "yes";
  const rows = [
    ["Package", `\`${pack}\``],
    ["Permissions", permissions.join(", ") || "none"],
    ["Also uses, if the role holds it", alsoUses.join(", ")],
    ["Asks for approval by default", asks],
  ];
  return rows
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `- **${name}:** ${value}`)
    .join("\n");
}

/** Names that models use by mistake, which the kernel corrects. */
function otherSpellings({ aliases = {} }) {
  const rows = Object.entries(aliases).map(([name, others]) => [
    `\`${name}\``,
    others.map((other) => `\`${other}\``).join(", "),
  ]);
  if (rows.length === 0) return undefined;
  return `## Other spellings\n\nAccepted as well, beside camelCase and kebab-case:\n\n${table(["parameter", "also"], rows)}`;
}

function parameters({ properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? " (required)" : ""}`,
    cell(typeOf(schema)),
    cell([schema.description, boundsOf(schema)].filter(Boolean).join("; ")),
  ]);
  return rows.length === 0 ? "None declared." : table(["name", "type", "meaning"], rows);
}

function examples({ name, examples = [] }) {
  if (examples.length === 0) return undefined;
  const shown = examples.map(
    ({ when, args }) =>
      `${escapeText(when)}:\n\n\`\`\`sh\nhaft call ${name} '${JSON.stringify(args).replaceAll("'", "'\\''")}'\n\`\`\``,
  );
  return `## Examples\n\n${shown.join("\n\n")}`;
}

function errors({ errors: codes = [] }) {
  if (codes.length === 0) return undefined;
  const links = codes.map((code) => `- [\`${code}\`](../errors.md#${code.toLowerCase()})`);
  return `## Errors\n\nBeside the [kernel's codes](../errors.md#any-call):\n\n${links.join("\n")}`;
}
