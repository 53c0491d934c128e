/** fetch for a server that is not trusted: follows nobody elsewhere with our headers, and reads no endless answers. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "error" });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (response.body === null || isStream) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit(MAX_ANSWER_BYTES)), { status, statusText, headers });
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

function limit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new Error(`the answer is larger than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
