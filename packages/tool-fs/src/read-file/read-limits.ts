import { token } from "@haft/core";

/** Limits of one read_file call. A host may register its own. */
export interface ReadLimits {
  /** Content per call, in bytes of UTF-8. */
  readonly pageBytes: number;
  /** Text per call in estimated tokens, slightly below the runtime's budget to leave room for the footer. */
  readonly pageTokens: number;
  /** Files up to this size are read completely and decoded once. */
  readonly wholeBytes: number;
  /** Files up to this size are hashed and their lines counted. */
  readonly countedBytes: number;
  /** Maximum bytes for base64 and image attachments. */
  readonly attachedBytes: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  pageBytes: 50 * 1024,
  pageTokens: 11_700,
  wholeBytes: 4 * 1024 * 1024,
  countedBytes: 64 * 1024 * 1024,
  attachedBytes: 10 * 1024 * 1024,
};

/** The `limits` section of a configuration file. */
export interface ConfigLimits {
  readonly readBytes?: number;
}

export const CONFIG_LIMITS = token<ConfigLimits>("config.limits", () => ({}));

export const READ_LIMITS = token<ReadLimits>("read-limits", () => DEFAULT_READ_LIMITS);

/** Longer lines are truncated in the text. */
export const LINE_CHARS = 2_000;
