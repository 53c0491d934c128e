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
  /** Who commits: the user's name and address as variables for git. */
  gitIdentity(): Readonly<Record<string, string>>;
}

/** Without a host every path is outside, so that nothing is allowed that nobody could check. */
export const COMMAND_HOST = token<CommandHost>("command-host", () => ({
  judgePath: () => "outside",
  scripts: () => [],
  gitKeys: () => [],
  gitIdentity: () => ({}),
}));
