/** A mistake in the command line. The command was not executed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
