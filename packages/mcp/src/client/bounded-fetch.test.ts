import { describe, expect, it } from "vitest";
import { boundedAnswer } from "./bounded-fetch.js";

const EVENTS = { "content-type": "Text/Event-Stream; charset=utf-8" };

/** Returns the chunks that pass the limit, in order. */
async function read(chunks: readonly string[], headers: Record<string, string>): Promise<string> {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  return boundedAnswer(new Response(body, { headers }), { bytes: 100, values: 5 }).text();
}

describe("boundedAnswer", () => {
  it("reads an answer up to its limit", async () => {
    expect(await read(["x".repeat(60), "x".repeat(40)], {})).toHaveLength(100);
    await expect(read(["x".repeat(60), "x".repeat(41)], {})).rejects.toThrow("larger than 100 bytes");
  });

  it.each([
    ["an answer", {}, ['{"a":[1,2', ",3,4,5]}"]],
    ["an event", EVENTS, ['data: {"a":[1,2', ",3,4,5]}\n\n"]],
  ])("FR5 reads %s up to a number of values", async (_what, headers, chunks) => {
    await expect(read(chunks, headers)).rejects.toThrow("more than 5 values");
  });

  it("FR5 counts no values inside strings, and each event separately", async () => {
    const text = '{"a":"[,{,[,{\\",,,,"}';
    expect(await read([...text], {})).toBe(text);
    const events = 'data: [1,2,3]\n\ndata: "\ndata: [1,2]\n\n'.repeat(3);
    expect(await read([events], EVENTS)).toBe(events);
  });

  it.each(["\n", "\r\n", "\r"])(
    "a stream of events continues, whatever its line endings: %j",
    async (end) => {
      const event = `event: message${end}data: ${"x".repeat(60)}${end}${end}`;
      const all = event.repeat(50);
      expect(await read([all], EVENTS)).toBe(all);
      expect(await read([...all], EVENTS)).toBe(all);
    },
  );

  it.each([
    ["one line", ["data: ", ..."x".repeat(100)]],
    ["many lines", Array.from({ length: 40 }, () => "data: x\n")],
    ["line ends that make no empty line", Array.from({ length: 60 }, () => "x\r\n")],
    ["an event in the middle of a chunk", [`data: x\n\ndata: ${"x".repeat(120)}\n\ndata: y\n\n`]],
  ])("an event that does not end is not held: %s", async (_what, chunks) => {
    await expect(read(chunks, EVENTS)).rejects.toThrow("larger than 100 bytes");
  });
});
