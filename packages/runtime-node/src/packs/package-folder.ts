import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@haft/core";

/** First-party packs. */
export const OWN_SCOPE = "@haft/";

/** The parts of a package.json that are used here. */
export interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly haft?: { readonly pack?: boolean; readonly permissions?: readonly string[] };
}

export interface PackageFolder {
  readonly directory: string;
  readonly manifest: PackageManifest;
}

/** Returns the nearest folder at or above a directory that has a package.json. */
export async function nearestPackage(from: string): Promise<PackageFolder | undefined> {
  for (const directory of upwards(from)) {
    const found = await packageIn(directory);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds an installed package as Node would from a directory. */
export async function installedPackage(name: string, from: string): Promise<PackageFolder | undefined> {
  assertPackageName(name);
  for (const above of upwards(from)) {
    const found = await packageIn(join(above, "node_modules", name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the package in a folder, if there is one. */
export async function packageIn(directory: string): Promise<PackageFolder | undefined> {
  if (!existsSync(join(directory, "package.json"))) return undefined;
  return { directory, manifest: await readManifest(directory) };
}

/** Returns the directory of a module's URL (`import.meta.url`), or the directory itself. */
export function directoryOf(from: string | URL): string {
  const isUrl = typeof from !== "string" || from.startsWith("file:");
  return isUrl ? dirname(fileURLToPath(from)) : resolve(from);
}

async function readManifest(directory: string): Promise<PackageManifest> {
  const file = join(directory, "package.json");
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch (cause) {
    throw new ToolError("PACK_FAILED", `${file} cannot be read as JSON`, { cause });
  }
}

function* upwards(from: string): Generator<string> {
  let directory = from;
  for (;;) {
    yield directory;
    const parent = dirname(directory);
    if (parent === directory) return;
    directory = parent;
  }
}

/** Accepts names, not paths: nothing outside node_modules can be reached. */
function assertPackageName(name: string): void {
  if (/^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/i.test(name)) return;
  throw new ToolError("PACK_NOT_INSTALLED", `${JSON.stringify(name.slice(0, 80))} is not a package name`, {
    hint: "Use npm package names, such as @haft/tool-fs.",
  });
}
