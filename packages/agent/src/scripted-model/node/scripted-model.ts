import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { streamEvents, wholeAnswer } from "./answer.js";
import { type ChatRequest, type Script, type ScriptedTurn, turnOf } from "./script.js";

export interface ScriptedModel extends AsyncDisposable {
  /** What a client takes as its base URL. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** A model server on loopback that answers from a script; real HTTP, no model. */
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

/** So that call ids differ from turn to turn, however often a turn is asked for. */
function turnNumber({ messages }: ChatRequest): number {
  return messages.filter(({ role }) => role === "assistant").length + 1;
}

function refuse(response: ServerResponse, { fail = 500, retryAfter }: ScriptedTurn): void {
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  response.writeHead(fail, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: `scripted failure ${fail}` } }));
}

async function sendStream(response: ServerResponse, turn: ScriptedTurn, n: number): Promise<void> {
  const events = streamEvents(turn, n).map((event) => `data: ${event}\n\n`);
  const sent = turn.cut === undefined ? events : events.slice(0, turn.cut);
  // The connection of a cut answer breaks in the middle of an event.
  const half = turn.cut === undefined ? "" : (events[turn.cut]?.slice(0, 20) ?? "");
  await sendBytes(response, turn, Buffer.from(sent.join("") + half));
}

/** In pieces that end anywhere, also inside a character. */
async function sendBytes(response: ServerResponse, turn: ScriptedTurn, bytes: Buffer): Promise<void> {
  response.writeHead(200, { "content-type": turn.contentType ?? "text/event-stream" });
  for (let at = 0; at < bytes.length && !response.destroyed; at += CHUNK_BYTES) {
    response.write(bytes.subarray(at, at + CHUNK_BYTES));
    // Written in one go the pieces would arrive as one.
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
