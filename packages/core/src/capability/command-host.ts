import { token } from "../service/token.js";

/**
 * What a host knows that decides about a command before it runs. It is a service, so it carries no
 * authority: it answers questions, synchronously, because a tool's proposal cannot wait.
 */
export interface CommandHost {
  /** Where a path leads as a program in `cwd` would open it, links followed. */
  judgePath(path: string, cwd: string): "inside" | "outside" | "sensitive";
  /** The scripts that the workspace's package.json names. */
  scripts(): readonly string[];
  /** The keys of the git configuration that counts in a directory of the workspace. */
  gitKeys(cwd: string): readonly string[];
  /** Those of some revisions that are the content of a file: named by its id or a tag, no path tells which file it is. */
  gitBlobs(revisions: readonly string[], cwd: string): readonly string[];
  /** The names of the files of which `git log` would show changes, given such arguments; undefined when that takes too long. */
  gitLogNames(args: readonly string[], cwd: string): readonly string[] | undefined;
  /** Who commits: the user's name and address as variables for git. */
  gitIdentity(): Readonly<Record<string, string>>;
}

/** Without a host every path is outside, so that nothing is allowed that nobody could check. */
export const COMMAND_HOST = token<CommandHost>("command-host", () => ({
  judgePath: () => "outside",
  scripts: () => [],
  gitKeys: () => [],
  gitBlobs: (revisions) => revisions,
  gitLogNames: () => undefined,
  gitIdentity: () => ({}),
}));
