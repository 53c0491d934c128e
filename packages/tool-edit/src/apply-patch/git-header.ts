import { invalidPatch } from "./invalid-patch.js";
import { unquoteName } from "./quoted-name.js";

/** What git says about a file above its `---` and `+++` lines. */
export interface GitHeader {
  /** Undefined when the file is new. */
  readonly from: string | undefined;
  /** Undefined when the file goes. */
  readonly to: string | undefined;
  readonly isCopy: boolean;
  /** Permission bits. */
  readonly mode?: number;
  /** The index of the line after it. */
  readonly end: number;
}

/** Reads `diff --git …` and the lines that belong to it; undefined when there is none at `start`. */
export function readGitHeader(lines: readonly string[], start: number): GitHeader | undefined {
  const first = lines[start] ?? "";
  if (!first.startsWith("diff --git ")) return undefined;
  const facts = new Map<string, string>();
  let at = start + 1;
  for (let found = EXTENDED.exec(lines[at] ?? ""); found !== null; found = EXTENDED.exec(lines[at] ?? "")) {
    const [, key = "", value = ""] = found;
    const mode = key === "index" ? value.split(" ")[1] : key.endsWith("mode") ? value : undefined;
    if (mode !== undefined) assertRegularFile(mode, at + 1);
    facts.set(key, key.endsWith("from") || key.endsWith("to") ? unquoteName(value.trim(), at + 1) : value);
    at += 1;
  }
  const name = nameOnBothSides(first, start + 1);
  const mode = facts.get("new file mode") ?? facts.get("new mode");
  return {
    from: facts.has("new file mode")
      ? undefined
      : (facts.get("rename from") ?? facts.get("copy from") ?? name),
    to: facts.has("deleted file mode") ? undefined : (facts.get("rename to") ?? facts.get("copy to") ?? name),
    isCopy: facts.has("copy from") || facts.has("copy to"),
    end: at,
    ...(mode === undefined ? {} : { mode: Number.parseInt(mode.trim().slice(-3), 8) }),
  };
}

const EXTENDED =
  /^(index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to) (.+)$/;

/** Links and submodules have other modes; a text patch cannot make them what they are. */
function assertRegularFile(mode: string, line: number): void {
  if (/^100(?:644|755)$/.test(mode.trim())) return;
  const what = mode.startsWith("120")
    ? "a symbolic link"
    : mode.startsWith("160")
      ? "a submodule"
      : "not a plain file";
  throw invalidPatch(`mode ${mode.trim()} is ${what}; only 100644 and 100755 can be patched`, line);
}

/** A header alone says a name only when both sides have the same one; anything else has lines of its own. */
function nameOnBothSides(line: string, number: number): string | undefined {
  const rest = line.slice("diff --git ".length).trimEnd();
  const [, quoted] = /^("(?:[^"\\]|\\.)*") "/.exec(rest) ?? [];
  if (quoted !== undefined) return unquoteName(quoted, number).replace(/^a\//, "");
  return /^a\/(.+) b\/\1$/.exec(rest)?.[1];
}
