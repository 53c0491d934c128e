import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type AnyToolClass, definitionOf, ToolError } from "@haft/core";
import { type LoadedPack, loadPacks } from "@haft/runtime-node";

/** The tools a runtime is to be made from, and the package each comes from. */
export interface ChosenTools {
  readonly tools: readonly AnyToolClass[];
  /** By a tool's canonical name. */
  readonly packageOf: ReadonlyMap<string, string>;
}

/** Imports the packs that were named, or the first-party ones. */
export async function choosePacks(
  names: readonly string[] | undefined,
  workspace: string,
): Promise<ChosenTools> {
  const packs = names === undefined ? await firstPartyPacks() : await namedPacks(names, workspace);
  const packageOf = new Map(
    packs.flatMap(({ name, tools }) => tools.map((tool) => [definitionOf(tool).name, name] as const)),
  );
  return { tools: [...new Set(packs.flatMap(({ tools }) => tools))], packageOf };
}

/** A pack is taken from the workspace where it is installed there, else from what came with this command. */
async function namedPacks(names: readonly string[], workspace: string): Promise<readonly LoadedPack[]> {
  const packs: LoadedPack[] = [];
  for (const name of names) {
    packs.push(...(await loadPacks([name], workspace).catch((missing) => fromOwn(name, missing))));
  }
  return packs;
}

async function fromOwn(name: string, missing: unknown): Promise<readonly LoadedPack[]> {
  if (!hasCode(missing, "PACK_NOT_INSTALLED")) throw missing;
  return loadPacks([name], OWN_FOLDER).catch((error) => {
    // What the workspace lacks is what the person can put right, so that is what they hear.
    throw hasCode(error, "PACK_NOT_INSTALLED") ? missing : error;
  });
}

/** Our own dependencies that say they are packs; there is no list of tools or packs anywhere. */
async function firstPartyPacks(): Promise<readonly LoadedPack[]> {
  const require = createRequire(import.meta.url);
  const own = require("../../package.json") as { readonly dependencies: Readonly<Record<string, string>> };
  const packs: LoadedPack[] = [];
  for (const name of Object.keys(own.dependencies)) {
    if (isPack(require, name)) packs.push(...(await loadPacks([name], OWN_FOLDER).catch(skipEmpty)));
  }
  return packs;
}

function isPack(require: NodeJS.Require, name: string): boolean {
  if (!name.startsWith("@haft/")) return false;
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
