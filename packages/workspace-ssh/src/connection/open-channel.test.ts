import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Server, utils } from "ssh2";
import { describe, expect, it, onTestFinished } from "vitest";
import { openChannel } from "./open-channel.js";

describe("a connection over SSH", () => {
  it("FP6 that breaks between login and the start of the program rejects, and nothing else fails", async () => {
    const port = await serverThatBreaks();
    const login = { host: "127.0.0.1", port, username: "u", password: "p" };
    const opened = openChannel(login, { verifier: () => true, command: "python3" });
    await expect(opened).rejects.toThrow();
  });
});

/** Accepts every login, and resets the connection when a program is to be started. */
async function serverThatBreaks(): Promise<number> {
  const sockets = new Set<Socket>();
  const { private: key } = utils.generateKeyPairSync("ed25519");
  const server = new Server({ hostKeys: [key] }, (client) => {
    client.on("error", () => {});
    client.on("authentication", (attempt) => attempt.accept());
    client.on("session", () => {
      for (const socket of sockets) socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = createServer((socket) => {
    const inner = connect((server.address() as AddressInfo).port, "127.0.0.1");
    for (const each of [socket, inner]) each.on("error", () => {});
    sockets.add(socket);
    socket.pipe(inner).pipe(socket);
    socket.once("close", () => inner.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.close();
    server.close();
  });
  return (proxy.address() as AddressInfo).port;
}
