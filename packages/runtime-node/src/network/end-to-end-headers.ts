import type { IncomingHttpHeaders } from "node:http";

/** Removes hop-by-hop headers. */
export function endToEndHeaders(headers: IncomingHttpHeaders): Record<string, string | string[] | undefined> {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)),
  );
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"],
  ...["trailer", "transfer-encoding", "upgrade", "host"],
]);
