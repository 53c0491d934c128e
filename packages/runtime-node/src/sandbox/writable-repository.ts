import { lstatSync } from "node:fs";
import type { SandboxRequest } from "@haft/core/capabilities";
import type { LinkedWorktree } from "../process/linked-worktree.js";
import { SEALED_NAMES } from "./sealed-names.js";

/** Returns arguments that mount a repository writable, except for files that make git start programs. */
export function writableRepository(at: string): readonly string[] {
  const sealed = SEALED_NAMES.map((name) => `${at}/${name}`).filter(exists);
  return [...["--bind", at, at], ...sealed.flatMap((path) => ["--ro-bind", path, path])];
}

/** Returns arguments that mount the repository of a linked working tree, which is outside the workspace. */
export function linkedRepository(
  { gitDirectory, commonDirectory }: LinkedWorktree,
  repository: SandboxRequest["repository"],
): readonly string[] {
  if (repository !== "write") return ["--ro-bind", commonDirectory, commonDirectory];
  // The data of all other working trees is sealed.
  return [...writableRepository(commonDirectory), ...writableRepository(gitDirectory)];
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
