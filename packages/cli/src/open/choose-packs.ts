import { isAbsolute, resolve } from "node:path";
import { type AnyToolClass, definitionOf, ToolError } from "@haft/core";
import {
  type LoadedPack,
  type LoadPackOptions,
  loadPackFolder,
  loadPacks,
  withoutConflicts,
} from "@haft/runtime-node";
import { bundledPacks } from "./bundled-packs.js";
import { firstPartyPacks, hasCode, OWN_FOLDER, OWN_SCOPE, unpack } from "./first-party-packs.js";
import { surviveStrayErrors } from "./stray-errors.js";
import { endOnStrayLoops } from "./stray-loops.js";

/** The tools of a runtime, and the package each one comes from. */
export interface ChosenTools {
  readonly tools: readonly AnyToolClass[];
  /** Package names by canonical tool name. */
  readonly packageOf: ReadonlyMap<string, string>;
  /** Whether third-party tools run in this thread, where they can block it. */
  readonly canBlock: boolean;
  /** The packs that could not be used. */
  readonly leftOut: readonly string[];
}

interface PackChoice {
  /** Undefined selects the first-party packs. */
  readonly names: readonly string[] | undefined;
  /** Whether a person named the packs or trusts the file that does. */
  readonly isTrusted: boolean;
  readonly workspace: string;
  /** Runs third-party packs in processes of their own. */
  readonly contain?: boolean;
  /** The time limit of a call whose tool sets none. */
  readonly callMs?: number | undefined;
  /** Receives what a third-party pack does wrong outside of its calls. */
  warn(text: string): void;
  /** Called with the reason for leaving out an unusable third-party pack. Without it, such a pack is an error. */
  skip?(reason: string): void;
  /** The folder that relative pack paths (`./my-pack`) start from. */
  readonly from: string;
}

/** Imports the named packs, or the first-party ones. */
export async function choosePacks(choice: PackChoice): Promise<ChosenTools> {
  const { names, callMs = DEFAULT_CALL_MS } = choice;
  const inside = choice.contain === true ? [] : (names ?? []).filter(isForeign);
  surviveStrayErrors(inside, choice.warn);
  // While packs are imported, their import has a limit of its own, which may be longer than that of calls.
  const setLimit = await endOnStrayLoops(inside, Math.max(callMs, DEFAULT_CALL_MS));
  const { packs, leftOut } =
    names === undefined ? { packs: await firstPartyPacks(), leftOut: [] } : await namedPacks(names, choice);
  const packageOf = new Map(
    packs.flatMap(({ name, tools }) => tools.map((tool) => [definitionOf(tool).name, name] as const)),
  );
  const canBlock = choice.contain !== true && packs.some(({ name }) => isForeign(name));
  setLimit(Math.max(callMs, longestCall(packs)));
  return {
    tools: [...new Set(packs.flatMap(({ tools }) => tools))],
    packageOf,
    canBlock,
    leftOut,
  };
}

const DEFAULT_CALL_MS = 30_000;

/** The longest time limit that a third-party tool sets for its calls, in milliseconds. */
function longestCall(packs: readonly LoadedPack[]): number {
  const tools = packs.filter(({ name }) => isForeign(name)).flatMap((pack) => pack.tools);
  return Math.max(0, ...tools.map((tool) => definitionOf(tool).timeoutMs ?? 0));
}

function isForeign(name: string): boolean {
  return !name.startsWith(OWN_SCOPE);
}

interface NamedPacks {
  readonly packs: readonly LoadedPack[];
  readonly leftOut: readonly string[];
}

async function namedPacks(names: readonly string[], choice: PackChoice): Promise<NamedPacks> {
  const packs: LoadedPack[] = [];
  const leftOut: string[] = [];
  for (const name of names) {
    const usable = await usablePack(name, choice);
    packs.push(...usable);
    if (usable.length === 0) leftOut.push(name);
  }
  const { skip } = choice;
  if (skip === undefined) return { packs, leftOut };
  const kept = withoutConflicts(packs, (error) => skip(reasonOf(error)), RESERVED);
  const conflicting = packs.filter((pack) => !kept.includes(pack)).map(({ name }) => name);
  return { packs: kept, leftOut: [...leftOut, ...conflicting] };
}

/** The tools that sessions register. Named here, because their packages are loaded later. */
const RESERVED = { find_tools: "@haft/agent", read_open_file: "@haft/cli" };

async function usablePack(name: string, choice: PackChoice): Promise<readonly LoadedPack[]> {
  try {
    return await namedPack(name, choice);
  } catch (error) {
    if (choice.skip === undefined || !isForeign(name) || !isUnusable(error)) throw error;
    choice.skip(reasonOf(error));
    return [];
  }
}

function isUnusable(error: unknown): error is ToolError {
  return hasCode(error, "PACK_FAILED") || hasCode(error, "PACK_NOT_INSTALLED");
}

function reasonOf({ message, hint }: ToolError): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

/**
 * SECURITY: importing a pack runs it with the host's rights, and a tool may have written the files in the workspace.
 * First-party packs are therefore loaded from this command's own installation, and third-party packs only if a person
 * named them or trusts the configuration that does.
 */
async function namedPack(
  name: string,
  { isTrusted, workspace, from, contain = false }: PackChoice,
): Promise<readonly LoadedPack[]> {
  const options = { contain, provides };
  const own = name.startsWith(OWN_SCOPE) ? await ownPack(name) : undefined;
  if (own !== undefined) return own;
  if (!isTrusted) throw notTrusted(name);
  if (isFolder(name)) return [await loadPackFolder(resolve(from, name), options)];
  return (
    (await installed(name, workspace, options)) ??
    (await installed(name, OWN_FOLDER, options)) ??
    loadPacks([name], workspace, options)
  );
}

/** A command has no services of its own: only the sections of its configuration (`config.limits`). */
function provides({ name }: { readonly name: string }): boolean {
  return name.startsWith("config.");
}

/** Distinguishes a path from a package name. */
function isFolder(name: string): boolean {
  return /^(\.{1,2}([\\/]|$)|[\\/])/.test(name) || isAbsolute(name);
}

/** Returns undefined if the pack is not part of this installation. */
async function ownPack(name: string): Promise<readonly LoadedPack[] | undefined> {
  const bundled = bundledPacks?.find((pack) => pack.name === name);
  return bundled === undefined ? installed(name, OWN_FOLDER) : [await unpack(bundled)];
}

/** Returns undefined if the pack is not installed in the folder. */
async function installed(
  name: string,
  folder: string,
  options: LoadPackOptions = {},
): Promise<readonly LoadedPack[] | undefined> {
  try {
    return await loadPacks([name], folder, options);
  } catch (error) {
    if (hasCode(error, "PACK_NOT_INSTALLED")) return undefined;
    throw error;
  }
}

function notTrusted(name: string): ToolError {
  return new ToolError(
    "PACK_NOT_TRUSTED",
    `The configuration found in the workspace names the pack ${name.slice(0, 80)}, which does not come with haft`,
    {
      // haft trust asks about other packs only: names in our scope narrow.
      hint: "Packs run with your rights. Remove it from packs, or name the file if you trust it: --config haft.config.json",
      details: { pack: name },
    },
  );
}
