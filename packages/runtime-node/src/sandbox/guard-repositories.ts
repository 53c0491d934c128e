import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { ToolError } from "@haft/core";
import { liveGuards, makeRunFolder, releaseGuards, removeRunFolder } from "./run-folder.js";
import { makeSeal, SEALED_NAMES, sealPaths } from "./sealed-names.js";

/**
 * Creates every file from which git takes programs or configuration, so that a command that writes to a repository finds it mounted read-only. Guards
 * are created in `parent` first, where the next start removes those of a killed host. The returned function removes them after the run, and returns
 * those that were replaced.
 */
export function guardRepositories(repositories: readonly string[], parent: string): () => readonly string[] {
  if (repositories.length === 0) return () => [];
  for (const at of repositories) assertNoLinks(at);
  const made = liveGuards(parent);
  const guards = repositories.flatMap(sealPaths).filter((path) => made.has(path) || !exists(path));
  const folder = makeRunFolder(parent, { guards });
  for (const path of guards) makeSeal(path);
  return () => {
    const planted = releaseGuards(folder);
    void removeRunFolder(folder);
    return planted;
  };
}

/** A mount follows a link; the link itself could still be replaced. */
function assertNoLinks(repository: string): void {
  const link = SEALED_NAMES.map((name) => `${repository}/${name}`).find((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (link === undefined) return;
  const shown = `${basename(repository)}/${basename(link)}`;
  throw new ToolError("COMMAND_DENIED", `${shown} is a link, so a command could replace it`, {
    hint: `Nothing was run. Git commands that only read work. To let others run, the user can put a real file or folder in the place of ${shown}; hooks elsewhere can be named by core.hooksPath.`,
  });
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
