import { userInfo } from "node:os";
import type { Duplex } from "node:stream";
import { ToolError } from "@haft/core";
import { Client, type ClientChannel } from "ssh2";

/** The host, the user and the credentials of a login. */
export interface SshLogin {
  readonly host: string;
  /** Default: 22. */
  readonly port?: number | undefined;
  /** Default: the user of this process. */
  readonly username?: string | undefined;
  /** A private key in OpenSSH or PEM format. */
  readonly privateKey?: string | Uint8Array | undefined;
  readonly passphrase?: string | undefined;
  readonly password?: string | undefined;
  /** The socket of an SSH agent. Default: `SSH_AUTH_SOCK`, if no key or password is given. */
  readonly agent?: string | undefined;
}

interface ChannelOptions {
  /** Returns whether a host key is accepted. */
  verifier(key: Buffer): boolean;
  /** The Python program to start. */
  readonly command: string;
}

/** A program that runs on the other machine. */
export interface Channel {
  readonly stream: Duplex;
  /** Its standard error so far. */
  errors(): string;
  /** Returns whether it ended by itself, rather than with the connection. */
  hasExited(): boolean;
  close(): void;
}

/** Logs in and starts Python with a program that it reads from its input. */
export async function openChannel(login: SshLogin, options: ChannelOptions): Promise<Channel> {
  const client = new Client();
  try {
    await connect(client, login, options);
    // Requests are small and wait for their answers, so delaying them (Nagle) would cost 40 ms each.
    client.setNoDelay(true);
    const stream = await start(client, `${quote(options.command)} -u -c ${quote(LOADER)}`);
    let errors = "";
    stream.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < MAX_ERROR_CHARS) errors += chunk.toString("utf8");
    });
    let hasExited = false;
    stream.on("exit", () => {
      hasExited = true;
    });
    client.on("error", () => stream.destroy());
    client.on("close", () => stream.destroy());
    return { stream, errors: () => errors, hasExited: () => hasExited, close: () => client.end() };
  } catch (thrown) {
    client.destroy();
    throw thrown;
  }
}

function connect(client: Client, login: SshLogin, { verifier }: ChannelOptions): Promise<void> {
  let isRefusedKey = false;
  return new Promise((resolve, reject) => {
    client.once("ready", () => resolve());
    // Stays attached after the login, because an unhandled error event would end this process.
    client.on("error", (error) => reject(isRefusedKey ? unknownHost(login) : loginFailed(login, error)));
    client.connect({
      host: login.host,
      port: login.port ?? 22,
      username: login.username ?? userInfo().username,
      ...credentials(login),
      readyTimeout: CONNECT_MS,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: 3,
      hostVerifier: (key: Buffer) => {
        isRefusedKey = !verifier(key);
        return !isRefusedKey;
      },
    });
  });
}

function credentials({ privateKey, passphrase, password, agent }: SshLogin): object {
  if (privateKey !== undefined)
    return {
      privateKey: typeof privateKey === "string" ? privateKey : Buffer.from(privateKey),
      ...(passphrase !== undefined && { passphrase }),
    };
  if (password !== undefined) return { password };
  const socket = agent ?? process.env.SSH_AUTH_SOCK;
  return socket === undefined ? {} : { agent: socket };
}

function start(client: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, stream) => (error === undefined ? resolve(stream) : reject(error)));
  });
}

/** Any login shell may parse the command: single quotes mean the same in all of them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function unknownHost({ host, port = 22 }: SshLogin): ToolError {
  const target = port === 22 ? host : `-p ${port} ${host}`;
  return new ToolError("PERMISSION_DENIED", `The key of ${host} is not a known one`, {
    hint: `Check the fingerprint and connect once with: ssh ${target}. Or pass the fingerprint as hostKeys.`,
    details: { host, port },
  });
}

function loginFailed({ host, username }: SshLogin, cause: Error): ToolError {
  const who = username ?? userInfo().username;
  return new ToolError("IO_ERROR", `Cannot log in to ${host} as ${who}: ${cause.message}`, {
    hint: "Check the host, the user, and the key, password or agent.",
    details: { host },
    cause,
  });
}

const LOADER = "import sys; i = sys.stdin.buffer; exec(i.read(int(i.readline())))";
const CONNECT_MS = 20_000;
const KEEPALIVE_MS = 5_000;
const MAX_ERROR_CHARS = 10_000;
