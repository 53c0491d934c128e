import { token } from "../service/token.js";

/**
 * Host facts needed to decide about a command before it runs. It is a service that answers questions, so it carries no
 * authority. Methods that start a process return a promise.
 */
export interface CommandHost {
  /** Classifies a path as a program in `cwd` would open it, following links. */
  judgePath(path: string, cwd: string): "inside" | "outside" | "sensitive";
  /** Resolves a path relative to `cwd` to a workspace path; undefined outside the workspace. */
  placeOf(path: string, cwd: string): string | undefined;
  /** Lists a workspace folder; empty if it cannot be listed. */
  list(folder: string): readonly FolderEntry[];
  /** Returns the scripts in the package.json of a workspace folder, with their text. */
  scripts(folder?: string): Readonly<Record<string, string>>;
  /** Returns the git configuration keys in effect in a workspace directory; undefined if git does not report them. */
  gitKeys(cwd: string): Promise<readonly string[] | undefined>;
  /** Returns the kind of each named git object, in order. */
  gitKinds(names: readonly string[], cwd: string): Promise<readonly GitObjectKind[]>;
  /**
   * Returns the files whose changes `git log` would show with these arguments; undefined if git does not report them.
   */
  gitLogNames(args: readonly string[], cwd: string): Promise<readonly string[] | undefined>;
  /** Returns whether the `.git` that git finds from a workspace folder is outside the workspace. */
  gitIsElsewhere(cwd: string): Promise<boolean>;
  /** Returns the files tracked by the repository around a folder; undefined if git does not report them. */
  gitTrackedNames(cwd: string): Promise<readonly string[] | undefined>;
  /** Returns the hosts of the npm registries in effect, and whether the user configured them. */
  npmRegistries(): readonly RegistryHost[];
  /** Returns the hosts of the remotes of the repository around a folder. */
  gitRemoteHosts(cwd: string): Promise<readonly string[]>;
  /** Whether commands run in a box on this machine. Probed once. */
  hasBox(): Promise<boolean>;
  /** Whether an approver is attached. */
  canAsk(): boolean;
  /** Returns the user's name and email address as environment variables for git. */
  gitIdentity(): Promise<Readonly<Record<string, string>>>;
}

interface FolderEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

interface RegistryHost {
  readonly host: string;
  /** False if only the workspace configures it. */
  readonly isTrusted: boolean;
}

/** "missing": git has no such object. "unknown": git did not report it, so it may be anything. */
export type GitObjectKind = "commit" | "tree" | "blob" | "tag" | "missing" | "unknown";

/** Without a host every path counts as outside, so unchecked paths are never allowed. */
export const COMMAND_HOST = token<CommandHost>("command-host", () => ({
  judgePath: () => "outside",
  placeOf: () => undefined,
  list: () => [],
  scripts: () => ({}),
  gitKeys: async () => [],
  gitKinds: async (names) => names.map(() => "unknown"),
  gitLogNames: async () => undefined,
  gitIdentity: async () => ({}),
  gitIsElsewhere: async () => false,
  gitTrackedNames: async () => undefined,
  npmRegistries: () => [],
  gitRemoteHosts: async () => [],
  hasBox: async () => false,
  canAsk: () => false,
}));
