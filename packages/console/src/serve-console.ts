import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { accountName } from "@haft/agent/node";
import { makeFolder, readStateFile } from "@haft/runtime-node/state";
import { ConsoleApi } from "./api/console-api.js";
import { Access } from "./http/access.js";
import { contentPolicy, StaticFiles } from "./http/static-files.js";
import { type ConsoleTeam, SharedTeam } from "./team/shared-team.js";
import type { ConsoleWorkspace } from "./workspace/console-workspace.js";
import { ServedWorkspace } from "./workspace/served-workspace.js";

export interface ConsoleOptions {
  readonly workspaces: readonly ConsoleWorkspace[];
  /** The folder for the secret behind links and cookies. Choose one outside every workspace. */
  readonly stateDirectory: string;
  /** Default: 4938. 0 uses any free port. */
  readonly port?: number;
  /** Adds the page with workers, leases, quotas and a team's approvals. The console does not close the store. */
  readonly team?: ConsoleTeam;
  /** The person who answers. Default: the account that runs the process. */
  readonly user?: string;
}

export interface ConsoleServer {
  /** The link that opens the console, with its token. */
  readonly url: string;
  readonly port: number;
  readonly closed: Promise<void>;
  /** Stops serving. Pending approvals stay pending and survive a restart. */
  close(): Promise<void>;
}

/** Serves the console on 127.0.0.1. */
export async function serveConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  const { workspaces, stateDirectory, port = DEFAULT_PORT, user = accountName() } = options;
  const team = options.team === undefined ? undefined : new SharedTeam(options.team, user);
  const files = new StaticFiles();
  const secret = loadSecret(stateDirectory);
  const served = await Promise.all(workspaces.map((workspace) => ServedWorkspace.open({ workspace, user })));
  const api = new ConsoleApi({ served, user, team });
  const server = createServer();
  const access = new Access({ secret, port: await listen(server, port) });
  server.on("request", (request, response) => answer(request, response, { access, api, files }));
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/?token=${access.link}`,
    port: bound,
    closed,
    close: async () => {
      api.close();
      server.close();
      server.closeAllConnections();
      await Promise.all(served.map((each) => each.close()));
      await closed;
    },
  };
}

const DEFAULT_PORT = 4938;

/** SECURITY: only this machine can reach it. */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

interface Answering {
  readonly access: Access;
  readonly api: ConsoleApi;
  readonly files: StaticFiles;
}

function answer(request: IncomingMessage, response: ServerResponse, { access, api, files }: Answering): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const url = addressOf(request);
  const refusal = refusalOf(request, access);
  if (url === undefined) refuse(response, { status: 400, message: "The address is not valid." });
  else if (refusal?.status !== 401 && refusal !== undefined) refuse(response, refusal);
  else if (url.pathname === "/" && access.opens(url.searchParams.get("token"))) admit(response, access);
  else if (refusal !== undefined) refuse(response, refusal);
  else if (url.pathname.startsWith("/api/")) void api.answer(request, response, url);
  else if (request.method !== "GET") refuse(response, { status: 405, message: "Method not allowed." });
  // Every address that is not a file is a route of the client.
  else if (!files.send(url.pathname, response)) files.sendPage(response);
}

/** SECURITY: undefined for an invalid address. Any program may send one, without the token. */
function addressOf({ url = "/" }: IncomingMessage): URL | undefined {
  const base = "http://127.0.0.1";
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

function refusalOf(request: IncomingMessage, access: Access): Refusal | undefined {
  if (!access.isKnownHost(request)) return { status: 421, message: "Unknown host." };
  if (!access.isOwnOrigin(request) || !access.isOwnFetch(request))
    return { status: 403, message: "Requests from other sites are refused." };
  if (access.hasCookie(request)) return undefined;
  return { status: 401, message: "Open the link that haft console printed." };
}

/** Exchanges the token for a cookie and removes it from the address. */
function admit(response: ServerResponse, access: Access): void {
  response.writeHead(303, { location: "/", "set-cookie": access.setCookie, "cache-control": "no-store" });
  response.end();
}

const SECURITY_HEADERS = {
  "content-security-policy": contentPolicy(),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(`${message}\n`);
}

/**
 * Loads or creates the secret that links and cookies derive from. A private file keeps it, so that both survive a
 * restart.
 */
function loadSecret(directory: string): Uint8Array {
  const path = join(directory, "console.secret");
  makeFolder(directory);
  try {
    // Fails if the file exists, so that two servers that start together use the same secret.
    writeFileSync(path, randomBytes(SECRET_BYTES), { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  const secret = readStateFile(path);
  if (secret === undefined || secret.length < SECRET_BYTES)
    throw new Error(`${path} is damaged. Delete it and start again.`);
  return secret;
}

const SECRET_BYTES = 32;
