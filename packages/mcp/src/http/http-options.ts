import type { McpOptions } from "../mcp-options.js";

export interface HttpOptions extends McpOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Default: 127.0.0.1. Any non-loopback address requires a token. */
  readonly host?: string;
  /** The token clients must send as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Additional Host names to accept, with any port, for example those of a proxy. */
  readonly allowedHosts?: readonly string[];
  /** Default: 32 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Maximum number of 2025 clients with a session. One more ends the session that has been idle longest. Default: 100.
   */
  readonly maxSessions?: number;
  /** Sessions idle for longer are closed; their clients start new ones. Default: one hour. */
  readonly sessionIdleMs?: number;
}

export interface HttpService {
  /** Where clients connect, such as http://127.0.0.1:3000/mcp. */
  readonly url: string;
  /** Resolves when the server has stopped and all resources are released. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export const MCP_PATH = "/mcp";
export const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
export const DEFAULT_MAX_SESSIONS = 100;
export const DEFAULT_SESSION_IDLE_MS = 3_600_000;
