import { ToolError } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";

export interface Denial {
  /** A clause: "because …". */
  readonly because: string;
  /** How to allow it, if that is possible. */
  readonly hint?: string | undefined;
  /** The machine-readable reason. */
  readonly reason: DenialReason;
}

type DenialReason =
  | "malformed"
  | "scheme"
  | "userinfo"
  | "literal-address"
  | "private-name"
  | "private-address"
  | "port"
  | "unlisted"
  | "endpoint"
  | "downgrade";

/** Creates the error for a refused address, at any stage. */
export function urlDenied(url: string, { because, hint, reason }: Denial): ToolError {
  return new ToolError("URL_DENIED", `${shownUrl(url)} may not be fetched: ${because}`, {
    hint: hint ?? "Nothing was sent there. Do not retry the same address.",
    details: { url: truncateLine(url, MAX_SHOWN), reason },
  });
}

/** Formats an address for display: one line, no control characters, bounded length. */
function shownUrl(url: string): string {
  return renderInline(truncateLine(url, MAX_SHOWN));
}

const MAX_SHOWN = 300;
