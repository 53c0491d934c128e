import { s } from "@haft/core";

/** The changes that needed approval while no approver was attached. */
export const NOT_APPLIED = s.array(
  "Changes that were not applied: they need approval and no approver is attached",
  s.object({
    kind: s.enum("What it would do", ["create", "modify", "delete", "move"]),
    path: s.string("Where"),
    from: s.optional(s.string("Where it came from, for a move")),
  }),
);
