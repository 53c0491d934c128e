import { ToolError } from "@haft/core";
import type { DurableEvent } from "../event/run-event.js";

interface ParsedJournal {
  readonly events: readonly DurableEvent[];
  /** The end of the last complete line. Anything after it was torn by a crash. */
  readonly size: number;
}

/** Encodes one event as one line. */
export function journalLine(event: DurableEvent): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

/**
 * Parses a journal. Ignores a torn end, which was never reported to anyone. Throws on damage before the end, which a
 * crash cannot cause.
 */
export function parseJournal(bytes: Uint8Array): ParsedJournal {
  const events: DurableEvent[] = [];
  let size = 0;
  for (const { text, end } of linesOf(bytes)) {
    const event = parseEvent(text);
    if (event === undefined) break;
    assertNext(event, events);
    events.push(event);
    size = end;
  }
  const isDamaged = [...linesOf(bytes.subarray(size))].slice(1).some(({ text }) => parseEvent(text));
  if (isDamaged) throw damaged(`The journal is damaged at byte ${size}`);
  return { events, size };
}

function damaged(message: string): ToolError {
  return new ToolError("JOURNAL_DAMAGED", message, { hint: "The run cannot be resumed from it." });
}

function assertNext(event: DurableEvent, events: readonly DurableEvent[]): void {
  const { runId, seq } = events.at(-1) ?? { runId: event.runId, seq: 0 };
  if (event.v !== 1) throw damaged(`The journal has version ${event.v}; only version 1 is supported`);
  if (event.seq !== seq + 1) throw damaged(`The journal is damaged: event ${event.seq} follows event ${seq}`);
  if (event.runId !== runId)
    throw damaged(`The journal is damaged: event ${event.seq} belongs to another run`);
}

function* linesOf(bytes: Uint8Array): Generator<{ readonly text: string; readonly end: number }> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline === -1) return;
    yield { text: decoder.decode(bytes.subarray(start, newline)), end: newline + 1 };
    start = newline + 1;
  }
}

const NEWLINE = 0x0a;

function parseEvent(text: string): DurableEvent | undefined {
  try {
    const value = JSON.parse(text) as Partial<DurableEvent> | null;
    return typeof value?.type === "string" && typeof value.seq === "number"
      ? (value as DurableEvent)
      : undefined;
  } catch {
    return undefined;
  }
}
