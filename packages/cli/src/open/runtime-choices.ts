import type { DialectName } from "@haft/core";
import type { HaftConfig } from "@haft/runtime-node";

export interface RuntimeChoices {
  readonly workspace?: string;
  readonly role?: string;
  readonly dialect?: DialectName;
  readonly config?: string;
  readonly packs?: readonly string[];
  /** MCP servers in addition to the configured ones. */
  readonly mcpServers?: HaftConfig["mcpServers"];
}

export type Approve = "ask" | "all" | "none";

export const APPROVE_CHOICES = ["ask", "all", "none"] as const;
