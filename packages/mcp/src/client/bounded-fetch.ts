/**
 * fetch for a server that is not trusted: follows nobody elsewhere with our headers, and holds no endless answer. A
 * stream of events may go on for as long as the connection is wanted, so each of its events is bounded instead.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "error" });
  return boundedAnswer(response, MAX_ANSWER_BYTES);
}

export function boundedAnswer(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const isStream = headers.get("content-type")?.trim().toLowerCase().startsWith("text/event-stream") === true;
  const bytesHeld = isStream ? eventBytes() : totalBytes();
  return new Response(response.body.pipeThrough(limit(bytesHeld, maxBytes)), { status, statusText, headers });
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** How much whoever reads it has to hold, at most, while a chunk is taken in. */
type BytesHeld = (chunk: Uint8Array) => number;

function limit(bytesHeld: BytesHeld, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (chunk, controller) => {
      if (bytesHeld(chunk) > maxBytes)
        controller.error(new Error(`the answer is larger than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function totalBytes(): BytesHeld {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    return bytes;
  };
}

/** An event ends with an empty line; lines end with "\n", "\r" or both. */
function eventBytes(): BytesHeld {
  let bytes = 0;
  let lineBytes = 0;
  let previous = 0;
  return (chunk) => {
    let largest = bytes;
    for (const byte of chunk) {
      bytes += 1;
      const isSecondHalf = byte === LF && previous === CR;
      previous = byte;
      if (isSecondHalf) continue;
      if (byte !== LF && byte !== CR) {
        lineBytes += 1;
        continue;
      }
      if (lineBytes === 0) {
        largest = Math.max(largest, bytes);
        bytes = 0;
      }
      lineBytes = 0;
    }
    return Math.max(largest, bytes);
  };
}

const LF = 0x0a;
const CR = 0x0d;
