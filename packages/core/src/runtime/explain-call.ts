import type { Opinion, PolicyRequest } from "../approval/approval.js";
import { approvalRequest } from "../approval/approval-request.js";
import { ToolError } from "../error/tool-error.js";
import {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  onlyReads,
} from "../permission/tool-permission.js";
import { type ChangeSummary, describeChange } from "../workspace/describe-change.js";
import { withDifference } from "./approve-call.js";
import { CallDeadline } from "./call-deadline.js";
import { type Outcome, rehearse } from "./call-effects.js";
import { factsOf } from "./call-facts.js";
import { callInProgress } from "./call-in-progress.js";
import type { ExplainedOpinion, ExplainedStep, Explanation } from "./explanation.js";
import { opinionOn } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { operandsOf } from "./operands.js";
import { parseArguments } from "./parse-arguments.js";
import { runTool } from "./run-tool.js";

/** Runs a call through the checks of a real one, up to its effect, and stops at the first refusal. Never rejects. */
export async function explainCall(kernel: Kernel, tool: string, args: unknown): Promise<Explanation> {
  const walk: Walk = { check: "tool and role", steps: [], chain: new Map(), changes: [] };
  return kernel.redact(await walkChecks(kernel, { tool, args }, walk));
}

interface Walk {
  check: ExplainedStep["check"];
  readonly steps: ExplainedStep[];
  readonly chain: Map<string, ExplainedOpinion>;
  readonly changes: ChangeSummary[];
}

async function walkChecks(
  kernel: Kernel,
  { tool, args }: { readonly tool: string; readonly args: unknown },
  walk: Walk,
): Promise<Explanation> {
  const passed = (because: string) => walk.steps.push({ check: walk.check, passed: true, because });
  try {
    const registered = kernel.registry.resolve(tool);
    passed(`${kernel.role.name} holds ${registered.definition.permissions.join(", ") || "all it needs"}`);
    walk.check = "arguments";
    const call = callFor(kernel, tool, { registered, ...(await parseArguments(registered, args)) });
    try {
      passed("they match the schema");
      return await judged(kernel, call, walk);
    } finally {
      call.deadline.dispose();
    }
  } catch (thrown) {
    const refused = refusedAt(walk.check, thrown);
    return concluded(walk, { effect: "deny", by: refused.code ?? walk.check, step: refused });
  }
}

async function judged(kernel: Kernel, call: CallInProgress, walk: Walk): Promise<Explanation> {
  walk.check = "policy";
  const noteOpinion: PolicyRequest["noteOpinion"] = (policy, opinion) => {
    if (opinion === undefined) return;
    const { effect, because } = opinion;
    walk.chain.set(policy, { policy, effect, because });
  };
  // A rehearsal reads files, so denials come first.
  const first = await opinionOn(kernel, call, { ...(await factsOf(kernel, call)), noteOpinion });
  if (first.effect === "deny") return decidedByPolicy(walk, first);
  walk.check = "rehearsal";
  const { changes, opened } = await rehearseIfPossible(kernel, call, first);
  walk.changes.push(...changes.map(describeChange));
  walk.steps.push({ check: "rehearsal", passed: true, because: describeRehearsal(call, walk.changes) });
  walk.check = "policy";
  walk.chain.clear();
  const operands = await operandsOf(kernel, call);
  const request = { ...(await factsOf(kernel, call, { changes, opened })), operands, noteOpinion };
  const opinion = await opinionOn(kernel, call, request);
  if (opinion.effect !== "ask") return decidedByPolicy(walk, opinion);
  return askedAbout(kernel, { request, opinion }, walk);
}

function refusedAt(check: ExplainedStep["check"], thrown: unknown): ExplainedStep {
  if (!ToolError.is(thrown)) return { check, passed: false, because: String(thrown) };
  const { code, message, hint } = thrown;
  return { check, passed: false, because: `${code}: ${message}`, code, ...(hint !== undefined && { hint }) };
}

function describeRehearsal(call: CallInProgress, changes: readonly ChangeSummary[]): string {
  const declared = declaredPermissions(call.registered.definition);
  if (!canBeRehearsed(declared) && changesFiles(declared))
    return "none is possible: its changes are known only when it runs, and are checked then";
  if (!canBeRehearsed(declared)) return "none is possible: its effect is known only when it runs";
  if (changes.length === 0) return "no file would change";
  return changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
}

/** Runs a read-only tool unless it needs approval first: it has no effect, and it fails as the real call would. */
async function rehearseIfPossible(
  kernel: Kernel,
  call: CallInProgress,
  { effect }: Opinion,
): Promise<Pick<Outcome, "changes" | "opened">> {
  const declared = declaredPermissions(call.registered.definition);
  if (changesFiles(declared) && canBeRehearsed(declared)) return rehearse(kernel, call);
  if (!onlyReads(declared) || effect === "ask") return { changes: [], opened: [] };
  const unasked = new Set<string>();
  try {
    await runTool(kernel, call, { workspace: kernel.workspace, guard: { unasked } });
  } catch (thrown) {
    // The approval request for a file precedes any error about it.
    if (unasked.size === 0) throw thrown;
  }
  return { changes: [], opened: [...unasked] };
}

function callFor(
  kernel: Kernel,
  tool: string,
  found: Pick<CallInProgress, "registered" | "args" | "parsed">,
): CallInProgress {
  const deadline = new CallDeadline(kernel.limits.callMs, [kernel.lifeSpan]);
  const call = callInProgress({ callId: kernel.newId(), tool, dryRun: true }, { ...found, deadline });
  return { ...call, isExplained: true };
}

function decidedByPolicy(walk: Walk, opinion: Opinion): Explanation {
  const { effect, verdict = effect, because, by = "policy" } = opinion;
  return concluded(walk, { effect: verdict, by, step: policyStep(verdict, because) });
}

function policyStep(effect: Explanation["effect"], because: string): ExplainedStep {
  return { check: "policy", passed: effect !== "deny", because: `${effect}: ${because}` };
}

async function askedAbout(
  kernel: Kernel,
  { request, opinion }: { readonly request: PolicyRequest; readonly opinion: Opinion },
  walk: Walk,
): Promise<Explanation> {
  const question = await approvalRequest(request, opinion, {
    digest: (bytes) => kernel.workspace.digest(bytes),
    newId: kernel.newId,
    redact: kernel.redact,
  });
  const grant = await kernel.grants?.covering(question);
  const { reason } = grant === undefined ? await withDifference(kernel, question) : question;
  walk.steps.push(policyStep("ask", reason));
  if (grant !== undefined) {
    const step: ExplainedStep = {
      check: "approver",
      passed: true,
      because: `a remembered answer covers it: ${grant.label}`,
    };
    return concluded(walk, { effect: "allow", by: `grant: ${grant.label}`, step });
  }
  const because =
    kernel.approver === undefined
      ? "no approver is attached, so the call would be refused"
      : "a person would be asked";
  const step: ExplainedStep = { check: "approver", passed: kernel.approver !== undefined, because };
  return concluded(walk, { effect: "ask", by: opinion.by ?? "policy", step });
}

function concluded(
  { steps, chain, changes }: Walk,
  {
    effect,
    by,
    step,
  }: { readonly effect: Explanation["effect"]; readonly by: string; readonly step: ExplainedStep },
): Explanation {
  return { effect, decidedBy: by, steps: [...steps, step], chain: [...chain.values()], changes };
}
