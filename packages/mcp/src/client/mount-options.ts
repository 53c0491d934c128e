import type { AnyToolClass, ToolPermission } from "@haft/core";
import type { LocalRuntime } from "@haft/core/kernel";
import type { Tool } from "@modelcontextprotocol/client";

export type McpServerAddress = StdioAddress | HttpAddress;

export interface StdioAddress {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Environment variables in addition to PATH, HOME, USER and similar ones. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface HttpAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MountOptions {
  /** Display name of the server and default prefix of its tool names. */
  readonly name: string;
  /** Prefix of tool names instead of the server's name; "" for none. */
  readonly prefix?: string;
  /** The server's tools to mount, by the server's own names. Default: all. */
  readonly tools?: readonly string[];
  /**
   * Permissions these tools require besides NetworkAccess, which every one needs because a call leaves this process.
   * The server's own hints are unverified and ignored.
   */
  readonly permissions?: readonly ToolPermission[] | ((tool: Tool) => readonly ToolPermission[]);
  /** Default: "confirm", regardless of the server's annotations. */
  readonly approval?: "auto" | "confirm" | ((tool: Tool) => "auto" | "confirm");
  /** Timeout of one call, and of starting and listing the server. Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** Receives problems outside of calls, and the server's standard error. */
  onMessage?(message: string): void;
}

export interface MountedServer {
  /** The current tools, for a runtime created now. */
  readonly tools: readonly AnyToolClass[];
  /** Tools that were not mounted, and why. */
  readonly skipped: readonly SkippedTool[];
  /**
   * Registers the tools with a runtime and updates them as the server's list changes; changed tools need new approval.
   * The server closes with the last runtime. The returned function unregisters the tools; after the last one, close the
   * server yourself.
   */
  attach(runtime: LocalRuntime): () => void;
  /** Closes the connection and kills the process with everything it started. */
  close(): Promise<void>;
}

export interface SkippedTool {
  readonly name: string;
  readonly reason: string;
}

export const DEFAULT_MOUNT_TIMEOUT_MS = 60_000;
