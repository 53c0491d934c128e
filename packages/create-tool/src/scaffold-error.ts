/** A mistake in the request, with its remedy. */
export class ScaffoldError extends Error {
  override readonly name = "ScaffoldError";
  readonly code: "INVALID_NAME" | "USAGE" | "ALREADY_EXISTS" | "IO_ERROR";
  readonly hint: string | undefined;

  constructor(code: ScaffoldError["code"], message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
