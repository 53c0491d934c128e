import type { CliIo } from "../cli-io.js";

/** Runs work until the terminal is resized. Aborts the work once the size is stable. */
export async function untilResized<T>(
  { stderr, env }: Pick<CliIo, "stderr" | "env">,
  over: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Resized> {
  const resized = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(() => resized.abort(), STILL_MS);
  };
  if (env.TERM !== "dumb") stderr.on("resize", onResize);
  try {
    const result = await work(AbortSignal.any([over, resized.signal]));
    return resized.signal.aborted && !over.aborted ? RESIZED : result;
  } finally {
    clearTimeout(timer);
    stderr.off("resize", onResize);
  }
}

/** Returned instead of a result when the terminal was resized and the question needs a new layout. */
export const RESIZED = Symbol("resized");
export type Resized = typeof RESIZED;

/** How long the size must stay the same; dragging a window changes it continuously. */
const STILL_MS = 100;
