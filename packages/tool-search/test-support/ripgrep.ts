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
  /** Whether the ignore files above `path` do not apply. */
  readonly isMeant: boolean;
  /**
   * Lines that the tool found. Across lines, ripgrep shows the last line of a file for an empty match at its end but gives no position if the file
   * lacks its final line ending, so there only the tool's line can decide.
   */
  readonly mine?: Found | undefined;
}

// Turns off features that the tools lack: the user's settings, and searching `.git`. There are no ignore files above a fixture.
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

/** Undefined if ripgrep rejects the pattern. */
export function ripgrepLines(root: string, call: RipgrepCall): Found | undefined {
  const flags = [...call.flags, ...(call.isMeant ? ["--no-ignore-parent"] : [])];
  // In line mode, the tools treat LF and CRLF as line ends; ripgrep has a flag for that.
  if (!call.multiline) flags.push("--crlf");
  // An absolute path: for a relative one ripgrep 13 loses anchored rules of the ignore files above it, because it looks for `src/src/a` instead of
  // `src/a`. Globs still count from the working directory.
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

/** Across lines, ripgrep also shows the line after a match that ends with a line end, if the pattern may be empty there. */
function holdsMatch(line: Span, submatches: readonly Span[]): boolean {
  // For some empty matches ripgrep gives no position.
  if (submatches.length === 0) return true;
  return submatches.some(
    ({ start, end }) => start <= line.end && (end > line.start || (start === end && start >= line.start)),
  );
}

/** Returns the files that ripgrep would search, sorted. */
export function ripgrepFiles(root: string, flags: readonly string[]): readonly string[] {
  const { stdout } = spawnSync("rg", [...COMMON, "--files", ...flags, "."], { cwd: root, encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(2))
    .sort();
}

/** Returns whether an ignore file excludes a path or a folder above it, according to ripgrep. */
export function ripgrepIgnores(root: string, path: string): boolean {
  if (path === ".") return false;
  const args = [...COMMON, "--files", "--hidden", "--debug", "."];
  const { stderr } = spawnSync("rg", args, { cwd: root, encoding: "utf8" });
  const ruledOut = stderr.matchAll(/: ignoring \.\/(.*): Ignore\(IgnoreMatch\(Gitignore/g);
  const folder = path.replace(/\/?$/, "/");
  return [...ruledOut].some(([, ignored]) => folder.startsWith(`${ignored}/`));
}

// ripgrep may place an empty match after the line, and bytes that are not text have no column in a string.
function columnOf(match: { start: number; end: number } | undefined, text: string): number | undefined {
  if (!match || match.start === match.end || text.includes("\ufffd")) return undefined;
  return match.start < Buffer.byteLength(text) ? match.start : undefined;
}
