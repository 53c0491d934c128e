import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.js";
import { serverOwner } from "./start-postgres.js";

/** Returns why PgBouncer cannot run here; undefined if it can. */
export function noPgbouncer(): string | undefined {
  return binary() === undefined ? "PgBouncer is not installed: install the pgbouncer package" : undefined;
}

/** Starts PgBouncer in transaction mode before a server, never as root. Fewer server connections than clients. */
export async function startPgbouncer(server: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const target = new URL(server);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "haft-pgbouncer-"));
  const config = join(folder, "pgbouncer.ini");
  writeFileSync(config, settings({ host: target.hostname, serverPort: target.port, port }));
  chmodSync(folder, 0o755);
  const child = spawn(binary() ?? "", [config], { ...serverOwner(), cwd: "/", stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await listening(port, child);
  const url = new URL(server);
  url.port = String(port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settings({ host, serverPort, port }: { host: string; serverPort: string; port: number }): string {
  return `[databases]
* = host=${host} port=${serverPort} user=haft
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
`;
}

function binary(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
