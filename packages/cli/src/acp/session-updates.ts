import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { CallSettled, DurableEvent, ProposedCall, RunEvent, RunLimits } from "@haft/agent";
import type { ToolDescription } from "@haft/core";
import {
  callTitle,
  changedLocations,
  namedLocations,
  settledContent,
  textContent,
  toolKind,
  type ViewedWorkspace,
} from "./tool-call-view.js";

interface UpdateParts {
  readonly workspace: ViewedWorkspace;
  readonly limits: Partial<RunLimits>;
  tools(): readonly ToolDescription[];
}

/** Turns the events of a run into the updates an editor shows. */
export class SessionUpdates {
  readonly #parts: UpdateParts;
  readonly #output = new OutputTail();

  constructor(parts: UpdateParts) {
    this.#parts = parts;
  }

  /** Returns the updates for a live event. Skips user messages, which the editor already shows. */
  live(event: RunEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "text.delta":
        return [chunk("agent_message_chunk", event.delta, `${event.runId}:${event.step}`)];
      case "reasoning.delta":
        return [chunk("agent_thought_chunk", event.delta, `${event.runId}:${event.step}:thought`)];
      case "retry.waiting":
        return [chunk("agent_thought_chunk", retryNote(event))];
      case "call.progress": {
        const text = this.#output.add(event.callId, event.progress.message);
        if (text === undefined) return [];
        return [
          { sessionUpdate: "tool_call_update", toolCallId: event.callId, content: [textContent(text)] },
        ];
      }
      case "call.started":
        return [{ sessionUpdate: "tool_call_update", toolCallId: event.callId, status: "in_progress" }];
      case "step.ended":
        return [...event.calls.map((call) => this.#opened(call)), ...this.#usage(event)];
      case "call.settled":
        return [this.#settled(event)];
      default:
        return [];
    }
  }

  /** Returns the updates for an event of a loaded session. */
  replayed(event: DurableEvent): readonly SessionUpdate[] {
    if (event.type === "message.user") return userMessage(event);
    if (event.type !== "step.ended") return event.type === "call.settled" ? [this.#settled(event)] : [];
    const id = `${event.runId}:${event.step}`;
    return [
      ...(event.reasoning ? [chunk("agent_thought_chunk", event.reasoning, `${id}:thought`)] : []),
      ...(event.text === "" ? [] : [chunk("agent_message_chunk", event.text, id)]),
      ...this.live(event),
    ];
  }

  #opened(call: ProposedCall): SessionUpdate {
    return {
      sessionUpdate: "tool_call",
      toolCallId: call.callId,
      title: callTitle(call),
      kind: toolKind(this.#parts.tools().find(({ name }) => name === call.tool)),
      status: "pending",
      locations: namedLocations(call, this.#parts.workspace),
      ...(call.args !== undefined && { rawInput: call.args }),
    };
  }

  #settled(settled: CallSettled): SessionUpdate {
    this.#output.end(settled.callId);
    const { workspace } = this.#parts;
    const { callId, outcome, exitCode, code, effects } = settled;
    const isGood = outcome === "ok" && (exitCode ?? 0) === 0;
    const rawOutput = { outcome, ...(code && { code }), ...(exitCode !== undefined && { exitCode }) };
    return {
      sessionUpdate: "tool_call_update",
      toolCallId: callId,
      status: isGood ? "completed" : "failed",
      content: settledContent(settled, workspace),
      ...(effects.length > 0 && { locations: changedLocations(effects, workspace) }),
      rawOutput,
    };
  }

  /** Reports context usage if the size of the context is known. */
  #usage({ usage }: Extract<RunEvent, { readonly type: "step.ended" }>): readonly SessionUpdate[] {
    const { contextTokens: size } = this.#parts.limits;
    if (usage === undefined || size === undefined) return [];
    return [{ sessionUpdate: "usage_update", used: usage.inputTokens + usage.outputTokens, size }];
  }
}

/** Keeps the end of each call's output and limits how often it is sent. */
class OutputTail {
  readonly #tails = new Map<string, { text: string; sentAtMs: number }>();

  /** Returns the text to show now, or undefined if the last update is too recent. */
  add(callId: string, text: string): string | undefined {
    const tail = this.#tails.get(callId) ?? { text: "", sentAtMs: Number.NEGATIVE_INFINITY };
    tail.text = `${tail.text}${text.slice(-MAX_TAIL_CHARS)}`.slice(-MAX_TAIL_CHARS);
    this.#tails.set(callId, tail);
    if (performance.now() - tail.sentAtMs < PACE_MS) return undefined;
    tail.sentAtMs = performance.now();
    return tail.text;
  }

  end(callId: string): void {
    this.#tails.delete(callId);
  }
}

const MAX_TAIL_CHARS = 4_000;
const PACE_MS = 100;

function chunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  messageId?: string,
): SessionUpdate {
  const content = { type: "text" as const, text };
  return { sessionUpdate, content, ...(messageId !== undefined && { messageId }) };
}

function userMessage({
  text,
  images = [],
  id,
}: Extract<DurableEvent, { readonly type: "message.user" }>): SessionUpdate[] {
  const shown = images.map(({ data, mimeType }): SessionUpdate => {
    const content = { type: "image" as const, data, mimeType };
    return { sessionUpdate: "user_message_chunk", content, messageId: id };
  });
  return [chunk("user_message_chunk", text, id), ...shown];
}

function retryNote({ attempt, ms }: Extract<RunEvent, { readonly type: "retry.waiting" }>): string {
  return `The model did not answer. Attempt ${attempt} in ${Math.ceil(ms / 1000)} s.\n`;
}
