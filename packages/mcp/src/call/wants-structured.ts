import type { StructuredMode } from "../mcp-options.js";

/** Decides by the client's name whether results include structured content. */
export function wantsStructured(mode: StructuredMode, clientName: string | undefined): boolean {
  if (mode !== "auto") return mode === "always";
  return !HIDES_TEXT.test(clientName ?? "");
}

/**
 * Clients that show the model `structuredContent` instead of `content`. Line numbers, hints, diffs and images would be
 * lost, and JSON takes several times the tokens.
 */
const HIDES_TEXT = /^(claude-code|codex)/i;
