import { createTestRuntime, scriptedGate } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { URL_POLICY, type UrlPolicy } from "../capability/url-policy.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import { decide, proposedByTool } from "./policies.js";

// A tool knows what to propose only with what its host configured at hand; that comes as a service.

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

describe("what a tool proposes", () => {
  it("may depend on a service of its runtime", async () => {
    const gate = scriptedGate([true, false]);
    const runtime = createTestRuntime({ tools: [Visit], gate, services: [[URL_POLICY, lists("a")]] });
    expect(await runtime.call("visit", { url: "a" })).toMatchObject({ ok: true });
    expect(gate.requests).toEqual([]);
    expect(await runtime.call("visit", { url: "b" })).toMatchObject({ ok: true });
    expect(await runtime.call("visit", { url: "b" })).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });

  it("tells the person who is asked why", async () => {
    const gate = scriptedGate(false);
    const runtime = createTestRuntime({ tools: [Visit], gate, services: [[URL_POLICY, lists()]] });
    await runtime.call("visit", { url: "b" });
    expect(gate.requests.map(({ reason }) => reason)).toEqual(["b is new"]);
    const { steps } = await runtime.explain("visit", { url: "b" });
    expect(steps.at(-2)).toMatchObject({ check: "policy", because: "ask: b is new" });
  });

  it("is to ask where the host registered nothing, and where there is no runtime", async () => {
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
