import { signal } from "@preact/signals";
import { get } from "./api.js";

export const isConnected = signal(true);
/** Counts the times that the server was found again. What changed meanwhile has to be read. */
export const reconnections = signal(0);

interface StreamOptions {
  url(): string;
  onMessage(event: MessageEvent<string>): void;
  onOpen(): void;
}

/**
 * Keeps a stream open. A browser stops reconnecting after an error response, such as for an expired cookie, so this
 * reopens it. Returns a function that closes it.
 */
export function openStream(options: StreamOptions): () => void {
  let timer: number | undefined;
  let source: EventSource | undefined;
  let isClosed = false;
  const again = () => {
    source?.close();
    timer = window.setTimeout(() => void open(), REOPEN_MS);
  };
  const open = async () => {
    const isLasting = await holdsPlace();
    if (isClosed) return;
    source = listen(options, { isLasting, again });
  };
  void open();
  return () => {
    isClosed = true;
    window.clearTimeout(timer);
    source?.close();
  };
}

export const REOPEN_MS = 2_000;

interface Listening {
  readonly isLasting: boolean;
  /** Opens the stream again after a moment. */
  again(): void;
}

function listen({ url, onMessage, onOpen }: StreamOptions, { isLasting, again }: Listening): EventSource {
  const address = url();
  const source = new EventSource(
    isLasting ? address : `${address}${address.includes("?") ? "&" : "?"}once=1`,
  );
  source.onmessage = onMessage;
  source.onopen = () => {
    if (!isConnected.value || (!isLasting && !document.hidden)) reconnections.value++;
    isConnected.value = true;
    onOpen();
  };
  source.addEventListener("done", again);
  source.onerror = () => {
    isConnected.value = false;
    if (source.readyState !== EventSource.CLOSED) return;
    again();
    // Finds out whether the server refused or is unreachable.
    void get("/api/workspaces").catch(() => undefined);
  };
  return source;
}

/** A browser opens six connections to one server, for all of its tabs. Two stay free for requests. */
const PLACES = 4;
let isHeld = false;

/** Whether this tab may keep its stream open. The others hear what is new by asking again and again. */
async function holdsPlace(): Promise<boolean> {
  if (!("locks" in navigator)) return true;
  for (let place = 0; place < PLACES && !isHeld; place++) isHeld = await take(`haft-stream-${place}`);
  return isHeld;
}

/** Holds a lock of the browser until this tab is closed, if no other tab has it. */
function take(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}
