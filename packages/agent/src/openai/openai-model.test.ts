import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { type Script, startScriptedModel } from "../scripted-model/node/index.js";
import { type OpenAiModelOptions, openAiModel } from "./index.js";

const ASK: ModelRequest = { messages: [{ role: "user", text: "Hi" }], tools: [], toolChoice: "auto" };
const live = () => new AbortController().signal;

async function ask(script: Script, options: Partial<OpenAiModelOptions> = {}, request = ASK) {
  await using server = await startScriptedModel(script);
  const model = openAiModel({ baseUrl: server.url, model: "m", ...options });
  const deltas: ModelDelta[] = [];
  for await (const delta of model.stream(request, live())) deltas.push(delta);
  return { deltas, requests: server.requests, ...collected(deltas) };
}

function collected(deltas: readonly ModelDelta[]) {
  const calls: { id: string; name: string; args: string }[] = [];
  let text = "";
  for (const delta of deltas) {
    if (delta.type === "text") text += delta.delta;
    if (delta.type !== "call") continue;
    calls[delta.index] ??= { id: "", name: "", args: "" };
    const call = calls[delta.index] as (typeof calls)[number];
    call.id += delta.id ?? "";
    call.name += delta.name ?? "";
    call.args += delta.args;
  }
  const finish = deltas.find((delta) => delta.type === "finish");
  return { text, calls, finish: finish?.type === "finish" ? finish.reason : undefined };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
const raw = (...pieces: string[]) => [{ raw: pieces.join("") }];

describe("streamed answers", () => {
  it("text and several calls, cut anywhere, even inside characters of four bytes", async () => {
    const args = { path: "größe/日本語.txt", note: '"quoted" 🙂\n' };
    const { text, calls, finish, deltas } = await ask([
      {
        text: "Ich prüfe 日本語 🙂.",
        calls: [
          { name: "look", args },
          { name: "look", args: {} },
        ],
      },
    ]);
    expect(text).toBe("Ich prüfe 日本語 🙂.");
    expect(calls.map(({ name }) => name)).toEqual(["look", "look"]);
    expect(JSON.parse(calls[0]?.args ?? "")).toEqual(args);
    expect(finish).toBe("tool_calls");
    expect(deltas).toContainEqual({ type: "usage", usage: { inputTokens: 100, outputTokens: 10 } });
  });

  it("CRLF, comments, several data lines, no space after the colon, no [DONE], no last blank line", async () => {
    const stream = [
      ": ping\r\n\r\n",
      'event: chunk\r\nid: 1\r\ndata:{"choices":[{"delta":\r\ndata: {"content":"a"}}]}\r\n\r\n',
      'data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}',
    ].join("");
    expect(await ask([{ raw: stream }])).toMatchObject({ text: "ab", finish: "stop" });
  });

  it("lines that end with CR only", async () => {
    const stream = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\r\rdata: [DONE]\r\r';
    expect(await ask([{ raw: stream }])).toMatchObject({ text: "a", finish: "stop" });
  });

  it("null fields count as missing", async () => {
    const whole = { choices: [{ delta: { content: "a", tool_calls: null }, finish_reason: "stop" }] };
    const stream = `data: ${JSON.stringify({ ...whole, error: null, usage: null })}\n\n`;
    expect(await ask(raw(stream))).toMatchObject({ text: "a", finish: "stop" });
  });

  it("content in parts, with thoughts apart from the text", async () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Yes." },
      { type: "other", other: "no" },
      null,
    ];
    const { text, deltas } = await ask(raw(chunk({ content: parts }, "stop")));
    expect(text).toBe("Yes.");
    expect(deltas).toContainEqual({ type: "reasoning", delta: "Hm." });
  });

  it("fields of a wrong type count as absent", async () => {
    const calls = [null, "x", { index: 0, id: 7, function: { name: 5, arguments: "{}" } }];
    const named = [{ index: 0, id: "", function: { name: "look", arguments: "" } }];
    const odd = await ask(raw(chunk({ tool_calls: calls }), chunk({ tool_calls: named }, "constructor")));
    expect(odd.calls).toEqual([{ id: "7", name: "look", args: "{}" }]);
    expect(odd.finish).toBe("stop");
    const usage = { prompt_tokens: "many", completion_tokens: -5 };
    const { deltas } = await ask(
      raw(chunk({ content: "a" }, "stop"), `data: ${JSON.stringify({ usage })}\n\n`),
    );
    expect(deltas).toContainEqual({ type: "usage", usage: { inputTokens: 0, outputTokens: 0 } });
  });

  it("[DONE] without a reason ends the answer", async () => {
    const call = { tool_calls: [{ index: 0, id: "x", function: { name: "look", arguments: "{}" } }] };
    expect(await ask(raw(chunk({ content: "a" }), "data: [DONE]\n\n"))).toMatchObject({ finish: "stop" });
    expect(await ask(raw(chunk(call), "data: [DONE]\n\n"))).toMatchObject({ finish: "tool_calls" });
  });

  it("calls without an index, without ids, and all with the same index", async () => {
    const piece = (call: object) => chunk({ tool_calls: [call] });
    const noIndex = raw(
      piece({ id: "a", function: { name: "one", arguments: '{"x"' } }),
      piece({ function: { arguments: ":1}" } }),
      piece({ id: "b", function: { name: "two", arguments: "{}" } }),
      chunk({}, "tool_calls"),
    );
    expect((await ask(noIndex)).calls).toEqual([
      { id: "a", name: "one", args: '{"x":1}' },
      { id: "b", name: "two", args: "{}" },
    ]);
    const noId = raw(
      piece({ index: 0, function: { name: "one", arguments: "" } }),
      piece({ index: 0, function: { arguments: "{}" } }),
      piece({ index: 1, function: { name: "two", arguments: "{}" } }),
      chunk({}, "tool_calls"),
    );
    expect((await ask(noId)).calls.map(({ name, args }) => [name, args])).toEqual([
      ["one", "{}"],
      ["two", "{}"],
    ]);
    const sameIndex = raw(
      ...["a", "b", "c"].flatMap((id) => [
        piece({ index: 0, id, function: { name: id, arguments: '{"of":' } }),
        piece({ index: 0, function: { arguments: `"${id}"}` } }),
      ]),
      chunk({}, "tool_calls"),
    );
    expect((await ask(sameIndex)).calls.map(({ args }) => args)).toEqual([
      '{"of":"a"}',
      '{"of":"b"}',
      '{"of":"c"}',
    ]);
  });

  it("arguments as an object, as some servers send them", async () => {
    const call = { index: 0, id: "a", function: { name: "one", arguments: { x: 1 } } };
    expect((await ask(raw(chunk({ tool_calls: [call] }, "tool_calls")))).calls[0]?.args).toBe('{"x":1}');
  });

  it("thoughts are separate from the answer", async () => {
    const { deltas, text } = await ask([{ reasoning: "Hm.", text: "Yes." }]);
    expect(text).toBe("Yes.");
    expect(deltas.flatMap((delta) => (delta.type === "reasoning" ? [delta.delta] : [])).join("")).toBe("Hm.");
  });
});

describe("complete answers", () => {
  it("accepts them from a server that does not stream, whether or not streaming was requested", async () => {
    const turn = { text: "Yes.", calls: [{ name: "look", args: { path: "ü" } }] };
    const { text, calls, finish, requests } = await ask([turn], { stream: false });
    expect({ text, finish }).toEqual({ text: "Yes.", finish: "tool_calls" });
    expect(calls[0]).toEqual({ id: "call_1_0", name: "look", args: '{"path":"ü"}' });
    expect(requests[0]).not.toHaveProperty("stream_options");
    const body = JSON.stringify({ choices: [{ message: { content: "Whole." } }] });
    expect(await ask([{ raw: body, contentType: "application/json; charset=utf-8" }])).toMatchObject({
      text: "Whole.",
      finish: "stop",
    });
  });
});

describe("the request", () => {
  it("contains messages, key, additional fields, and images after the results", async () => {
    let headers: Record<string, unknown> = {};
    const server = createServer((request, response) => {
      headers = request.headers;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const model = openAiModel({ baseUrl: `http://127.0.0.1:${port}/v1/`, model: "m", apiKey: "k" });
    for await (const _ of model.stream(ASK, live()));
    server.close();
    expect(headers.authorization).toBe("Bearer k");

    const image = { type: "image" as const, mimeType: "image/png", data: "AAAA" };
    const request: ModelRequest = {
      ...ASK,
      messages: [
        { role: "system", text: "S" },
        { role: "assistant", text: "", calls: [{ id: "c", name: "look", args: "{}" }] },
        { role: "tool", callId: "c", tool: "look", content: [{ type: "text", text: "T" }, image] },
        { role: "user", text: "U" },
      ],
    };
    const { requests } = await ask([{ text: "ok" }], { body: { temperature: 0 } }, request);
    expect(requests[0]).toMatchObject({ model: "m", temperature: 0, stream: true });
    expect(requests[0]).not.toHaveProperty("tool_choice");
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "assistant",
      "tool",
      "user",
      "user",
    ]);
    expect(JSON.stringify(requests[0]?.messages[3])).toContain("data:image/png;base64,AAAA");
  });
});

describe("failures", () => {
  const failure = async (script: Script, options: Partial<OpenAiModelOptions> = {}) => {
    const thrown = await ask(script, options).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(ModelError.is(thrown)).toBe(true);
    return thrown as ModelError;
  };

  it("state whether and when a retry may help", async () => {
    expect(await failure([{ fail: 429, retryAfter: 2 }])).toMatchObject({
      code: "MODEL_OVERLOADED",
      retryable: true,
      retryAfterMs: 2_000,
      message: "The model server responded with 429: scripted failure 429",
    });
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs = 0 } = await failure([{ fail: 503, retryAfter: date }]);
    expect(retryAfterMs).toBeGreaterThan(30_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(await failure([{ fail: 400 }])).toMatchObject({ code: "MODEL_REFUSED", retryable: false });
  });

  it("never repeat a key, even truncated, in headers or in a stream", async () => {
    const [apiKey, other] = ["sk-very-secret-0123456789", "tenant-secret-42"];
    const says = (text: string) => {
      const body = JSON.stringify({ error: { message: text } });
      const refusing = async () => new Response(body, { status: 401 });
      return failure([], {
        apiKey,
        headers: { "x-api-key": other, authorization: `Basic ${other}` },
        fetch: refusing,
      });
    };
    expect((await says(`Bad key ${apiKey} of ${other}.`)).message).toBe(
      "The model server responded with 401: Bad key [redacted] of [redacted].",
    );
    for (let before = 480; before < 600; before += 1)
      expect((await says(`${"x".repeat(before)}${apiKey}`)).message).not.toContain("sk-");
    const stream = raw(`data: ${JSON.stringify({ error: { message: `no ${apiKey}` } })}\n\n`);
    expect((await failure(stream, { apiKey })).message).toBe("The model server reported: no [redacted]");
  });

  it("name the responder if it is not a model server", async () => {
    const page = await failure([{ raw: "<html>", contentType: "text/html; charset=utf-8" }]);
    expect(page).toMatchObject({ code: "MODEL_PROTOCOL", retryable: false });
    expect(page.message).toMatch(/127\.0\.0\.1:\d+\/v1\/chat\/completions returned text\/html/);
  });

  it("a silent server does not block", async () => {
    expect(await failure([{ hang: true }], { idleTimeoutMs: 100 })).toMatchObject({
      code: "MODEL_SILENT",
      retryable: true,
    });
  });

  it("a broken connection is reported", async () => {
    expect(await failure([{ text: "Hello, this is long enough.", cut: 3 }])).toMatchObject({
      code: "STREAM_CUT",
      retryable: true,
    });
  });

  it.each(['{"choices": [{"message": {"content": "He', '{"choices": [{'])(
    "JSON that ends early: %s",
    async (raw) => {
      expect(await failure([{ raw, contentType: "application/json" }])).toMatchObject({
        code: "MALFORMED_ANSWER",
        message: "The model's response ended in the middle of its JSON",
        retryable: true,
      });
    },
  );

  it("rejects with the caller's own reason for aborting", async () => {
    await using server = await startScriptedModel([{ hang: true }]);
    const model = openAiModel({ baseUrl: server.url, model: "m" });
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of model.stream(ASK, stop.signal));
    })();
    setTimeout(() => stop.abort(new Error("enough")), 20);
    await expect(reading).rejects.toThrow("enough");
  });
});
