import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { boundedFetch } from "./bounded-fetch.js";
import { DEFAULT_MOUNT_TIMEOUT_MS, type McpServerAddress, type MountOptions } from "./mount-options.js";
import { ServerProcess } from "./server-process.js";
import { LISTED_TOOLS } from "./wire-shapes.js";

/** A connected server. It can be listed and called, and cannot send us requests. */
export interface ServerConnection {
  readonly client: Client;
  /** Returns the raw entries of its tool list. */
  listTools(): Promise<ToolListing>;
  close(): Promise<void>;
}

export async function connectServer(
  address: McpServerAddress,
  { timeoutMs = DEFAULT_MOUNT_TIMEOUT_MS, onMessage }: MountOptions,
): Promise<ServerConnection> {
  const isProcess = "command" in address;
  const server = isProcess ? new ServerProcess(address, (message) => onMessage?.(message)) : undefined;
  const client = new Client(
    { name: "haft", version: "1" },
    {
      // No sampling, elicitation or roots: mounted servers cannot request anything.
      capabilities: {},
      // Results are bounded and marked as untrusted, not validated against the server's own schema.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      versionNegotiation: { mode: isProcess ? "legacy" : "auto" },
    },
  );
  client.onerror = (error) => onMessage?.(error.message);
  const close = async () => {
    await client.close().catch(() => {});
    await server?.close();
  };
  try {
    await client.connect(server?.transport ?? httpTransport(address as { url: string }), {
      timeout: timeoutMs,
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { client, listTools: () => listAll(client, timeoutMs), close };
}

function httpTransport({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}) {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch,
  });
}

export interface ToolListing {
  readonly entries: readonly unknown[];
  /** False if the server has more tools than the limit. */
  readonly isWhole: boolean;
}

async function listAll(client: Client, timeoutMs: number): Promise<ToolListing> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && entries.length <= MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: "tools/list", params }, LISTED_TOOLS, {
      timeout: timeoutMs,
    });
    entries.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  const isWhole = cursor === undefined && entries.length <= MAX_TOOLS;
  return { entries: entries.slice(0, MAX_TOOLS), isWhole };
}

const MAX_PAGES = 50;
const MAX_TOOLS = 500;
