import type { Pace } from "@haft/core/workspace";
import { type JsonPiece, jsonPieces, skipBlanks } from "./json-pieces.js";

/** A Jupyter notebook, parsed leniently: no part of it is trusted to be valid. */
export interface Notebook {
  readonly language: string;
  readonly cells: readonly unknown[];
}

/** Parses a notebook cell by cell without blocking the thread. Undefined if it is not a notebook. */
export async function parseNotebook(text: string, pace: Pace): Promise<Notebook | undefined> {
  const root = await membersOf(text, skipBlanks(text, 0), pace);
  if (root === undefined || skipBlanks(text, root.end) !== text.length) return undefined;
  const cells = root.members.get("cells") ?? (await cellsOfVersion3(text, root.members, pace));
  const list = cells === undefined ? undefined : await itemsOf(text, cells.start, pace);
  const others = root.pieces.filter((piece) => piece !== cells);
  if (list === undefined || !(await areValid(text, others, pace))) return undefined;
  const metadata = member(parsed(text, root.members.get("metadata")));
  const language = member(metadata.kernelspec).language ?? member(metadata.language_info).name;
  return { language: typeof language === "string" ? language.slice(0, 40) : "python", cells: list };
}

type Members = ReadonlyMap<string | undefined, JsonPiece>;

/** The last of two members with the same name counts, as with JSON.parse. */
async function membersOf(
  text: string,
  start: number,
  pace: Pace,
): Promise<
  { readonly members: Members; readonly pieces: readonly JsonPiece[]; readonly end: number } | undefined
> {
  const found = text[start] === "{" ? await jsonPieces(text, start, pace) : undefined;
  return found && { ...found, members: new Map(found.pieces.map((piece) => [piece.key, piece])) };
}

/** Version 3 has an additional level. */
async function cellsOfVersion3(text: string, root: Members, pace: Pace): Promise<JsonPiece | undefined> {
  const worksheets = root.get("worksheets");
  if (worksheets === undefined || text[worksheets.start] !== "[") return undefined;
  const first = (await jsonPieces(text, worksheets.start, pace))?.pieces[0];
  return first && (await membersOf(text, first.start, pace))?.members.get("cells");
}

async function itemsOf(text: string, start: number, pace: Pace): Promise<readonly unknown[] | undefined> {
  const list = text[start] === "[" ? await jsonPieces(text, start, pace) : undefined;
  if (list === undefined) return undefined;
  const items: unknown[] = [];
  for (const piece of list.pieces) {
    await pace.breathe();
    const item = parsed(text, piece);
    if (item === INVALID) return undefined;
    items.push(item);
  }
  return items;
}

/** Parses and discards everything else, because invalid JSON is not a notebook. */
async function areValid(text: string, pieces: readonly JsonPiece[], pace: Pace): Promise<boolean> {
  for (const piece of pieces) {
    await pace.breathe();
    if (parsed(text, piece) === INVALID) return false;
  }
  return true;
}

const INVALID = Symbol("not JSON");

function parsed(text: string, piece: JsonPiece | undefined): unknown {
  if (piece === undefined) return undefined;
  if (piece.values > MAX_VALUES) return { source: `(left out: it holds ${piece.values} values)` };
  try {
    return JSON.parse(text.slice(piece.start, piece.end));
  } catch {
    return INVALID;
  }
}

// Parsing this many values takes at most a tenth of a second.
const MAX_VALUES = 300_000;

/** Returns the value if it is an object, otherwise an empty one. */
export function member(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
