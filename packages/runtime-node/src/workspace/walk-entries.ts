import { type FileEntry, joinPath, ToolError, type WalkOptions } from "@haft/core";
import { sortedNames, spellName } from "./entry-name.js";
import { entryOf } from "./entry-of.js";
import type { FileName, HeldDirectory } from "./held-directory.js";
import { IgnoreRules } from "./ignore-rules.js";
import type { Gatekeepers } from "./open-inside.js";
import { errnoOf } from "./system-error.js";
import type { Place } from "./walk-inside.js";

export interface WalkEntriesOptions extends WalkOptions {
  readonly maxEntries: number;
}

/** Everything below a held directory, parents before children, by name. Never follows a link. */
export async function* walkEntries(
  keepers: Gatekeepers,
  start: Place,
  options: WalkEntriesOptions,
): AsyncGenerator<FileEntry> {
  const rules = options.includeIgnored ? new IgnoreRules() : await rulesAbove(keepers, start.path);
  const walk = { keepers, options, seen: 0, pausedAt: performance.now() };
  yield* below(walk, { path: start.path, directory: start.directory, rules, depth: 1 });
}

interface Walk {
  readonly keepers: Gatekeepers;
  readonly options: WalkEntriesOptions;
  seen: number;
  pausedAt: number;
}

interface Level {
  readonly path: string;
  readonly directory: HeldDirectory;
  /** The rules that apply to the directory itself. */
  readonly rules: IgnoreRules;
  readonly depth: number;
}

async function* below(walk: Walk, level: Level): AsyncGenerator<FileEntry> {
  const { includeIgnored, maxDepth = DEFAULT_MAX_DEPTH } = walk.options;
  if (level.depth > maxDepth) return;
  const names = namesToShow(level);
  if (names.length === 0) return;
  const rules = includeIgnored ? level.rules : await level.rules.enter(level.path, level.directory);
  for (const name of names) {
    await breathe(walk);
    const entry = entryToShow(walk, { ...level, rules }, name);
    if (entry === undefined) continue;
    walk.seen += 1;
    if (walk.seen > walk.options.maxEntries) throw tooMany(walk.options.maxEntries);
    yield entry;
    if (entry.type === "directory" && entry.ignored !== true) yield* inside(walk, { ...level, rules }, entry);
  }
}

async function* inside(walk: Walk, parent: Level, entry: FileEntry): AsyncGenerator<FileEntry> {
  const directory = tryOpen(parent.directory, entry.name);
  if (directory === undefined) return;
  try {
    yield* below(walk, { path: entry.path, directory, rules: parent.rules, depth: parent.depth + 1 });
  } finally {
    directory.close();
  }
}

/** An entry with its mark, or undefined when it is hidden, ignored or gone. */
function entryToShow(walk: Walk, level: Level, name: FileName): FileEntry | undefined {
  if (spellName(name).startsWith(".") && !walk.options.includeHidden) return undefined;
  const entry = entryOf(walk.keepers, { parent: level.path, directory: level.directory, name });
  if (entry === undefined) return undefined;
  const isDirectory = entry.type === "directory";
  const isIgnored = isRepository(entry) || level.rules.ignores(entry.path, isDirectory);
  if (!isIgnored) return entry;
  return isDirectory ? { ...entry, ignored: true } : undefined;
}

/** What git keeps in there is nobody's source. */
function isRepository(entry: FileEntry): boolean {
  return entry.name === ".git" && entry.type === "directory";
}

/** The start has been found readable; below it, what may not be listed has nothing to show. */
function namesToShow({ directory, depth }: Level): readonly FileName[] {
  if (depth === 1) return sortedNames(directory);
  return orIfDenied(() => sortedNames(directory)) ?? [];
}

/** A directory that vanished or became a link has nothing to show either. */
function tryOpen(directory: HeldDirectory, name: string): HeldDirectory | undefined {
  return orIfDenied(() => directory.openDirectory(name));
}

function orIfDenied<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}

/** The rules of the directories above a start. None when they ignore it: whoever starts there means it. */
async function rulesAbove({ jail }: Gatekeepers, path: string): Promise<IgnoreRules> {
  let rules = new IgnoreRules();
  const parts = path === "" ? [] : path.split("/");
  let above = "";
  for (const part of parts) {
    rules = await jail.visit(above, {}, ({ directory }) => rules.enter(above, directory));
    above = joinPath(above, part);
    if (rules.ignores(above, true)) return new IgnoreRules();
  }
  return rules;
}

/** Listing is synchronous: without a pause now and then no timer would fire and nobody could cancel. */
async function breathe(walk: Walk): Promise<void> {
  if (performance.now() - walk.pausedAt > MAX_BUSY_MS) {
    await new Promise((resolve) => setImmediate(resolve));
    walk.pausedAt = performance.now();
  }
  walk.options.signal?.throwIfAborted();
}

function tooMany(maxEntries: number): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `There are more than ${maxEntries} entries below this directory`, {
    hint: "Start further down, or limit the depth.",
  });
}

const DEFAULT_MAX_DEPTH = 20;
const MAX_BUSY_MS = 10;
