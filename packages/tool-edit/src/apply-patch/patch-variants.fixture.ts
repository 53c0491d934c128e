import type { Tree } from "./generated-history.fixture.js";
import { parsePatch } from "./parse-patch.js";
import type { FileDiff } from "./patch.js";

/** Without any context line git needs to be told so. */
export function hasNoContext(patch: string, otherwise: boolean): boolean {
  try {
    const parsed = parsePatch(patch);
    const hunks = parsed.grammar === "unified" ? parsed.files.flatMap((file) => file.hunks) : [];
    return !hunks.some(({ lines }) => lines.some(({ kind }) => kind === "keep"));
  } catch {
    return otherwise;
  }
}

/** The patch without carriage returns, if all its lines have one and a file that it changes has none. */
export function convertedPatch({ before, patch }: { before: Tree; patch: string }): string | undefined {
  if (/(?<!\r)\n/.test(patch)) return undefined;
  const plain = patch.replaceAll("\r\n", "\n");
  const hasLf = changedFiles(plain).some(({ from, hunks }) =>
    from.some((path) => {
      const { text = "", isLink } = before.get(path) ?? {};
      return hunks.length > 0 && (isLink === true || (text.includes("\n") && !text.includes("\r\n")));
    }),
  );
  return hasLf ? plain : undefined;
}

/** The patch without carriage returns outside its hunks. */
export function withPlainHeaders(patch: string): string {
  let left = { old: 0, new: 0 };
  return patch
    .split("\n")
    .map((line) => {
      const [, old, added] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
      const isBody = left.old > 0 || left.new > 0;
      if (!isBody && line.startsWith("@@")) left = { old: Number(old ?? 1), new: Number(added ?? 1) };
      if (!isBody) return line.replace(/\r$/, "");
      if (!line.startsWith("+") && !line.startsWith("\\")) left.old -= 1;
      if (!line.startsWith("-") && !line.startsWith("\\")) left.new -= 1;
      return line;
    })
    .join("\n");
}

export function changedFiles(patch: string): readonly FileDiff[] {
  const parsed = parsePatch(patch);
  return parsed.grammar === "unified" ? parsed.files : [];
}

/** The files with CRLF for which the patch has hunks without a carriage return. */
export function crlfFiles(before: Tree, patch: string): readonly string[] {
  const paths = changedFiles(patch)
    .filter(({ hunks }) => hunks.length > 0)
    .filter(({ hunks }) => !hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith("\r"))))
    .flatMap(({ from }) => from);
  return [...new Set(paths)].filter((path) => before.get(path)?.text.includes("\r\n"));
}

/** The patch with the open old lines of the refused hunks ended, kept ones as told; undefined if a hunk has none. */
export function withEndedLines(
  { patch, refused }: { readonly patch: string; readonly refused: string },
  kept: string,
): string | undefined {
  const starts = [...refused.matchAll(/^(?:[A-Z_]+: )?hunk \d+ of .* \(line (\d+) of the patch\):/gm)].map(
    ([, line]) => Number(line) - 1,
  );
  const lines = patch.split("\n");
  if (starts.length === 0) return undefined;
  for (const start of starts.sort((a, b) => b - a)) {
    const end = lines.findIndex((line, index) => index > start && /^(?:@@ -|diff |commit |--- )/.test(line));
    const hunk = lines.slice(start, end === -1 ? undefined : end).join("\n");
    const ended = hunk
      .replace(/^(-[^\n]*)\n\\ No newline.*$/gm, kept.includes("\r") ? "$1\r" : "$1")
      .replace(/^ ([^\n]*)\n(\\ No newline.*)$/gm, kept);
    if (ended === hunk) return undefined;
    lines.splice(start, end === -1 ? lines.length : end - start, ...ended.split("\n"));
  }
  return lines.join("\n");
}
