import type { UntrustedConfig } from "@haft/runtime-node";
import { QuestionScreen } from "../ask/question-screen.js";
import type { CliIo } from "../cli-io.js";
import { Interrupted } from "../interrupted.js";
import { coloursFor } from "../output/colours.js";
import { trustView } from "./trust-view.js";

/**
 * Asks at the terminal whether to trust a configuration. Returns undefined without a clear answer and throws
 * `Interrupted` on Ctrl-C.
 */
export async function askTrust(untrusted: UntrustedConfig, io: CliIo): Promise<boolean | undefined> {
  const { dim } = coloursFor(io.stderr, io.env);
  const screen = new QuestionScreen({
    io,
    view: (columns) => trustView(untrusted, columns),
    paint: (row) => (row.startsWith("⋮") ? dim(row) : row),
  });
  const interrupted = new AbortController();
  const asking = { signal: interrupted.signal, onInterrupt: () => interrupted.abort() };
  screen.show(() => UNSEEN);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const typed = await screen.ask(() => (screen.isSeen ? SEEN : UNSEEN), asking);
    if (interrupted.signal.aborted) throw new Interrupted("Ctrl-C at the question");
    if (typed === undefined) return undefined;
    if (typed === "n" || typed === "no") return false;
    if ((typed === "y" || typed === "yes") && screen.isSeen) return true;
    // A yes before everything was seen opens the pager instead.
    if (typed.startsWith("y") || typed === "v") await screen.view(asking);
  }
  return undefined;
}

const MAX_ATTEMPTS = 10;
const SEEN = ["y = yes, n = no, v = view all"];
const UNSEEN = ["v = view all, then yes; n = no"];
