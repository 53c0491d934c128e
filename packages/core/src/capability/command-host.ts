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
  /** The keys of the git configuration that counts in a directory of the workspace; undefined when git does not tell. */
  gitKeys(cwd: string): readonly string[] | undefined;
  /** What each of some names of objects stands for, in their order. */
  gitKinds(names: readonly string[], cwd: string): readonly GitObjectKind[];
  /** The names of the files of which `git log` would show changes, given such arguments; undefined when git does not tell. */
  gitLogNames(args: readonly string[], cwd: string): readonly string[] | undefined;
  /** Who commits: the user's name and address as variables for git. */
  gitIdentity(): Readonly<Record<string, string>>;
}

/** "missing" is what git has no object for, "unknown" what it did not tell: that may be anything. */
export type GitObjectKind = "commit" | "tree" | "blob" | "tag" | "missing" | "unknown";

/** Without a host every path is outside, so that nothing is allowed that nobody could check. */
export const COMMAND_HOST = token<CommandHost>("command-host", () => ({
  judgePath: () => "outside",
  scripts: () => [],
  gitKeys: () => [],
  gitKinds: (names) => names.map(() => "unknown"),
  gitLogNames: () => undefined,
  gitIdentity: () => ({}),
}));
