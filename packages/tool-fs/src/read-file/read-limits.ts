import { token } from "@haft/core";

/** How much one call of read_file returns at most; a host may register its own. */
export interface ReadLimits {
  /** Content per call, in bytes of UTF-8. */
  readonly pageBytes: number;
  /** Text per call, in estimated tokens; a little below the runtime's budget, so that the footer fits. */
  readonly pageTokens: number;
  /** Files up to this size are read whole and decoded once. */
  readonly wholeBytes: number;
  /** Lines are counted, and content hashed, in files up to this size. */
  readonly countedBytes: number;
  /** Bytes of a file that base64 or an image attachment may carry. */
  readonly attachedBytes: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  pageBytes: 50 * 1024,
  pageTokens: 11_700,
  wholeBytes: 4 * 1024 * 1024,
  countedBytes: 64 * 1024 * 1024,
  attachedBytes: 10 * 1024 * 1024,
};

/** The `limits` of a configuration file, as a runtime hands them on. */
export const CONFIG_LIMITS = token<{ readonly readBytes?: number }>("config.limits", () => ({}));

export const READ_LIMITS = token<ReadLimits>("read-limits", () => DEFAULT_READ_LIMITS);

/** Longer lines are cut in the text. */
export const LINE_CHARS = 2_000;
