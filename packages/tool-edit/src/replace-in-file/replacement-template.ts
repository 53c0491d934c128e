import { ToolError } from "@haft/core";

/** A compiled replacement. */
interface ReplacementTemplate {
  /** The capture groups it refers to, without the whole match. */
  readonly groups: readonly number[];
  /**
   * `textOf` returns the text of a group; 0 is the whole match. Returns undefined if the result would exceed
   * `maxChars`.
   */
  fill(textOf: (group: number) => string, maxChars: number): string | undefined;
}

type GroupNames = readonly (string | undefined)[];

/**
 * Parses `$1`, `${name}`, `$&` and `$$`. `names` lists the groups from 1 on. A reference to a missing group is an
 * error, not an empty text.
 */
export function compileTemplate(template: string, names: GroupNames): ReplacementTemplate {
  const parts = [...parse(template, names)];
  const referred = parts.filter((part) => typeof part === "number" && part > 0) as number[];
  return {
    groups: [...new Set(referred)],
    fill: (textOf, maxChars) => {
      const texts = parts.map((part) => (typeof part === "string" ? part : textOf(part)));
      const chars = texts.reduce((sum, { length }) => sum + length, 0);
      return chars > maxChars ? undefined : texts.join("");
    },
  };
}

const REFERENCE = /\$(?:(\$)|(&)|(\d{1,2})|\{([\p{L}\p{N}_]+)\})/gu;

function* parse(template: string, names: GroupNames): Generator<string | number> {
  let from = 0;
  for (const found of template.matchAll(REFERENCE)) {
    yield template.slice(from, found.index);
    from = found.index + found[0].length;
    const [, dollar, whole, number, name] = found;
    if (dollar !== undefined) yield "$";
    else if (whole !== undefined) yield 0;
    else yield* reference(number ?? name ?? "", names);
  }
  yield template.slice(from);
}

function* reference(name: string, names: GroupNames): Generator<string | number> {
  if (!/^\d+$/.test(name)) {
    if (!names.includes(name)) throw unknownGroup(`\${${name}}`, names);
    yield names.indexOf(name) + 1;
    return;
  }
  // "$12" with one group means group 1 followed by 2, as in JavaScript.
  const digits = Number(name) <= names.length ? name : name.slice(0, 1);
  if (Number(digits) > names.length) throw unknownGroup(`$${name}`, names);
  yield Number(digits);
  yield name.slice(digits.length);
}

function unknownGroup(reference: string, names: GroupNames): ToolError {
  const count = names.length;
  const given = names.filter((name) => name !== undefined);
  const named = given.length === 0 ? "" : `, named ${given.join(", ")}`;
  return new ToolError(
    "INVALID_PATTERN",
    `replace refers to ${reference}, but find has ${count} capture group${count === 1 ? "" : "s"}${named}`,
    {
      hint: "Write $$ for a dollar sign.",
    },
  );
}
