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
  /** How long one request may take. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Patterns of paths whose content is out of reach, beside the built-in ones. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns of paths whose writing always asks, beside the built-in ones. */
  readonly protected?: readonly string[] | undefined;
  /** How many bytes of one file a rehearsal may hold. Default: 20 MiB. */
  readonly maxHeldBytes?: number | undefined;
  /** A walk that meets more entries ends with LIMIT_EXCEEDED. Default: 100,000. */
  readonly maxWalkEntries?: number | undefined;
}

/**
 * Opens a folder on another machine as a workspace. Rejects where the host's key is not known, the login fails, or there
 * is no Python 3. A lost connection is opened again by the next call.
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
