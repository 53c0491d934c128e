import { messageOf, ToolError, type ToolResult, type ToolRuntime } from "@haft/core";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/server";
import { approvalForm } from "../approval/approval-form.js";
import { type Asker, ElicitationGate } from "../approval/elicitation-gate.js";
import { readAnswer } from "../approval/read-answer.js";
import { DEFAULT_APPROVAL_TIMEOUT_MS, type McpOptions } from "../mcp-options.js";
import { APPROVAL_KEY, type CallClient } from "./call-client.js";
import { toCallToolResult } from "./call-result.js";
import { type CallRun, PendingCall } from "./pending-call.js";
import { ProgressReporter } from "./progress-reporter.js";
import { RequestStates } from "./request-states.js";

export interface CallRequest {
  readonly runtime: ToolRuntime;
  readonly tool: string;
  readonly args: unknown;
  readonly client: CallClient;
}

type CallAnswer = CallToolResult | InputRequiredResult;

/** The calls of one server, over the several requests that an approval may take. */
export class ToolCalls {
  readonly gate: ElicitationGate;
  readonly #isDryRun: boolean;
  readonly #timeoutMs: number;
  readonly #pending = new Map<string, PendingCall>();
  readonly #states = new RequestStates();
  #underWay = 0;
  #lastEndedAt = 0;

  constructor(options: McpOptions) {
    this.gate = new ElicitationGate(options.approve);
    this.#isDryRun = options.dryRun ?? false;
    this.#timeoutMs = options.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS;
  }

  /** Now, while a call runs or waits in its request for a person; on the clock of `performance`. */
  get lastUsedAt(): number {
    return this.#underWay > 0 ? performance.now() : this.#lastEndedAt;
  }

  async handle(request: CallRequest): Promise<CallAnswer> {
    this.#underWay += 1;
    try {
      return await this.#handle(request);
    } finally {
      this.#underWay -= 1;
      this.#lastEndedAt = performance.now();
    }
  }

  async #handle(request: CallRequest): Promise<CallAnswer> {
    const { client } = request;
    if (client.reply !== undefined) return this.#resume(request, client.reply);
    if (client.asking === "retry") return this.#advance(request, this.#begin(request));
    return this.#answer(request, await this.#runAtOnce(request));
  }

  async #resume(request: CallRequest, reply: NonNullable<CallClient["reply"]>): Promise<CallAnswer> {
    const callId = this.#states.open(reply.state);
    if (callId === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState is not one of this server");
    }
    const call = this.#pending.get(callId);
    if (call === undefined) return lateAnswer(request.tool);
    call.answer(reply.response);
    return this.#advance(request, call);
  }

  #begin(request: CallRequest): PendingCall {
    return new PendingCall(this.#timeoutMs, (run) => this.#run(request, run));
  }

  async #advance(request: CallRequest, call: PendingCall): Promise<CallAnswer> {
    const stop = await call.advance(request.client.signal);
    if ("result" in stop) {
      this.#pending.delete(call.id);
      return this.#answer(request, stop.result);
    }
    this.#hold(call);
    return inputRequired({
      inputRequests: { [APPROVAL_KEY]: inputRequired.elicit(approvalForm(stop.question)) },
      requestState: this.#states.seal(call.id),
    });
  }

  /** Long enough that an answer which comes too late still hears how the call ended. */
  #hold(call: PendingCall): void {
    if (this.#pending.has(call.id)) return;
    this.#pending.set(call.id, call);
    setTimeout(() => this.#pending.delete(call.id), 2 * this.#timeoutMs).unref();
  }

  /** Within one request. Only who is asked or told something on the way needs to know the call's id. */
  #runAtOnce(request: CallRequest): Promise<ToolResult> {
    const { runtime, tool, args, client } = request;
    const { signal } = client;
    if (client.asking === "none" && client.progressToken === undefined)
      return runtime.call(tool, args, { signal, dryRun: this.#isDryRun });
    const asker = client.asking === "push" ? this.#pushAsker(client) : undefined;
    return this.#run(request, { callId: crypto.randomUUID(), asker, signal });
  }

  #run({ runtime, tool, args, client }: CallRequest, run: CallRun): Promise<ToolResult> {
    const { callId, signal, asker } = run;
    const stopWatching = watchProgress(runtime, callId, client);
    const dryRun = this.#isDryRun;
    const work = () => runtime.call(tool, args, { callId, signal, dryRun });
    return this.gate.during(callId, asker, work).finally(stopWatching);
  }

  #pushAsker(client: CallClient): Asker {
    return async (request, signal) => {
      try {
        const wait = { signal, timeoutMs: this.#timeoutMs };
        return readAnswer(await client.elicit(approvalForm(request), wait), request);
      } catch (cause) {
        if (isTimeout(cause)) return { approved: false, failure: "timeout" };
        const problem = messageOf(cause);
        return { approved: false, feedback: `the client could not ask (${problem})` };
      }
    };
  }

  #answer({ runtime, tool }: CallRequest, result: ToolResult): CallToolResult {
    return toCallToolResult(result, {
      hasOutputSchema: () => runtime.registry.get(tool)?.output.type === "object",
    });
  }
}

function watchProgress(
  runtime: ToolRuntime,
  callId: string,
  { progressToken, notify }: CallClient,
): () => void {
  if (progressToken === undefined) return () => {};
  const reporter = new ProgressReporter(progressToken, notify);
  return runtime.watch((event) => {
    if (event.type === "progress" && event.callId === callId) reporter.report(event.progress);
  });
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
}

function lateAnswer(tool: string): CallToolResult {
  const { code, message } = new ToolError(
    "APPROVAL_TIMEOUT",
    `The answer about ${tool} came too late or belongs to no call; nothing was done`,
  );
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${message}` }],
    _meta: { "haft/error": { code, message } },
  };
}
