import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import {
  type AgentContext,
  type ClientCapabilities,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  methods,
  type NewSessionRequest,
} from "@agentclientprotocol/sdk";
import type { CliIo } from "../cli-io.js";
import type { AcpCommand } from "../commands/acp.js";
import { knownError } from "../output/report-error.js";
import { type RunStart, runStart } from "../run/continued-run.js";
import { runStore } from "../run/run-store.js";
import { type SessionHost, SessionWork } from "../session/session-work.js";
import { AcpSession } from "./acp-session.js";
import { clientServers } from "./client-servers.js";
import { type ReadBuffer, readOpenFileTool, unsavedBufferPolicy } from "./open-buffers.js";
import { requestFailed } from "./request-failed.js";

interface AcpSessionsParts {
  readonly command: AcpCommand;
  readonly io: CliIo;
  client(): AgentContext;
}

/** Opens, loads and closes the sessions of one editor. */
export class AcpSessions {
  readonly #parts: AcpSessionsParts;
  readonly #sessions = new Map<string, AcpSession>();
  #capabilities: ClientCapabilities = {};

  constructor(parts: AcpSessionsParts) {
    this.#parts = parts;
  }

  /** Stores the capabilities of the editor. */
  initialize(capabilities: ClientCapabilities = {}): void {
    this.#capabilities = capabilities;
  }

  async create(request: NewSessionRequest): Promise<AcpSession> {
    assertFolder(request.cwd);
    return this.#open(request, runStart({ workspace: request.cwd }, this.#parts.io));
  }

  /** Opens a past session. */
  async load(request: Omit<LoadSessionRequest, "mcpServers"> & Partial<LoadSessionRequest>) {
    const { cwd, sessionId } = request;
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    assertFolder(cwd);
    const store = runStore(cwd, this.#parts.io);
    if (!(await store.list()).includes(sessionId)) throw noSession(sessionId);
    return this.#open(request, { store, runId: sessionId, isNew: false });
  }

  list({ cwd }: ListSessionsRequest): ListSessionsResponse {
    const { io, command } = this.#parts;
    const folder = cwd ?? command.workspace ?? io.cwd;
    if (!existsSync(folder)) return { sessions: [] };
    const runs = runStore(folder, io).runs();
    const sessions = runs.map(({ runId, task, state }) => ({
      sessionId: runId,
      cwd: folder,
      title: task.slice(0, MAX_TITLE_CHARS),
      updatedAt: state.lastAt,
    }));
    return { sessions: sessions.reverse() };
  }

  /** Ignores unknown sessions: the turn may just have ended. */
  cancel(sessionId: string): void {
    this.#sessions.get(sessionId)?.cancel();
  }

  get(sessionId: string): AcpSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw noSession(sessionId);
    return session;
  }

  async close(sessionId: string): Promise<void> {
    const session = this.get(sessionId);
    this.#sessions.delete(sessionId);
    await session.close();
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.keys()].map((id) => this.close(id)));
  }

  async #open(
    { cwd, mcpServers = [] }: Partial<NewSessionRequest> & Pick<NewSessionRequest, "cwd">,
    start: RunStart,
  ): Promise<AcpSession> {
    const { command, io, client } = this.#parts;
    const choices = { ...command, workspace: cwd, mcpServers: clientServers(mcpServers) };
    const work: SessionWork = new SessionWork({
      command: choices,
      start,
      io,
      host: this.#host(start.runId, () => work),
    });
    try {
      await work.open();
    } catch (error) {
      throw requestFailed(knownError(error));
    }
    const session = new AcpSession({ io, work, mode: command.approve ?? "ask", client });
    this.#sessions.set(session.id, session);
    return session;
  }

  /** If the editor shares its buffers, reads unsaved files from it and never overwrites them on disk. */
  #host(sessionId: string, work: () => SessionWork): SessionHost {
    if (this.#capabilities.fs?.readTextFile !== true) return {};
    const readBuffer: ReadBuffer = (path) =>
      this.#parts
        .client()
        .request(methods.client.fs.readTextFile, { sessionId, path })
        .then(
          ({ content }) => content,
          () => undefined,
        );
    const workspace = () => work().runtime.workspace;
    return {
      guardPolicies: [unsavedBufferPolicy(readBuffer, workspace)],
      prepare: async ({ runtime }) => {
        runtime.registry.register(readOpenFileTool(readBuffer, workspace));
      },
    };
  }
}

const MAX_TITLE_CHARS = 200;

function assertFolder(cwd: string): void {
  if (isAbsolute(cwd) && existsSync(cwd)) return;
  throw requestFailed({
    code: "WORKSPACE_NOT_FOUND",
    message: `${JSON.stringify(cwd.slice(0, 200))} is not the absolute path of a folder`,
    hint: "Open a project in the editor",
  });
}

function noSession(sessionId: string): Error {
  return requestFailed({
    code: "RUN_NOT_FOUND",
    message: `No session ${JSON.stringify(sessionId.slice(0, 80))} in this folder`,
    hint: "haft runs lists them",
  });
}
