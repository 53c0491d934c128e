/** 0: success; 1: the tool returned an error; 2: wrong usage, nothing was executed; 130: interrupted by Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
