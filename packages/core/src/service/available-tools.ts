import { token } from "./token.js";

/** The tools that the runtime's role can use, so that a refusal suggests only those. */
export interface AvailableTools {
  has(name: string): boolean;
}

/** Without a runtime, no tool is suggested. */
export const AVAILABLE_TOOLS = token<AvailableTools>("available-tools", () => ({ has: () => false }));
