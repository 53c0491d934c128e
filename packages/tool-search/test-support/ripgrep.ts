// What ripgrep says about a tree, in the form in which it is compared with the tools.
import { spawnSync } from "node:child_process";

export const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

/** Lines as `path:12:text` for a match and `path:12-text` for context → byte column of the first match, if comparable. */
export type Found = ReadonlyMap<string, number | undefined>;

export interface RipgrepCall {
  readonly pattern: string;
  readonly flags: readonly string[];
  readonly multiline: boolean;
  /** Where to search, relative to the root. */
  readonly path: string;
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
  const args = [...COMMON, "--json", ...call.flags, "-e", call.pattern, "--", call.path];
  const { stdout, status } = spawnSync("rg", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status === 2 && stdout.trim() === "") return undefined;
  const found = new Map<string, number | undefined>();
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const { type, data } = JSON.parse(line) as RipgrepMessage;
    if (type !== "match" && type !== "context") continue;
    const raw = data.lines.text ?? new TextDecoder().decode(Buffer.from(data.lines.bytes ?? "", "base64"));
    for (const [index, text] of raw.replace(/\n$/, "").split("\n").entries()) {
      const shown = text.replace(/\r$/, "");
      const path = data.path.text.replace(/^\.\//, "");
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

// ripgrep may place an empty match behind the line, and bytes that are no text have no column in a string.
function columnOf(match: { start: number; end: number } | undefined, text: string): number | undefined {
  if (!match || match.start === match.end || text.includes("\ufffd")) return undefined;
  return match.start < Buffer.byteLength(text) ? match.start : undefined;
}
