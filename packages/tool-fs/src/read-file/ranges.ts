import { ToolError } from "@haft/core";

/** Parses a range such as "3", "1-5", "6-" or "1,4-6" into ascending part numbers. */
export function parseRanges(text: string, total: number, parameter: string): readonly number[] {
  const wanted = new Set<number>();
  for (const piece of text.split(",")) {
    const match = /^\s*(\d{1,7})\s*(?:(-)\s*(\d{1,7})?)?\s*$/.exec(piece);
    if (match === null) throw badRange(text, parameter);
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Math.min(total, Number(match[3] ?? total));
    if (first < 1 || first > total || last < first) throw outOfRange(text, total, parameter);
    for (let part = first; part <= last; part += 1) wanted.add(part);
  }
  return [...wanted].sort((a, b) => a - b);
}

/** Formats ascending numbers in the shortest form: "1-3,7". */
export function writeRanges(parts: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === part - 1) run[1] = part;
    else runs.push([part, part]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}

function badRange(text: string, parameter: string): ToolError {
  return new ToolError(
    "INVALID_RANGE",
    `${parameter} is ${JSON.stringify(text)}, which is not a list of numbers`,
    { hint: `Write ${parameter} as "3", "1-5", "6-" or "1,4-6".` },
  );
}

function outOfRange(text: string, total: number, parameter: string): ToolError {
  return new ToolError(
    "INVALID_RANGE",
    `${parameter} ${JSON.stringify(text)} is out of range: this file has ${total} ${parameter}`,
    { hint: `Valid: 1-${total}.`, details: { total } },
  );
}
