// Registered globally: two copies of this package know each other's errors.
const BRAND: unique symbol = Symbol.for("haft.model-error.v1") as never;

export type ModelErrorCode =
  | "MODEL_UNREACHABLE"
  | "MODEL_REFUSED"
  | "MODEL_OVERLOADED"
  | "MODEL_FAILED"
  | "MODEL_SILENT"
  | "MODEL_OUTPUT_TOO_LARGE"
  | "MODEL_PROTOCOL"
  | "EMPTY_ANSWER"
  | "STREAM_CUT";

/** Why a model turn came to nothing. */
export class ModelError extends Error {
  readonly [BRAND] = true;
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  /** When the server said how long to wait. */
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
