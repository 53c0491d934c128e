import type { AnyToolClass, ToolPermission, ToolRuntime } from "@haft/core";
import type { Tool } from "@modelcontextprotocol/client";

/** A server to start as a process, or one to reach over HTTP. */
export type McpServerAddress = StdioAddress | HttpAddress;

export interface StdioAddress {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** All it gets beside PATH, HOME, USER and the like: nothing else of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface HttpAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MountOptions {
  /** What people and models know the server as; also the prefix of its tools' names. */
  readonly name: string;
  /** Instead of the name before each tool's name; "" for none. */
  readonly prefix?: string;
  /** Only these of its tools, by its own names. Default: all. */
  readonly tools?: readonly string[];
  /**
   * What a role must hold for these tools beside NetworkAccess, which every one of them needs: a call
   * leaves this process. What a server says about its tools is not proven by anything, so it is not asked.
   */
  readonly permissions?: readonly ToolPermission[] | ((tool: Tool) => readonly ToolPermission[]);
  /** Default: "confirm", whatever the server says about a tool. */
  readonly approval?: "auto" | "confirm" | ((tool: Tool) => "auto" | "confirm");
  /** For one call, and for the server to start and list its tools. Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** Hears what went wrong beside the calls, and what the process says on its standard error. */
  onMessage?(message: string): void;
}

export interface MountedServer {
  /** Its tools as they are now, for a runtime that takes them at its start. */
  readonly tools: readonly AnyToolClass[];
  /** Tools that were not mounted, and why. */
  readonly skipped: readonly SkippedTool[];
  /**
   * Gives the tools to a runtime and keeps them as the server's list changes; what changed has to be approved
   * anew. The server is closed with the last runtime that has its tools. The function returned takes them away
   * again; whoever takes them from the last runtime closes the server.
   */
  attach(runtime: ToolRuntime): () => void;
  /** Ends the connection, and the process with everything it started. */
  close(): Promise<void>;
}

export interface SkippedTool {
  readonly name: string;
  readonly reason: string;
}

export const DEFAULT_MOUNT_TIMEOUT_MS = 60_000;
