export type SearchRow =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "line"; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: "note"; readonly text: string };

/**
 * Parses the result of a search, which names a file and then its lines, or both on each line. Totals and hints are
 * notes.
 */
export function searchRows(text: string): readonly SearchRow[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  let path = "";
  let last = 0;
  return lines.map((line, index): SearchRow => {
    const below = numbered(line);
    // Lines of a file ascend: a smaller number is the name of another file, such as 12-notes.txt.
    if (below !== undefined && path !== "" && below.line > last) {
      last = below.line;
      return { kind: "line", path, ...below };
    }
    const [, whole, at, found = ""] = /^([^:\n]+):(\d+):\s?(.*)$/.exec(line) ?? [];
    if (whole !== undefined && below === undefined)
      return { kind: "line", path: whole, line: Number(at), text: found };
    const next = lines[index + 1];
    const isHead = index > 0 && line !== OMITTED && next !== undefined && numbered(next) !== undefined;
    if (!isHead && !LOOKS_LIKE_A_PATH.test(line)) return { kind: "note", text: line };
    path = line.replace(/:$/, "");
    last = 0;
    return { kind: "file", path };
  });
}

/** Marks omitted lines between two matches. */
const OMITTED = "--";

const LOOKS_LIKE_A_PATH = /^[\w@./-][^:\n]*\.[\w-]+:?$/;

function numbered(line: string): { readonly line: number; readonly text: string } | undefined {
  const [, at, text = ""] = /^\s*(\d+)[:|\t-]\s?(.*)$/.exec(line) ?? [];
  return at === undefined ? undefined : { line: Number(at), text };
}
