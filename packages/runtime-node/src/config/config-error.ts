import { ToolError, type ToolErrorOptions } from "@haft/core";

export type ConfigErrorCode =
  | "CONFIG_NOT_FOUND"
  | "CONFIG_UNREADABLE"
  | "CONFIG_TOO_LARGE"
  | "CONFIG_MALFORMED"
  | "CONFIG_INVALID";

/** A problem in a configuration file or object. */
export class ConfigError extends ToolError {
  constructor(code: ConfigErrorCode, message: string, options?: ToolErrorOptions) {
    super(code, message, options);
  }
}
