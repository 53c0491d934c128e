import type { ApprovalRequest, PolicyFailure } from "../approval/approval.js";
import type { ApprovalAnswer } from "../approval/approval-answer.js";
import type { ToolResult } from "../result/tool-result.js";
import type { Progress } from "../tool/tool-context.js";
import type { ChangeSummary } from "../workspace/describe-change.js";

/**
 * Reports what happens to a call, as it happens. `seq` has no gaps and never goes back within a runtime.
 * A call's events come in the order of this union, with two exceptions: `progress` may come earlier, from a
 * rehearsal, and `policy-failed` comes whenever a policy fails. `started` comes once, before the first effect;
 * `finished` is always the last.
 */
export type ToolEvent = EventFrame &
  (
    | { readonly type: "requested"; readonly args: unknown; readonly terminate: boolean }
    | ({ readonly type: "policy-failed" } & PolicyFailure)
    | { readonly type: "approval-requested"; readonly request: ApprovalRequest }
    | { readonly type: "approval-answered"; readonly approvalId: string; readonly answer: ApprovalAnswer }
    | { readonly type: "started"; readonly args: unknown }
    | { readonly type: "progress"; readonly progress: Progress }
    | { readonly type: "file-changed"; readonly change: ChangeSummary }
    | { readonly type: "finished"; readonly result: ToolResult }
  );

interface EventFrame {
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly callId: string;
  readonly tool: string;
}

export type EventBody = ToolEvent extends infer E
  ? E extends ToolEvent
    ? Omit<E, keyof EventFrame>
    : never
  : never;

export type EventListener = (event: ToolEvent) => void;
