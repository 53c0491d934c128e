import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyToolClass, catalog, definitionOf, messageOf, ToolError } from "@haft/core";
import { packageEntry } from "./package-entry.js";
import { installedPackage, type PackageFolder } from "./package-folder.js";

/** A pack that was imported, and the tools it brought. */
export interface LoadedPack {
  readonly name: string;
  readonly version: string | undefined;
  readonly tools: readonly AnyToolClass[];
}

/** Imports packs by name, as seen from a directory, one after the other so that each keeps its own tools. */
export async function loadPacks(
  names: readonly string[],
  fromDirectory: string,
): Promise<readonly LoadedPack[]> {
  const loaded: LoadedPack[] = [];
  for (const name of names) {
    const found = await installedPackage(name, fromDirectory);
    if (found === undefined) throw notInstalled(name, fromDirectory);
    loaded.push(await loadPack(name, found));
  }
  return loaded;
}

/** Imports one installed package. Rejects with PACK_FAILED when it cannot be imported or brings no tool. */
export async function loadPack(name: string, found: PackageFolder): Promise<LoadedPack> {
  const entry = packageEntry(found);
  if (entry === undefined)
    throw new ToolError("PACK_FAILED", `${name} cannot be imported: its package.json exports no entry`);
  const before = new Set(catalog.snapshot());
  const exported = await importEntry(name, { entry, folder: found.directory });
  const announced = catalog.snapshot().filter((toolClass) => !before.has(toolClass));
  const tools = [...new Set([...announced, ...Object.values(exported).filter(isToolClass)])];
  if (tools.length === 0)
    throw new ToolError("PACK_FAILED", `${name} is no pack: importing it announced no tool`, {
      hint: `Take ${name} out of the list of packs.`,
    });
  return { name, version: found.manifest.version, tools };
}

async function importEntry(name: string, at: PackPlace): Promise<object> {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(at.entry).href)) as object;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ToolError("PACK_FAILED", `${name} could not be imported: ${reason.split("\n", 1)[0]}`, {
      hint: isInstalled(at.folder) ? `Install it anew: npm install ${name}` : lacking(at.folder),
      cause,
    });
  }
}

interface PackPlace {
  readonly entry: string;
  readonly folder: string;
}

function isInstalled(folder: string): boolean {
  return folder.split(sep).includes("node_modules");
}

/** It is imported from where it lies, so what it imports must be found from there, this kernel included. */
function lacking(folder: string): string {
  return `If something is missing, install it there: cd ${folder} && npm install. Its README may say more.`;
}

/** A pack that was imported before announces nothing now; its exports still tell what it brings. */
function isToolClass(value: unknown): value is AnyToolClass {
  if (typeof value !== "function") return false;
  try {
    return definitionOf(value as AnyToolClass) !== undefined;
  } catch {
    return false;
  }
}

function notInstalled(name: string, fromDirectory: string): ToolError {
  return new ToolError(
    "PACK_NOT_INSTALLED",
    `${name} is not installed where ${fromDirectory} can import it`,
    {
      hint: `Install it: npm install ${name}`,
      details: { pack: name },
    },
  );
}
