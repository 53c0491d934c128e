import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@haft/core";

/** Host ports forwarded into one box. */
export interface BoxPorts {
  /** Arguments for the launcher. */
  readonly mounts: readonly string[];
  /** Command prefix: forwards connections from the host to servers in the box. */
  readonly bridge: readonly string[];
  close(): void;
}

/**
 * Listens on host loopback ports and forwards connections to the same ports in a box. The box connects to a socket of
 * the host and waits there for clients, so the host never opens a path that code in the box could have replaced.
 */
export async function openBoxPorts(ports: readonly number[] | undefined): Promise<BoxPorts | undefined> {
  if (ports === undefined || ports.length === 0) return undefined;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `haft-net-${process.pid}-`));
  chmodSync(folder, 0o700);
  writeFileSync(join(folder, "ports.cjs"), BRIDGE);
  const tunnels = new Tunnels();
  const servers: Server[] = [];
  const close = () => {
    for (const server of servers) server.close();
    tunnels.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    servers.push(await listening((tunnel) => tunnels.offer(tunnel), { path: join(folder, "ports.sock") }));
    for (const port of new Set(ports))
      servers.push(await listening((client) => tunnels.carry(client, port), { port, host: "127.0.0.1" }));
  } catch (cause) {
    close();
    throw notFree(cause);
  }
  return {
    mounts: [...["--ro-bind", folder, FOLDER], ...["--ro-bind", process.execPath, NODE]],
    bridge: [NODE, `${FOLDER}/ports.cjs`],
    close,
  };
}

/** Pairs connections that the box has opened with clients. */
class Tunnels {
  readonly #idle: Socket[] = [];
  readonly #clients: { readonly client: Socket; readonly port: number }[] = [];
  readonly #open = new Set<Socket>();

  offer(tunnel: Socket): void {
    if (this.#idle.length >= MAX_IDLE) return void tunnel.destroy();
    this.#track(tunnel);
    tunnel.once("close", () => remove(this.#idle, tunnel));
    const next = this.#clients.shift();
    if (next === undefined) this.#idle.push(tunnel);
    else connectBoth(tunnel, next.client, next.port);
  }

  carry(client: Socket, port: number): void {
    this.#track(client);
    const tunnel = this.#idle.shift();
    if (tunnel !== undefined) connectBoth(tunnel, client, port);
    else if (this.#clients.length < MAX_WAITING) this.#wait({ client, port });
    else client.destroy();
  }

  /** Forgets a client that gives up: it would use up a tunnel that is never closed. */
  #wait(waiting: { readonly client: Socket; readonly port: number }): void {
    this.#clients.push(waiting);
    waiting.client.once("close", () => remove(this.#clients, waiting));
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#open.delete(socket));
  }
}

const MAX_IDLE = 8;
const MAX_WAITING = 128;

function connectBoth(tunnel: Socket, client: Socket, port: number): void {
  tunnel.write(`${port}\n`);
  tunnel.pipe(client);
  client.pipe(tunnel);
  tunnel.once("close", () => client.destroy());
  client.once("close", () => tunnel.destroy());
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

function listening(
  onConnection: (socket: Socket) => void,
  address: { readonly path: string } | { readonly port: number; readonly host: string },
): Promise<Server> {
  const server = createServer(onConnection);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => resolve(server));
  });
}

function notFree(cause: unknown): ToolError {
  const { port, code } = cause as NodeJS.ErrnoException & { port?: number };
  return new ToolError(
    "EXECUTION_ERROR",
    `Port ${port ?? ""} of this machine cannot be used (${code ?? "error"})`,
    {
      hint: "Nothing was started. Choose another port, and tell the server to listen on the same one.",
      cause,
    },
  );
}

const FOLDER = "/run/haft-ports";
const NODE = "/run/haft-node";

/** Keeps spare connections to the host open. When a client connects, the host writes its port number on one of them. */
const BRIDGE = `
const { connect } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const dial = (port, hosts, onOpen, onFail) => {
  const [host, ...more] = hosts;
  if (host === undefined) return onFail();
  const socket = connect({ port, host }, () => onOpen(socket));
  socket.once("error", () => (socket.destroy(), socket.isOpen ? undefined : dial(port, more, onOpen, onFail)));
};
const offer = () => {
  const tunnel = connect("${FOLDER}/ports.sock");
  tunnel.on("error", () => tunnel.destroy());
  tunnel.once("data", (first) => {
    offer();
    tunnel.pause();
    const end = first.indexOf(10);
    const rest = first.subarray(end + 1);
    dial(Number(first.subarray(0, end)), ["127.0.0.1", "::1"], (inner) => {
      inner.isOpen = true;
      inner.on("error", () => tunnel.destroy());
      if (rest.length > 0) inner.write(rest);
      inner.pipe(tunnel).on("close", () => inner.destroy());
      tunnel.pipe(inner).on("close", () => tunnel.destroy());
    }, () => tunnel.destroy());
  });
};
for (let count = 0; count < 4; count += 1) offer();
const [, , program, ...args] = process.argv;
const stdio = ["inherit", "inherit", "inherit", "ignore", "ignore", "ignore", "ignore", 7];
const child = spawn(program, args, { stdio });
child.on("error", () => process.exit(127));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
`;
