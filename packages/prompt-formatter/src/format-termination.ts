/** What `terminate` means, said once for all tools. */
export const TERMINATION_RULE =
  "Every call may carry `terminate`: true when its result is all that is needed and the work is done, false (the default) when you go on after seeing it.";
