import type { DialectName } from "@haft/core";

/** The options of a command that needs a runtime. */
export interface RuntimeChoices {
  readonly workspace?: string;
  readonly role?: string;
  readonly dialect?: DialectName;
  readonly config?: string;
  readonly packs?: readonly string[];
}

export type Approve = "ask" | "all" | "none";

export const APPROVE_CHOICES = ["ask", "all", "none"] as const;
