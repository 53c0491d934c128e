import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createTestRuntime } from "@haft/testing";
import * as ai from "ai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countedTools } from "../../test-support/tools.js";
import { startRun } from "../loop/start-run.js";
import { aiSdkModel } from "./ai-sdk-model.js";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly events?: readonly object[];
  readonly body?: object;
}

let server: Server | undefined;
afterEach(() => {
  server?.close();
  vi.restoreAllMocks();
});

/** Starts a provider on loopback that replays a list of responses in its own format. */
async function provider(answers: readonly Answer[]) {
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects.
  const requests: any[] = [];
  server = createServer(async (request, response) => {
    requests.push(JSON.parse(await textOf(request)));
    const { status = 200, headers = {}, events, body } = answers[requests.length - 1] ?? {};
    response.writeHead(status, {
      "content-type": events ? "text/event-stream" : "application/json",
      ...headers,
    });
    const lines = (events ?? []).map(
      (event) => `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    );
    response.end(events ? lines.join("") : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const start = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 40, output_tokens: 1 },
  },
};
const stop = (reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 12 },
  },
  { type: "message_stop" },
];
const block = (index: number, content_block: object, deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const anthropicCall: Answer = {
  events: [
    start,
    ...block(0, { type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: "Look first." },
      { type: "signature_delta", signature: "c2ln" },
    ]),
    ...block(1, { type: "text", text: "" }, [{ type: "text_delta", text: "I look." }]),
    ...block(2, { type: "tool_use", id: "toolu_1", name: "look", input: {} }, [
      { type: "input_json_delta", partial_json: '{"path":' },
      { type: "input_json_delta", partial_json: '"a.txt"}' },
    ]),
    ...stop("tool_use"),
  ],
};
const anthropicText: Answer = {
  events: [
    start,
    ...block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "It says hello." }]),
    ...stop("end_turn"),
  ],
};

async function run(model: Parameters<typeof aiSdkModel>[0]["model"], options: { effort?: string } = {}) {
  const runtime = createTestRuntime({ tools: countedTools().tools, files: { "a.txt": "hello\n" } });
  const handle = startRun({
    runtime,
    model: aiSdkModel({ sdk: ai, model, ...options }),
    task: "what does a.txt say?",
    style: "compact",
    retryDelayMs: 1,
  });
  return { outcome: await handle.done, log: handle.log };
}

describe("models through the AI SDK", () => {
  it("Anthropic: thinking, text, a call and its result, usage, caching", async () => {
    const { url, requests } = await provider([anthropicCall, anthropicText]);
    const model = createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5");
    const { outcome, log } = await run(model);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "It says hello." });
    const [first] = log.filter((event) => event.type === "step.ended");
    expect(first).toMatchObject({
      text: "I look.",
      reasoning: "Look first.",
      usage: { inputTokens: 40, outputTokens: 12 },
      calls: [{ id: "toolu_1", tool: "look", args: { path: "a.txt" } }],
    });
    expect(requests[0].system[0].cache_control).toEqual({ type: "ephemeral" });
    expect(requests[1].messages.at(-1).content[0]).toMatchObject({
      tool_use_id: "toolu_1",
      content: "hello\n",
    });
  });

  it("FU2 Anthropic: retries an overload in the middle of an answer", async () => {
    const broken: Answer = {
      events: [
        start,
        ...block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "It sa" }]),
        { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      ],
    };
    const { url, requests } = await provider([broken, anthropicText]);
    const { outcome, log } = await run(createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5"));
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "It says hello." });
    expect(log.find((event) => event.type === "step.failed")).toMatchObject({
      error: { code: "MODEL_OVERLOADED", message: "The provider reported: Overloaded" },
      willRetry: true,
    });
    expect(requests).toHaveLength(2);
  });

  it("Anthropic: retries an overload, does not retry a refusal, compacts a full context", async () => {
    const busy: Answer = {
      status: 529,
      headers: { "retry-after": "0" },
      body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    };
    const { url, requests } = await provider([busy, anthropicText]);
    const { outcome } = await run(createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5"));
    expect(outcome.reason).toBe("end_turn");
    expect(requests).toHaveLength(2);
    server?.close();
    const refused = await provider([
      {
        status: 401,
        body: { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
      },
    ]);
    const failed = await run(createAnthropic({ baseURL: refused.url, apiKey: "k" })("claude-sonnet-4-5"));
    expect(failed.outcome).toMatchObject({ reason: "error", error: { code: "MODEL_REFUSED" } });
    expect(refused.requests).toHaveLength(1);
  });

  it("FU2 sends the effort to each provider under that provider's option", async () => {
    const anthropic = await provider([anthropicText]);
    await run(createAnthropic({ baseURL: anthropic.url, apiKey: "k" })("claude-opus-4-5"), { effort: "low" });
    expect(anthropic.requests[0]).toMatchObject({ output_config: { effort: "low" } });
    server?.close();
    const google = await provider([
      {
        events: [
          { candidates: [{ content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }] },
        ],
      },
    ]);
    await run(createGoogleGenerativeAI({ baseURL: google.url, apiKey: "k" })("gemini-3-pro-preview"), {
      effort: "low",
    });
    expect(google.requests[0]).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingLevel: "low" } },
    });
  });

  it("Google: a call and its result, usage", async () => {
    const candidate = (parts: readonly object[]) => ({
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 5, totalTokenCount: 35 },
    });
    const { url, requests } = await provider([
      { events: [candidate([{ functionCall: { name: "look", args: { path: "a.txt" } } }])] },
      { events: [candidate([{ text: "It says hello." }])] },
    ]);
    const model = createGoogleGenerativeAI({ baseURL: url, apiKey: "k" })("gemini-2.5-flash");
    const { outcome, log } = await run(model);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "It says hello." });
    expect(log.find((event) => event.type === "step.ended")).toMatchObject({
      usage: { inputTokens: 30, outputTokens: 5 },
      calls: [{ tool: "look", args: { path: "a.txt" } }],
    });
    expect(JSON.stringify(requests[1].contents.at(-1))).toContain("functionResponse");
  });

  it("Google: sends the signature of a call back with it, without a warning", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const candidate = (parts: readonly object[]) => ({
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    });
    const functionCall = { name: "look", args: { path: "a.txt" } };
    const { url, requests } = await provider([
      { events: [candidate([{ functionCall, thoughtSignature: "c2lnbmVk" }])] },
      { events: [candidate([{ text: "It says hello." }])] },
    ]);
    const model = createGoogleGenerativeAI({ baseURL: url, apiKey: "k" })("gemini-3-pro-preview");
    const { outcome } = await run(model);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "It says hello." });
    expect(JSON.stringify(requests[1].contents)).toContain('"thoughtSignature":"c2lnbmVk"');
    expect(warned).not.toHaveBeenCalled();
  });

  it("FU2 Anthropic: does not execute a call that the output limit cut off, and tells the model", async () => {
    const cutOff: Answer = {
      events: [
        start,
        ...block(0, { type: "tool_use", id: "toolu_1", name: "act", input: {} }, [
          { type: "input_json_delta", partial_json: '{"what":"half' },
        ]),
        ...stop("max_tokens"),
      ],
    };
    const { url, requests } = await provider([cutOff, anthropicText]);
    const { outcome, log } = await run(createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5"));
    expect(outcome).toMatchObject({ reason: "end_turn" });
    expect(log.find((event) => event.type === "call.settled")).toMatchObject({ code: "OUTPUT_CUT_OFF" });
    expect(log.find((event) => event.type === "step.ended")).toMatchObject({
      usage: { inputTokens: 40, outputTokens: 12 },
    });
    expect(JSON.stringify(requests[1].messages.at(-1))).toContain("before the arguments of this call were");
  });

  it("FU2 Google: reports a turn without calls that the output limit cut off", async () => {
    const parts = [{ text: "It begins" }];
    const { url } = await provider([
      { events: [{ candidates: [{ content: { role: "model", parts }, finishReason: "MAX_TOKENS" }] }] },
    ]);
    const model = createGoogleGenerativeAI({ baseURL: url, apiKey: "k" })("gemini-2.5-flash");
    expect((await run(model)).outcome).toMatchObject({ reason: "error", error: { code: "OUTPUT_CUT_OFF" } });
  });
});
