import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { URL_POLICY, type UrlPolicy } from "../capability/url-policy.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import { decide, proposedByTool } from "./policies.js";

// A tool whose proposal depends on the host's configuration, which it gets as a service.

const Visit = defineTool({
  name: "visit",
  summary: "Visits an address.",
  category: "web",
  permissions: ["NetworkAccess"],
  input: s.object({ url: s.string("Where") }),
  output: s.object({}),
  approval: ({ args, service }) => {
    const { verdict, because } = service(URL_POLICY).judge(args.url);
    return verdict === "unlisted" ? { confirm: because } : "auto";
  },
  run: async () => ({}),
});

const lists = (...listed: readonly string[]): UrlPolicy => ({
  judge: (url) =>
    listed.includes(url)
      ? { verdict: "listed", because: "" }
      : { verdict: "unlisted", because: `${url} is new` },
});

describe("a tool's proposal", () => {
  it("may depend on a service of its runtime", async () => {
    const approver = scriptedApprover([true, false]);
    const runtime = createTestRuntime({ tools: [Visit], approver, services: [[URL_POLICY, lists("a")]] });
    expect(await runtime.call("visit", { url: "a" })).toMatchObject({ ok: true });
    expect(approver.requests).toEqual([]);
    expect(await runtime.call("visit", { url: "b" })).toMatchObject({ ok: true });
    expect(await runtime.call("visit", { url: "b" })).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });

  it("may be asynchronous, and a proposal that rejects means ask", async () => {
    const approver = scriptedApprover(false);
    const Slow = defineTool({
      name: "slow",
      summary: "Proposes later.",
      permissions: ["NetworkAccess"],
      input: s.object({ url: s.string("Where") }),
      approval: async ({ args }) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (args.url === "c") throw new Error("out of order");
        return args.url === "a" ? "auto" : { confirm: `${args.url} is new` };
      },
      run: async () => ({}),
    });
    const runtime = createTestRuntime({ tools: [Slow], approver });
    expect(await runtime.call("slow", { url: "a" })).toMatchObject({ ok: true });
    for (const url of ["b", "c"])
      expect(await runtime.call("slow", { url })).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(approver.requests.map(({ reason }) => reason)).toEqual([
      "b is new",
      "slow could not judge its own call (out of order)",
    ]);
  });

  it("tells the person the reason for the question", async () => {
    const approver = scriptedApprover(false);
    const runtime = createTestRuntime({ tools: [Visit], approver, services: [[URL_POLICY, lists()]] });
    await runtime.call("visit", { url: "b" });
    expect(approver.requests.map(({ reason }) => reason)).toEqual(["b is new"]);
    const { steps } = await runtime.explain("visit", { url: "b" });
    expect(steps.at(-2)).toMatchObject({ check: "policy", because: "ask: b is new" });
  });

  it("means ask if the host registered no service, or without a runtime", async () => {
    const runtime = createTestRuntime({ tools: [Visit] });
    const result = await runtime.call("visit", { url: "b" });
    expect(result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    expect(result.text).toContain("lists no addresses");
    const facts = {
      callId: "1",
      definition: Visit.definition,
      args: { url: "b" },
      changes: [],
      role: runtime.role,
    };
    expect(decide(proposedByTool, facts as never)).toMatchObject({ effect: "ask" });
  });
});
