import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "@haft/core";
import { type LoadedPack, type LoadPackOptions, loadPacks } from "./load-packs.js";
import { directoryOf } from "./package-folder.js";

/**
 * Imports packs for a program that only names them.
 *
 * SECURITY: never imports from the workspace, where a tool may have put them. Resolves from where the program says,
 * or from the main program, then from where this package is installed.
 */
export async function loadProgramPacks(
  names: readonly string[],
  { from, ...options }: ProgramPackOptions = {},
): Promise<readonly LoadedPack[]> {
  const places =
    from === undefined ? [...startedProgram(), directoryOf(import.meta.url)] : [directoryOf(from)];
  const loaded: LoadedPack[] = [];
  for (const name of names) loaded.push(await loadFrom(name, places, options));
  return loaded;
}

async function loadFrom(
  name: string,
  places: readonly string[],
  options: LoadPackOptions,
): Promise<LoadedPack> {
  let missing: unknown;
  for (const place of places) {
    try {
      const [pack] = await loadPacks([name], place, options);
      if (pack !== undefined) return pack;
    } catch (error) {
      if (!(ToolError.is(error) && error.code === "PACK_NOT_INSTALLED")) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

interface ProgramPackOptions extends LoadPackOptions {
  readonly from?: string | URL | undefined;
}

/** Returns nothing for a program without a file, such as `node -e`. */
function startedProgram(): readonly string[] {
  const [, file] = process.argv;
  if (file === undefined) return [];
  try {
    return [dirname(realpathSync(file))];
  } catch {
    return [];
  }
}
