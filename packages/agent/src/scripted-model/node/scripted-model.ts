import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { streamEvents, wholeAnswer } from "./answer.js";
import { type ChatRequest, type Script, type ScriptedTurn, turnOf } from "./script.js";

export interface ScriptedModel extends AsyncDisposable {
  /** The base URL for clients. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** Starts a model server on loopback that responds from a script, over real HTTP. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, (body) => {
      requests.push(body);
      return turnOf(script, body, requests.length);
    }).catch((cause: unknown) => response.destroy(cause as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => closeServer(server);
  return { url: `http://127.0.0.1:${port}/v1`, requests, close, [Symbol.asyncDispose]: close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  turn: (body: ChatRequest) => ScriptedTurn,
): Promise<void> {
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
    response.writeHead(404).end();
    return;
  }
  const body = JSON.parse(await textOf(request)) as ChatRequest;
  const next = turn(body);
  if (next.delayMs !== undefined) await sleep(next.delayMs);
  if (next.hang === true) return;
  if (next.fail !== undefined) refuse(response, next);
  else if (next.raw !== undefined) await sendBytes(response, next, Buffer.from(next.raw));
  else if (body.stream === true) await sendStream(response, next, turnNumber(body));
  else response.setHeader("content-type", "application/json").end(wholeAnswer(next, turnNumber(body)));
}

/** Makes call ids differ between turns, however often a turn is requested. */
function turnNumber({ messages }: ChatRequest): number {
  return messages.filter(({ role }) => role === "assistant").length + 1;
}

function refuse(response: ServerResponse, { fail = 500, retryAfter, message }: ScriptedTurn): void {
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  response.writeHead(fail, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: message ?? `scripted failure ${fail}` } }));
}

async function sendStream(response: ServerResponse, turn: ScriptedTurn, n: number): Promise<void> {
  const events = streamEvents(turn, n).map((event) => `data: ${event}\n\n`);
  const sent = turn.cut === undefined ? events : events.slice(0, turn.cut);
  // A cut response breaks off inside an event.
  const half = turn.cut === undefined ? "" : (events[turn.cut]?.slice(0, 20) ?? "");
  if (turn.paceMs === undefined) return sendBytes(response, turn, Buffer.from(sent.join("") + half));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of sent) {
    response.write(event);
    await sleep(turn.paceMs);
  }
  response.end(half);
}

/** Sends pieces that end anywhere, even inside a character. */
async function sendBytes(response: ServerResponse, turn: ScriptedTurn, bytes: Buffer): Promise<void> {
  response.writeHead(200, { "content-type": turn.contentType ?? "text/event-stream" });
  for (let at = 0; at < bytes.length && !response.destroyed; at += CHUNK_BYTES) {
    response.write(bytes.subarray(at, at + CHUNK_BYTES));
    // Yields, so that the pieces arrive separately.
    if ((at / CHUNK_BYTES) % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
  }
  if (turn.cut === undefined) response.end();
  else setTimeout(() => response.destroy(), 5);
}

const CHUNK_BYTES = 61;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
