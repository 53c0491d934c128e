import { ToolError } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";

/** Converts a network failure to a ToolError. Returns ToolErrors unchanged. */
export function networkFailure(thrown: unknown, url: URL): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { code = "", message = String(thrown) } = thrown as { code?: string; message?: string };
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ToolError("LIMIT_EXCEEDED", `${url.host} sent more than 64 KB of headers`, { cause: thrown });
  }
  const known = REASONS.get(code);
  const reason = known ?? renderInline(truncateLine(message, 200));
  return new ToolError("NETWORK_ERROR", `${url.host} could not be read: ${reason}`, {
    hint: NAME_CODES.has(code) ? "Check the host's name." : "Try again later, or another address.",
    details: { host: url.host, ...(code !== "" && { code }) },
    cause: thrown,
  });
}

const NAME_CODES = new Set(["ENOTFOUND", "EAI_AGAIN"]);

const REASONS = new Map([
  ["ENOTFOUND", "no such host name"],
  ["EAI_AGAIN", "its name could not be resolved now"],
  ["ECONNREFUSED", "it refuses connections"],
  ["ECONNRESET", "it closed the connection before the response was complete"],
  ["EPIPE", "it closed the connection"],
  ["ENETUNREACH", "its network cannot be reached"],
  ["EHOSTUNREACH", "it cannot be reached"],
  ["ETIMEDOUT", "it does not answer"],
  ["Z_DATA_ERROR", "its response is not compressed as declared"],
  ["Z_BUF_ERROR", "its compressed response is truncated"],
]);
