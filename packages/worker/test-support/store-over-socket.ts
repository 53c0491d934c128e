import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { ToolError } from "@haft/core";
import type { SharedStore } from "@haft/core/calls";

/** Lets other processes use a store that lives in this one. No hints: they poll. */
export async function serveStore(store: SharedStore, path: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", ignore);
    const lines = createInterface({ input: socket }).on("line", (line) => void answer(store, socket, line));
    // A killed worker resets its connection.
    lines.on("error", ignore);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

interface Request {
  readonly id: number;
  readonly part: keyof SharedStore;
  readonly key?: unknown;
  readonly method: string;
  readonly args: readonly unknown[];
}

async function answer(store: SharedStore, socket: Socket, line: string): Promise<void> {
  const { id, part, key, method, args } = JSON.parse(line) as Request;
  const found: unknown = store[part];
  const target = (typeof found === "function" ? found(key) : found) as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const reply = await Promise.resolve(target[method]?.(...args)).then(
    (value) => ({ value }),
    (thrown) => ({ error: { code: thrown.code, message: thrown.message } }),
  );
  socket.write(`${JSON.stringify({ id, ...reply })}\n`);
}

/** Connects to the store that another process serves. */
export function storeOverSocket(path: string): SharedStore {
  const socket = connect(path);
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  createInterface({ input: socket }).on("line", (line) => {
    const { id, ...reply } = JSON.parse(line) as Reply & { id: number };
    waiting.get(id)?.(reply);
    waiting.delete(id);
  });
  const ask = (request: Omit<Request, "id">) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ value, error }) =>
        error === undefined ? resolve(value) : reject(new ToolError(error.code, error.message)),
      );
      socket.write(`${JSON.stringify({ id: lastId, ...request })}\n`);
    });
  const part = (name: keyof SharedStore, key?: unknown) =>
    new Proxy({} as never, {
      // Enumerable as well, because wrappers spread a store.
      ownKeys: () => METHODS,
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, method: string) =>
        method === "watch"
          ? () => () => {}
          : (...args: readonly unknown[]) => ask({ part: name, key, method, args }),
    });
  return {
    calls: part("calls"),
    members: part("members"),
    approvals: (tenant) => part("approvals", tenant),
    grants: (key) => part("grants", key),
    audit: (tenant) => part("audit", tenant),
    runs: (tenant) => part("runs", tenant),
    close: async () => void socket.destroy(),
  };
}

interface Reply {
  readonly value?: unknown;
  readonly error?: { readonly code: ConstructorParameters<typeof ToolError>[0]; readonly message: string };
}

const ignore = () => {};
const METHODS = ["insert", "list", "decide", "decision", "take", "renew", "release", "watch"];
