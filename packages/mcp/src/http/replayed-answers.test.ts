import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "../fixtures/http.js";

const REVISION = "2026-07-28";
const WRITE = { name: "write_note", arguments: { path: "a.txt", content: "first\n" } };
const EDITED = JSON.stringify({ path: "a.txt", content: "edited\n" });

let served: Served;
afterEach(() => served.service.close());

interface Answer {
  readonly result?: { readonly requestState?: string };
}

/** Builds a request like a client of the newer revision. */
async function call(params: object, headers: Record<string, string> = {}): Promise<Answer> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  };
  const response = await fetch(served.service.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": "tools/call",
      "mcp-name": "write_note",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { ...WRITE, ...params, _meta: meta },
    }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as Answer;
}

const accept = (content: object) => ({ action: "accept", content: { approved: true, ...content } });
const reply = (requestState: string | undefined, answer: object) => ({
  requestState,
  inputResponses: { approval: answer },
});
const files = () => served.runtimes[0]?.workspaceFiles();

describe("FE11 an answer to one question over HTTP", () => {
  it("does not answer the next question of the same call when it is sent twice", async () => {
    served = await serve();
    const { result: first } = await call({});
    const edit = reply(first?.requestState, accept({ arguments: EDITED }));
    const { result: second } = await call(edit);
    expect(JSON.stringify(second)).toContain("edited");
    const { result: again } = await call(edit);
    expect(again).toMatchObject({ resultType: "input_required" });
    expect(await files()).toEqual({ "a.txt": "old\n" });
    const { result: done } = await call(reply(again?.requestState, accept({})));
    expect(done).not.toMatchObject({ isError: true });
    expect(await files()).toEqual({ "a.txt": "edited\n" });
  });

  it("counts once when two clients answer it at the same time", async () => {
    served = await serve();
    const requestState = (await call({})).result?.requestState;
    const answers = [accept({}), { action: "decline" }, accept({ arguments: EDITED })];
    await Promise.all(answers.map((answer) => call(reply(requestState, answer))));
    expect([{ "a.txt": "old\n" }, { "a.txt": "first\n" }]).toContainEqual(await files());
    const before = await files();
    await call(reply(requestState, accept({ arguments: EDITED })));
    expect(await files()).toEqual(before);
  });

  it("applies only to the call that prompted, whichever call carries it", async () => {
    served = await serve();
    const requestState = (await call({})).result?.requestState;
    const other = { arguments: { path: "b.txt", content: "other\n" } };
    await call({ ...reply(requestState, accept({})), ...other });
    expect(await files()).toEqual({ "a.txt": "first\n" });
  });

  it.each<[string, (state: string) => string]>([
    ["of another call", (state) => state.replace(/^[^.]*/, crypto.randomUUID())],
    ["of another question", (state) => state.replace(/\.[^.]*\./, `.${crypto.randomUUID()}.`)],
    ["without a signature", (state) => state.slice(0, state.lastIndexOf(".") + 1)],
    ["that is empty", () => ""],
  ])("does not count with a state %s", async (_what, forged) => {
    served = await serve();
    const requestState = (await call({})).result?.requestState;
    expect(await call(reply(forged(requestState ?? ""), accept({})))).toMatchObject({
      error: { code: -32602 },
    });
    expect(await files()).toEqual({ "a.txt": "old\n" });
  });

  it("does not count without the token", async () => {
    served = await serve({ token: "0123456789abcdef" });
    const owner = { authorization: "Bearer 0123456789abcdef" };
    const requestState = (await call({}, owner)).result?.requestState;
    for (const headers of [{}, { authorization: "Bearer 0123456789abcdeg" }, { authorization: "Basic x" }])
      expect(await call(reply(requestState, accept({})), headers)).toMatchObject({ error: { code: -32000 } });
    const page = { ...owner, origin: "http://evil.example" };
    expect(await call(reply(requestState, accept({})), page)).toMatchObject({ error: { code: -32000 } });
    expect(await files()).toEqual({ "a.txt": "old\n" });
  });
});
