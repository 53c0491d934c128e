// Registered globally: two copies of this package know each other's errors.
const BRAND: unique symbol = Symbol.for("haft.tool-error.v1") as never;

/**
 * The one failure a tool throws on purpose. Outside the runtime it becomes a value
 * (`ToolResult` with `ok: false`); anything else that is thrown is an EXECUTION_ERROR.
 */
export class ToolError extends Error {
  readonly [BRAND] = true;
  override readonly name = "ToolError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly next: NextCall | undefined;

  constructor(code: KernelErrorCode | (string & {}), message: string, options: ToolErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
    this.next = options.next;
  }

  /** True for a ToolError made by any copy of this package. */
  static is(value: unknown): value is ToolError {
    try {
      return typeof value === "object" && value !== null && (value as Partial<ToolError>)[BRAND] === true;
    } catch {
      return false;
    }
  }
}

/** Returns the message of anything that was thrown. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "a value that cannot be displayed";
  }
}

/**
 * A ready call that the model can copy to get past the failure. It is written in canonical names;
 * the runtime spells it in its dialect, and leaves it out where the tool is not to be had.
 */
export interface NextCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ToolErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: NextCall | undefined;
  readonly cause?: unknown;
}

/** Codes that any call can meet. A tool declares its own in `definition.errors`. */
export const KERNEL_ERROR_CODES = [
  "TOOL_NOT_FOUND",
  "TOOL_DISABLED",
  "INVALID_ARGUMENTS",
  "PERMISSION_DENIED",
  "POLICY_DENIED",
  "APPROVAL_REQUIRED",
  "APPROVAL_DENIED",
  "APPROVAL_TIMEOUT",
  "INVALID_PATH",
  "FILE_NOT_FOUND",
  "PATH_NOT_FOUND",
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "NOT_A_DIRECTORY",
  "ALREADY_EXISTS",
  "DESTINATION_EXISTS",
  "DIRECTORY_NOT_EMPTY",
  "BINARY_FILE",
  "FILE_TOO_LARGE",
  "SENSITIVE_FILE",
  "PROTECTED_PATH",
  "SECRET_PLACEHOLDER",
  "OMISSION_PLACEHOLDER",
  "FILE_NOT_READ",
  "STALE_FILE",
  "PLAN_STALE",
  "ENCODING_ERROR",
  "DISK_FULL",
  "IO_ERROR",
  "LIMIT_EXCEEDED",
  "CALL_ID_CONFLICT",
  "TOOL_CONFLICT",
  "CONFIG_INVALID",
  "TIMEOUT",
  "CANCELLED",
  "EXECUTION_ERROR",
  "INTERNAL",
] as const;

export type KernelErrorCode = (typeof KERNEL_ERROR_CODES)[number];
