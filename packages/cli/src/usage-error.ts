/** Something about the command line itself is wrong; the command was not tried. */
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
