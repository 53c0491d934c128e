/** Waits until something has happened since the last wait, or happens. */
export class WakeUp {
  #hasHappened = false;
  #wake: () => void = () => {};

  happened(): void {
    this.#hasHappened = true;
    this.#wake();
  }

  async wait(): Promise<void> {
    if (!this.#hasHappened) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasHappened = false;
  }
}
