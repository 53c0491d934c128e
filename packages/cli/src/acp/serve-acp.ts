import { Readable, type Writable } from "node:stream";
import {
  type AgentApp,
  type AgentContext,
  agent,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { CliIo } from "../cli-io.js";
import type { AcpCommand } from "../commands/acp.js";
import { ownVersion } from "../own-version.js";
import type { AcpSession } from "./acp-session.js";
import { AcpSessions } from "./acp-sessions.js";

interface AcpService {
  /** Resolves when the editor has disconnected and every session is closed. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Serves the Agent Client Protocol on two streams until the editor disconnects. */
export function serveAcp(command: AcpCommand, io: CliIo, output: Writable): AcpService {
  const sessions = new AcpSessions({ command, io, client: (): AgentContext => connection.client });
  const input = Readable.toWeb(io.stdin) as ReadableStream<Uint8Array>;
  const connection = agentApp(sessions).connect(ndJsonStream(writableOf(output), input));
  return {
    closed: connection.closed.then(() => sessions.closeAll()),
    close: () => connection.close(),
  };
}

function agentApp(sessions: AcpSessions): AgentApp {
  const { session } = methods.agent;
  return agent({ name: "haft" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      sessions.initialize(params.clientCapabilities);
      return WELCOME;
    })
    .onRequest(session.new, async ({ params }) => {
      const opened = await sessions.create(params);
      announceLater(opened);
      return { sessionId: opened.id, modes: opened.modes };
    })
    .onRequest(session.load, async ({ params }) => {
      const opened = await sessions.load(params);
      await opened.replay();
      announceLater(opened);
      return { modes: opened.modes };
    })
    .onRequest(session.resume, async ({ params }) => {
      const { mcpServers = [], ...request } = params;
      const opened = await sessions.load({ ...request, mcpServers });
      announceLater(opened);
      return { modes: opened.modes };
    })
    .onRequest(session.list, ({ params }) => sessions.list(params))
    .onRequest(session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(session.setMode, ({ params }) => sessions.get(params.sessionId).setMode(params.modeId))
    .onRequest(session.prompt, async ({ params, signal }) => ({
      stopReason: await sessions.get(params.sessionId).prompt(params.prompt, signal),
    }))
    .onNotification(session.cancel, ({ params }) => sessions.cancel(params.sessionId));
}

const WELCOME: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: "haft", title: "Haft", version: ownVersion() },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { embeddedContext: true, image: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, resume: {}, close: {} },
  },
  authMethods: [],
};

/** Announces the commands after the response, when the editor knows the session. */
function announceLater(opened: AcpSession): void {
  setImmediate(() => opened.announceCommands());
}

/** Resolves each write once the stream accepts it, so that a slow editor slows the sender down. */
function writableOf(output: Writable): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        output.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
  });
}
