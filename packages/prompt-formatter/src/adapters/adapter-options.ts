import type { ApprovalRequest, Progress, ToolRuntime } from "@haft/core";
import { formatApproval } from "../format-approval.js";
import { describeForProvider, type ObjectSchema, parametersOf } from "../providers/provider-options.js";
import { LibraryApprovals } from "./library-approvals.js";
import type { DecidableRuntime } from "./library-call.js";

export interface AdapterOptions {
  /**
   * Who asks when a call needs approval: the runtime's approver while the tool runs (default), or the agent library.
   * The latter needs a runtime that accepts decisions (`createNodeRuntime({ decidable: true })`).
   */
  readonly askedBy?: "runtime" | "library";
  /** Receives the progress of running calls, by the library's call id. */
  onProgress?(progress: CallProgress): void;
  /**
   * Called for every approval request, by the library's call id, with the text that a terminal or an MCP client shows.
   * Libraries prompt with the tool's name and arguments alone; show this text to the approver.
   */
  onQuestion?(question: CallQuestion): void;
  /** Adds the `terminate` parameter. Default: false, because the library has its own loop. */
  readonly terminate?: boolean;
}

export interface CallProgress {
  readonly callId: string;
  readonly tool: string;
  readonly progress: Progress;
}

export interface CallQuestion {
  readonly callId: string;
  readonly tool: string;
  readonly request: ApprovalRequest;
  /** The whole request, rendered by `formatApproval`. */
  readonly text: string;
}

/** A tool's name, description and parameters in the form every library needs. */
export interface AdaptedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
}

export function adaptedTools(
  runtime: ToolRuntime,
  { terminate = false, onProgress, onQuestion }: AdapterOptions,
): readonly AdaptedTool[] {
  if (onProgress !== undefined) forwardProgress(runtime, onProgress);
  if (onQuestion !== undefined) forwardQuestions(runtime, onQuestion);
  return runtime.tools().map((tool) => ({
    name: tool.name,
    description: describeForProvider(tool),
    parameters: parametersOf(tool, { terminate }),
  }));
}

/** Returns undefined if the runtime's own approver asks. */
export function approvalsOf(
  runtime: ToolRuntime,
  library: string,
  { askedBy = "runtime" }: AdapterOptions,
): LibraryApprovals | undefined {
  if (askedBy === "runtime") return undefined;
  if (!isDecidable(runtime)) {
    throw new TypeError(
      "askedBy: library needs a runtime with pending() and decide(), such as @haft/runtime-node's",
    );
  }
  return new LibraryApprovals(runtime, library);
}

function isDecidable(runtime: ToolRuntime): runtime is DecidableRuntime {
  return "pending" in runtime && "decide" in runtime;
}

/** Stops when the runtime is disposed. */
function forwardProgress(runtime: ToolRuntime, onProgress: (progress: CallProgress) => void): void {
  runtime.watch((event) => {
    if (event.type === "progress")
      onProgress({ callId: event.callId, tool: event.tool, progress: event.progress });
  });
}

function forwardQuestions(runtime: ToolRuntime, onQuestion: (question: CallQuestion) => void): void {
  runtime.watch((event) => {
    if (event.type !== "approval-requested") return;
    const { callId, tool, request } = event;
    onQuestion({ callId, tool, request, text: formatApproval(request) });
  });
}
