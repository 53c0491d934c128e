import type { IncomingMessage, ServerResponse } from "node:http";
import type { RunEvent } from "@haft/agent";
import { ToolError } from "@haft/core";
import { EventStream } from "../http/event-stream.js";
import { readJson, sendFailure, sendJson } from "../http/send.js";
import type { SharedTeam } from "../team/shared-team.js";
import type { ServedWorkspace } from "../workspace/served-workspace.js";
import { decisionIn, ROUTES } from "./routes.js";

interface ApiParts {
  readonly served: readonly ServedWorkspace[];
  readonly user: string;
  readonly team: SharedTeam | undefined;
}

/** Handles everything below /api. */
export class ConsoleApi {
  readonly #served: readonly ServedWorkspace[];
  readonly #user: string;
  readonly #team: SharedTeam | undefined;
  readonly #streams = new Set<EventStream>();

  constructor({ served, user, team }: ApiParts) {
    this.#served = served;
    this.#user = user;
    this.#team = team;
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    try {
      await this.#answer(request, response, url);
    } catch (thrown) {
      sendFailure(response, thrown);
    }
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  async #answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === "/api/workspaces")
      return sendJson(response, { user: this.#user, workspaces: this.#served.map(({ info }) => info) });
    if (url.pathname === "/api/team") return sendJson(response, await this.#answerTeam(request));
    const [, id, name] = /^\/api\/([0-9a-f]+)\/([a-z]+)$/.exec(url.pathname) ?? [];
    const served = this.#served.find((each) => each.id === id);
    if (served === undefined || name === undefined) throw notFound();
    if (name === "stream") return this.#stream(served, { request, response, url });
    if (name === "image") return sendImage(served, response, url);
    if (name === "export") return sendExport(served, response);
    const route = ROUTES[`${request.method} ${name}`];
    if (route === undefined) throw notFound();
    const body = request.method === "POST" ? await readObject(request) : {};
    sendJson(response, await route({ served, query: url.searchParams, body, user: this.#user }));
  }

  /** Null if no shared store is configured. */
  async #answerTeam(request: IncomingMessage): Promise<unknown> {
    const team = this.#team;
    if (request.method === "GET") return (await team?.info()) ?? null;
    if (request.method !== "POST" || team === undefined) throw notFound();
    const { id, answer } = decisionIn(await readObject(request));
    await team.decide(id, answer);
    return { decided: true };
  }

  /** Streams the events of one run with ids, other changes, and the approvals of every workspace. */
  async #stream(served: ServedWorkspace, { request, response, url }: Exchange): Promise<void> {
    const leaving: (() => void)[] = [];
    const stream = new EventStream(request, response, () => {
      this.#streams.delete(stream);
      for (const leave of leaving) leave();
    });
    this.#streams.add(stream);
    for (const each of this.#served)
      leaving.push(
        each.listen((event) => {
          if (each === served || SHARED_EVENTS.has(event.kind)) stream.send(event);
        }),
      );
    const runId = url.searchParams.get("run");
    if (runId !== null) {
      const seen = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
      const after = Number.isSafeInteger(seen) && seen > 0 ? seen : 0;
      const onEvent = (event: RunEvent, isWhole?: true) =>
        stream.send({ kind: "run", event, ...(isWhole && { isWhole }) });
      leaving.push(await served.runs.follow(runId, after, onEvent));
    }
    stream.send({ kind: "replayed" });
    for (const each of this.#served) await each.showApprovals((event) => stream.send(event));
    // Browsers open few connections to one server: tabs beyond that ask again instead of keeping one.
    if (url.searchParams.has("once")) stream.finish();
  }
}

const SHARED_EVENTS: ReadonlySet<string> = new Set(["approvals", "decided"]);

function notFound(): ToolError {
  return new ToolError("NOT_FOUND", "There is no such page");
}

async function readObject(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJson(request);
  if (typeof body !== "object" || body === null)
    throw new ToolError("INVALID_ARGUMENTS", "The request body must be an object");
  return body as Readonly<Record<string, unknown>>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

async function sendImage(served: ServedWorkspace, response: ServerResponse, url: URL): Promise<void> {
  const { type, bytes } = await served.files.image(url.searchParams.get("path") ?? "");
  response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
  response.end(bytes);
}

async function sendExport(served: ServedWorkspace, response: ServerResponse): Promise<void> {
  const records = await served.runtime.audit.list();
  response.writeHead(200, {
    "content-type": "application/x-ndjson",
    "content-disposition": 'attachment; filename="haft-audit.jsonl"',
  });
  response.end(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
