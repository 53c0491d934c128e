import type { Opinion } from "../approval/approval.js";
import { ToolError } from "../error/tool-error.js";
import { canBeRehearsed, changesFiles, declaredPermissions } from "../permission/tool-permission.js";
import { type ChangeSummary, describeChange } from "../workspace/describe-change.js";
import { CallDeadline } from "./call-deadline.js";
import { factsOf } from "./call-facts.js";
import { denialOf, opinionOn } from "./judge-call.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { parseArguments } from "./parse-arguments.js";
import { rehearse } from "./perform-call.js";

/** What would become of a call, step by step. */
export interface Explanation {
  readonly effect: "allow" | "ask" | "deny";
  readonly steps: readonly ExplainedStep[];
  readonly changes: readonly ChangeSummary[];
}

export interface ExplainedStep {
  readonly check: "tool and role" | "arguments" | "rehearsal" | "policy" | "approver";
  readonly passed: boolean;
  readonly because: string;
  /** Of the error that a real call would meet here. */
  readonly code?: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Walks the same checks as a real call and stops at the first that refuses. Never rejects. */
export async function explainCall(kernel: Kernel, tool: string, args: unknown): Promise<Explanation> {
  return kernel.redact(await walkChecks(kernel, tool, args));
}

async function walkChecks(kernel: Kernel, tool: string, args: unknown): Promise<Explanation> {
  const steps: ExplainedStep[] = [];
  const changes: ChangeSummary[] = [];
  const passed = (check: ExplainedStep["check"], because: string) =>
    steps.push({ check, passed: true, because });
  let current: ExplainedStep["check"] = "tool and role";
  try {
    const registered = kernel.registry.resolve(tool);
    passed(
      current,
      `${kernel.role.name} holds ${registered.definition.permissions.join(", ") || "all it needs"}`,
    );
    current = "arguments";
    const call = callFor(kernel, tool, { registered, ...(await parseArguments(registered, args)) });
    passed(current, "they match the schema");
    current = "policy";
    // A rehearsal already reads: what is denied is told before anything is opened.
    const denial = await denialOf(kernel, call);
    if (denial !== undefined) return conclude(kernel, denial, { steps, changes });
    current = "rehearsal";
    const recorded = await rehearseIfPossible(kernel, call);
    changes.push(...recorded.map(describeChange));
    passed(current, describeRehearsal(call, changes));
    current = "policy";
    const opinion = opinionOn(kernel, call, await factsOf(kernel, call, recorded));
    return conclude(kernel, opinion, { steps, changes });
  } catch (thrown) {
    return { effect: "deny", steps: [...steps, refusedAt(current, thrown)], changes };
  }
}

function refusedAt(check: ExplainedStep["check"], thrown: unknown): ExplainedStep {
  if (!ToolError.is(thrown)) return { check, passed: false, because: String(thrown) };
  const { code, message, hint } = thrown;
  return { check, passed: false, because: `${code}: ${message}`, code, ...(hint !== undefined && { hint }) };
}

function describeRehearsal(call: CallInHand, changes: readonly ChangeSummary[]): string {
  const declared = declaredPermissions(call.registered.definition);
  if (!canBeRehearsed(declared)) return "none is possible: what it would do shows only when it runs";
  if (changes.length === 0) return "no file would change";
  return changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
}

async function rehearseIfPossible(kernel: Kernel, call: CallInHand) {
  const declared = declaredPermissions(call.registered.definition);
  try {
    if (!changesFiles(declared) || !canBeRehearsed(declared)) return [];
    return (await rehearse(kernel, call)).changes;
  } finally {
    call.deadline.dispose();
  }
}

function callFor(kernel: Kernel, tool: string, found: Pick<CallInHand, "registered" | "args">): CallInHand {
  const deadline = new CallDeadline(kernel.limits.callMs, [kernel.lifeSpan]);
  return {
    callId: kernel.newId(),
    tool,
    ...found,
    deadline,
    isDryRun: true,
    warnings: [],
    keptWarnings: 0,
    images: [],
    located: new Set(),
  };
}

function conclude(
  kernel: Kernel,
  opinion: Opinion,
  found: Pick<Explanation, "steps" | "changes">,
): Explanation {
  const policy: ExplainedStep = {
    check: "policy",
    passed: opinion.effect !== "deny",
    because: `${opinion.effect}: ${opinion.because}`,
  };
  const steps = [...found.steps, policy];
  if (opinion.effect !== "ask") return { ...found, effect: opinion.effect, steps };
  const because =
    kernel.gate === undefined ? "there is nobody to ask, so it would be refused" : "a person would be asked";
  return {
    ...found,
    effect: "ask",
    steps: [...steps, { check: "approver", passed: kernel.gate !== undefined, because }],
  };
}
