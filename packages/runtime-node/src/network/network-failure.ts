import { ToolError } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";

/** What went wrong on the way, as one of our own errors; those we threw ourselves stay what they are. */
export function networkFailure(thrown: unknown, url: URL): ToolError {
  if (ToolError.is(thrown)) return thrown;
  const { code = "", message = String(thrown) } = thrown as { code?: string; message?: string };
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
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
  ["ECONNRESET", "it closed the connection"],
  ["EPIPE", "it closed the connection"],
  ["UND_ERR_SOCKET", "it closed the connection before the answer was complete"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "its answer is shorter than it announced"],
  ["ENETUNREACH", "its network cannot be reached"],
  ["EHOSTUNREACH", "it cannot be reached"],
  ["ETIMEDOUT", "it does not answer"],
  ["Z_DATA_ERROR", "its answer is not compressed as it says"],
  ["Z_BUF_ERROR", "its compressed answer is cut off"],
]);
