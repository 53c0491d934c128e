import type { ChildProcess } from "node:child_process";
import { killTagged, startProcess, TAG_NAME } from "@haft/runtime-node/host";
import { renderInline } from "@haft/text";
import type { Transport } from "@modelcontextprotocol/client";
import { RawArguments } from "../transport/raw-arguments.js";
import { StdioTransport } from "../transport/stdio-transport.js";
import type { StdioAddress } from "./mount-options.js";

/**
 * Runs a server in its own process group, with a tag that all its children inherit. Closing it kills the group and,
 * where /proc exists, daemons that left the group.
 */
export class ServerProcess {
  readonly transport: Transport;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #tag = crypto.randomUUID();

  constructor(address: StdioAddress, onMessage: (message: string) => void) {
    const { command, args = [], cwd, env } = address;
    this.#child = startProcess({
      program: command,
      args,
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...inherited(), ...env, [TAG_NAME]: this.#tag },
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
    // Children may have survived SIGTERM.
    this.#kill();
    // Another process may still hold the pipes.
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  readonly #kill = (): void => {
    this.#signal("SIGKILL");
    killTagged(this.#tag);
  };

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // The group is empty.
    }
  }
}

const GRACE_MS = 2_000;

/** The variables a program needs to run, without secrets. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
}

const INHERITED = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
