import { Socket } from "node:net";

/** Tracks the sockets of a client library, so that they can be closed even if the other side never answers. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  };

  /** Waits at most a second for sockets to close, then destroys the others. Never rejects. */
  async closeAfter(ended: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const closed = Promise.all([ended.catch(() => {}), ...[...this.#sockets].map(closing)]);
    const tooLate = new Promise((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([closed, tooLate]);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }
}

const GRACE_MS = 1_000;

function closing(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}
