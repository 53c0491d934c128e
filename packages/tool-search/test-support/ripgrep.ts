// Runs ripgrep on a tree and converts its output to the form of the tools.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

/** Lines as `path:12:text` for a match and `path:12-text` for context → byte column of the first match, if comparable. */
export type Found = ReadonlyMap<string, number | undefined>;

export interface RipgrepCall {
  readonly pattern: string;
  readonly flags: readonly string[];
  readonly multiline: boolean;
  /** Where to search, relative to the root. */
  readonly path: string;
  /** Whether the ignore files above `path` have no say. */
  readonly isMeant: boolean;
  /**
   * Lines that the tool found. Across lines, ripgrep shows the last line of a file for an empty match at its end but
   * names no place if the file lacks its final line ending, so there only the tool's line can tell.
   */
  readonly mine?: Found | undefined;
}

// Turns off behaviour that the tools lack: reading settings of the user, entering `.git`. There are no ignore files above a fixture.
const COMMON = ["--no-config", "--no-ignore-global", "--no-require-git", "--no-messages", "-g", "!.git"];

interface RipgrepMessage {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly lines: { readonly text?: string; readonly bytes?: string };
    readonly line_number: number;
    readonly submatches: readonly Span[];
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Undefined when ripgrep refuses the pattern. */
export function ripgrepLines(root: string, call: RipgrepCall): Found | undefined {
  const flags = [...call.flags, ...(call.isMeant ? ["--no-ignore-parent"] : [])];
  // Line by line, a line end is LF or CRLF for the tools; ripgrep has a flag for that.
  if (!call.multiline) flags.push("--crlf");
  // An absolute path: of a relative one ripgrep 13 loses anchored rules of the ignore files above it, because it looks
  // for `src/src/a` where `src/a` is meant. Globs count from the working directory all the same.
  const args = [...COMMON, "--json", ...flags, "-e", call.pattern, "--", join(root, call.path)];
  const { stdout, status } = spawnSync("rg", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: 2_000,
  });
  if (status === 2 && stdout.trim() === "") return undefined;
  const found = new Map<string, number | undefined>();
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const { type, data } = JSON.parse(line) as RipgrepMessage;
    if (type !== "match" && type !== "context") continue;
    const bytes = Buffer.from(
      data.lines.text ?? data.lines.bytes ?? "",
      data.lines.text === undefined ? "base64" : "utf8",
    );
    const sizes = bytes
      .toString("latin1")
      .split("\n")
      .map(({ length }) => length);
    const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    let start = 0;
    for (const [index, text] of raw.replace(/\n$/, "").split("\n").entries()) {
      const span = { start, end: start + (sizes[index] ?? 0) };
      start = span.end + 1;
      const shown = text.replace(/\r$/, "");
      const path = data.path.text.slice(root.length + 1);
      const key = `${path}:${data.line_number + index}${type === "match" ? ":" : "-"}${shown}`;
      const isUnplaced = type === "match" && call.multiline && !holdsMatch(span, data.submatches);
      const isOpenEnd = span.end === bytes.length;
      if (isUnplaced && !(isOpenEnd && call.mine?.has(key) === true)) continue;
      const isComparable = type === "match" && !call.multiline;
      found.set(key, isComparable ? columnOf(data.submatches[0], shown) : undefined);
    }
  }
  return found;
}

/** Across lines, ripgrep also shows the line behind a match that ends with a line end, if the pattern may be empty there. */
function holdsMatch(line: Span, submatches: readonly Span[]): boolean {
  // Of some empty matches ripgrep names no place.
  if (submatches.length === 0) return true;
  return submatches.some(
    ({ start, end }) => start <= line.end && (end > line.start || (start === end && start >= line.start)),
  );
}

/** The files ripgrep would search, sorted. */
export function ripgrepFiles(root: string, flags: readonly string[]): readonly string[] {
  const { stdout } = spawnSync("rg", [...COMMON, "--files", ...flags, "."], { cwd: root, encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(2))
    .sort();
}

/** Whether an ignore file rules out a path or a folder that it lies in, as ripgrep itself tells. */
export function ripgrepIgnores(root: string, path: string): boolean {
  if (path === ".") return false;
  const args = [...COMMON, "--files", "--hidden", "--debug", "."];
  const { stderr } = spawnSync("rg", args, { cwd: root, encoding: "utf8" });
  const ruledOut = stderr.matchAll(/: ignoring \.\/(.*): Ignore\(IgnoreMatch\(Gitignore/g);
  const folder = path.replace(/\/?$/, "/");
  return [...ruledOut].some(([, ignored]) => folder.startsWith(`${ignored}/`));
}

// ripgrep may place an empty match behind the line, and bytes that are no text have no column in a string.
function columnOf(match: { start: number; end: number } | undefined, text: string): number | undefined {
  if (!match || match.start === match.end || text.includes("\ufffd")) return undefined;
  return match.start < Buffer.byteLength(text) ? match.start : undefined;
}
