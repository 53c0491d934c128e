import { commandLimits } from "./command-limits.js";
import type { GlobPiece, PlannedWord } from "./command-plan.js";
import { matchGlob } from "./match-glob.js";

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Lists a directory, relative to the command's own. An unreadable or missing one is empty. */
export type ListDirectory = (path: string) => Promise<readonly DirectoryEntry[]>;

/**
 * Expands a word to its arguments, sorted by code point. Without a match the word stays as written, like in bash. An
 * expansion never looks like an option: a name that starts with a dash gets a ./ prefix.
 */
export async function expandWord(word: PlannedWord, list: ListDirectory): Promise<string[]> {
  if (word.kind === "literal") return [word.value];
  let found: Candidate[] = [{ path: "", isDirectory: true }];
  for (const segment of segmentsOf(word.pieces)) {
    found = (await Promise.all(found.map((candidate) => extend(candidate, segment, list)))).flat();
    if (found.length > commandLimits.expandedWords)
      throw new RangeError(`${word.value} matches too many files`);
  }
  if (found.length === 0) return [word.value];
  return found
    .map(({ path }) => (path.startsWith("-") && !word.value.startsWith("-") ? `./${path}` : path))
    .sort();
}

interface Candidate {
  readonly path: string;
  readonly isDirectory: boolean;
}

interface Segment {
  readonly pieces: readonly GlobPiece[];
  /** The slashes before it. */
  readonly separator: string;
}

function segmentsOf(pieces: readonly GlobPiece[]): Segment[] {
  const segments: { pieces: GlobPiece[]; separator: string }[] = [{ pieces: [], separator: "" }];
  for (const piece of pieces) {
    if (piece.kind !== "text") {
      segments.at(-1)?.pieces.push(piece);
      continue;
    }
    for (const part of piece.text.split(/(\/+)/)) {
      if (part.startsWith("/")) segments.push({ pieces: [], separator: part });
      else if (part !== "") segments.at(-1)?.pieces.push({ kind: "text", text: part });
    }
  }
  return segments;
}

async function extend(base: Candidate, segment: Segment, list: ListDirectory): Promise<Candidate[]> {
  if (!base.isDirectory) return [];
  const prefix = base.path + segment.separator;
  if (segment.pieces.length === 0) return [{ path: prefix, isDirectory: true }];
  const entries = await list(prefix === "" ? "." : prefix);
  return withDots(entries, segment)
    .filter((entry) => matchSegment(segment.pieces, entry.name))
    .map((entry) => ({ path: prefix + entry.name, isDirectory: entry.isDirectory }));
}

function matchSegment(pieces: readonly GlobPiece[], name: string): boolean {
  const [only] = pieces;
  return pieces.length === 1 && only?.kind === "text" ? only.text === name : matchGlob(pieces, name);
}

// A pattern never matches . and .., but they can be written.
function withDots(entries: readonly DirectoryEntry[], segment: Segment): readonly DirectoryEntry[] {
  const isText = segment.pieces.every((piece) => piece.kind === "text");
  return isText ? [...entries, { name: ".", isDirectory: true }, { name: "..", isDirectory: true }] : entries;
}
