export interface DiffRow {
  readonly kind: "same" | "add" | "del" | "hunk" | "note";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
  /** The part of the line that differs from its counterpart. */
  readonly changed?: { readonly start: number; readonly end: number };
}

/** Parses a unified diff. Lines that are not part of a hunk become notes; only the two headers are dropped. */
export function parseDiff(diff: string): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let before = 0;
  let after = 0;
  const lines = diff.replace(/\n$/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      rows.push({ kind: "hunk", text: hunk[3] === "" ? `Line ${Math.max(1, after)}` : `in ${hunk[3]}` });
    } else if (isHeader(line, lines[index + 1], rows)) continue;
    else if (before + after === 0 && rows.every(({ kind }) => kind === "note"))
      rows.push({ kind: "note", text: line });
    else if (line.startsWith("+")) rows.push({ kind: "add", text: line.slice(1), after: after++ });
    else if (line.startsWith("-")) rows.push({ kind: "del", text: line.slice(1), before: before++ });
    else if (line.startsWith(" "))
      rows.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
    else rows.push({ kind: "note", text: line });
  }
  return withChangedWords(rows);
}

function isHeader(line: string, next: string | undefined, rows: readonly DiffRow[]): boolean {
  if (rows.length > 0) return false;
  return (line.startsWith("--- ") && (next?.startsWith("+++ ") ?? false)) || line.startsWith("+++ ");
}

function sizeOf(rows: readonly DiffRow[]): LineSize {
  return {
    added: rows.filter(({ kind }) => kind === "add").length,
    removed: rows.filter(({ kind }) => kind === "del").length,
  };
}

interface LineSize {
  readonly added: number;
  readonly removed: number;
}

/** Counts the lines of several changes. Parses each diff separately: joined, their headers would count as lines. */
export function linesOf(changes: readonly { readonly diff?: string }[]): LineSize {
  const sizes = changes.map(({ diff }) => sizeOf(parseDiff(diff ?? "")));
  return {
    added: sizes.reduce((sum, { added }) => sum + added, 0),
    removed: sizes.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Pairs removed lines with the added lines that replace them and marks the differing characters. */
function withChangedWords(rows: readonly DiffRow[]): readonly DiffRow[] {
  const marked = [...rows];
  for (let index = 0; index < rows.length; index++) {
    if (rows[index]?.kind !== "del") continue;
    let dels = index;
    while (rows[dels]?.kind === "del") dels++;
    let adds = dels;
    while (rows[adds]?.kind === "add") adds++;
    if (dels - index === adds - dels)
      for (let at = 0; at < dels - index; at++) markPair(marked, index + at, dels + at);
    index = Math.max(index, adds - 1);
  }
  return marked;
}

function markPair(rows: DiffRow[], del: number, add: number): void {
  const old = rows[del];
  const now = rows[add];
  if (old === undefined || now === undefined || old.text.length + now.text.length > 4_000) return;
  let start = 0;
  while (start < Math.min(old.text.length, now.text.length) && old.text[start] === now.text[start]) start++;
  let end = 0;
  const most = Math.min(old.text.length, now.text.length) - start;
  while (end < most && old.text.at(-1 - end) === now.text.at(-1 - end)) end++;
  // An emoji is two characters and stays whole.
  if (start > 0 && /[\uD800-\uDBFF]/.test(old.text[start - 1] ?? "")) start--;
  if (end > 0 && /[\uDC00-\uDFFF]/.test(old.text.at(-end) ?? "")) end--;
  // A line that is rewritten has no changed words worth pointing out.
  if (start + end < Math.min(old.text.length, now.text.length) * 0.3) return;
  rows[del] = { ...old, changed: { start, end: old.text.length - end } };
  rows[add] = { ...now, changed: { start, end: now.text.length - end } };
}

/** Pairs removed lines with their replacements, for two columns. */
export function sideBySide(
  rows: readonly DiffRow[],
): readonly (readonly [DiffRow | undefined, DiffRow | undefined])[] {
  const pairs: [DiffRow | undefined, DiffRow | undefined][] = [];
  let dels: DiffRow[] = [];
  let adds: DiffRow[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(dels.length, adds.length); at++) pairs.push([dels[at], adds[at]]);
    dels = [];
    adds = [];
  };
  for (const row of rows) {
    if (row.kind === "del") dels.push(row);
    else if (row.kind === "add") adds.push(row);
    else {
      flush();
      pairs.push([row, row]);
    }
  }
  flush();
  return pairs;
}
