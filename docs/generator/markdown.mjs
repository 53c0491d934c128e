/** Escapes text for a cell of a Markdown table: one line, and nothing that VitePress or Markdown interprets. */
export function cell(text) {
  return escapeText(String(text))
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** Escapes text outside code: angle brackets and double braces would be read as HTML and Vue. */
export function escapeText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;"),
    )
    .join("");
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function jsonBlock(value) {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}

/** Describes a schema's type in a few words: `string`, `one of "a", "b"`, `list of integer`. */
export function typeOf(schema) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return `map of ${typeOf(schema.additionalProperties)}`;
  return [schema.type ?? "any value"].flat().join(" or ");
}

/** Describes the default and the bounds of a field. */
export function boundsOf(schema) {
  const parts = [];
  if (schema.default !== undefined) parts.push(`default \`${JSON.stringify(schema.default)}\``);
  if (schema.minimum !== undefined) parts.push(`at least ${schema.minimum}`);
  if (schema.maximum !== undefined) parts.push(`at most ${schema.maximum}`);
  return parts.join(", ");
}
