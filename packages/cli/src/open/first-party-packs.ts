import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type AnyToolClass, definitionOf, ToolError } from "@haft/core";
import { rememberPack } from "@haft/core/kernel";
import { type LoadedPack, loadPacks } from "@haft/runtime-node";
import { type BundledPack, bundledPacks } from "./bundled-packs.js";

export async function firstPartyToolNames(): Promise<readonly string[]> {
  return (await firstPartyPacks()).flatMap(({ tools }) => tools.map((tool) => definitionOf(tool).name));
}

export async function firstPartyPackNames(): Promise<readonly string[]> {
  return (await firstPartyPacks()).map(({ name }) => name);
}

/** Loads our own dependencies that declare themselves as packs. There is no other list of packs. */
export async function firstPartyPacks(): Promise<readonly LoadedPack[]> {
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

/** Skips a first-party pack without tools. Rethrows import failures, which carry a cause. */
function skipEmpty(error: unknown): readonly LoadedPack[] {
  if (hasCode(error, "PACK_FAILED") && (error as ToolError).cause === undefined) return [];
  throw error;
}

/** First-party packs export every tool they register. */
export async function unpack({ name, version, load }: BundledPack): Promise<LoadedPack> {
  const tools = Object.values(await load()).filter(isToolClass);
  for (const tool of tools) rememberPack(tool, name);
  return { name, version, tools };
}

function isToolClass(value: unknown): value is AnyToolClass {
  try {
    return typeof value === "function" && definitionOf(value as AnyToolClass) !== undefined;
  } catch {
    // Packs also export plain functions.
    return false;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return ToolError.is(error) && error.code === code;
}

export const OWN_FOLDER = fileURLToPath(new URL(".", import.meta.url));
export const OWN_SCOPE = "@haft/";
