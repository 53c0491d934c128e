import { fileNames, headerNames, readSide, strip } from "./file-names.js";
import { invalidPatch } from "./invalid-patch.js";
import type { FileDiff } from "./patch.js";
import { unquoteName } from "./quoted-name.js";

export type FileHeader = Omit<FileDiff, "hunks"> & {
  /** The header alone changes something: a name, a mode, or whether the file exists. */
  readonly isChange: boolean;
  /** The index of the line after the header. */
  readonly end: number;
};

/** Reads `diff --git …` and the lines that belong to it. */
export function readGitHeader(lines: readonly string[], start: number): FileHeader {
  const { facts, end } = readFacts(lines, start + 1);
  const extended = EXTENSIONS.filter((keys) => keys.some((key) => facts.has(key)));
  if (extended.length > 1)
    throw invalidPatch(`"${extended[0]?.[0]}" and "${extended[1]?.[0]}" contradict each other`, start + 1);
  const mode = facts.get("new file mode") ?? facts.get("new mode");
  const isLink = isOfLink(facts, start + 1);
  const names = namesOf(facts, { header: (lines[start] ?? "").replace(/\r$/, ""), number: start + 1 });
  const [oldMode, newMode] = [facts.get("old mode")?.value, facts.get("new mode")?.value];
  return {
    ...names,
    isChange:
      names.kind !== "modify" || (oldMode !== undefined && newMode !== undefined && oldMode !== newMode),
    line: start + 1,
    end,
    ...(isLink === undefined ? {} : { isLink }),
    ...(isLink === true || mode === undefined ? {} : { mode: permissions(mode.value) }),
  };
}

interface Fact {
  readonly value: string;
  readonly number: number;
}

type Facts = ReadonlyMap<string, Fact>;

const KEYS =
  /^(--- |\+\+\+ |index |old mode |new mode |new file mode |deleted file mode |similarity index |dissimilarity index |rename (?:from|to|old|new) |copy (?:from|to) )(.*)$/;

const EXTENSIONS = [
  ["new file mode"],
  ["deleted file mode"],
  ["rename from", "rename to"],
  ["copy from", "copy to"],
];

function readFacts(lines: readonly string[], start: number): { facts: Facts; end: number } {
  const facts = new Map<string, Fact>();
  let at = start;
  for (; ; at += 1) {
    const [, key, value = ""] = KEYS.exec((lines[at] ?? "").replace(/\r$/, "")) ?? [];
    if (key === undefined) return { facts, end: at };
    const name = key.trim().replace("rename old", "rename from").replace("rename new", "rename to");
    const known = facts.get(name)?.value;
    if (known !== undefined && known !== value && !/index|mode/.test(name))
      throw invalidPatch(`two "${name}" lines contradict each other`, at + 1);
    const mode = modeIn(name, value);
    if (mode !== undefined) assertFileOrLink(mode, at + 1);
    facts.set(name, { value, number: at + 1 });
  }
}

function modeIn(name: string, value: string): string | undefined {
  return name === "index" ? value.split(" ")[1] : name.endsWith("mode") ? value : undefined;
}

/** Returns undefined if no mode states it. Git writes a file that becomes a link as a deletion and a creation. */
function isOfLink(facts: Facts, number: number): boolean | undefined {
  const modes = [...facts].flatMap(([name, { value }]) => modeIn(name, value) ?? []);
  const links = modes.filter((mode) => LINK.test(mode));
  if (links.length > 0 && links.length < modes.length)
    throw invalidPatch("a file cannot become a symbolic link, or a link a file, in one step", number);
  return modes.length === 0 ? undefined : links.length > 0;
}

function namesOf(
  facts: Facts,
  git: { header: string; number: number },
): Pick<FileDiff, "kind" | "from" | "to"> {
  const sides = sidesOf(facts);
  const kind = KINDS.find(([key]) => facts.has(key))?.[1] ?? "modify";
  if (kind === "rename" || kind === "copy") return movedNames(facts, { kind, sides, number: git.number });
  const names = headerNames(git.header, git.number);
  if (names === undefined && sides.before === undefined && sides.after === undefined)
    throw noNames(git.number);
  if (kind === "modify" && (sides.before === undefined) !== (sides.after === undefined))
    throw invalidPatch(`the ${sides.before === undefined ? "---" : "+++"} line is missing`, git.number);
  if (kind !== "modify") assertNull(kind === "create" ? sides.before : sides.after, { kind, facts });
  const own = fileNames(
    kind === "create" ? undefined : sides.before?.name,
    kind === "delete" ? undefined : sides.after?.name,
  );
  if (kind === "modify") assertNamesAgree(sides, git.number);
  // As in git, the --- and +++ lines take precedence over the line above them.
  const areOne = own.some((name) => names?.includes(name) === true);
  const known = names === undefined || (kind === "modify" && own.length > 0 && !areOne) ? own : names;
  if (known.length === 0) throw noNames(git.number);
  if (own.length > 0 && !own.some((name) => known.includes(name)))
    throw invalidPatch(`the header names ${known[0]}, but its --- and +++ lines name ${own[0]}`, git.number);
  return { kind, from: known, to: known };
}

const KINDS = [
  ["new file mode", "create"],
  ["deleted file mode", "delete"],
  ["rename from", "rename"],
  ["rename to", "rename"],
  ["copy from", "copy"],
  ["copy to", "copy"],
] as const;

interface Side {
  readonly name: string | undefined;
  readonly number: number;
}

interface Sides {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

function sidesOf(facts: Facts): Sides {
  const side = (key: "---" | "+++"): Side | undefined => {
    const fact = facts.get(key);
    return fact && { name: readSide(`${key} ${fact.value}`, fact.number).name, number: fact.number };
  };
  return { before: side("---"), after: side("+++") };
}

function movedNames(
  facts: Facts,
  { kind, sides, number }: { kind: "rename" | "copy"; sides: Sides; number: number },
): Pick<FileDiff, "kind" | "from" | "to"> {
  const name = (key: "from" | "to", side: Side | undefined): string => {
    const fact = facts.get(`${kind} ${key}`);
    const own =
      fact === undefined ? (strip(side?.name) ?? side?.name) : unquoteName(fact.value.trim(), fact.number);
    if (own === undefined) throw invalidPatch(`the "${kind} ${key}" line is missing`, number);
    return own;
  };
  const [from, to] = [name("from", sides.before), name("to", sides.after)];
  for (const [side, known] of [
    [sides.before, from],
    [sides.after, to],
  ] as const)
    if (side !== undefined && side.name !== known && strip(side.name) !== known)
      throw invalidPatch(
        `a ${kind} names ${known}, but its header line says ${side.name ?? "/dev/null"}`,
        side.number,
      );
  return { kind, from: [from], to: [to] };
}

/** Git parses a header line by line: above "new file" or "deleted file", /dev/null is an ordinary name. */
function assertNull(
  side: Side | undefined,
  { kind, facts }: { kind: "create" | "delete"; facts: Facts },
): void {
  if (side === undefined) return;
  if (side.name !== undefined)
    throw invalidPatch(`to ${kind} a file, this side must be /dev/null, not ${side.name}`, side.number);
  const mode = kind === "create" ? "new file mode" : "deleted file mode";
  if ((facts.get(mode)?.number ?? 0) > side.number)
    throw invalidPatch(`/dev/null needs a "${mode}" line above it`, side.number);
}

function assertNamesAgree({ before, after }: Sides, number: number): void {
  if (before === undefined || after === undefined) return;
  if (before.name === undefined || after.name === undefined)
    throw invalidPatch('/dev/null needs a "new file mode" or "deleted file mode" line', number);
  if (before.name !== after.name && strip(before.name) !== strip(after.name))
    throw invalidPatch(
      `${before.name} and ${after.name} differ, but no "rename" or "copy" line says so`,
      number,
    );
}

export function noNames(number: number): Error {
  return invalidPatch("a file header names no file", number);
}

const LINK = /^120000\s*$/;

function assertFileOrLink(mode: string, line: number): void {
  if (/^100[0-7]{3}\s*$/.test(mode) || LINK.test(mode)) return;
  const what = mode.startsWith("160") ? "a submodule" : "not a plain file";
  throw invalidPatch(
    `mode ${mode.trim()} is ${what}; only files (100644, 100755) and symbolic links (120000) can be patched`,
    line,
  );
}

/** As git stores modes: only the owner's executable bit counts. */
function permissions(mode: string): number {
  return (Number.parseInt(mode.trim().slice(-3), 8) & 0o100) === 0 ? 0o644 : 0o755;
}
