import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { startProcess } from "./start-process.js";
import { signalGroup } from "./stop-process-group.js";

export interface Question {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
}

export interface Answer {
  /** Null if the program was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no answer: the program did not start, timed out, or wrote too much. */
  readonly error?: unknown;
}

/**
 * Runs a program that answers with a few lines, without blocking the event loop. Kills its whole process group if it
 * times out or writes more than 4 MiB. Never rejects.
 */
export async function askProgram(question: Question): Promise<Answer> {
  const { input } = question;
  try {
    const { program, args, env, cwd } = question;
    const stdio = [input === undefined ? ("ignore" as const) : ("pipe" as const), "pipe", "pipe"] as const;
    const child = startProcess({ program, args, env, cwd, detached: true, stdio: [...stdio] });
    return await answerOf(child, question);
  } catch (error) {
    return { exitCode: null, stdout: "", stderr: "", error };
  }
}

function answerOf(child: ChildProcess, { input, timeoutMs }: Question): Promise<Answer> {
  return new Promise((resolve) => {
    let error: unknown;
    const end = (why: unknown) => {
      error ??= why;
      endGroup(child);
      // A process that left the group may hold the pipes forever.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const timer = setTimeout(() => end(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const tooMuch = () => end(new Error("the answer is too long"));
    const stdout = collect(child.stdout, tooMuch);
    const stderr = collect(child.stderr, tooMuch);
    child.on("error", (cause) => {
      error ??= cause;
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      const answer = { exitCode, stdout: text(stdout), stderr: text(stderr) };
      resolve(error === undefined ? answer : { ...answer, exitCode: null, error });
    });
    // A program that does not read its input closes the pipe.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
}

function collect(stream: Readable | null, tooMuch: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return tooMuch();
    chunks.push(chunk);
  });
  stream?.on("error", () => {});
  return chunks;
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

const MAX_BYTES = 4 * 1024 * 1024;
