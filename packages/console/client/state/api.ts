import { signal } from "@preact/signals";
import type { Failure } from "../../src/protocol.js";
import { route } from "./route.js";

/** Set when the cookie is missing, expired, or from another server on this port. */
export const isSignedOut = signal(false);

/** The server's error message. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor({ code, message, hint }: Failure) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export function get<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return request<T>(`${pathOf(name)}?${new URLSearchParams(query)}`);
}

export function post<T>(name: string, body: object): Promise<T> {
  return request<T>(pathOf(name), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

export function pathOf(name: string): string {
  return name.startsWith("/") ? name : `/api/${route.value.workspace}/${name}`;
}

async function request<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init).catch(() => {
    throw new ApiError({
      code: OFFLINE,
      message: "The server does not answer",
      hint: "Is haft console still running?",
    });
  });
  isSignedOut.value = response.status === 401;
  if (response.ok) return (await response.json()) as T;
  const text = await response.text().catch(() => "");
  throw new ApiError(
    failureIn(text) ?? { code: "REFUSED", message: text.trim() || `The server answered ${response.status}` },
  );
}

const OFFLINE = "OFFLINE";

/** Refusals before the API are plain text. */
function failureIn(text: string): Failure | undefined {
  try {
    return JSON.parse(text) as Failure;
  } catch {
    return undefined;
  }
}

/** Whether the server could not be reached: the same request may succeed once it is back. */
export function isOffline(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.code === OFFLINE;
}

export function wordsOf(thrown: unknown): string {
  if (thrown instanceof ApiError)
    return thrown.hint === undefined ? thrown.message : `${thrown.message}. ${thrown.hint}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
