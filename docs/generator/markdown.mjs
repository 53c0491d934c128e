/** Escapes text for a cell of a Markdown table: one line, and nothing that VitePress or Markdown interprets. */
export function cell(text) {
  return escapeText(String(text))
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** Escapes text outside code, where Markdown, HTML and Vue would read signs of their own, such as the stars of a glob. */
export function escapeText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part
            .replaceAll("<", "&lt;")
            .replaceAll("{{", "&#123;&#123;")
            .replaceAll(/\*|(?<!\w)_|_(?!\w)/g, (sign) => `\\${sign}`),
    )
    .join("");
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** As people write it: what fits on a line stays on it. */
export function jsonBlock(value) {
  return `\`\`\`json\n${jsonText(value, "")}\n\`\`\``;
}

function jsonText(value, indent) {
  const short = JSON.stringify(value, undefined, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll("[ ", "[")
    .replaceAll(" ]", "]");
  const isSimple = typeof value !== "object" || value === null;
  if (isSimple || (indent !== "" && indent.length + short.length <= MAX_JSON_CHARS))
    return isSimple ? JSON.stringify(value) : short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${jsonText(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

const MAX_JSON_CHARS = 72;

/** Links the references of a definition to other tools, `[[grep]]`, to their pages. */
export function linkTools(text, names) {
  return text.replaceAll(/(\\?)\[\[([a-z_]+)\]\]/g, (whole, escaping, name) => {
    if (escaping !== "") return whole.slice(1);
    return names.includes(name) ? `[\`${name}\`](./${name}.md)` : `\`${name}\``;
  });
}

/** Describes a schema's type in a few words: `string`, `one of "a", "b"`, `list of integers`. */
export function typeOf(schema) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${several(typeOf(schema.items ?? {}))}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return `map of ${several(typeOf(schema.additionalProperties))}`;
  return [schema.type ?? "any value"].flat().join(" or ");
}

function several(type) {
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}

/** Describes the default and the bounds of a field. */
export function boundsOf(schema) {
  const parts = [];
  if (schema.default !== undefined) parts.push(`default \`${JSON.stringify(schema.default)}\``);
  if (schema.minimum !== undefined) parts.push(`at least ${schema.minimum}`);
  if (schema.maximum !== undefined) parts.push(`at most ${schema.maximum}`);
  return parts.join(", ");
}
