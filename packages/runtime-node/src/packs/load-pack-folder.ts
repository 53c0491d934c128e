import { ToolError } from "@haft/core";
import { type LoadedPack, loadPack } from "./load-packs.js";
import { packageIn } from "./package-folder.js";

/**
 * Imports the pack that lies in a folder, installed or not. Takes an absolute path.
 *
 * SECURITY: it runs with the host's rights, so only a folder that a person named is imported.
 */
export async function loadPackFolder(folder: string): Promise<LoadedPack> {
  const found = await packageIn(folder);
  if (found === undefined)
    throw new ToolError("PACK_NOT_INSTALLED", `There is no package.json in ${folder}`, {
      hint: "Name the folder of a pack, such as one made by haft new tool.",
      details: { pack: folder },
    });
  return loadPack(found.manifest.name ?? folder, found);
}
