import type { StoredFile, Tree } from "./generated-history.fixture.js";

/**
 * Rewrites a git diff as a `*** Begin Patch` block. Undefined where the grammar cannot say it: modes, changed line
 * endings, a changed end of file, files that swap names, and empty files.
 */
export function markedPatch(diff: string, trees: { before: Tree; after: Tree }): string | undefined {
  const sections: string[] = [];
  const touched = new Set<string>();
  for (const file of diff.split(/^(?=diff --git )/m).slice(1)) {
    const section = markedSection(file, trees);
    if (section === undefined || section.paths.some((path) => touched.has(path))) return undefined;
    for (const path of section.paths) touched.add(path);
    sections.push(section.text);
  }
  return `*** Begin Patch\n${sections.join("")}*** End Patch\n`;
}

function markedSection(
  file: string,
  { before, after }: { before: Tree; after: Tree },
): { text: string; paths: readonly string[] } | undefined {
  const [header = "", ...hunks] = file.split(/^(?=@@ -)/m);
  const name = (key: RegExp) => unquote(key.exec(header)?.[1]);
  const from = name(/^rename from (.+)$/m) ?? name(/^--- (?:a\/)?(.+?)\t?$/m)?.replace(/^a\//, "");
  const to = name(/^rename to (.+)$/m) ?? name(/^\+\+\+ (?:b\/)?(.+?)\t?$/m)?.replace(/^b\//, "");
  if (before.get(from ?? "")?.isLink === true || after.get(to ?? "")?.isLink === true) return undefined;
  if (from === undefined || to === undefined || / mode /.test(header.replace(/ file mode 100644$/m, "")))
    return undefined;
  const body = hunks
    .join("")
    .replaceAll("\r\n", "\n")
    .replace(/^\\.*\n/gm, "");
  if (from === "/dev/null") {
    const added = after.get(to);
    if (added === undefined || !/^(?:[^\r]*\n)$/.test(added.text)) return undefined;
    return { text: `*** Add File: ${to}\n${body.replace(/^@@.*\n/, "")}`, paths: [to] };
  }
  if (to === "/dev/null") return { text: `*** Delete File: ${from}\n`, paths: [from] };
  if (!areAlike(before.get(from), after.get(to))) return undefined;
  const move = from === to ? "" : `*** Move to: ${to}\n`;
  return { text: `*** Update File: ${from}\n${move}${body}`, paths: from === to ? [from] : [from, to] };
}

function unquote(name: string | undefined): string | undefined {
  if (name?.startsWith('"') !== true) return name;
  const bytes = name
    .slice(1, -1)
    .replace(/\\(\d{3})/g, (_all, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The same kind of line ending in every line, and the same kind of end. */
function areAlike(before: StoredFile | undefined, after: StoredFile | undefined): boolean {
  if (before === undefined || after === undefined || before.text === "" || after.text === "") return false;
  const [one, other] = [before.text, after.text].map((text) => [
    [...new Set(text.match(/\r*\n/g))].join(),
    text.endsWith("\n"),
  ]);
  return JSON.stringify(one) === JSON.stringify(other) && !String(one?.[0]).includes(",");
}
