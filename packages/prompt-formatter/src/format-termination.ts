/** The meaning of `terminate`, stated once for all tools. */
export const TERMINATION_RULE =
  "Every call may carry `terminate`: true if the task is done after this call, false (the default) if you continue after its result.";
