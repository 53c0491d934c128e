import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BIN } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
let server: ChildProcess | undefined;
beforeEach(() => {
  const lines = "a line with a needle in it\n".repeat(2_000);
  workspace = temporaryWorkspace(
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`file-${index}.txt`, lines])),
  );
});
afterEach(() => {
  server?.kill("SIGKILL");
  workspace.remove();
});

const clientInfo = { name: "t", version: "1" };
const SAID = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "grep", arguments: { pattern: "needle" } } },
];

describe.skipIf(process.platform === "win32")("haft mcp with one socket for input and output", () => {
  it.each(["a socket of this machine", "a connection over a network"])(
    "D31 answers a client that has ended its input: %s",
    async (kind) => {
      const client = await served(kind.endsWith("network") ? 0 : join(workspace.folder, "socket"));
      client.end(SAID.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
      const chunks: Buffer[] = [];
      for await (const chunk of client) chunks.push(chunk);
      const answers = Buffer.concat(chunks).toString("utf8").split("\n").filter(Boolean);
      expect(answers.map((line) => JSON.parse(line))).toMatchObject([
        { id: 1, result: { serverInfo: {} } },
        { id: 2, result: { structuredContent: { matches: expect.anything() } } },
      ]);
    },
  );
});

/**
 * Returns the client's end of a socket whose other end is both input and output of the command, as with inetd and
 * socat.
 */
async function served(address: string | number): Promise<Socket> {
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  const accepted = new Promise<Socket>((resolve) => listener.once("connection", resolve));
  await new Promise<void>((resolve) => listener.listen(address, resolve));
  const bound = listener.address();
  const place =
    typeof bound === "object" && bound !== null ? { port: bound.port } : { path: bound as string };
  const client = connect({ ...place, allowHalfOpen: true });
  const socket = await accepted;
  server = spawn(process.execPath, [BIN, "mcp"], {
    cwd: workspace.folder,
    stdio: [socket, socket, "inherit"],
  });
  socket.destroy();
  listener.close();
  return client;
}
