// Registered globally, so that two copies of this package recognize each other's errors.
const BRAND: unique symbol = Symbol.for("haft.model-error.v1") as never;

export type ModelErrorCode =
  | "MODEL_UNREACHABLE"
  | "MODEL_REFUSED"
  | "MODEL_OVERLOADED"
  | "MODEL_FAILED"
  | "MODEL_SILENT"
  | "MODEL_OUTPUT_TOO_LARGE"
  | "CONTEXT_FULL"
  | "MODEL_PROTOCOL"
  | "EMPTY_ANSWER"
  | "MALFORMED_ANSWER"
  | "STREAM_CUT";

/** The reason why a model turn failed. */
export class ModelError extends Error {
  readonly [BRAND] = true;
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  /** The delay requested by the server. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }

  static is(value: unknown): value is ModelError {
    return typeof value === "object" && value !== null && (value as Partial<ModelError>)[BRAND] === true;
  }
}

export interface ModelErrorOptions {
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}
