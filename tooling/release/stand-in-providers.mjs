// Answers as OpenAI, Anthropic and Gemini do, for programs that were told the real addresses. The model reads a.txt,
// then says "Done.".
import { createServer } from "node:http";

const READ = { path: "a.txt" };

/** `preload` is a module for NODE_OPTIONS that sends the providers' requests here; `requests` are those that came. */
export async function startProviders() {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url, headers: request.headers, body: JSON.parse(body) });
    const isSecond = body.includes("hello from a.txt");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsFor(request.url, isSecond)) {
      if (event.type !== undefined) response.write(`event: ${event.type}\n`);
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(request.url.includes("/chat/completions") ? "data: [DONE]\n\n" : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { requests, preload: preloadFor(url), close: () => server.close() };
}

const HOSTS = ["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com"];

function preloadFor(url) {
  const source = `const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      const to = new URL(input.url ?? input);
      if (!${JSON.stringify(HOSTS)}.includes(to.hostname)) return real(input, init);
      return real(${JSON.stringify(url)} + to.pathname + to.search, init);
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function eventsFor(url, isSecond) {
  if (url.includes("/chat/completions")) return openAi(isSecond);
  if (url.includes("/messages")) return anthropic(isSecond);
  if (url.includes(":streamGenerateContent")) return gemini(isSecond);
  throw new Error(`no provider has ${url}`);
}

function openAi(isSecond) {
  const call = { index: 0, id: "call_1", function: { name: "read_file", arguments: JSON.stringify(READ) } };
  const delta = isSecond ? { content: "Done." } : { tool_calls: [call] };
  const finish = isSecond ? "stop" : "tool_calls";
  const chunk = (choice) => ({ object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] });
  return [chunk({ delta, finish_reason: null }), chunk({ delta: {}, finish_reason: finish })];
}

function anthropic(isSecond) {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "stand-in", content: [] };
  const usage = { input_tokens: 10, output_tokens: 10 };
  const block = isSecond
    ? { type: "text", text: "" }
    : { type: "tool_use", id: "toolu_1", name: "read_file", input: {} };
  const delta = isSecond
    ? { type: "text_delta", text: "Done." }
    : { type: "input_json_delta", partial_json: JSON.stringify(READ) };
  return [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isSecond ? "end_turn" : "tool_use", stop_sequence: null },
      usage,
    },
    { type: "message_stop" },
  ];
}

function gemini(isSecond) {
  const part = isSecond ? { text: "Done." } : { functionCall: { name: "read_file", args: READ } };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
  return [
    {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata,
    },
  ];
}
