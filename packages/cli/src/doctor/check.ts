export interface Check {
  readonly name: string;
  /** "warning": something works less well; "error": nothing works. */
  readonly status: "ok" | "warning" | "error";
  readonly detail: string;
  readonly fix?: string;
}
