import { execFile } from "node:child_process";

export interface Probed {
  readonly ok: boolean;
  /** The first line it printed. */
  readonly output: string;
}

/** Runs a program for a moment to see whether it works. Never rejects. */
export function probe([program = "", ...args]: readonly string[]): Promise<Probed> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PROBE_MS, encoding: "utf8" }, (error, stdout, stderr) => {
      const [output = ""] = `${stdout}${stderr}`.trim().split("\n");
      resolve({ ok: error === null, output: output === "" ? (error?.message ?? "") : output });
    });
  });
}

const PROBE_MS = 5_000;
