import { readFileSync } from "node:fs";
import { boundsOf, cell, jsonBlock, table, typeOf } from "./markdown.mjs";

const SCHEMA = new URL("../../packages/runtime-node/src/config/haft.config.schema.json", import.meta.url);
const EXAMPLES = JSON.parse(readFileSync(new URL("./config-examples.json", import.meta.url), "utf8"));

/** Describes every key of `haft.config.json` from its schema, with an example each. */
export function configPage() {
  const { properties } = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const keys = Object.entries(properties).filter(([name]) => name !== "$schema");
  return `# Configuration

\`haft.config.json\`, \`haft.config.js\` or \`haft.config.ts\` in the workspace root. \`createNodeRuntime\` takes the same object in code.
A file that is found in a workspace can only narrow what is allowed until you run \`haft trust\`. A file named with \`--config\` is trusted.

${jsonBlock({ $schema: "https://unpkg.com/@haft/runtime-node/src/config/haft.config.schema.json", role: "coder", commands: { allow: ["make"] } })}

${keys.map(([name, schema]) => section(name, schema)).join("\n\n")}
`;
}

function section(name, schema) {
  const example = EXAMPLES[name];
  const parts = [
    `## ${name}`,
    `${cell([schema.description, `Type: ${typeOf(schema)}`, boundsOf(schema)].filter(Boolean).join(". "))}.`,
    fields(schema.additionalProperties?.properties ?? schema.items?.properties ?? schema.properties),
    example === undefined ? undefined : jsonBlock({ [name]: example }),
  ];
  return parts.filter(Boolean).join("\n\n");
}

function fields(properties) {
  return properties === undefined ? undefined : table(["key", "type", "meaning"], rowsOf(properties));
}

/** The keys of an object in an object follow it, as `search.url`. */
function rowsOf(properties, prefix = "") {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const meaning = [schema.description, boundsOf(schema)].filter(Boolean).join("; ");
    return [
      [`\`${name}\``, cell(typeOf(schema)), cell(meaning)],
      ...rowsOf(schema.properties ?? {}, `${name}.`),
    ];
  });
}
