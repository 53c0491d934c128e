import { canonicalJson } from "../approval/canonical-json.js";
import { ToolError } from "../error/tool-error.js";
import type { ToolResult } from "../result/tool-result.js";

/**
 * Runs each call id at most once. Repeating the same call returns the same result; a different call with that id is
 * refused. Keeps the most recent calls that specified their own id.
 */
export class CallLedger {
  readonly #calls = new Map<string, { readonly key: Key; readonly result: Promise<ToolResult> }>();

  readonly #digest: (bytes: Uint8Array) => Key;

  constructor(digest: (bytes: Uint8Array) => Key) {
    this.#digest = digest;
  }

  async once(callId: string, call: unknown, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const key = this.#digest(new TextEncoder().encode(safeKey(call)));
    const known = this.#calls.get(callId);
    if (known === undefined) return this.#remember(callId, key, after(key, run));
    const [before, now] = await Promise.all([known.key, key]);
    if (before === now) return known.result;
    throw new ToolError(
      "CALL_ID_CONFLICT",
      `The call id ${JSON.stringify(callId.slice(0, 80))} was used for another call`,
      { hint: "Use a unique id for every call." },
    );
  }

  forget(callId: string): void {
    this.#calls.delete(callId);
  }

  #remember(callId: string, key: Key, result: Promise<ToolResult>): Promise<ToolResult> {
    this.#calls.set(callId, { key, result });
    // Only hashing can fail here. The id can then be used again.
    result.catch(() => this.#calls.delete(callId));
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > MAX_REMEMBERED && !oldest.done) this.#calls.delete(oldest.value);
    return result;
  }
}

/** A promise if the store hashes asynchronously. */
type Key = string | Promise<string>;

const MAX_REMEMBERED = 256;

function after(key: Key, run: () => Promise<ToolResult>): Promise<ToolResult> {
  return typeof key === "string" ? run() : key.then(run);
}

/** Arguments that are not JSON get a key too: the parser rejects them. */
function safeKey(call: unknown): string {
  try {
    return canonicalJson(call);
  } catch {
    return "not json";
  }
}
