/** A queue of messages. After `close`, returns the remaining messages and then undefined. */
export class MessageQueue {
  readonly #messages: string[] = [];
  #isClosed = false;
  #wake: () => void = () => {};

  put(message: string): void {
    if (this.#isClosed) return;
    this.#messages.push(message);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async next(): Promise<string | undefined> {
    while (this.#messages.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift();
  }
}
