import { ToolError } from "@haft/core";
import type { NetworkResponse } from "@haft/core/capabilities";
import { decodeBody } from "../web-fetch/decode-body.js";
import type { SearchReach } from "./search-provider.js";

interface ServiceRequest {
  readonly provider: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Advice for statuses with a special meaning. */
  readonly advice?: ReadonlyMap<number, string>;
}

/** Returns the JSON of a search service. Throws NETWORK_ERROR, or LIMIT_EXCEEDED if the service reports it. */
export async function askService(
  request: ServiceRequest,
  { network, signal }: SearchReach,
): Promise<unknown> {
  const { provider, url, headers = {}, advice } = request;
  const response = await network.fetch(
    { url: url.href, headers: { accept: "application/json", ...headers }, endpoint: "search" },
    signal,
  );
  if (response.status === 429) {
    throw new ToolError(
      "LIMIT_EXCEEDED",
      `${provider} rejected the search because its rate limit is reached`,
      {
        hint: "Wait, or continue with the results you have.",
      },
    );
  }
  if (response.status !== 200) {
    throw new ToolError("NETWORK_ERROR", `${provider} responded with status ${response.status}`, {
      hint: advice?.get(response.status) ?? "Try again later.",
      details: { status: response.status },
    });
  }
  return jsonOf(response, provider);
}

function jsonOf({ body, headers }: NetworkResponse, provider: string): unknown {
  try {
    return JSON.parse(decodeBody(body, headers["content-type"] ?? "").text);
  } catch (cause) {
    throw new ToolError("NETWORK_ERROR", `${provider} did not return JSON`, { cause });
  }
}

/** Returns the objects of a list in a response. Empty if the response has another shape. */
export function listIn(answer: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  let current: unknown = answer;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return [];
    current = (current as Record<string, unknown>)[key];
  }
  if (!Array.isArray(current)) return [];
  return current.filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
