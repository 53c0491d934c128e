import { type Approver, ToolError, type ToolResult, type ToolRuntime } from "@haft/core";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { approvalForm } from "../approval/approval-form.js";
import { askClient } from "../approval/ask-client.js";
import { ClientApprover } from "../approval/client-approver.js";
import { readAnswer } from "../approval/read-answer.js";
import { DEFAULT_APPROVAL_TIMEOUT_MS, type McpOptions, type StructuredMode } from "../mcp-options.js";
import { APPROVAL_KEY, type CallClient } from "./call-client.js";
import { toCallToolResult } from "./call-result.js";
import { type CallRun, type OpenQuestion, PendingCall } from "./pending-call.js";
import { ProgressReporter } from "./progress-reporter.js";
import { RequestStates } from "./request-states.js";
import { wantsStructured } from "./wants-structured.js";

interface ClientCall {
  readonly runtime: ToolRuntime;
  readonly tool: string;
  readonly args: unknown;
  readonly client: CallClient;
}

type CallAnswer = CallToolResult | InputRequiredResult;

/** Executes the calls of one server, across the requests an approval may take. */
export class ToolCalls {
  readonly approver: ClientApprover;
  readonly #isDryRun: boolean;
  readonly #structured: StructuredMode;
  readonly approvalTimeoutMs: number;
  readonly #pending = new Map<string, PendingCall>();
  readonly #states = new RequestStates();
  #running = 0;
  #lastEndedAt = 0;

  constructor(options: McpOptions) {
    this.approver = new ClientApprover(options.approve);
    this.#isDryRun = options.dryRun ?? false;
    this.#structured = options.structured ?? "auto";
    this.approvalTimeoutMs = options.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS;
  }

  /** The current time while a call runs or waits for approval, otherwise when the last one ended; in `performance` time. */
  get lastUsedAt(): number {
    return this.#running > 0 ? performance.now() : this.#lastEndedAt;
  }

  handle(request: ClientCall): Promise<CallAnswer> {
    return this.#counted(() => this.#handle(request));
  }

  /** Starts a call without a waiting request. Whoever follows the task asks its questions, if the client can be asked. */
  start(request: ClientCall): PendingCall {
    const canAsk = this.approver.modeFor(request.client) !== "none";
    return new PendingCall(this.approvalTimeoutMs, ({ approver, ...run }) =>
      this.#counted(() => this.#run(request, { ...run, approver: canAsk ? approver : undefined })),
    );
  }

  /** Converts the result of a call into the response. */
  answer({ runtime, tool, client }: ClientCall, result: ToolResult): CallToolResult {
    return toCallToolResult(result, {
      isStructured: wantsStructured(this.#structured, client.name),
      hasOutputSchema: () => runtime.tools().find(({ name }) => name === tool)?.output.type === "object",
    });
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#lastEndedAt = performance.now();
    }
  }

  async #handle(request: ClientCall): Promise<CallAnswer> {
    const { client } = request;
    if (client.reply !== undefined) return this.#resume(request, client.reply);
    if (this.approver.modeFor(client) === "retry") return this.#advance(request, this.#begin(request));
    return this.answer(request, await this.#runAtOnce(request));
  }

  async #resume(request: ClientCall, reply: NonNullable<CallClient["reply"]>): Promise<CallAnswer> {
    const opened = this.#states.open(reply.state);
    if (opened === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "The requestState was not issued by this server",
      );
    }
    const call = this.#pending.get(opened.callId);
    if (call === undefined) return lateAnswer(request.tool);
    // A call may ask several times. A repeated answer must not apply to a later question.
    const question = openQuestion(call);
    if (question?.id === opened.questionId)
      question.answer(readAnswer(reply.response, question.request, request.client.name));
    return this.#advance(request, call);
  }

  #begin(request: ClientCall): PendingCall {
    return new PendingCall(this.approvalTimeoutMs, (run) => this.#run(request, run));
  }

  async #advance(request: ClientCall, call: PendingCall): Promise<CallAnswer> {
    const stop = await call.advance(request.client.signal);
    if ("result" in stop) {
      this.#pending.delete(call.id);
      return this.answer(request, stop.result);
    }
    this.#hold(call);
    return inputRequired({
      inputRequests: { [APPROVAL_KEY]: inputRequired.elicit(approvalForm(stop.question.request)) },
      requestState: this.#states.seal({ callId: call.id, questionId: stop.question.id }),
    });
  }

  /** Keeps the call long enough that a late answer still learns how it ended. */
  #hold(call: PendingCall): void {
    if (this.#pending.has(call.id)) return;
    this.#pending.set(call.id, call);
    setTimeout(() => this.#pending.delete(call.id), 2 * this.approvalTimeoutMs).unref();
  }

  /** Executes the call within one request. Skips the call id if nothing is asked or reported meanwhile. */
  #runAtOnce(request: ClientCall): Promise<ToolResult> {
    const { runtime, tool, args, client } = request;
    const { signal, trace } = client;
    const asking = this.approver.modeFor(client);
    if (asking === "none" && client.progressToken === undefined)
      return runtime.call(tool, args, { signal, dryRun: this.#isDryRun, ...(trace && { trace }) });
    const approver = asking === "push" ? this.#pushApprover(client) : undefined;
    return this.#run(request, { callId: crypto.randomUUID(), approver, signal });
  }

  #run({ runtime, tool, args, client }: ClientCall, run: CallRun): Promise<ToolResult> {
    const { callId, signal, approver } = run;
    const stopWatching = watchProgress(runtime, callId, client);
    const dryRun = this.#isDryRun;
    const { trace } = client;
    const work = () => runtime.call(tool, args, { callId, signal, dryRun, ...(trace && { trace }) });
    return this.approver.during(callId, approver, work).finally(stopWatching);
  }

  #pushApprover(client: CallClient): Approver {
    return (request, signal) => askClient(client, request, { signal, timeoutMs: this.approvalTimeoutMs });
  }
}

function openQuestion({ stop }: PendingCall): OpenQuestion | undefined {
  return stop === undefined || "result" in stop ? undefined : stop.question;
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

function lateAnswer(tool: string): CallToolResult {
  const { code, message } = new ToolError(
    "APPROVAL_TIMEOUT",
    `The answer for ${tool} arrived too late or matches no call; nothing was executed`,
  );
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${message}` }],
    _meta: { "haft/error": { code, message } },
  };
}
