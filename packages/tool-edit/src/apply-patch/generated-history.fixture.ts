import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface StoredFile {
  /** The target of a link. */
  readonly text: string;
  readonly isLink?: true;
  readonly isExecutable: boolean;
}

export type Tree = ReadonlyMap<string, StoredFile>;

export interface GeneratedHistory {
  /** The tree of every commit, the first one included. */
  readonly trees: readonly Tree[];
  /** Returns the patch of every commit but the first, made by `git log -p` with these options. */
  patches(...options: string[]): readonly string[];
  remove(): void;
}

/**
 * Creates a repository of random commits with edits, renames, copies, mode changes, links, CRLF, byte order marks and
 * missing final newlines.
 */
export function generatedHistory(commits: number, seed: number): GeneratedHistory {
  const random = randomNumbers(seed);
  const trees: Tree[] = [firstTree(random)];
  while (trees.length <= commits) trees.push(nextTree(trees.at(-1) as Tree, random));
  const folder = mkdtempSync(join(tmpdir(), "haft-history-"));
  git(folder, ["init", "-q", "-b", "main"]);
  git(folder, ["fast-import", "--quiet"], importStream(trees));
  return {
    trees,
    patches: (...options) => {
      const log = git(folder, [
        "log",
        "-p",
        "--reverse",
        "--format=format:commit %H%n%n    Change files%n",
        ...options,
        "main",
      ]);
      return log.split(/^(?=commit [0-9a-f]{40}$|From [0-9a-f]{40} )/m);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export type Random = (below: number) => number;

export function randomNumbers(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[random(values.length)] as T;
}

function git(cwd: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, LC_ALL: "C" },
    ...(input === undefined ? {} : { input }),
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout;
}

function importStream(trees: readonly Tree[]): string {
  const sized = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return trees
    .map((tree, index) => {
      const files = [...tree].map(
        ([path, { text, isExecutable, isLink }]) =>
          `M ${isLink === true ? "120000" : isExecutable ? "100755" : "100644"} inline ${path}\n${sized(text)}`,
      );
      return `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + index} +0000\n${sized("Change files")}deleteall\n${files.join("")}`;
    })
    .join("");
}

const NAMES = [
  "a.txt",
  "b.txt",
  "src/main.ts",
  "src/lib/util.ts",
  "docs/read me.md",
  "run.sh",
  "x",
  "src/x",
  "é.txt",
  "empty",
  "l",
];
const WORDS = [
  "alpha",
  "beta",
  "}",
  "",
  "  return x;",
  "\tif (y) {",
  "-- sql",
  "++i;",
  "@@ -1 +1 @@",
  "日本",
  "end ",
];

function firstTree(random: Random): Tree {
  return new Map([
    ...NAMES.slice(0, 6).map((name) => [name, newFile(random)] as const),
    ["l", newLink(random)],
  ]);
}

function newLink(random: Random): StoredFile {
  return {
    text: pick(random, ["a.txt", "src", "docs/read me.md", "gone"]),
    isExecutable: false,
    isLink: true,
  };
}

function newFile(random: Random): StoredFile {
  const ending = pick(random, ["\n", "\n", "\n", "\r\n"]);
  const lines = Array.from({ length: random(4) === 0 ? random(3) : random(40) }, (_, index) =>
    newLine(random, index),
  );
  const mark = lines.length % 9 === 4 ? "\u{FEFF}" : "";
  const text = mark + lines.map((line) => line + ending).join("");
  return { text: random(5) === 0 ? text.slice(0, -ending.length) : text, isExecutable: random(8) === 0 };
}

/** Many lines are alike, so that often only line numbers or context identify a place. */
function newLine(random: Random, index: number): string {
  return random(3) === 0
    ? pick(random, WORDS)
    : `${pick(random, WORDS)} ${random(2) === 0 ? index : random(1_000)}`;
}

function nextTree(before: Tree, random: Random): Tree {
  const after = new Map(before);
  for (let changes = 1 + random(4); changes > 0; changes -= 1) change(after, random);
  return isSame(before, after) ? nextTree(before, random) : after;
}

function isSame(before: Tree, after: Tree): boolean {
  return JSON.stringify([...before].sort()) === JSON.stringify([...after].sort());
}

function change(tree: Map<string, StoredFile>, random: Random): void {
  const path = pick(random, [...tree.keys()]);
  const file = tree.get(path) as StoredFile;
  // Most commits leave links alone, because not every patch format can express them.
  if (file.isLink === true && random(3) > 0) {
    change(tree, random);
    return;
  }
  const other = pick(random, NAMES);
  switch (random(12)) {
    case 0:
      if (!tree.has(other)) tree.set(other, newFile(random));
      return;
    case 1:
      if (tree.size > 3) tree.delete(path);
      return;
    case 2:
    case 3: {
      // A rename, or a swap if the other name is taken.
      const taken = tree.get(other);
      tree.set(other, random(2) === 0 ? file : edited(file, random));
      if (taken !== undefined) tree.set(path, taken);
      else tree.delete(path);
      return;
    }
    case 4:
      if (!tree.has(other)) tree.set(other, edited(file, random));
      return;
    case 5:
      if (file.isLink !== true) tree.set(path, { ...file, isExecutable: !file.isExecutable });
      return;
    case 6:
      // A file becomes a link, a link a file, or there is a new link.
      if (file.isLink === true) tree.set(path, newFile(random));
      else if (random(6) === 0) tree.set(random(2) === 0 ? path : other, newLink(random));
      return;
    default:
      tree.set(path, edited(file, random));
  }
}

function edited(file: StoredFile, random: Random): StoredFile {
  if (file.isLink === true) return newLink(random);
  let { text } = file;
  for (let edits = 1 + random(3); edits > 0; edits -= 1) text = editedText(text, random);
  return { ...file, text };
}

function editedText(text: string, random: Random): string {
  if (random(25) === 0)
    return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n");
  if (random(15) === 0) return text.endsWith("\n") ? text.replace(/\r?\n$/, "") : `${text}\n`;
  const lines = text.split(/(?<=\n)/);
  const ending = lines[0]?.endsWith("\r\n") ? "\r\n" : "\n";
  const at = random(lines.length + 1);
  const added = Array.from(
    { length: random(4) },
    () => newLine(random, random(1_000)) + (random(20) === 0 ? "\n" : ending),
  );
  lines.splice(at, random(4), ...added);
  // Only the last line may lack its ending.
  return lines
    .map((line, index) => (index < lines.length - 1 && !line.endsWith("\n") ? line + ending : line))
    .join("");
}
