import { ToolError } from "@haft/core";
import { type LoadedPack, loadPack } from "./load-packs.js";
import { directoryOf, installedPackage, nearestPackage } from "./package-folder.js";

/**
 * Imports the packs among the dependencies of the nearest package.json: packages whose own package.json has `"haft":
 * {"pack": true}`. Takes a module's URL (`import.meta.url`) or a directory.
 */
export async function loadInstalledPacks(from: string | URL): Promise<readonly LoadedPack[]> {
  const start = directoryOf(from);
  const app = await nearestPackage(start);
  if (app === undefined)
    throw new ToolError("PACK_NOT_INSTALLED", `There is no package.json at or above ${start}`);
  const { dependencies = {}, optionalDependencies = {} } = app.manifest;
  const loaded: LoadedPack[] = [];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = await installedPackage(name, app.directory);
    if (found === undefined && !Object.hasOwn(optionalDependencies, name)) throw missing(name, app.directory);
    if (found?.manifest.haft?.pack === true) loaded.push(await loadPack(name, found));
  }
  return loaded;
}

function missing(name: string, directory: string): ToolError {
  return new ToolError("PACK_NOT_INSTALLED", `${name} is a dependency of ${directory} and is not installed`, {
    hint: `Install what the package.json names: npm install ${name}`,
    details: { pack: name },
  });
}
