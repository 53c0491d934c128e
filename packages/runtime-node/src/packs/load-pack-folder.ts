import { ToolError } from "@haft/core";
import { type LoadedPack, type LoadPackOptions, loadPack } from "./load-packs.js";
import { packageIn } from "./package-folder.js";

/**
 * Imports the pack in a folder, installed or not. Takes an absolute path.
 *
 * SECURITY: the pack runs with the host's rights, so import only a folder that a person named.
 */
export async function loadPackFolder(folder: string, options: LoadPackOptions = {}): Promise<LoadedPack> {
  const found = await packageIn(folder);
  if (found === undefined)
    throw new ToolError("PACK_NOT_INSTALLED", `There is no package.json in ${folder}`, {
      hint: "Use the folder of a pack, such as one created by haft new tool.",
      details: { pack: folder },
    });
  return loadPack(found.manifest.name ?? folder, found, options);
}
