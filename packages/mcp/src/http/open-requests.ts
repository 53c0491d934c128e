import type { IncomingMessage, ServerResponse } from "node:http";

/** Limits how many responses can wait for clients that do not read them. Does not count event streams (GET). */
export class OpenRequests {
  #count = 0;

  /** Returns false if too many requests are running. Otherwise counts the request until its connection closes. */
  admit({ method }: Pick<IncomingMessage, "method">, response: Pick<ServerResponse, "once">): boolean {
    if (method !== "POST") return true;
    if (this.#count >= MAX_OPEN_REQUESTS) return false;
    this.#count += 1;
    response.once("close", () => {
      this.#count -= 1;
    });
    return true;
  }
}

const MAX_OPEN_REQUESTS = 256;
