import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "@haft/core";
import { renderInline } from "@haft/text";

/**
 * Keeps the command running when a third-party pack throws outside its calls: in a timer that it set on import, or in
 * an unhandled promise. Reports each error once. Takes the names of packs that run in this process.
 */
export function surviveStrayErrors(packs: readonly string[], warn: (text: string) => void): void {
  const isFirst = NAMED.size === 0;
  for (const name of packs) NAMED.add(name);
  if (!isFirst || NAMED.size === 0) return;
  const told = new Set<string>();
  process.on("uncaughtException", (error) => {
    if (isOurs(error)) return;
    const text = strayText(error);
    if (!told.has(text)) warn(`haft: ${renderInline(text, { maxChars: 600 })}\n`);
    told.add(text);
  });
}

/** Ends the process when this program itself throws where nothing catches it. Shows the stack only if HAFT_DEBUG=1. */
export function endOnOwnErrors(end: (error: unknown) => void): void {
  process.on("uncaughtException", (error) => {
    if (NAMED.size === 0 || isOurs(error)) end(error);
  });
}

/** The names of the packs in this process, which runs one command. */
const NAMED = new Set<string>();

/** Returns whether the code that threw is part of this program, or was called by it without a pack in between. */
function isOurs(error: unknown): boolean {
  // Further out are those who import a module, and they do not call it.
  const [calls = ""] = stackOf(error).split(" (node:internal/modules/", 1);
  const files = filesIn(calls);
  if (!files.some(isOurFile)) return false;
  const [thrownIn = ""] = files;
  return isOurFile(thrownIn) || files.every((file) => isOurFile(file) || packAt(file) === undefined);
}

/** Most of this program is installed beside the command, in packages of its own. */
function isOurFile(file: string): boolean {
  return file.startsWith(OWN_FOLDER) || (packageAt(file)?.name.startsWith("@haft/") ?? false);
}

function strayText(error: unknown): string {
  const message = messageOf(error);
  // Node wraps values that are not errors in a message of its own.
  const inner = /The promise rejected with the reason "(.*)"/s.exec(message)?.[1] ?? message;
  const reason = (inner.split("\n", 1)[0] ?? "").replace(/\.$/, "");
  const thrownBy = packOnStack(stackOf(error));
  const [only, ...others] = NAMED;
  const what = thrownBy ?? (others.length === 0 ? only : `one of the packs ${[...NAMED].join(", ")}`);
  return `${what} failed outside of its calls: ${reason}. Remove it from the list of packs, or set containPacks to true.`;
}

/** Returns the name of the innermost pack on a stack. */
export function packOnStack(stack: string): string | undefined {
  return filesIn(stack)
    .map(packAt)
    .find((name) => name !== undefined);
}

/** Returns the name of the pack that contains a file. */
function packAt(file: string): string | undefined {
  return foldersOf(file)
    .map(packageIn)
    .find((found) => found?.isPack)?.name;
}

/** Returns the package that a file belongs to. */
function packageAt(file: string): FoundPackage | undefined {
  return foldersOf(file)
    .map(packageIn)
    .find((found) => found !== undefined);
}

/** The folders around a file, nearest first. */
function foldersOf(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersOf(folder)];
}

interface FoundPackage {
  readonly name: string;
  readonly isPack: boolean;
}

/** Reads each folder once, because a timer can throw again and again. */
function packageIn(folder: string): FoundPackage | undefined {
  if (!FOUND.has(folder)) FOUND.set(folder, readPackage(join(folder, "package.json")));
  return FOUND.get(folder);
}

const FOUND = new Map<string, FoundPackage | undefined>();

function readPackage(manifest: string): FoundPackage | undefined {
  try {
    const { name, haft } = JSON.parse(readFileSync(manifest, "utf8")) as Partial<Record<string, unknown>>;
    return typeof name === "string" ? { name, isPack: typeof haft === "object" } : undefined;
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? "") : "";
}

/** The files on a stack, innermost first. */
function filesIn(stack: string): readonly string[] {
  return [...stack.matchAll(/^\s+at .*?(file:\/\/\/[^\s()]+?|\/[^()]+?):\d+:\d+\)?$/gm)].map(
    ([, place = ""]) => (place.startsWith("file:") ? fileURLToPath(place) : place),
  );
}

/** The package of this program. */
const OWN_FOLDER = fileURLToPath(new URL("../../", import.meta.url));
