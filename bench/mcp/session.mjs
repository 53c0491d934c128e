import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Runs one MCP server as a process and exchanges plain lines with it, so that no client library is measured. */
export function openSession(args, folder) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, ".state") },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  child.once("exit", (code) => {
    for (const settle of waiting.values()) settle({ error: { message: `the server ended with ${code}` } });
  });
  let nextId = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method, params = {}) => {
    const id = nextId;
    nextId += 1;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    request,
    begin: async () => {
      const clientInfo = { name: "bench", version: "1" };
      await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      send({ method: "notifications/initialized" });
    },
    read: async (params) => {
      const { content, isError } = await request("tools/call", params);
      if (isError || !content[0].text.includes("a line of text")) throw new Error("it was not read");
    },
    /** Returns user plus kernel time, in steps of 10 ms. */
    processorMs: () => {
      const [, fields] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ");
      const [user, system] = fields.split(" ").slice(11, 13).map(Number);
      return (user + system) * 10;
    },
    /** Returns the peak memory. */
    peakMb: () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024,
    end: async () => {
      child.stdin.end();
      child.kill();
      await once(child, "exit");
    },
  };
}
