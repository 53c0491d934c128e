import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf, ToolError } from "@haft/core";
import type { Failure } from "../protocol.js";

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify(value ?? null));
}

export function sendFailure(response: ServerResponse, thrown: unknown): void {
  const failure = failureOf(thrown);
  sendJson(response, failure, STATUS[failure.code] ?? (ToolError.is(thrown) ? 400 : 500));
}

const STATUS: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  ALREADY_DECIDED: 409,
  PLAN_CHANGED: 409,
  STALE_FILE: 409,
  RUN_BUSY: 409,
  CALL_NOT_RUNNING: 409,
  BODY_TOO_LARGE: 413,
};

function failureOf(thrown: unknown): Failure {
  if (!ToolError.is(thrown)) return { code: "INTERNAL", message: messageOf(thrown) };
  const { code, message, hint } = thrown;
  return { code, message, ...(hint !== undefined && { hint }) };
}

/** Reads a JSON body. Rejects with BODY_TOO_LARGE beyond 16 MB and keeps nothing of it. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!(request.headers["content-type"] ?? "").startsWith("application/json"))
    throw new ToolError("INVALID_ARGUMENTS", "The request body must be application/json");
  const text = await readBody(request);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolError("INVALID_ARGUMENTS", "The request body is not JSON", { cause });
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) {
    // Discards the rest: a client that is still sending would not read the response.
    request.resume();
    throw tooLarge();
  }
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MAX_BODY) parts.push(part);
    else parts = [];
  }
  if (size > MAX_BODY) throw tooLarge();
  return Buffer.concat(parts).toString("utf8");
}

function tooLarge(): ToolError {
  return new ToolError("BODY_TOO_LARGE", "The request is larger than 16 MB", {
    hint: "Send less text. Larger files can be changed with another editor.",
  });
}

const MAX_BODY = 16 * 1024 * 1024;
