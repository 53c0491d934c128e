import { isDeepStrictEqual } from "node:util";
import type { Tree } from "./generated-history.fixture.js";
import { isGlued } from "./outcome-comparison.fixture.js";
import { changedFiles } from "./patch-variants.fixture.js";
import { type Files, type PatchOutcome, patchTree } from "./patched-tree.fixture.js";

/** A patch that git applied and apply_patch refused. */
export interface Refused {
  readonly before: Tree;
  readonly patch: string;
  readonly refused: string;
  readonly git: Files;
  /** Judges another patch for the same files. */
  readonly judge: (patch: string) => Promise<{ verdict: string; own: PatchOutcome; git: PatchOutcome }>;
}

/**
 * Where apply_patch refuses on purpose what `git apply` takes (docs/decisions/0017-patches-account-for-every-line.md).
 * Each kind asks for the patch as git understood it: apply_patch must then do what git did.
 */
const KINDS: readonly {
  readonly why: string;
  readonly words: RegExp;
  readonly isIt: (refused: Refused) => boolean | Promise<boolean>;
}[] = [
  {
    why: "git skips unknown lines between and after files",
    words:
      /belongs to no file header|is beyond the lines that the hunk|hunk header looks like|line is missing (?:before|after)|no hunk header follows|is followed by no hunk and changes nothing|names no file/,
    isIt: isSameWithout,
  },
  {
    why: "git takes the last of two contradicting header lines",
    words: /contradict each other|a (?:rename|copy) names .*, but its header line says/,
    isIt: isSameWithoutHeaderLine,
  },
  {
    why: "git takes /dev/null for a file called dev/null",
    words: /\/dev\/null needs a/,
    isIt: ({ before, git }) => git["dev/null"] !== undefined && !before.has("dev/null"),
  },
  {
    why: "git joins lines around a stray end-of-file mark",
    words: /belongs after the last line of a file/,
    isIt: isSameWithoutMark,
  },
  {
    why: "git treats two names without a rename as a copy",
    words: /but no "rename" or "copy" line says so/,
    isIt: isSameAsCopy,
  },
  {
    why: "git appends an insertion that is beyond the end",
    words: /the file ends before the line/,
    isIt: isSameAtTheEnd,
  },
  {
    why: "git makes an empty folder for a submodule",
    words: /is a submodule/,
    isIt: (refused) => isSameAs(refused, withoutSection(refused)),
  },
  {
    why: "git makes links out of the workspace or to a circle of links, and targets of several lines",
    words:
      /is outside the workspace|goes through too many links|the target of a symbolic link is one line|contains a control character/,
    isIt: ({ before, git }) =>
      Object.entries(git).some(
        ([path, { text, isLink }]) => isLink === true && before.get(path)?.text !== text && isBad(git, path),
      ),
  },
  { why: "git creates a file twice", words: /already exists/, isIt: isMadeTwice },
];

/** Names the documented difference that explains a refusal; undefined if none does. */
export async function strictness(refused: Refused): Promise<string | undefined> {
  for (const { why, words, isIt } of KINDS)
    if (words.test(refused.refused) && (await isIt(refused))) return why;
  return undefined;
}

async function isSameAs(refused: Refused, patch: string): Promise<boolean> {
  const own = await patchTree(refused.before, patch);
  if ("refused" in own && NOTHING_LEFT.test(own.refused)) return isUnchanged(refused);
  return isDeepStrictEqual(own, { files: refused.git });
}

/** The line of the patch that a refusal names, from 0. */
function namedLine({ refused }: Pick<Refused, "refused">): number {
  return Number(/\(line (\d+) of the patch\)/.exec(refused)?.[1] ?? 0) - 1;
}

function withoutLine(patch: string, line: number): string {
  return patch.split("\n").toSpliced(line, 1).join("\n");
}

/** Empties the line that apply_patch names: git must do the same without it, and apply_patch what git does. */
async function isSameWithout(refused: Refused): Promise<boolean> {
  const { verdict, own, git } = await refused.judge(withoutSkipped(refused.patch, refused.refused));
  if ("refused" in own && NOTHING_LEFT.test(own.refused)) return isUnchanged(refused);
  return verdict !== "different" && isDeepStrictEqual(git, { files: refused.git });
}

const NOTHING_LEFT = /changes no file/;

function isUnchanged({ before, git }: Refused): boolean {
  return isDeepStrictEqual(Object.fromEntries(before), git);
}

function withoutSkipped(patch: string, refused: string): string {
  const above = /no hunk header follows/.test(refused) ? 2 : /missing after/.test(refused) ? 1 : 0;
  return patch
    .split("\n")
    .with(namedLine({ refused }) - above, "")
    .join("\n");
}

/** Removes each line of the header in turn. */
async function isSameWithoutHeaderLine(refused: Refused): Promise<boolean> {
  const lines = refused.patch.split("\n");
  const start = lines.findLastIndex((line, at) => at <= namedLine(refused) && line.startsWith("diff --git "));
  for (let at = start + 1; at < lines.length && !/^(?:@@|diff )/.test(lines[at] ?? ""); at += 1)
    if (await isSameAs(refused, withoutLine(refused.patch, at))) return true;
  return false;
}

async function isSameWithoutMark(refused: Refused): Promise<boolean> {
  const lines = refused.patch.split("\n");
  const end = lines.findIndex((line, at) => at > namedLine(refused) && /^(?:@@ -|diff )/.test(line));
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("\\") || at < namedLine(refused) || (end !== -1 && at > end)) continue;
    const own = await patchTree(refused.before, withoutLine(refused.patch, at));
    const git = { files: refused.git };
    if (isDeepStrictEqual(own, git) || isGlued(own, git, refused.patch)) return true;
  }
  return false;
}

function isSameAsCopy(refused: Refused): Promise<boolean> {
  const lines = refused.patch.split("\n");
  const start = lines.findLastIndex((line, at) => at <= namedLine(refused) && line.startsWith("diff --git "));
  const side = (key: string) =>
    lines.find((line, at) => at > start && line.startsWith(key))?.replace(/^\S+ (?:[ab]\/)?/, "");
  const copied = lines.toSpliced(start + 1, 0, `copy from ${side("--- ")}`, `copy to ${side("+++ ")}`);
  return isSameAs(refused, copied.join("\n"));
}

/** Moves the insertion up until the file has that line. */
async function isSameAtTheEnd(refused: Refused): Promise<boolean> {
  const at = namedLine(refused);
  const lines = refused.patch.split("\n");
  const start = Number(/\+(\d+)/.exec(lines[at] ?? "")?.[1] ?? 0);
  for (let line = start - 1; line >= 0; line -= 1) {
    const patch = lines.with(at, (lines[at] ?? "").replace(/\+\d+/, `+${line}`)).join("\n");
    const own = await patchTree(refused.before, patch);
    if ("files" in own) return isDeepStrictEqual(own.files, refused.git);
  }
  return false;
}

function withoutSection(refused: Refused): string {
  const sections = refused.patch.split(/^(?=diff --git )/m);
  let line = 0;
  return sections
    .filter((section) => {
      const first = line;
      line += section.split("\n").length - 1;
      return namedLine(refused) < first || namedLine(refused) >= line;
    })
    .join("");
}

/** Whether a link leads out of the workspace or in a circle, or has a target of several lines. */
function isBad(files: Files, path: string): boolean {
  let at = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const { text, isLink } = files[at] ?? {};
    if (isLink !== true || text === undefined) return false;
    if (text.startsWith("/") || text === "" || /[\n\r]/.test(text)) return true;
    const parts = at.split("/").slice(0, -1);
    for (const part of text.split("/")) {
      if (part === "..") {
        if (parts.pop() === undefined) return true;
      } else if (part !== "." && part !== "") parts.push(part);
    }
    at = parts.join("/");
  }
  return true;
}

/** Whether the file that exists already is one that two sections create, rename or copy to. */
function isMadeTwice({ patch, refused }: Refused): boolean {
  const names = [...refused.matchAll(/: (.+) already exists/g)].map(([, name = ""]) => name);
  const made = changedFiles(patch).flatMap(({ kind, to }) =>
    kind === "modify" || kind === "delete" ? [] : to.slice(0, 1),
  );
  return names.length > 0 && names.every((name) => made.indexOf(name) !== made.lastIndexOf(name));
}
