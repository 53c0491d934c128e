import { messageOf } from "@haft/core";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ProgressParams } from "./progress-reporter.js";

export type Era = "legacy" | "modern";

/** The client as one request shows it, whichever revision of the protocol it speaks. */
export interface CallClient {
  readonly signal: AbortSignal;
  readonly progressToken: string | number | undefined;
  /** Whether a person can be asked: while the request runs, by having it sent again, or not at all. */
  readonly asking: "push" | "retry" | "none";
  /** What answers a question of an earlier request: what it was handed then, and the answer. */
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
    capabilities: isModern
      ? envelopeOf(mcpReq)[CLIENT_CAPABILITIES_META_KEY]
      : server.getClientCapabilities(),
    isModern,
    reply: replyOf(context),
  });
}

/** The same for a call that came past the SDK, which only clients of the 2025 revisions make. */
export function directClient(
  server: Server,
  { signal, progressToken }: Pick<CallClient, "signal" | "progressToken">,
): CallClient {
  const channel: Channel = {
    notify: (notification) => server.notification(notification),
    send: server.request.bind(server) as Channel["send"],
  };
  const capabilities = server.getClientCapabilities();
  return clientOver(channel, { signal, progressToken, capabilities, isModern: false, reply: undefined });
}

/** The way back to the client while its request runs. */
type Channel = Pick<ServerContext["mcpReq"], "notify" | "send">;

interface Shown extends Pick<CallClient, "signal" | "progressToken" | "reply"> {
  readonly capabilities: ClientCapabilities | undefined;
  readonly isModern: boolean;
}

function clientOver(channel: Channel, { capabilities, isModern, ...shown }: Shown): CallClient {
  return {
    ...shown,
    asking: canShowForms(capabilities) ? (isModern ? "retry" : "push") : "none",
    notify: (params) => {
      // A client that is gone does not need to hear how far it was.
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

/** The key of the one question an input-required answer holds. */
export const APPROVAL_KEY = "approval";

const ROOTS_TIMEOUT_MS = 10_000;

/** Going on in another folder than the client meant would be worse than not going on. */
function refuseRoots(cause: unknown): never {
  const problem = messageOf(cause);
  const advice = "start the server with --workspace DIR";
  throw new Error(`The client's roots could not be read (${problem}); ${advice}`, { cause });
}

/** What every request of the newer revision says about its client; the SDK leaves these keys untyped. */
function envelopeOf({ envelope }: ServerContext["mcpReq"]): {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
} {
  return (envelope ?? {}) as never;
}

/** Naming no mode at all means forms: that is how the capability was declared before there were modes. */
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
