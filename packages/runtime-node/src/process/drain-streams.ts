import type { Readable } from "node:stream";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/**
 * Waits until the outputs of a process that has ended are closed, or briefly if another process holds them. Returns
 * whether they are still held. On a busy host the wait can be over before earlier output was read, so everything
 * readable is always read.
 */
export async function drainStreams(streams: readonly Readable[]): Promise<boolean> {
  let events = 0;
  const count = (): void => {
    events += 1;
  };
  const waiting = new AbortController();
  const closed = Promise.all(streams.map(closing));
  for (const stream of streams) for (const name of NOTED) stream.on(name, count);
  await Promise.race([closed, delay(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
  if (isHeld(streams)) await quiet(() => events);
  for (const stream of streams) for (const name of NOTED) stream.off(name, count);
  return isHeld(streams);
}

/** Waits until nothing more happens: everything that was written already can be read in the next turn. */
export async function quiet(events: () => number): Promise<void> {
  let before = -1;
  // A process left behind may write forever.
  for (let turn = 0; turn < MAX_TURNS && before !== events(); turn += 1) {
    before = events();
    await nextTurn();
    await nextTurn();
  }
}

const DRAIN_MS = 250;
const MAX_TURNS = 1_000;
const NOTED = ["data", "end", "close"] as const;

function closing(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once("close", () => resolve());
  });
}

function isHeld(streams: readonly Readable[]): boolean {
  return streams.some(({ closed }) => !closed);
}
