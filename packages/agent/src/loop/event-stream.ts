import { isDurable } from "../event/is-durable.js";
import type { RunEvent } from "../event/run-event.js";
import type { RunLog } from "./run-log.js";

/** What has happened, then what happens, until the run is over. Everyone who iterates sees all of it. */
export async function* eventStream(
  log: RunLog,
  { afterSeq, over }: { readonly afterSeq: number; readonly over: Promise<unknown> },
): AsyncGenerator<RunEvent> {
  const waiting: RunEvent[] = log.events.filter(({ seq }) => seq > afterSeq);
  let isOver = false;
  let wake = (): void => {};
  const leave = log.watch((event) => {
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
        // Something may have come between the look and the wait.
        if (isOver || waiting.length > 0) resolve();
      });
    }
  } finally {
    leave();
  }
}
