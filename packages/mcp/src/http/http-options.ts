import type { McpOptions } from "../mcp-options.js";

export interface HttpOptions extends McpOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  /** Default: 127.0.0.1. Any address that is not this machine's own loopback needs a token. */
  readonly host?: string;
  /** What clients must send as `Authorization: Bearer …`. */
  readonly token?: string;
  /** Names that clients may use for this server, beside the loopback's and its own, and with any port: a proxy's, say. */
  readonly allowedHosts?: readonly string[];
  /** Default: 32 MiB. */
  readonly maxBodyBytes?: number;
  /** How many clients of the 2025 revisions may hold a session; one more ends that which is idle for longest. Default: 100. */
  readonly maxSessions?: number;
  /** A session that nobody used for so long is closed; its client starts a new one. Default: one hour. */
  readonly sessionIdleMs?: number;
}

export interface HttpService {
  /** Where clients connect, such as http://127.0.0.1:3000/mcp. */
  readonly url: string;
  /** Settles when the server has stopped and everything is let go of. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export const MCP_PATH = "/mcp";
export const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
export const DEFAULT_MAX_SESSIONS = 100;
export const DEFAULT_SESSION_IDLE_MS = 3_600_000;
