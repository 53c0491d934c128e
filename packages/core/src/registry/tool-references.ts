/**
 * Resolves references to other tools in a text for models, written as `[[read_file]]`: to the name of the tool in this
 * runtime, or by leaving out the clause if the tool is not offered. Clauses end with `,`, `;` or `.`. A reference is a
 * word of its own, so the path `app/[[id]]/page.ts` is none. `\[[` stands for two brackets.
 */
export function resolveReferences(text: string, nameOf: (canonical: string) => string | undefined): string {
  if (!text.includes("[[")) return text;
  return text
    .split("\n")
    .map((line) => resolveLine(line, nameOf))
    .filter((line) => line !== undefined)
    .join("\n")
    .replaceAll(ESCAPED, () => "[[");
}

/** Escapes brackets in a text from elsewhere, so that they are not read as references. */
export function withoutReferences(text: string): string {
  return text.replaceAll("[[", () => ESCAPED);
}

const ESCAPED = "\\[[";

type NameOf = Parameters<typeof resolveReferences>[1];

/** Returns undefined for a line that is only about tools that are not offered. */
function resolveLine(line: string, nameOf: NameOf): string | undefined {
  if (line.search(REFERENCE) === -1) return line;
  const sentences = line.split(SENTENCE_END).flatMap((sentence) => resolveSentence(sentence, nameOf) ?? []);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function resolveSentence(sentence: string, nameOf: NameOf): string | undefined {
  const clauses = sentence.split(CLAUSE_END);
  const kept = clauses.filter((clause) =>
    [...clause.matchAll(REFERENCE)].every(([, name = ""]) => nameOf(name) !== undefined),
  );
  const first = kept[0];
  if (first === undefined) return undefined;
  const begin = first === clauses[0] ? "" : first.slice(0, 1).toUpperCase();
  const joined = begin + kept.join(" ").slice(begin.length);
  const isCut = kept.at(-1) !== clauses.at(-1);
  const whole = isCut ? joined.replace(/[,;]$/, sentence.endsWith(".") ? "." : "") : joined;
  return whole.replaceAll(REFERENCE, (_, name: string) => nameOf(name) ?? name);
}

const REFERENCE = /(?<![^\s(])\[\[([a-z][a-z0-9_]*)\]\](?![^\s.,;:)])/g;
const SENTENCE_END = /(?<=\.) +/;
const CLAUSE_END = /(?<=[,;]) +/;
