import { ToolError } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";

export interface Denial {
  /** A clause: "because …". */
  readonly because: string;
  /** What would allow it, if anything could. */
  readonly hint?: string | undefined;
  /** For programs. */
  readonly reason: DenialReason;
}

export type DenialReason =
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

/** The one refusal of an address, wherever on the way it is found. */
export function urlDenied(url: string, { because, hint, reason }: Denial): ToolError {
  return new ToolError("URL_DENIED", `${shownUrl(url)} may not be fetched: ${because}`, {
    hint: hint ?? "Nothing was sent there. Do not retry the same address.",
    details: { url: truncateLine(url, MAX_SHOWN), reason },
  });
}

/** An address as people may see it: one line, no control characters, not endless. */
export function shownUrl(url: string): string {
  return renderInline(truncateLine(url, MAX_SHOWN));
}

const MAX_SHOWN = 300;
