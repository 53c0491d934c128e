import { PathGuard } from "@haft/runtime-node/paths";
import { type HostKeyOptions, hostVerifier } from "./connection/host-keys.js";
import { openChannel, type SshLogin } from "./connection/open-channel.js";
import { RemoteConnection } from "./connection/remote-connection.js";
import { asWorkspaceError } from "./remote-errors.js";
import { SshWorkspace } from "./ssh-workspace.js";

export interface SshWorkspaceOptions extends SshLogin, HostKeyOptions {
  /** The folder on the other machine; `~` is the home directory there. */
  readonly path: string;
  /** The Python 3 that serves the files there. Default: "python3". */
  readonly python?: string | undefined;
  /** The time limit of one request. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Patterns of paths whose content is inaccessible, in addition to the built-in ones. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns of paths whose change always asks, in addition to the built-in ones. */
  readonly protected?: readonly string[] | undefined;
  /** The maximum size of one file in a rehearsal, in bytes. Default: 20 MiB. */
  readonly maxHeldBytes?: number | undefined;
  /** A walk with more entries fails with LIMIT_EXCEEDED. Default: 100,000. */
  readonly maxWalkEntries?: number | undefined;
}

/**
 * Opens a folder on another machine as a workspace. Rejects if the host's key is unknown, the login fails, or Python 3
 * is missing. The next call reopens a lost connection.
 */
export async function openSshWorkspace(options: SshWorkspaceOptions): Promise<SshWorkspace> {
  const verifier = await hostVerifier(options);
  const connection = new RemoteConnection({
    open: () => openChannel(options, { verifier, command: options.python ?? "python3" }),
    root: options.path,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  const { root, spellings } = await connection.hello().catch((thrown: unknown) => {
    throw asWorkspaceError(thrown, options.path);
  });
  return new SshWorkspace({
    connection,
    root,
    spellings,
    guard: new PathGuard(options),
    maxHeldBytes: options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES,
    maxWalkEntries: options.maxWalkEntries ?? DEFAULT_MAX_WALK_ENTRIES,
  });
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;
const DEFAULT_MAX_WALK_ENTRIES = 100_000;
