import { messageOf } from "@haft/core";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type TraceContext, traceOf } from "./plain-call.js";
import type { ProgressParams } from "./progress-reporter.js";

export type Era = "legacy" | "modern";

/** The client of one request, independent of the protocol revision. */
export interface CallClient {
  readonly signal: AbortSignal;
  readonly progressToken: string | number | undefined;
  readonly trace: TraceContext | undefined;
  /** The client's own name, recorded with its answers. */
  readonly name: string | undefined;
  /** How the user can be asked: during the request, by repeating the request, or not at all. */
  readonly asking: "push" | "retry" | "none";
  /** The answer to a question of an earlier request, with the state returned then. */
  readonly reply: { readonly state: string; readonly response: unknown } | undefined;
  notify(params: ProgressParams): void;
  elicit(form: ElicitRequestFormParams, wait: { signal: AbortSignal; timeoutMs: number }): Promise<unknown>;
  listRoots(): Promise<readonly string[] | undefined>;
}

export function callClient(server: Server, context: ServerContext, era: Era): CallClient {
  const { mcpReq } = context;
  const isModern = era === "modern";
  return clientOver(mcpReq, {
    signal: mcpReq.signal,
    progressToken: mcpReq._meta?.progressToken,
    trace: traceOf(mcpReq._meta),
    capabilities: isModern
      ? envelopeOf(mcpReq)[CLIENT_CAPABILITIES_META_KEY]
      : server.getClientCapabilities(),
    name: isModern ? envelopeOf(mcpReq)[CLIENT_INFO_META_KEY]?.name : server.getClientVersion()?.name,
    isModern,
    reply: replyOf(context),
  });
}

/** Creates the client for a call that bypassed the SDK, which only 2025 clients make. */
export function directClient(
  server: Server,
  { signal, progressToken, trace }: Pick<CallClient, "signal" | "progressToken" | "trace">,
): CallClient {
  const channel: Channel = {
    notify: (notification) => server.notification(notification),
    send: server.request.bind(server) as Channel["send"],
  };
  const capabilities = server.getClientCapabilities();
  const name = server.getClientVersion()?.name;
  return clientOver(channel, {
    signal,
    progressToken,
    trace,
    name,
    capabilities,
    isModern: false,
    reply: undefined,
  });
}

/** Sends messages to the client while its request runs. */
type Channel = Pick<ServerContext["mcpReq"], "notify" | "send">;

interface ClientDetails extends Pick<CallClient, "signal" | "progressToken" | "trace" | "name" | "reply"> {
  readonly capabilities: ClientCapabilities | undefined;
  readonly isModern: boolean;
}

function clientOver(channel: Channel, { capabilities, isModern, ...shown }: ClientDetails): CallClient {
  return {
    ...shown,
    asking: canShowForms(capabilities) ? (isModern ? "retry" : "push") : "none",
    notify: (params) => {
      // Progress is irrelevant to a client that has disconnected.
      channel.notify({ method: "notifications/progress", params: { ...params } }).catch(() => {});
    },
    elicit: (form, { signal, timeoutMs }) =>
      channel.send(
        { method: "elicitation/create", params: { ...form } },
        { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
      ),
    listRoots: async () => {
      if (isModern || capabilities?.roots === undefined) return undefined;
      const listed = channel.send({ method: "roots/list" }, { timeout: ROOTS_TIMEOUT_MS });
      return (await listed.catch(refuseRoots)).roots.map(({ uri }) => uri);
    },
  };
}

/** The key of the only question in an input-required result. */
export const APPROVAL_KEY = "approval";

const ROOTS_TIMEOUT_MS = 10_000;

/** Fails, because working in a folder the client did not choose would be worse. */
function refuseRoots(cause: unknown): never {
  const problem = messageOf(cause);
  const advice = "start the server with --workspace DIR";
  throw new Error(`The client's roots could not be read (${problem}); ${advice}`, { cause });
}

/** Client details that every request of the newer revision carries; the SDK does not type these keys. */
function envelopeOf({ envelope }: ServerContext["mcpReq"]): {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  readonly [CLIENT_INFO_META_KEY]?: { readonly name?: string };
} {
  return (envelope ?? {}) as never;
}

/** A capability without modes means forms, as it was declared before modes existed. */
function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

function replyOf({ mcpReq }: ServerContext): CallClient["reply"] {
  const state = mcpReq.requestState<unknown>();
  if (typeof state !== "string") return undefined;
  return { state, response: mcpReq.inputResponses?.[APPROVAL_KEY] };
}
