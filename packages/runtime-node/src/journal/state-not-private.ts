import { ToolError } from "@haft/core";

/** Reports why other users could have written to a state folder, and the remedy. */
export interface StateProblem {
  /** Continues "The state folder PATH". */
  readonly what: string;
  readonly advice: string;
}

export function stateNotPrivate(path: string, { what, advice }: StateProblem): ToolError {
  return new ToolError("STATE_NOT_PRIVATE", `The state folder ${path} ${what}`, {
    hint: `Nothing was done: the grants and approvals in it cannot be trusted. ${advice}, or set XDG_STATE_HOME to a folder of your own.`,
    details: { path },
  });
}
