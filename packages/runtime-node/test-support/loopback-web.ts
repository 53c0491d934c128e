import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Dial } from "../src/network/dial.js";

/** A real HTTP server on the loopback address, and the requests it received. */
export interface LoopbackServer {
  readonly port: number;
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** The number of opened connections, with or without a request. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export async function startServer(answer: RequestListener): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    requests.push(await seen(request));
    answer(request, response);
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Redirects connections to public addresses to loopback servers. */
export function dialTo(ports: Readonly<Record<string, number>>): Dial & { readonly dialled: string[] } {
  const dialled: string[] = [];
  const dial: Dial = ({ address }, signal) => {
    dialled.push(address);
    const port = ports[address];
    if (port === undefined) return Promise.reject(new Error(`nothing listens at ${address}`));
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, signal } as never, () => resolve(socket));
      socket.once("error", reject);
      Object.defineProperty(socket, "remoteAddress", { value: address, configurable: true });
    });
  };
  return Object.assign(dial, { dialled });
}

async function seen(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
