import { s } from "@haft/core";

/** The changes of a run that left the workspace as it was. */
export const NOT_APPLIED = s.array(
  "Changes that were not applied: they need approval and no approver is attached, or there are too many for one call (then the first 100 of them)",
  s.object({
    kind: s.enum("What it would do", ["create", "modify", "delete", "move"]),
    path: s.string("Where"),
    from: s.optional(s.string("Where it came from, for a move")),
  }),
);
