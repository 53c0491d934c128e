import type { IncomingMessage, ServerResponse } from "node:http";
import { isDurable } from "@haft/agent";
import type { ConsoleEvent } from "../protocol.js";

/** One connected page. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(request: IncomingMessage, response: ServerResponse, onClose: () => void) {
    this.#response = response;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.write(": connected\n\n");
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    request.once("close", () => {
      clearInterval(this.#heartbeat);
      onClose();
    });
  }

  send(message: ConsoleEvent): void {
    // A run that is still stopping may send events after the stream has ended.
    if (this.#response.destroyed || this.#response.writableEnded) return;
    const isKept = message.kind === "run" && isDurable(message.event);
    // A page that cannot keep up loses live output; durable events always arrive.
    if (message.kind === "run" && !isKept && this.#response.writableLength > MAX_BEHIND) return;
    const id = isKept ? `id: ${message.event.seq}\n` : "";
    this.#response.write(`${id}data: ${JSON.stringify(message)}\n\n`);
  }

  #beat(): void {
    if (!this.#response.writableEnded) this.#response.write(": still here\n\n");
  }

  /** Ends the stream, and tells the page that nothing was lost. */
  finish(): void {
    if (!this.#response.writableEnded) this.#response.write("event: done\ndata:\n\n");
    this.end();
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }
}

const HEARTBEAT_MS = 15_000;
const MAX_BEHIND = 1024 * 1024;
