import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApprovalPolicy, type ApprovalRequest, defineTool, type PolicyRule, s } from "@haft/core";
import { createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebFetch } from "./web-fetch/web-fetch-tool.js";

/** Requests an address that none of its arguments names. */
const Ping = defineTool({
  name: "ping",
  summary: "Reach the service.",
  category: "web",
  permissions: ["NetworkAccess"],
  approval: "auto",
  input: s.object({}),
  output: s.json("Anything"),
  run: async (_args, { network, signal }) =>
    Buffer.from((await network.fetch({ url: `${origin}/private` }, signal)).body).toString(),
});

const SECRET = "the private page";
let server: Server;
let origin: string;
let base: string;
let runtime: NodeRuntime | undefined;
let reached: string[];

beforeEach(async () => {
  reached = [];
  server = createServer((request, response) => {
    const path = request.url ?? "";
    reached.push(path);
    const next = REDIRECTS[path];
    if (next === undefined) response.end(path.startsWith("/private") ? SECRET : `page ${path}`);
    else response.writeHead(302, { location: next }).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-web-rules-")));
});
afterEach(async () => {
  await runtime?.dispose();
  await new Promise((done) => server.close(done));
  rmSync(base, { recursive: true, force: true });
});

const REDIRECTS: Readonly<Record<string, string>> = {
  "/start": "/middle",
  "/middle": "/private/a",
  "/open": "/docs",
  "/private/in": "/private/out",
};

async function open(decides: { rules?: readonly PolicyRule[]; policies?: readonly ApprovalPolicy[] }) {
  const asked: ApprovalRequest[] = [];
  runtime = await createNodeRuntime({
    workspace: base,
    stateDirectory: `${base}-state`,
    tools: [WebFetch, Ping],
    role: { name: "web", permissions: ["NetworkAccess"] },
    web: { origins: [origin] },
    approver: async (request) => {
      asked.push(request);
      return { approved: true };
    },
    ...decides,
  });
  const fetch = (path: string) => (runtime as NodeRuntime).call("web_fetch", { url: `${origin}${path}` });
  return { runtime, asked, fetch };
}

const rule = (effect: PolicyRule["effect"]): PolicyRule => ({ effect, when: { url: `${origin}/private` } });

describe("FE15 a rule on addresses holds for every redirect", () => {
  it("a denied address is not requested, however it is reached", async () => {
    const { runtime, fetch } = await open({ rules: [rule("deny")] });
    const result = await fetch("/start");
    expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(result.text).toContain(`redirected to ${origin}/private/a`);
    expect(reached).toEqual(["/start", "/middle"]);
    expect(await runtime.audit.list()).toMatchObject([
      { verdict: "allow", url: `${origin}/start` },
      { verdict: "deny", url: `${origin}/private/a` },
    ]);
    expect(await fetch("/open")).toMatchObject({ ok: true });
  });

  it("even if no argument of the tool names it", async () => {
    const { runtime } = await open({ rules: [rule("deny")] });
    expect(await runtime.call("ping")).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(reached).toEqual([]);
  });

  it("an address that needs approval is not requested; the model is told to call the tool with it", async () => {
    const { asked, fetch } = await open({ rules: [rule("ask")] });
    expect(await fetch("/start")).toMatchObject({
      ok: false,
      error: {
        code: "APPROVAL_REQUIRED",
        next: { tool: "web_fetch", args: { url: `${origin}/private/a` } },
      },
    });
    expect(asked).toEqual([]);
    expect(reached).toEqual(["/start", "/middle"]);
    expect(await fetch("/private/a")).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });

  it("an answer for one host under one rule is not requested twice", async () => {
    const { asked, fetch } = await open({ rules: [rule("ask")] });
    expect(await fetch("/private/in")).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(reached).toEqual(["/private/in", "/private/out"]);
  });

  it("policies of the host judge every redirect too, including async ones", async () => {
    const seen: (string | undefined)[] = [];
    const noPrivatePages: ApprovalPolicy = async ({ url }) => {
      seen.push(url);
      return url?.includes("/private") ? { effect: "deny", because: "it is private" } : undefined;
    };
    const { fetch } = await open({ policies: [noPrivatePages] });
    const result = await fetch("/start");
    expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(result.text).not.toContain(SECRET);
    expect(reached).toEqual(["/start", "/middle"]);
    expect(new Set(seen)).toEqual(new Set([`${origin}/start`, `${origin}/middle`, `${origin}/private/a`]));
  });
});
