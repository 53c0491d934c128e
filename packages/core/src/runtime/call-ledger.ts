import { canonicalJson } from "../approval/canonical-json.js";
import { ToolError } from "../error/tool-error.js";
import type { ToolResult } from "../result/tool-result.js";

/**
 * A call id runs at most once: asked again with the same call, the same result comes back; with
 * another call it is refused. Holds the most recent calls that named their own id.
 */
export class CallLedger {
  readonly #calls = new Map<string, { readonly key: string; readonly result: Promise<ToolResult> }>();

  readonly #digest: (bytes: Uint8Array) => string;

  constructor(digest: (bytes: Uint8Array) => string) {
    this.#digest = digest;
  }

  once(callId: string, call: unknown, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const key = this.#digest(new TextEncoder().encode(safeKey(call)));
    const known = this.#calls.get(callId);
    if (known === undefined) return this.#remember(callId, key, run());
    if (known.key === key) return known.result;
    throw new ToolError(
      "CALL_ID_CONFLICT",
      `The call id ${JSON.stringify(callId.slice(0, 80))} was used for another call`,
      { hint: "Give every call an id of its own." },
    );
  }

  #remember(callId: string, key: string, result: Promise<ToolResult>): Promise<ToolResult> {
    this.#calls.set(callId, { key, result });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > MAX_REMEMBERED && !oldest.done) this.#calls.delete(oldest.value);
    return result;
  }
}

const MAX_REMEMBERED = 256;

/** Arguments that are no JSON get a key too: refusing them is the parser's business. */
function safeKey(call: unknown): string {
  try {
    return canonicalJson(call);
  } catch {
    return "not json";
  }
}
