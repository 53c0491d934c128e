import { ToolError } from "@haft/core";

/** The groups of one match. */
export interface MatchedGroups {
  readonly whole: string;
  readonly numbered: readonly (string | undefined)[];
  readonly named: Readonly<Record<string, string | undefined>>;
}

/** What a pattern offers to refer to. */
export interface GroupNames {
  readonly count: number;
  readonly names: readonly string[];
}

/** Reads `$1`, `${name}`, `$&` and `$$`; a reference to a group that is not there is an error, not an empty text. */
export function compileTemplate(template: string, groups: GroupNames): (match: MatchedGroups) => string {
  const parts = [...parse(template, groups)];
  return (match) => parts.map((part) => (typeof part === "string" ? part : part(match))).join("");
}

const REFERENCE = /\$(?:(\$)|(&)|(\d{1,2})|\{(\w+)\})/g;

function* parse(
  template: string,
  groups: GroupNames,
): Generator<string | ((match: MatchedGroups) => string)> {
  let from = 0;
  for (const found of template.matchAll(REFERENCE)) {
    yield template.slice(from, found.index);
    from = found.index + found[0].length;
    const [, dollar, whole, number, name] = found;
    if (dollar !== undefined) yield "$";
    else if (whole !== undefined) yield (match) => match.whole;
    else yield* reference(number ?? name ?? "", groups);
  }
  yield template.slice(from);
}

function* reference(
  name: string,
  groups: GroupNames,
): Generator<string | ((match: MatchedGroups) => string)> {
  if (!/^\d+$/.test(name)) {
    if (!groups.names.includes(name)) throw unknownGroup(`\${${name}}`, groups);
    yield (match) => match.named[name] ?? "";
    return;
  }
  // "$12" with one group means group 1 and a 2, as it does in JavaScript.
  const digits = Number(name) <= groups.count ? name : name.slice(0, 1);
  const index = Number(digits);
  if (index > groups.count) throw unknownGroup(`$${name}`, groups);
  yield (match) => (index === 0 ? match.whole : (match.numbered[index] ?? ""));
  yield name.slice(digits.length);
}

function unknownGroup(reference: string, { count, names }: GroupNames): ToolError {
  const named = names.length === 0 ? "" : `, named ${names.join(", ")}`;
  return new ToolError(
    "INVALID_PATTERN",
    `replace refers to ${reference}, but find has ${count} capture group${count === 1 ? "" : "s"}${named}`,
    {
      hint: "Write $$ for a dollar sign.",
    },
  );
}
