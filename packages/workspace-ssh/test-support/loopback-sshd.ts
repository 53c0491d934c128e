import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** A real sshd on loopback with its own keys. */
export interface LoopbackSshd {
  readonly login: { host: string; port: number; username: string; privateKey: string };
  readonly knownHosts: string;
  readonly fingerprint: string;
  /** A new folder for a workspace. */
  folder(): string;
  /** Closes every open connection, like a broken network; new ones are accepted. */
  dropConnections(): void;
  stop(): void;
}

/** Returns why sshd cannot run here; undefined if it can. */
export function noSshd(): string | undefined {
  try {
    execFileSync("sh", ["-c", "test -x /usr/sbin/sshd && command -v ssh-keygen && command -v python3"]);
    return undefined;
  } catch {
    return "needs sshd, ssh-keygen and python3 (package openssh-server)";
  }
}

/** `settings` are further lines of its configuration. */
export async function startSshd(settings: readonly string[] = []): Promise<LoopbackSshd> {
  const home = mkdtempSync(join(tmpdir(), "haft-sshd-"));
  chmodSync(home, 0o700);
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  for (const name of ["host", "user"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(home, name)]);
  copyFileSync(join(home, "user.pub"), join(home, "authorized"));
  const port = await freePort();
  writeFileSync(
    join(home, "config"),
    configuration(home, port) + settings.map((line) => `${line}\n`).join(""),
  );
  const sshd = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", join(home, "config")], { stdio: "ignore" });
  const [type, key] = readFileSync(join(home, "host.pub"), "utf8").split(" ");
  writeFileSync(join(home, "known_hosts"), `[127.0.0.1]:${port} ${type} ${key}\n`);
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", join(home, "host.pub")], {
    encoding: "utf8",
  }).split(" ");
  await untilListening(port);
  return {
    login: {
      host: "127.0.0.1",
      port,
      username: userInfo().username,
      privateKey: readFileSync(join(home, "user"), "utf8"),
    },
    knownHosts: join(home, "known_hosts"),
    fingerprint,
    folder: () => mkdtempSync(join(home, "workspace-")),
    dropConnections: () => endChildren(sshd.pid ?? 0),
    stop: () => {
      endChildren(sshd.pid ?? 0);
      sshd.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function configuration(home: string, port: number): string {
  return [
    "ListenAddress 127.0.0.1",
    `Port ${port}`,
    `HostKey ${join(home, "host")}`,
    `AuthorizedKeysFile ${join(home, "authorized")}`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "PermitRootLogin yes",
    "MaxStartups 200",
    "",
  ].join("\n");
}

/** Returns the processes that serve connections. Their children are not touched: they see their connection end. */
function endChildren(pid: number): void {
  try {
    execFileSync("pkill", ["-KILL", "-P", String(pid)]);
  } catch {
    // There are none.
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("sshd did not start");
}
