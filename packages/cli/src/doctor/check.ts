/** One thing this machine offers or lacks. */
export interface Check {
  readonly name: string;
  /** "warning": something works less well; "error": nothing works. */
  readonly status: "ok" | "warning" | "error";
  readonly detail: string;
  /** How to put it right. */
  readonly fix?: string;
}
