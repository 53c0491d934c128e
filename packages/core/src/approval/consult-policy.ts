import { messageOf } from "../error/tool-error.js";
import type { ApprovalPolicy, Opinion, PolicyRequest } from "./approval.js";
import { rulesOf, withRules } from "./compiled-rule.js";

/**
 * Evaluates one policy and validates its answer. An invalid answer becomes a denial that names the policy. Never throws
 * or rejects. Synchronous unless the policy is async.
 */
export function consult(
  policy: ApprovalPolicy,
  request: PolicyRequest,
): Opinion | undefined | Promise<Opinion | undefined> {
  const { name } = policy;
  try {
    const answer: unknown = policy(request);
    if (!isThenable(answer)) return checked(name, answer, request);
    return Promise.resolve(answer)
      .then((given) => checked(name, given, request))
      .catch((cause) => failed(name, `failed (${messageOf(cause)})`, request));
  } catch (cause) {
    return failed(name, `failed (${messageOf(cause)})`, request);
  }
}

/** Gives a policy the name it is reported under. A policy without a name is not listed in explanations. */
export function namedPolicy<P extends ApprovalPolicy>(name: string, policy: P): P {
  const named = (request: PolicyRequest) => policy(request);
  return withRules(Object.defineProperty(named, "name", { value: name }) as P, rulesOf(policy));
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === "object" &&
    answer !== null &&
    typeof (answer as PromiseLike<unknown>).then === "function"
  );
}

function checked(name: string, given: unknown, request: PolicyRequest): Opinion | undefined {
  const answer = copied(given);
  if (answer !== undefined && !isOpinion(answer))
    return failed(name, `answered ${shown(given)}, which is not an opinion`, request);
  if (name === "" || answer === undefined) {
    if (name !== "") request.noteOpinion?.(name, undefined);
    return answer;
  }
  const { by = name, because = `the policy ${name} says ${answer.effect}` } = answer;
  const opinion: Opinion = { ...answer, by, because };
  request.noteOpinion?.(name, opinion);
  return opinion;
}

/** SECURITY: a getter may answer differently each time, so every part is read once, before it is checked. */
function copied(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const copy: Record<string, unknown> = { ...given };
  if (typeof copy.subject === "object" && copy.subject !== null) copy.subject = { ...copy.subject };
  return copy;
}

function isOpinion(answer: unknown): answer is Opinion {
  if (typeof answer !== "object" || answer === null) return false;
  const { effect, because, by, subject, code, verdict } = answer as Record<string, unknown>;
  if (effect !== "allow" && effect !== "ask" && effect !== "deny") return false;
  if (verdict !== undefined && (verdict !== "box" || effect !== "allow")) return false;
  for (const text of [because, by, code]) if (text !== undefined && typeof text !== "string") return false;
  return subject === undefined || isSubject(subject);
}

function isSubject(subject: unknown): boolean {
  if (typeof subject !== "object" || subject === null) return false;
  const { name, label } = subject as Record<string, unknown>;
  return typeof name === "string" && typeof label === "string";
}

function failed(name: string, problem: string, request: PolicyRequest): Opinion {
  const policy = name || "unnamed";
  const denial: Opinion = { effect: "deny", because: `the policy ${policy} ${problem}`, by: policy };
  request.noteFailure?.({ policy, problem });
  request.noteOpinion?.(policy, denial);
  return denial;
}

function shown(answer: unknown): string {
  if (typeof answer === "function" || typeof answer === "symbol") return `a ${typeof answer}`;
  let text: string | undefined;
  try {
    text = JSON.stringify(answer);
  } catch {
    // Circular, or a getter that throws.
  }
  text ??= String(typeof answer);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}

const MAX_SHOWN = 120;
