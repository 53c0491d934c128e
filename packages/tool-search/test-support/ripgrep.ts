// What ripgrep says about a tree, in the form in which it is compared with the tools.
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
}

// What the tools never do: read settings of the user, enter `.git`. There are no ignore files above a fixture.
const COMMON = ["--no-config", "--no-ignore-global", "--no-require-git", "--no-messages", "-g", "!.git"];

interface RipgrepMessage {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly lines: { readonly text?: string; readonly bytes?: string };
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Undefined when ripgrep refuses the pattern. */
export function ripgrepLines(root: string, call: RipgrepCall): Found | undefined {
  const flags = call.isMeant ? [...call.flags, "--no-ignore-parent"] : call.flags;
  // An absolute path: of a relative one ripgrep 13 loses anchored rules of the ignore files above it, because it looks
  // for `src/src/a` where `src/a` is meant. Globs count from the working directory all the same.
  const args = [...COMMON, "--json", ...flags, "-e", call.pattern, "--", join(root, call.path)];
  const { stdout, status } = spawnSync("rg", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status === 2 && stdout.trim() === "") return undefined;
  const found = new Map<string, number | undefined>();
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const { type, data } = JSON.parse(line) as RipgrepMessage;
    if (type !== "match" && type !== "context") continue;
    const raw = data.lines.text ?? new TextDecoder().decode(Buffer.from(data.lines.bytes ?? "", "base64"));
    for (const [index, text] of raw.replace(/\n$/, "").split("\n").entries()) {
      const shown = text.replace(/\r$/, "");
      const path = data.path.text.slice(root.length + 1);
      const key = `${path}:${data.line_number + index}${type === "match" ? ":" : "-"}${shown}`;
      const isComparable = type === "match" && !call.multiline;
      found.set(key, isComparable ? columnOf(data.submatches[0], shown) : undefined);
    }
  }
  return found;
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
