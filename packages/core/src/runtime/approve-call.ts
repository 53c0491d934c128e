import type {
  ApprovalAnswer,
  ApprovalGate,
  ApprovalRequest,
  CallFacts,
  Opinion,
} from "../approval/approval.js";
import { approvalRequest } from "../approval/approval-request.js";
import { allowNoEffect, decide } from "../approval/policies.js";
import { messageOf, ToolError } from "../error/tool-error.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { FileChange } from "../workspace/file-change.js";
import { within } from "./call-deadline.js";
import type { CallInHand, Kernel } from "./kernel.js";

/** Why a call may go on. "asked" binds it to what the person saw. */
export type Approval = { readonly by: "policy" | "grant" | "person"; readonly modifiedArgs?: unknown };

interface Progress {
  /** The tool has run, and what is asked about is whether its file changes may be applied. */
  readonly hasRun?: boolean;
}

export interface Asking extends Progress {
  /** Runs while a person is asked, so that others can go on. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** Policy decides, gate asks. Throws what denies the call. */
export async function approveCall(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
  asking: Asking,
): Promise<Approval> {
  const facts = await factsOf(kernel, call, changes);
  const opinion = opinionOn(kernel, call, facts);
  if (opinion.effect === "allow") return { by: "policy" };
  if (opinion.effect === "deny") throw policyDenied(call, opinion, asking);
  const request = approvalRequest(facts, opinion.because, {
    digest: (bytes) => kernel.workspace.digest(bytes),
    newId: kernel.newId,
    redact: kernel.redact,
  });
  if (kernel.gate?.granted?.(request) !== undefined) return { by: "grant" };
  const answer = await ask(kernel, call, request, asking);
  if (answer.approved !== true) throw denied(call, answer, asking);
  return {
    by: "person",
    ...(answer.modifiedArgs === undefined ? {} : { modifiedArgs: answer.modifiedArgs }),
  };
}

/** What policy and read-before-write say together; used to explain a call as well as to decide it. */
export function opinionOn(kernel: Kernel, call: CallInHand, facts: CallFacts): Opinion {
  const decided = decide(kernel.policy, facts);
  if (decided.effect === "deny") return decided;
  const opinion = allowNoEffect(facts) ?? decided;
  const objection = readFirstObjection(kernel, call, facts.changes);
  if (objection === undefined) return opinion;
  if (kernel.readBeforeWrite === "enforce") throw objection;
  return { effect: "ask", because: objection.message };
}

/** A human who changed the arguments has seen them; only what nobody may allow still stands in the way. */
export async function assertNotDenied(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): Promise<void> {
  const opinion = opinionOn(kernel, call, await factsOf(kernel, call, changes));
  if (opinion.effect === "deny") throw policyDenied(call, opinion);
}

/**
 * Throws what the policy denies, whatever else there is to say about the call; what nobody may touch
 * is neither shown by a rehearsal nor quoted by its failure.
 */
export async function assertNotForbidden(
  kernel: Kernel,
  call: CallInHand,
  touched: Touched = {},
): Promise<void> {
  const opinion = await denialOf(kernel, call, touched);
  if (opinion !== undefined) throw policyDenied(call, opinion, touched);
}

/** Why the policy denies a call that has come near to these files; undefined when it does not. */
export async function denialOf(
  kernel: Kernel,
  call: CallInHand,
  { changes = [], read = [] }: Touched = {},
): Promise<Opinion | undefined> {
  const facts = await factsOf(kernel, call, changes);
  const opinion = decide(kernel.policy, { ...facts, paths: [...(facts.paths ?? []), ...read] });
  return opinion.effect === "deny" ? opinion : undefined;
}

/** What a call has come near to so far. */
interface Touched extends Progress {
  readonly changes?: readonly FileChange[];
  readonly read?: readonly string[];
}

export async function factsOf(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): Promise<CallFacts> {
  const { callId, args } = call;
  const { definition } = call.registered;
  const given = pathArguments(definition.input, args);
  const paths =
    given.length === 0 ? given : (await Promise.all(given.map((path) => leadsTo(kernel, path)))).flat();
  const service: CallFacts["service"] = (token) => kernel.services.get(token);
  return { callId, definition, args, changes, paths, role: kernel.role, service };
}

/** A rule on a path holds for every way to write it: absolute, with `//`, or by way of a link. */
async function leadsTo({ workspace }: Kernel, path: string): Promise<readonly string[]> {
  try {
    return [workspace.vet(path).path, (await workspace.locate(path)).path];
  } catch {
    // A path that nobody may touch is refused where it is used; no rule needs to know it.
    return [];
  }
}

function readFirstObjection(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): ToolError | undefined {
  const { needsRead } = call.registered.definition;
  const isDeclared = typeof needsRead === "function" ? needsRead(call.args as never) : needsRead === true;
  const isNeeded = isDeclared || kernel.dialect.readFirst === "always";
  if (kernel.readBeforeWrite === "off" || !isNeeded) return undefined;
  const objection = kernel.ledger.objection(changes);
  if (objection === undefined) return undefined;
  const { code, message, hint, details } = objection;
  return new ToolError(code, message, {
    hint,
    details,
    next: kernel.registry.callThatShows(String(details?.path)),
  });
}

async function ask(
  kernel: Kernel,
  call: CallInHand,
  request: ApprovalRequest,
  asking: Asking,
): Promise<ApprovalAnswer> {
  const { gate } = kernel;
  if (gate === undefined) throw nobodyToAsk(call, request, asking);
  kernel.events.emit(call, { type: "approval-requested", request });
  call.deadline.pause();
  const { answer, thrown } = await asking.pause(async () => {
    const given = await answerOf(gate, request, call);
    const shown = kernel.redact(given.answer);
    kernel.events.emit(call, { type: "approval-answered", stepId: request.stepId, answer: shown });
    return given;
  });
  call.deadline.resume();
  call.deadline.signal.throwIfAborted();
  if (thrown !== undefined) throw thrown;
  return answer;
}

interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  /** A failure that a gate threw on purpose: told as it is. */
  readonly thrown?: ToolError;
}

/**
 * Never rejects, and does not wait longer than the call lives. A gate that throws or answers nonsense
 * denies; what it threw is told, so that a defect does not look like a decision.
 */
async function answerOf(
  gate: ApprovalGate,
  request: ApprovalRequest,
  { tool, args, deadline: { signal } }: CallInHand,
): Promise<GivenAnswer> {
  try {
    const answer: unknown = await within(signal, async () => gate.ask(request, signal, { tool, args }));
    if (typeof answer === "object" && answer !== null) return { answer: answer as ApprovalAnswer };
    return { answer: { approved: false, feedback: "the approver's answer was not understood" } };
  } catch (cause) {
    if (signal.aborted) return { answer: { approved: false } };
    if (ToolError.is(cause)) return { answer: { approved: false }, thrown: cause };
    return { answer: { approved: false, feedback: `the approver failed (${messageOf(cause)})` } };
  }
}

function policyDenied(call: CallInHand, opinion: Opinion, progress: Progress = {}): ToolError {
  const truth = progress.hasRun === true ? `${truthNow(progress)} ` : "";
  return new ToolError(
    opinion.code ?? "POLICY_DENIED",
    `${call.tool} is not allowed here: ${opinion.because}`,
    {
      hint: `${truth}Do not retry the same call.`,
    },
  );
}

function nobodyToAsk(call: CallInHand, request: ApprovalRequest, asking: Asking): ToolError {
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${call.tool} needs approval and there is nobody to ask: ${request.reason}`,
    {
      hint: `${truthNow(asking)} The host must attach an approver or allow the call by a rule.`,
      details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
    },
  );
}

function denied(call: CallInHand, answer: ApprovalAnswer, asking: Asking): ToolError {
  const truth = truthNow(asking);
  const subject = asking.hasRun === true ? `the file changes of ${call.tool}` : call.tool;
  if (answer.failure === "timeout")
    return new ToolError("APPROVAL_TIMEOUT", `Nobody answered in time whether to allow ${subject}`, {
      hint: truth,
    });
  if (answer.failure === "stale") {
    return new ToolError("PLAN_STALE", `What ${call.tool} would do is no longer what was approved`, {
      hint: `${truth} Read the files again${asking.hasRun === true ? "" : " and repeat the call"}.`,
    });
  }
  const feedback = answer.feedback === undefined || answer.feedback === "" ? "" : `: ${answer.feedback}`;
  return new ToolError("APPROVAL_DENIED", `The user did not approve ${subject}${feedback}`, {
    hint: `${truth} Do not retry the same call.`,
  });
}

/** What a refusal leaves behind; a model that is told wrong repeats what was done, or relies on what was not. */
function truthNow({ hasRun }: Progress): string {
  return hasRun === true ? "It has run; its file changes were not applied." : "Nothing was done.";
}
