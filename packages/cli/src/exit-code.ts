/** 0: it succeeded; 1: the tool answered with an error; 2: wrong usage, nothing was tried. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
