import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { type AnyToolClass, catalog, definitionOf, messageOf, type Token, ToolError } from "@haft/core";
import { rememberPack } from "@haft/core/kernel";
import { assertSound } from "./assert-sound.js";
import type { ContainmentOptions } from "./contained/contained-pack.js";
import { type ImportOptions, importPack } from "./import-pack.js";
import { packageEntry } from "./package-entry.js";
import { installedPackage, OWN_SCOPE, type PackageFolder } from "./package-folder.js";
import { withoutConflicts } from "./without-conflicts.js";

/** An imported pack with its tools. */
export interface LoadedPack {
  readonly name: string;
  readonly version: string | undefined;
  readonly tools: readonly AnyToolClass[];
}

export interface LoadPackOptions {
  /** Runs the tools in processes of their own, which can be stopped. Default: false. */
  readonly contain?: boolean | ContainmentOptions | undefined;
  /** The time limit for importing a pack that is not contained. Default: 10000. */
  readonly importMs?: number | undefined;
  /** Says which services the host provides; a pack that needs another one is refused. Default: not checked. */
  provides?(service: Token<unknown>): boolean;
  /** Called for each pack that cannot be used, which is then left out. Without it, such a pack is an error. */
  skip?(error: ToolError): void;
}

/** Imports packs by name, resolved from a directory, one after the other so that each keeps its own tools. */
export async function loadPacks(
  names: readonly string[],
  fromDirectory: string,
  options: LoadPackOptions = {},
): Promise<readonly LoadedPack[]> {
  const { skip } = options;
  const loaded: LoadedPack[] = [];
  for (const name of names) {
    try {
      const found = await installedPackage(name, fromDirectory);
      if (found === undefined) throw notInstalled(name, fromDirectory);
      loaded.push(await loadPack(name, found, options));
    } catch (error) {
      if (skip === undefined || !ToolError.is(error)) throw error;
      skip(error);
    }
  }
  return skip === undefined ? loaded : withoutConflicts(loaded, skip);
}

/** Imports one installed package. Rejects with PACK_FAILED if it cannot be imported or its tools cannot be used. */
export async function loadPack(
  name: string,
  found: PackageFolder,
  { contain = false, importMs, provides }: LoadPackOptions = {},
): Promise<LoadedPack> {
  const entry = packageEntry(found);
  const remedy = remedyFor(name, found.directory);
  if (entry === undefined)
    throw new ToolError("PACK_FAILED", `${name} cannot be imported: its package.json exports no entry`, {
      hint: remedy,
    });
  // First-party packs use services and capabilities that cannot cross processes.
  const isOwn = name.startsWith(OWN_SCOPE);
  const tools = await importing({ name, folder: found.directory, entry }, () =>
    contain === false || isOwn
      ? importedTools(entry, { importMs, isOwn })
      : containedTools(entry, contain === true ? {} : contain),
  );
  if (tools.length === 0)
    throw new ToolError("PACK_FAILED", `${name} is not a pack: importing it registered no tools`, {
      hint: `Remove ${name} from the list of packs.`,
    });
  const pack = { name, manifest: found.manifest, remedy, provides };
  if (!isOwn) await assertSound(pack, tools.map(definitionOf));
  for (const tool of tools) rememberPack(tool, name);
  return { name, version: found.manifest.version, tools };
}

async function importedTools(entry: string, options: ImportOptions): Promise<readonly AnyToolClass[]> {
  const before = new Set(catalog.snapshot());
  const exported = await importPack(entry, options);
  const announced = catalog.snapshot().filter((toolClass) => !before.has(toolClass));
  return [...new Set([...announced, ...Object.values(exported).filter(isToolClass)])];
}

/** Loaded here: few processes have packs in processes of their own. */
async function containedTools(entry: string, options: ContainmentOptions): Promise<readonly AnyToolClass[]> {
  const { containPack } = await import("./contained/contain-pack.js");
  return containPack(entry, options);
}

interface ImportedPack {
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
}

async function importing<T>(pack: ImportedPack, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (ToolError.is(cause) && cause.code === "PACK_FAILED") throw cause;
    const reason = messageOf(cause);
    throw new ToolError("PACK_FAILED", `${pack.name} could not be imported: ${reason.split("\n", 1)[0]}`, {
      hint: hintFor(cause, pack),
      cause,
    });
  }
}

function hintFor(cause: unknown, { name, folder, entry }: ImportedPack): string {
  if (isTypeScript(cause))
    return `Node does not run TypeScript here. Compile it, and export the JavaScript in its package.json. ${remedyFor(name, folder)}`;
  if (!isMissingModule(cause)) return remedyFor(name, folder);
  if (isInstalled(folder)) return `Reinstall it: npm install ${name}`;
  return existsSync(entry) ? lacking(folder) : notBuilt(folder, entry);
}

/** Says what helps against a pack that is itself at fault. */
function remedyFor(name: string, folder: string): string {
  const cure = isInstalled(folder)
    ? `try another version: npm install ${name}@VERSION`
    : `correct ${realpathSync(folder)}`;
  return `Remove it from the list of packs, or ${cure}.`;
}

/** A pack that npm installed from a folder is a link to it. */
function isInstalled(folder: string): boolean {
  return realpathSync(folder).split(sep).includes("node_modules");
}

function isMissingModule(cause: unknown): boolean {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}

function isTypeScript(cause: unknown): boolean {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") return true;
  return code === "ERR_UNKNOWN_FILE_EXTENSION" && /"\.[cm]?tsx?"/.test(String(message));
}

/** A pack's own imports, this kernel included, are resolved from its folder. */
function lacking(folder: string): string {
  return `Install what it imports: cd ${realpathSync(folder)} && npm install. Its README may say more.`;
}

/** A pack in development is often compiled to the file that its package.json exports. */
function notBuilt(folder: string, entry: string): string {
  return `Its package.json exports ${relative(folder, entry)}, which does not exist. Build it: cd ${realpathSync(folder)} && npm run build`;
}

/** Recognizes the tools of a pack that was imported before: it registers nothing now, but still exports them. */
function isToolClass(value: unknown): value is AnyToolClass {
  if (typeof value !== "function") return false;
  try {
    const definition: unknown = definitionOf(value as AnyToolClass);
    return definition !== null;
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
