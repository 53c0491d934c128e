/** Ctrl-C ended the command at a question. It is reported by the exit code alone. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
