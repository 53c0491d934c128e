/**
 * Yields the data of each server-sent event. Lines end with LF, CRLF or CR, even across chunks. Several data lines form
 * one text. An event cut off by the end of the stream is yielded as is.
 */
export async function* sseData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const event = new EventData();
  for await (const line of lines(chunks)) {
    const data = event.take(line);
    if (data !== undefined) yield data;
  }
  const rest = event.take("");
  if (rest !== undefined) yield rest;
}

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // The pieces of the current line, joined once at its end to stay linear.
  let pieces: string[] = [];
  let isAfterCr = false;
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true });
    if (decoded === "") continue;
    // The LF of a CRLF split across chunks.
    const text = isAfterCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    isAfterCr = decoded.endsWith("\r");
    const parts = text.split(/\r\n|\n|\r/);
    const last = parts.pop() ?? "";
    for (const part of parts) {
      yield pieces.join("") + part;
      pieces = [];
    }
    pieces.push(last);
  }
  const rest = pieces.join("") + decoder.decode();
  if (rest !== "") yield rest;
}

class EventData {
  #data: string[] = [];

  /** Returns the data of an event when the line ends it. */
  take(line: string): string | undefined {
    if (line !== "") {
      const value = dataOf(line);
      if (value !== undefined) this.#data.push(value);
      return undefined;
    }
    if (this.#data.length === 0) return undefined;
    const data = this.#data.join("\n");
    this.#data = [];
    return data;
  }
}

/** Ignores comments, ids and event names. */
function dataOf(line: string): string | undefined {
  if (line === "data") return "";
  if (!line.startsWith("data:")) return undefined;
  return line.slice(line[5] === " " ? 6 : 5);
}
