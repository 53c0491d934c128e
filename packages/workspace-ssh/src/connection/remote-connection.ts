import { ToolError } from "@haft/core";
import { remoteProgram } from "../remote-program.js";
import type { Channel } from "./open-channel.js";
import { type Answer, ConnectionLost, RemoteEnd } from "./remote-end.js";

interface RemoteConnectionOptions {
  open(): Promise<Channel>;
  readonly root: string;
  readonly timeoutMs: number;
}

export interface Hello {
  /** With links resolved. */
  readonly root: string;
  /** All absolute spellings of the root. */
  readonly spellings: readonly string[];
  readonly newFileMode: number;
}

/** Opens one connection at a time, when it is needed and again after it was lost. */
export class RemoteConnection {
  readonly #options: RemoteConnectionOptions;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #isClosed = false;
  /** The number of requests sent: each is one round trip. */
  roundTrips = 0;

  constructor(options: RemoteConnectionOptions) {
    this.#options = options;
  }

  async hello(): Promise<Hello> {
    return (await this.#connected()).hello;
  }

  /** For requests without an effect: reopens a lost connection once. */
  async ask<T>(op: string, fields?: object): Promise<Answer<T>> {
    try {
      return await this.tell(op, fields);
    } catch (thrown) {
      if (!(thrown instanceof ConnectionLost) || this.#isClosed) throw thrown;
      return this.tell(op, fields);
    }
  }

  /** Sends a request once. If the connection is lost, the caller must find out what happened. */
  async tell<T>(op: string, fields?: object, body?: Uint8Array): Promise<Answer<T>> {
    const { end } = await this.#connected();
    this.roundTrips += 1;
    return end.request<T>(op, fields, body);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    this.#opened?.end.close();
    this.#opened?.channel.close();
  }

  /** Of several calls that find the connection lost, the first reopens it. */
  async #connected(): Promise<Opened> {
    if (this.#isClosed) throw new ConnectionLost("the workspace was closed");
    if (this.#opened?.end.isLost === false) return this.#opened;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Opened> {
    this.#opened?.channel.close();
    const channel = await this.#options.open();
    const end = new RemoteEnd(channel.stream, this.#options.timeoutMs);
    const program = Buffer.from(remoteProgram());
    end.send(Buffer.concat([Buffer.from(`${program.length}\n`), program]));
    try {
      const { value } = await end.request<Hello>("hello", { root: this.#options.root });
      this.#opened = { channel, end, hello: value };
      return this.#opened;
    } catch (thrown) {
      end.close();
      channel.close();
      if (!(thrown instanceof ConnectionLost)) throw thrown;
      const isClosed = thrown.reason === "closed";
      if (isClosed && !channel.hasExited()) throw thrown;
      const said = isClosed ? "" : thrown.message;
      throw notStarted(channel.errors().trim() || said, thrown);
    }
  }
}

function notStarted(said: string, cause: ConnectionLost): ToolError {
  const why = said === "" ? "it ended without a word" : said.slice(0, 500);
  const slow = "If the machine or the connection is only slow, pass a larger `timeoutMs`. ";
  return new ToolError("IO_ERROR", `Python did not start on the other machine: ${why}`, {
    hint: `${cause.reason === "timeout" ? slow : ""}${NEEDS_PYTHON}`,
    cause,
  });
}

const NEEDS_PYTHON =
  "Its files are served by Python 3.6 or newer, which the account must be allowed to run. Install it there (apt-get install python3), or pass the path of one as `python`.";

interface Opened {
  readonly channel: Channel;
  readonly end: RemoteEnd;
  readonly hello: Hello;
}
