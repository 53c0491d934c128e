import { isDurable } from "../event/is-durable.js";
import type { RunEvent } from "../event/run-event.js";
import type { RunLog } from "./run-log.js";

/** Yields past events, then live ones until the run is over. Every iterator sees all of them. */
export async function* eventStream(
  log: RunLog,
  { afterSeq, over }: { readonly afterSeq: number; readonly over: Promise<unknown> },
): AsyncGenerator<RunEvent> {
  const waiting: RunEvent[] = log.stored.filter(({ seq }) => seq > afterSeq);
  let isOver = false;
  let wake = (): void => {};
  const unwatch = log.watch((event) => {
    if (event.seq > afterSeq || !isDurable(event)) waiting.push(event);
    wake();
  });
  void over.then(() => {
    isOver = true;
    wake();
  });
  try {
    for (;;) {
      for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) yield event;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        // Something may have arrived since the check.
        if (isOver || waiting.length > 0) resolve();
      });
    }
  } finally {
    unwatch();
  }
}
