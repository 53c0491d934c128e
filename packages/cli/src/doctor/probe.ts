export interface Probed {
  readonly ok: boolean;
  /** The first line of its output. */
  readonly output: string;
}

/** Runs a program briefly to check that it works. Never rejects. */
export async function probe([program = "", ...args]: readonly string[]): Promise<Probed> {
  const { execa } = await import("execa");
  const ran = await execa(program, args, { reject: false, timeout: PROBE_MS });
  const [output = ""] = `${ran.stdout}${ran.stderr}`.trim().split("\n");
  return { ok: !ran.failed, output: output === "" ? (ran.shortMessage ?? "") : output };
}

const PROBE_MS = 5_000;
