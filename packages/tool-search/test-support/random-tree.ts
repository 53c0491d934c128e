// Generates random trees, ignore files, patterns and options for the comparison with ripgrep, from small alphabets, so that rules and patterns often
// match.
import type { FixtureFiles } from "./search-fixture.js";

export type Random = (limit: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

export const NAMES = ["a", "b", "src", "lib", "build", "test", "x y", ".hid", "é", "foo", "bar", "A", "deep"];
const EXTENSIONS = ["", ".ts", ".js", ".log", ".tmp", ".txt", ".md", ".test.ts", ".TS"];

export function randomTree(random: Random): FixtureFiles {
  const files: Record<string, string | Uint8Array> = { ".git/HEAD": "ref: refs/heads/main\n" };
  const count = 8 + random(25);
  for (let index = 0; index < count; index++) {
    const folders = Array.from({ length: random(4) }, () => pick(random, NAMES));
    const path = [...folders, pick(random, NAMES) + pick(random, EXTENSIONS)].join("/");
    if (isFree(files, path)) files[path] = randomContent(random);
  }
  for (const folder of ["", ...foldersOf(files)]) {
    if (random(folder === "" ? 2 : 5) === 0) files[`${folder}.gitignore`] = randomRules(random);
    if (random(folder === "" ? 6 : 16) === 0) files[`${folder}.ignore`] = randomRules(random);
  }
  if (random(6) === 0) files[".git/info/exclude"] = randomRules(random);
  return files;
}

function isFree(files: Record<string, unknown>, path: string): boolean {
  return !Object.keys(files).some(
    (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );
}

export function foldersOf(files: FixtureFiles): string[] {
  const folders = new Set<string>();
  for (const path of Object.keys(files)) {
    const segments = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= segments.length; depth++)
      folders.add(`${segments.slice(0, depth).join("/")}/`);
  }
  return [...folders].filter((folder) => !folder.startsWith(".git/"));
}

const RULE_PARTS = [
  "a",
  "b",
  "src",
  "lib",
  "build",
  "*",
  "*.ts",
  "*.log",
  "*.t*",
  "foo*",
  "**",
  "[ab]",
  "[!a]*",
  "?",
  ".hid",
  "te?t",
  "é",
  "x y",
  "deep",
];

function randomRules(random: Random): string {
  return Array.from({ length: 1 + random(4) }, () => {
    const body = Array.from({ length: 1 + (random(3) === 0 ? 1 + random(2) : 0) }, () =>
      pick(random, RULE_PARTS),
    ).join("/");
    return `${random(4) === 0 ? "!" : ""}${random(4) === 0 ? "/" : ""}${body}${random(4) === 0 ? "/" : ""}`;
  })
    .concat(random(5) === 0 ? ["# comment", "", "trailing  "] : [])
    .join("\n");
}

const WORDS = [
  "foo",
  "Foo",
  "bar",
  "a",
  "b",
  "ab",
  "x",
  "1",
  "42",
  "_",
  " ",
  "  ",
  "-",
  "(",
  ")",
  ".",
  "é",
  "É",
  "ß",
  "漢",
  "K",
  "k",
  "s",
  "ſ",
  "\t",
  '"',
  "end",
  "TODO",
  "\\",
];

export function randomContent(random: Random): string | Uint8Array {
  const kind = random(30);
  if (kind === 0) return "";
  const eol = random(8) === 0 ? "\r\n" : "\n";
  const lines = Array.from({ length: random(14) }, () =>
    Array.from({ length: random(7) }, () => pick(random, WORDS)).join(""),
  );
  const text = lines.join(eol) + (random(4) === 0 ? "" : eol);
  if (kind === 1) return new Uint8Array([...new TextEncoder().encode(text), 0, 10]);
  if (kind === 2)
    return new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer),
    ]);
  if (kind === 3) return new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
  if (kind === 4)
    return Uint8Array.from(Array.from(text), (char) => char.charCodeAt(0) & 0xff).map((byte) => byte || 1);
  return text;
}

const ATOMS = [
  "foo",
  "bar",
  "a",
  "b",
  "ab",
  "x",
  "\\w",
  "\\W",
  "\\d",
  "\\s",
  "\\S",
  ".",
  "[ab]",
  "[^a]",
  "[a-f]",
  "[[:alpha:]]",
  "\\b",
  "\\B",
  "é",
  "(?i:é)",
  "\\p{Lu}",
  "\\p{Greek}",
  "\\p{Han}",
  "(?i:k)",
  "\\.",
  "\\(",
  "TODO",
  "end",
  "42",
  '"',
  "ß",
  "(?-u:\\w)",
  "\\x41",
  "(?i)",
  "[^\\W\\d]",
  "\\D",
];
const REPEATS = ["", "", "", "", "+", "*", "?", "{2}", "{1,3}", "{2,}", "+?", "*?"];

const UNREPEATED: ReadonlySet<string> = new Set(["(?i)", "\\b", "\\B"]);

/**
 * Uses line anchors only at the ends and does not repeat assertions: ripgrep 13 loses matches of patterns like `\b+?^{2}`, `$b*^` and `b?(?:\b^|A)`,
 * which match some lines.
 */
export function anchoredPattern(random: Random): string {
  return `${random(6) === 0 ? "^" : ""}${randomPattern(random)}${random(6) === 0 ? "$" : ""}`;
}

function randomPattern(random: Random, depth = 0): string {
  const parts = Array.from({ length: 1 + random(3) }, () => {
    if (depth < 2 && random(4) === 0)
      return `(${pick(random, ["", "?:", "?i:"])}${randomPattern(random, depth + 1)})${pick(random, REPEATS)}`;
    const atom = pick(random, ATOMS);
    return UNREPEATED.has(atom) ? atom : `${atom}${pick(random, REPEATS)}`;
  });
  const joined = parts.join("");
  return random(5) === 0 ? `${joined}|${pick(random, ATOMS)}` : joined;
}

export const GLOBS = [
  "*.ts",
  "*.log",
  "src/**",
  "**/a*",
  "!*.txt",
  "*.{ts,js}",
  "/src/*",
  "lib/",
  "**/*.md",
  "[ab]*",
  "b?r*",
  "!src/**",
  "foo*",
  "*.t?t",
  "**/src/**/*.ts",
];
