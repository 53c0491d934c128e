import { signal } from "@preact/signals";

/** Why a run or a call could not be stopped. Shown above the composer until the next attempt. */
export const runProblem = signal<string | undefined>(undefined);
