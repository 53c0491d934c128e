/** Waits for a notification since the last wait. Notifications in between are merged. */
export class WakeUp {
  #isNotified = false;
  #wake: () => void = () => {};

  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  async wait(): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isNotified = false;
  }
}
