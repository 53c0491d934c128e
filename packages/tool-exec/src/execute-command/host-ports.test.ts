import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it, vi } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { Process } from "../process/process-tool.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const tools = [ExecuteCommand, Process];
const SERVER = `require("node:http").createServer((_, response) => response.end("from the box")).listen(+process.argv[2], "127.0.0.1")`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function open(approved?: boolean) {
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return { approved: approved === true };
  };
  const world = await openExecWorld(
    { "server.js": SERVER },
    { tools, commands: { onUnlisted: "box" }, ...(approved !== undefined && { approver }) },
  );
  return { world, asked };
}

const textAt = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text();

describe.skipIf(noBox)("a background command that requests host ports", () => {
  it("FE20 needs approval that names the ports, and is then reachable from this machine", async () => {
    const { world, asked } = await open(true);
    await using own = world;
    const port = await freePort();
    const command = `node server.js ${port}`;
    const started = await own.call("execute_command", { command, background: true, ports: [port] });
    expect(started).toMatchObject({ ok: true, value: { processId: "p1" } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toContain(`127.0.0.1:${port}`);
    await vi.waitFor(async () => expect(await textAt(port)).toBe("from the box"), {
      timeout: 20_000,
      interval: 50,
    });
    const many = await Promise.all(Array.from({ length: 40 }, () => textAt(port)));
    expect(new Set(many)).toEqual(new Set(["from the box"]));
    await own.call("process", { action: "kill", id: "p1" });
    await vi.waitFor(() => expect(textAt(port)).rejects.toThrow(), { timeout: 20_000, interval: 50 });
  }, 60_000);

  it("FE20 is unreachable without them, and is not started if they are denied", async () => {
    const { world, asked } = await open(false);
    await using own = world;
    const port = await freePort();
    const command = `node server.js ${port}`;
    expect(await own.call("execute_command", { command, background: true, ports: [port] })).toMatchObject({
      ok: false,
      error: { code: "APPROVAL_DENIED" },
    });
    expect(asked).toHaveLength(1);
    await own.call("execute_command", { command, background: true });
    await expect(textAt(port)).rejects.toThrow();
  }, 60_000);

  it("FE20 is refused without an approver, in the foreground, for a port in use and for a privileged one", async () => {
    const { world } = await open();
    await using own = world;
    const denied = await own.call("execute_command", {
      command: "node server.js 3000",
      background: true,
      ports: [3000],
    });
    expect(denied).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    const { world: asking } = await open(true);
    await using other = asking;
    const call = (args: object) => other.call("execute_command", { command: "sleep 1", ...args });
    expect(await call({ ports: [3000] })).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
    expect(await call({ ports: [80], background: true })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const taken = await call({ ports: [port], background: true });
    expect(taken).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
    expect(taken.text).toContain(String(port));
    await new Promise((resolve) => server.close(resolve));
  }, 60_000);
});
