import { randomUUID } from "node:crypto";
import { isApproved, ToolError } from "@haft/core";
import { suggestRules } from "@haft/core/policy";
import { isDecision } from "@haft/core/stores";
import { parentPath } from "@haft/core/workspace";
import { BUILT_IN_ROLES } from "@haft/runtime-node";
import type { DecisionRequest, RulesInfo } from "../protocol.js";
import type { ServedWorkspace } from "../workspace/served-workspace.js";

interface RouteRequest {
  readonly served: ServedWorkspace;
  readonly query: URLSearchParams;
  /** The parsed JSON body of a POST. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly user: string;
}

export type Route = (request: RouteRequest) => unknown;

/** The requests that a page may make about one workspace. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "GET runs": ({ served }) => served.runs.list(),
  "GET find": ({ served, query }) => served.runs.find(query.get("words") ?? ""),
  "GET events": ({ served, query }) => served.runs.events(text(query.get("run"), "run")),
  "POST start": async ({ served, body }) => ({ runId: await served.runs.start(text(body.task, "task")) }),
  "POST say": ({ served, body }) => served.runs.say(text(body.runId, "runId"), text(body.text, "text")),
  "POST stop": async ({ served, body, user }) => {
    const runId = text(body.runId, "runId");
    await served.runs.cancel(runId, user);
    await served.approvals.withdraw(runId);
  },
  "POST stopcall": ({ served, body, user }) => served.runs.stopCall(text(body.callId, "callId"), user),

  "GET approvals": ({ served }) => served.approvals.list(),
  "POST decide": decide,
  "POST preview": ({ served, body }) =>
    served.approvals.preview(text(body.tool, "tool"), body.args, optionalText(body.runId)),

  "GET trust": async ({ served }) => (await served.untrusted()) ?? null,
  "POST trust": ({ served, body }) => served.decideTrust(text(body.digest, "digest"), body.trusted === true),

  "GET tree": async ({ served, query }) => {
    const path = query.get("path") ?? "";
    if (path === "") await served.findFolder();
    return readWatched(
      served,
      () => served.files.list(path),
      () => [path],
    );
  },
  "GET paths": ({ served, query }) => served.files.find(query.get("words") ?? ""),
  "GET file": ({ served, query }) => {
    const path = text(query.get("path"), "path");
    return readWatched(
      served,
      () => served.files.read(path),
      () => [parentPath(path) ?? ""],
    );
  },
  "POST save": ({ served, body }) =>
    served.files.save({
      path: text(body.path, "path"),
      text: String(body.text ?? ""),
      hash: optionalText(body.hash),
    }),
  "POST hashes": ({ served, body }) => {
    const paths = texts(body.paths);
    const foldersOf = (found: object) => Object.keys(found).map((path) => parentPath(path) ?? "");
    return readWatched(served, () => served.files.hashes(paths), foldersOf);
  },
  "GET marks": ({ served }) => served.files.marks(),
  "GET changes": ({ served }) => served.runtime.changes(),
  "POST undo": ({ served, body }) => served.undo(texts(body.callIds)),
  "POST undopreview": ({ served, body }) => served.runtime.previewUndo(texts(body.callIds)),

  "GET tools": ({ served }) => served.runtime.tools(),
  "POST try": ({ served, body }) =>
    served.runtime.call(text(body.tool, "tool"), body.args, {
      callId: `console-${randomUUID()}`,
      dryRun: body.dryRun === true,
    }),
  "GET rules": rules,
  "POST revoke": async ({ served, body }) => ({
    revoked: await served.runtime.grants.revoke(text(body.id, "id")),
  }),
  "GET audit": async ({ served }) => (await served.runtime.audit.list()).slice(-AUDIT_SHOWN).reverse(),
  "GET decisions": async ({ served, query }) => {
    const callId = text(query.get("call"), "call");
    return (await served.runtime.audit.list()).filter(
      (record) => record.callId === callId && isDecision(record),
    );
  },
  "GET verify": ({ served }) => served.runtime.audit.verify(),
};

/**
 * Reads the folders, and watches them from then on, so that the page learns about later changes. Reads first, because
 * reading checks the paths. Reads again after starting a watch, which does not report earlier changes.
 */
async function readWatched<T>(
  served: ServedWorkspace,
  read: () => Promise<T>,
  foldersOf: (value: T) => readonly string[],
): Promise<T> {
  const value = await read();
  const isNew = foldersOf(value).filter((folder) => served.watch(folder)).length > 0;
  return isNew ? read() : value;
}

const AUDIT_SHOWN = 2_000;

/** Lists the grants in force with their use, the roles, and rules that would have avoided prompts. */
async function rules({ served: { runtime } }: RouteRequest): Promise<RulesInfo> {
  const records = await runtime.audit.list();
  const grants = (await runtime.grants.list()).map((grant) => {
    const used = records.filter(({ decider }) => decider.how === "grant" && decider.who === grant.id);
    const lastUsedAt = used.at(-1)?.at;
    // A call has one record for the decision and one for its outcome.
    const uses = new Set(used.map(({ callId }) => callId)).size;
    return { ...grant, uses, ...(lastUsedAt !== undefined && { lastUsedAt }) };
  });
  return { role: runtime.role, roles: BUILT_IN_ROLES, grants, suggestion: suggestRules(records) };
}

async function decide({ served, body, user }: RouteRequest): Promise<unknown> {
  const decision = decisionIn(body);
  await served.approvals.decide(decision, user);
  served.decided(decision.id, user, isApproved(decision.answer));
  return { decided: true };
}

/** Reads a decision. The server sets who decided: a client cannot name another user or claim a timeout. */
export function decisionIn(body: Readonly<Record<string, unknown>>): DecisionRequest {
  const sent = body.answer as DecisionRequest["answer"] | undefined;
  if (typeof sent !== "object" || sent === null || typeof sent.approved !== "boolean")
    throw new ToolError("INVALID_ARGUMENTS", "The answer must say whether the call is approved");
  const { by: _by, failure: _failure, ...given } = sent;
  // The effect of edited arguments has not been shown yet, so they are rehearsed and approved in a new request.
  const answer = given.modifiedArgs === undefined ? given : { ...given, showAgain: true };
  return { id: text(body.id, "id"), answer };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function text(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new ToolError("INVALID_ARGUMENTS", `${name} is missing`);
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
