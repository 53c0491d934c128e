import { type Objection, unlisted } from "../objection.js";
import { objectToPath } from "../path-check.js";
import type { ProgramCall, ProgramRule } from "../program-rule.js";

/** Archives may only be listed. */
export const archivePrograms: Readonly<Record<string, ProgramRule>> = { tar: objectToTar };

// tar opens an archive with a colon in its name through a remote shell.
function objectToTar(call: ProgramCall): Objection | undefined {
  const [mode = "", archive = "", ...rest] = call.args;
  const isListing = /^-?tv?f$/.test(mode) && rest.length === 0;
  if (!isListing || archive.startsWith("-") || archive === "" || archive.includes(":")) {
    return unlisted("tar may only list one archive: tar -tf FILE");
  }
  return objectToPath(archive, call.scope);
}
