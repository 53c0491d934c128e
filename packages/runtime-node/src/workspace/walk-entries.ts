import type { FileEntry } from "@haft/core";
import { joinPath, tooManyEntries, type WalkOptions } from "@haft/core/workspace";
import { sortedNames, spellName } from "./entry-name.js";
import { entryOf } from "./entry-of.js";
import type { FileName, HeldDirectory } from "./held-directory.js";
import { IgnoreRules } from "./ignore-rules.js";
import type { Gatekeepers } from "./open-inside.js";
import { errnoOf } from "./system-error.js";
import type { Place } from "./walk-inside.js";

interface WalkEntriesOptions extends WalkOptions {
  readonly maxEntries: number;
}

/** Yields everything below a held directory, parents before children, sorted by name. Never follows a link. */
export async function* walkEntries(
  keepers: Gatekeepers,
  start: Place,
  options: WalkEntriesOptions,
): AsyncGenerator<FileEntry> {
  const rules = options.includeIgnored ? new IgnoreRules() : await rulesAbove(keepers, start.path, options);
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
  const rules = includeIgnored
    ? level.rules
    : await enterRules(level.rules, { folder: level.path, directory: level.directory }, walk.options);
  for (const name of names) {
    await yieldToEventLoop(walk);
    const entry = entryToShow(walk, { ...level, rules }, name);
    if (entry === undefined) continue;
    walk.seen += 1;
    if (walk.seen > walk.options.maxEntries) throw tooManyEntries(walk.options.maxEntries);
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

/** Returns an entry with its mark, or undefined if it is hidden, ignored or gone. */
function entryToShow(walk: Walk, level: Level, name: FileName): FileEntry | undefined {
  if (spellName(name).startsWith(".") && !walk.options.includeHidden) return undefined;
  const entry = entryOf(walk.keepers, { parent: level.path, directory: level.directory, name });
  if (entry === undefined) return undefined;
  const isDirectory = entry.type === "directory";
  const isIgnored = isRepository(entry) || level.rules.ignores(entry.path, isDirectory);
  if (!isIgnored) return entry;
  return isDirectory ? { ...entry, ignored: true } : undefined;
}

/** Git's own data is not source. */
function isRepository(entry: FileEntry): boolean {
  return entry.name === ".git" && entry.type === "directory";
}

/** Returns the names to show. The start is known to be readable; an unreadable directory below it shows nothing. */
function namesToShow({ directory, depth }: Level): readonly FileName[] {
  if (depth === 1) return sortedNames(directory);
  return orIfDenied(() => sortedNames(directory)) ?? [];
}

/** A directory that vanished or became a link yields no entries. */
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

/**
 * Returns the rules of the directories above a start, or none if they ignore it: a walk that starts there includes
 * it.
 */
async function rulesAbove({ jail }: Gatekeepers, path: string, options: WalkOptions): Promise<IgnoreRules> {
  let rules = new IgnoreRules();
  const parts = path === "" ? [] : path.split("/");
  let above = "";
  for (const part of parts) {
    rules = await jail.visit(above, {}, ({ directory }) =>
      enterRules(rules, { folder: above, directory }, options),
    );
    above = joinPath(above, part);
    if (rules.ignores(above, true)) return new IgnoreRules();
  }
  return rules;
}

async function enterRules(
  outer: IgnoreRules,
  { folder, directory }: { readonly folder: string; readonly directory: HeldDirectory },
  { onUnobeyedRules }: WalkOptions,
): Promise<IgnoreRules> {
  const rules = await outer.enter(folder, directory);
  if (rules !== outer && rules.unobeyed > 0) onUnobeyedRules?.(folder, rules.unobeyed);
  return rules;
}

/** Listing is synchronous: without pauses, timers would not fire and cancellation would not work. */
async function yieldToEventLoop(walk: Walk): Promise<void> {
  if (performance.now() - walk.pausedAt > MAX_BUSY_MS) {
    await new Promise((resolve) => setImmediate(resolve));
    walk.pausedAt = performance.now();
  }
  walk.options.signal?.throwIfAborted();
}

const DEFAULT_MAX_DEPTH = 20;
const MAX_BUSY_MS = 10;
