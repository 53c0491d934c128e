import { isDeepStrictEqual } from "node:util";
import type { StoredFile, Tree } from "./generated-history.fixture.js";
import { changedFiles } from "./patch-variants.fixture.js";
import type { Files, PatchOutcome } from "./patched-tree.fixture.js";

const plain = (text: string) => text.replaceAll("\r\n", "\n");

export function withoutReturns(before: Tree, paths: readonly string[]): Tree {
  return new Map(
    [...before].map(([path, file]): [string, StoredFile] =>
      paths.includes(path) ? [path, { ...file, text: plain(file.text) }] : [path, file],
    ),
  );
}

/** Returns whether files differ only in line endings, and every existing line keeps its own. */
export function hasEndingsOf(
  before: Tree,
  { own, plain: expected, patch }: { own: Files; plain: Files; patch: string },
): boolean {
  const isAlike = ({ text: _text, ...left }: StoredFile, { text: _other, ...right }: StoredFile) =>
    isDeepStrictEqual(left, right);
  const paths = Object.keys({ ...own, ...expected });
  return paths.every((path) => {
    const [left, right] = [own[path], expected[path]];
    if (isDeepStrictEqual(left, right)) return true;
    if (left === undefined || right === undefined || !isAlike(left, right)) return false;
    const source = changedFiles(patch).find(({ to }) => to.includes(path));
    const old = (source?.from ?? []).flatMap((name) => before.get(name)?.text ?? [])[0] ?? "";
    if (!/(?<!\r)\n/.test(old)) return left.text === right.text.replaceAll("\n", "\r\n");
    const added = (source?.hunks ?? []).flatMap(({ lines }) => lines.filter(({ kind }) => kind === "add"));
    return (
      plain(left.text) === right.text &&
      isKept(
        old,
        left.text,
        added.map(({ text }) => text),
      )
    );
  });
}

/** Whether every line that the old text does not have is one of the added ones. */
function isKept(old: string, text: string, added: readonly string[]): boolean {
  const lines = (whole: string) => whole.split(/(?<=\n)/);
  const left = [...lines(old)];
  const free = [...added];
  return lines(text).every((line) => {
    const pool = left.includes(line) ? left : free;
    const at = pool.indexOf(pool === left ? line : line.replace(/\r?\n$/, ""));
    if (at !== -1) pool.splice(at, 1);
    return at !== -1;
  });
}

/** Whether git has lost the line ending after one open line of the patch, and nothing else differs. */
export function isGlued(own: PatchOutcome, git: PatchOutcome, patch: string): boolean {
  if (!("files" in own && "files" in git)) return false;
  const [path = "", ...others] = Object.keys({ ...own.files, ...git.files }).filter(
    (each) => !isDeepStrictEqual(own.files[each], git.files[each]),
  );
  const [left, right] = [own.files[path], git.files[path]];
  const open = [...patch.matchAll(/^[-+ ]([^\n]*)\n\\ No newline/gm)].map(([, text = ""]) => text);
  if (left === undefined || right === undefined || others.length > 0) return false;
  return [...left.text.matchAll(/\r(?=\n)|\n/g)].some(({ index }) => {
    const above = left.text.slice(0, index);
    const glued = above + left.text.slice(index).replace(/^\r?\n/, "");
    return open.some((text) => above.endsWith(text)) && isDeepStrictEqual({ ...left, text: glued }, right);
  });
}
