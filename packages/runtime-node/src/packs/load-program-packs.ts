import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "@haft/core";
import { type LoadedPack, loadPacks } from "./load-packs.js";
import { directoryOf } from "./package-folder.js";

/**
 * Imports packs for a program that only names them.
 *
 * SECURITY: never from the workspace, where a tool may have put them: from where the program says, or
 * from the program that was started, then from where this package itself was installed.
 */
export async function loadProgramPacks(
  names: readonly string[],
  from?: string | URL,
): Promise<readonly LoadedPack[]> {
  const places =
    from === undefined ? [...startedProgram(), directoryOf(import.meta.url)] : [directoryOf(from)];
  const loaded: LoadedPack[] = [];
  for (const name of names) loaded.push(await loadFrom(name, places));
  return loaded;
}

async function loadFrom(name: string, places: readonly string[]): Promise<LoadedPack> {
  let missing: unknown;
  for (const place of places) {
    try {
      const [pack] = await loadPacks([name], place);
      if (pack !== undefined) return pack;
    } catch (error) {
      if (!(ToolError.is(error) && error.code === "PACK_NOT_INSTALLED")) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** Nothing for a program that was typed in. */
function startedProgram(): readonly string[] {
  const [, file] = process.argv;
  if (file === undefined) return [];
  try {
    return [dirname(realpathSync(file))];
  } catch {
    return [];
  }
}
