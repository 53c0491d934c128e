import { type ChildProcess, spawn } from "node:child_process";
import { renderInline } from "@haft/text";
import type { Transport } from "@modelcontextprotocol/client";
import { RawArguments } from "../transport/raw-arguments.js";
import { StdioTransport } from "../transport/stdio-transport.js";
import type { StdioAddress } from "./mount-options.js";

/** A server as a process of ours: in a group of its own, so that it ends with all it started. */
export class ServerProcess {
  readonly transport: Transport;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  constructor(address: StdioAddress, onMessage: (message: string) => void) {
    const { command, args = [], cwd, env } = address;
    this.#child = spawn(command, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...inherited(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const { stdin, stdout, stderr } = this.#child as ChildProcess & {
      stdin: never;
      stdout: never;
      stderr: never;
    };
    this.transport = new StdioTransport({ input: stdout, output: stdin, rawArguments: new RawArguments() });
    (stderr as NodeJS.ReadableStream).on("data", (chunk: Buffer) =>
      onMessage(renderInline(chunk.toString("utf8"), { maxChars: 500 })),
    );
    this.#exited = new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.once("error", (error) => {
        onMessage(`${command} could not be started: ${error.message}`);
        void this.transport.close();
        resolve();
      });
    });
    process.once("exit", this.#kill);
  }

  async close(): Promise<void> {
    process.off("exit", this.#kill);
    this.#signal("SIGTERM");
    const force = setTimeout(this.#kill, GRACE_MS);
    await this.#exited;
    clearTimeout(force);
    // Its own process is gone; what it started may have outlived the first signal.
    this.#kill();
  }

  readonly #kill = (): void => this.#signal("SIGKILL");

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  }
}

const GRACE_MS = 2_000;

/** What a program needs to be found and to know whose it is. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
}

const INHERITED = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
