import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Turn = { readonly id: string; readonly name: string; readonly args: object } | { readonly text: string };

/** Replaces the providers: answers each request with the next turn, in the format of the requested path. */
export async function startScriptedProvider(turns: readonly Turn[]) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push(Buffer.concat(chunks).toString("utf8"));
    const turn = turns[requests.length - 1];
    assert.ok(turn, "the script is over");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(request.url ?? "", turn)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => server.close() };
}

function answer(path: string, turn: Turn): object {
  if (path.endsWith("/chat/completions"))
    return { id: "x", choices: [{ index: 0, message: chatMessage(turn) }] };
  if (path.endsWith("/responses")) return { id: "x", object: "response", output: [responsesItem(turn)] };
  if (path.endsWith("/v1/messages"))
    return { id: "x", type: "message", role: "assistant", content: [anthropicBlock(turn)] };
  assert.match(path, /:generateContent$/);
  return { candidates: [{ content: { role: "model", parts: [geminiPart(turn)] } }] };
}

function chatMessage(turn: Turn): object {
  if ("text" in turn) return { role: "assistant", content: turn.text };
  const call = { name: turn.name, arguments: JSON.stringify(turn.args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id: turn.id, type: "function", function: call }],
  };
}

function responsesItem(turn: Turn): object {
  if ("text" in turn)
    return {
      type: "message",
      id: "m",
      role: "assistant",
      content: [{ type: "output_text", text: turn.text }],
    };
  const { id, name, args } = turn;
  return { type: "function_call", id: `item-${id}`, call_id: id, name, arguments: JSON.stringify(args) };
}

function anthropicBlock(turn: Turn): object {
  if ("text" in turn) return { type: "text", text: turn.text };
  return { type: "tool_use", id: turn.id, name: turn.name, input: turn.args };
}

/** Like the real provider: without an id, and with a signature that must be sent back. */
function geminiPart(turn: Turn): object {
  if ("text" in turn) return { text: turn.text };
  return { functionCall: { name: turn.name, args: turn.args }, thoughtSignature: `signed-${turn.id}` };
}
