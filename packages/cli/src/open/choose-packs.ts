import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type AnyToolClass, definitionOf, ToolError } from "@haft/core";
import { type LoadedPack, loadPackFolder, loadPacks } from "@haft/runtime-node";
import { type BundledPack, bundledPacks } from "./bundled-packs.js";

/** The tools a runtime is to be made from, and the package each comes from. */
export interface ChosenTools {
  readonly tools: readonly AnyToolClass[];
  /** By a tool's canonical name. */
  readonly packageOf: ReadonlyMap<string, string>;
}

export interface PackChoice {
  /** Undefined: the first-party packs. */
  readonly names: readonly string[] | undefined;
  /** Whether a person named them, or a file that was merely found in the workspace. */
  readonly isNamedByHost: boolean;
  readonly workspace: string;
  /** What the folder of a pack (`./my-pack`) is relative to. */
  readonly from: string;
}

/** Imports the packs that were named, or the first-party ones. */
export async function choosePacks(choice: PackChoice): Promise<ChosenTools> {
  const packs = choice.names === undefined ? await firstPartyPacks() : await namedPacks(choice.names, choice);
  const packageOf = new Map(
    packs.flatMap(({ name, tools }) => tools.map((tool) => [definitionOf(tool).name, name] as const)),
  );
  return { tools: [...new Set(packs.flatMap(({ tools }) => tools))], packageOf };
}

async function namedPacks(names: readonly string[], choice: PackChoice): Promise<readonly LoadedPack[]> {
  const packs: LoadedPack[] = [];
  for (const name of names) packs.push(...(await namedPack(name, choice)));
  return packs;
}

/**
 * SECURITY: importing a pack runs it with the host's rights, and what lies in the workspace may have
 * been put there by a tool. So ours come from where this command came from, and those of others
 * are only imported when a person named them.
 */
async function namedPack(
  name: string,
  { isNamedByHost, workspace, from }: PackChoice,
): Promise<readonly LoadedPack[]> {
  const own = name.startsWith(OWN_SCOPE) ? await ownPack(name) : undefined;
  if (own !== undefined) return own;
  if (!isNamedByHost) throw notNamedByHost(name);
  if (isFolder(name)) return [await loadPackFolder(resolve(from, name))];
  return (
    (await installed(name, workspace)) ?? (await installed(name, OWN_FOLDER)) ?? loadPacks([name], workspace)
  );
}

/** As everywhere on a command line: a path, not the name of a package. */
function isFolder(name: string): boolean {
  return /^(\.{1,2}([\\/]|$)|[\\/])/.test(name) || isAbsolute(name);
}

/** Undefined when it does not come with this command. */
async function ownPack(name: string): Promise<readonly LoadedPack[] | undefined> {
  const carried = bundledPacks?.find((pack) => pack.name === name);
  return carried === undefined ? installed(name, OWN_FOLDER) : [await unpack(carried)];
}

/** A pack of ours exports every tool it announces. */
async function unpack({ name, version, load }: BundledPack): Promise<LoadedPack> {
  return { name, version, tools: Object.values(await load()).filter(isToolClass) };
}

function isToolClass(value: unknown): value is AnyToolClass {
  try {
    return typeof value === "function" && definitionOf(value as AnyToolClass) !== undefined;
  } catch {
    // Packs export functions as well.
    return false;
  }
}

/** Undefined when it is not installed there. */
async function installed(name: string, folder: string): Promise<readonly LoadedPack[] | undefined> {
  try {
    return await loadPacks([name], folder);
  } catch (error) {
    if (hasCode(error, "PACK_NOT_INSTALLED")) return undefined;
    throw error;
  }
}

function notNamedByHost(name: string): ToolError {
  return new ToolError(
    "PACK_NOT_TRUSTED",
    `The configuration found in the workspace names the pack ${name.slice(0, 80)}, which does not come with haft`,
    {
      hint: "Packs run with your rights. If you trust it, name it yourself: --packs, or --config with that file.",
      details: { pack: name },
    },
  );
}

/** Our own dependencies that say they are packs; there is no list of tools or packs anywhere. */
async function firstPartyPacks(): Promise<readonly LoadedPack[]> {
  if (bundledPacks !== undefined) return Promise.all(bundledPacks.map(unpack));
  const require = createRequire(import.meta.url);
  const own = require("../../package.json") as { readonly dependencies: Readonly<Record<string, string>> };
  const packs: LoadedPack[] = [];
  for (const name of Object.keys(own.dependencies)) {
    if (isPack(require, name)) packs.push(...(await loadPacks([name], OWN_FOLDER).catch(skipEmpty)));
  }
  return packs;
}

function isPack(require: NodeJS.Require, name: string): boolean {
  if (!name.startsWith(OWN_SCOPE)) return false;
  const manifest = require(`${name}/package.json`) as { readonly haft?: { readonly pack?: boolean } };
  return manifest.haft?.pack === true;
}

/** One of ours that brings no tool yet is no reason to stop; one that cannot be imported (its error has a cause) is. */
function skipEmpty(error: unknown): readonly LoadedPack[] {
  if (hasCode(error, "PACK_FAILED") && (error as ToolError).cause === undefined) return [];
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return ToolError.is(error) && error.code === code;
}

const OWN_FOLDER = fileURLToPath(new URL(".", import.meta.url));
const OWN_SCOPE = "@haft/";
