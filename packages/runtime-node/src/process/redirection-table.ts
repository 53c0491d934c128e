import type { Redirection } from "@haft/core/capabilities";

/** The destinations of the three standard descriptors of a command. */
export interface RedirectionTable {
  readonly input: "input" | "null" | { readonly file: string };
  readonly out: Destination;
  readonly err: Destination;
}

/** "out" is the pipe or the output, "err" the error output, whichever descriptor points there. */
type Destination = "out" | "err" | "null";

/** Applies redirections in source order: a duplicate refers to its source's destination at that moment. */
export function redirectionTable(redirections: readonly Redirection[] = []): RedirectionTable {
  const table: [Slot, Slot, Slot] = ["input", "out", "err"];
  for (const redirection of redirections) {
    if (redirection.kind === "null") table[redirection.fd] = "null";
    if (redirection.kind === "read") table[0] = { file: redirection.path };
    if (redirection.kind === "duplicate") table[redirection.fd] = table[redirection.from];
  }
  const [input, out, err] = table;
  return {
    input: input === "out" || input === "err" ? "null" : input,
    out: destinationOf(out),
    err: destinationOf(err),
  };
}

type Slot = Destination | RedirectionTable["input"];

/** Discards output that is written to an input. */
function destinationOf(slot: Slot): Destination {
  return slot === "out" || slot === "err" ? slot : "null";
}
