import type { ChildProcess } from "node:child_process";
import type { Duplex, Writable } from "node:stream";

/** Answers the first byte from the box: nothing runs there until then. */
export function answerOnce(status: Duplex | null): void {
  status?.on("error", () => {});
  status?.once("data", () => status.write("\n"));
}

/**
 * Resumes the launcher once this process can use what it created. Otherwise closes the descriptor, which ends the
 * launcher.
 */
export function answer(child: ChildProcess, waiting: Duplex | null, onReady: (pid: number) => void): void {
  waiting?.on("error", () => {});
  waiting?.once("data", () => {
    try {
      onReady(child.pid ?? 0);
      waiting.end("\n");
    } catch (cause) {
      child.emit("error", cause);
      waiting.destroy();
    }
  });
}

/** Writes content. A reader that stops early is not an error here: its exit code says why. */
export function feed(stream: Writable | null, content: Buffer | string): void {
  stream?.on("error", () => {});
  stream?.end(content);
}

export function typingInto(stdin: Writable): (text: string) => boolean {
  stdin.on("error", () => {});
  return (text) => {
    if (stdin.writable) stdin.write(text);
    return stdin.writable;
  };
}
