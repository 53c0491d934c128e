import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasReader } from "./has-reader.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-reader-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform !== "linux")("hasReader", () => {
  it("detects whether a pipe still has a reader, without consuming anything", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    expect(hasReader(writer)).toBe(true);
    closeSync(reader);
    expect(hasReader(writer)).toBe(false);
    closeSync(writer);
  });

  it("returns true for a file, and for an invalid descriptor", () => {
    const file = openSync(join(folder, "file"), "w");
    expect(hasReader(file)).toBe(true);
    closeSync(file);
    expect(hasReader(987_654)).toBe(true);
  });

  it("distinguishes a half-closed socket from a closed one, without reading from it", async () => {
    const { near, far, end } = await socketPair(join(folder, "socket"));
    expect(hasReader(descriptorOf(near))).toBe(true);
    far.end("said");
    await received(near, "said");
    expect(hasReader(descriptorOf(near))).toBe(true);
    far.destroy();
    await expect.poll(() => hasReader(descriptorOf(near))).toBe(false);
    end();
  });

  it("returns true for a network connection, whose end cannot be seen", async () => {
    const { near, far, end } = await socketPair();
    far.end("said");
    await received(near, "said");
    expect(hasReader(descriptorOf(near))).toBe(true);
    end();
  });
});

interface SocketPair {
  readonly near: Socket;
  readonly far: Socket;
  end(): void;
}

async function socketPair(path?: string): Promise<SocketPair> {
  const server: Server = createServer({ allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(path ?? 0, resolve));
  const far = connect(path === undefined ? (server.address() as AddressInfo).port : (path as never));
  const near = await accepted;
  const end = () => {
    for (const closed of [near, far]) closed.destroy();
    server.close();
  };
  return { near, far, end };
}

/** Resolves when everything was read and the other side has ended its output. */
async function received(socket: Socket, text: string): Promise<void> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once("end", resolve));
  expect(Buffer.concat(chunks).toString()).toBe(text);
}

const descriptorOf = (socket: Socket): number =>
  (socket as unknown as { _handle: { fd: number } })._handle.fd;
