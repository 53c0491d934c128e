import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import {
  type ApprovalRequest,
  defineTool,
  type Grant,
  type PolicyRule,
  s,
  type Workspace,
} from "../index.js";
import { canonicalJson } from "../kernel.js";
import { broadestGrant, grantCovers } from "../policy.js";
import type { Grants } from "../stores.js";

type Step = readonly [keyof Workspace, ...unknown[]];

/** Makes any requested change, so that approval of each kind can be tested. */
const Script = defineTool({
  name: "script",
  summary: "Do steps.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
  approval: "confirm",
  input: s.object({ steps: s.array("Steps", s.json("Step")), id: s.integer("Any", { default: 0 }) }),
  output: s.object({}),
  run: async ({ steps }, { workspace }) => {
    for (const [method, ...args] of steps as Step[])
      await (workspace as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(
        ...args,
      );
    return {};
  },
});

const FILES = { "a.txt": "a", "b.txt": "b", "d/x.txt": "x", "hooks/pre": "#!" };

async function asked(steps: readonly Step[], more: { role?: string; id?: number; files?: object } = {}) {
  const approver = scriptedApprover(false);
  const runtime = createTestRuntime({
    tools: [Script],
    approver,
    files: { ...FILES, ...more.files },
    guards: { protected: (path) => path.startsWith("hooks/") },
    role: {
      name: more.role ?? "tester",
      permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
    },
  });
  await runtime.call("script", { steps, id: more.id ?? 0 });
  return approver.requests[0] as ApprovalRequest;
}

const grantOf = (request: ApprovalRequest, id: "call" | "paths"): Grant =>
  request.grants.find((grant) => grant.id === id) as Grant;

const WRITE_A: Step = ["writeText", "a.txt", "1"];

describe("S3.APPR a grant covers exactly what was shown", () => {
  it("the exact call, with its arguments in any order", async () => {
    const request = await asked([WRITE_A]);
    expect(grantCovers(grantOf(request, "call"), await asked([WRITE_A]))).toBe(true);
    expect(grantCovers(grantOf(request, "call"), await asked([WRITE_A], { id: 1 }))).toBe(false);
    expect(grantCovers(grantOf(request, "call"), await asked([["writeText", "a.txt", "2"]]))).toBe(false);
    expect(canonicalJson({ b: 1, a: [undefined, { d: null, c: "x" }], e: undefined })).toBe(
      '{"a":[null,{"c":"x","d":null}],"b":1}',
    );
  });

  it("the same kind of change to the same path, with any content", async () => {
    const grant = grantOf(await asked([WRITE_A]), "paths");
    expect(grant.label).toBe("script may modify a.txt");
    expect(grantCovers(grant, await asked([["writeText", "a.txt", "other"]]))).toBe(true);
  });

  it("no other path, no other kind, no other role", async () => {
    const grant = grantOf(await asked([WRITE_A]), "paths");
    expect(grantCovers(grant, await asked([["writeText", "b.txt", "1"]]))).toBe(false);
    expect(grantCovers(grant, await asked([WRITE_A, ["writeText", "b.txt", "1"]]))).toBe(false);
    expect(grantCovers(grant, await asked([["remove", "a.txt"]]))).toBe(false);
    expect(grantCovers(grant, await asked([WRITE_A], { role: "other" }))).toBe(false);
    expect(grantCovers({ ...grant, match: { ...grant.match, tool: "other" } }, await asked([WRITE_A]))).toBe(
      false,
    );
  });

  it("a grant to create one file and delete another does not allow deleting the first", async () => {
    const mixed = await asked([
      ["createText", "new.txt", "1"],
      ["remove", "b.txt"],
    ]);
    expect(mixed.grants.map(({ id }) => id)).toEqual(["call"]);
    const wide: Grant = {
      id: "forged",
      label: "",
      match: {
        tool: "script",
        role: "tester",
        paths: ["a.txt", "b.txt"],
        kinds: ["create", "delete", "move"],
      },
    };
    expect(grantCovers(wide, mixed)).toBe(false);
  });

  it("a move is granted only as the exact call, and not once it would overwrite", async () => {
    const move: Step = ["move", "a.txt", "c.txt", { overwrite: true }];
    const request = await asked([move]);
    expect(request.grants.map(({ id }) => id)).toEqual(["call"]);
    expect(grantCovers(grantOf(request, "call"), await asked([move]))).toBe(true);
    expect(grantCovers(grantOf(request, "call"), await asked([move], { files: { "c.txt": "c" } }))).toBe(
      false,
    );
  });

  it("deleting a directory is granted only for its content at that time", async () => {
    const remove: Step = ["remove", "d", { recursive: true }];
    const request = await asked([remove]);
    expect(request.grants.map(({ id }) => id)).toEqual(["call"]);
    expect(grantCovers(grantOf(request, "call"), await asked([remove], { files: { "d/y.txt": "y" } }))).toBe(
      false,
    );
  });

  it("offers no grant for a protected path", async () => {
    const request = await asked([["writeText", "hooks/pre", "evil"]]);
    expect(request.risk).toBe("high");
    expect(request.reason).toContain("hooks/pre is protected");
    expect(request.grants).toEqual([]);
    const grant = grantOf(await asked([WRITE_A]), "paths");
    const forged: Grant = { ...grant, match: { ...grant.match, paths: ["a.txt", "hooks/pre"] } };
    expect(grantCovers(forged, request)).toBe(false);
  });

  it("a link is granted only as the exact call", async () => {
    expect((await asked([["createLink", "l", "a.txt"]])).grants.map(({ id }) => id)).toEqual(["call"]);
  });

  it("the plan's digest covers every byte", async () => {
    const one = await asked([WRITE_A]);
    expect(broadestGrant(one)).toBe(one.grants[1]);
    expect(broadestGrant({ grants: [] })).toBeUndefined();
    expect(one.planDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(one.grants[0]?.match.callDigest).toMatch(/^[0-9a-f]{64}$/);
    expect((await asked([WRITE_A])).planDigest).toBe(one.planDigest);
    expect((await asked([WRITE_A], { files: { "a.txt": "changed" } })).planDigest).not.toBe(one.planDigest);
    expect((await asked([["writeText", "a.txt", "2"]])).planDigest).not.toBe(one.planDigest);
  });

  it("a call covered by a grant runs without a prompt", async () => {
    const first = await asked([WRITE_A]);
    const approver = scriptedApprover([]);
    const granted = grantOf(first, "paths");
    const grants: Grants = {
      covering: async (request) => (grantCovers(granted, request) ? granted : undefined),
    };
    const runtime = createTestRuntime({ tools: [Script], approver, grants, files: FILES });
    expect(await runtime.call("script", { steps: [["writeText", "a.txt", "granted"]] })).toMatchObject({
      ok: true,
    });
    expect(approver.requests).toEqual([]);
    expect(await runtime.call("script", { steps: [["remove", "a.txt"]] })).toMatchObject({ ok: false });
    expect(approver.requests).toHaveLength(1);
  });

  it("a tool's subject is offered where the tool proposes approval, never for calls that change files", async () => {
    const Visit = defineTool({
      name: "visit",
      summary: "Visit.",
      category: "web",
      permissions: ["NetworkAccess"],
      approval: ({ args: { site } }) => ({
        confirm: `${site} is new`,
        subject: { name: site, label: `visit may go to ${site}` },
      }),
      input: s.object({ site: s.string("Site"), page: s.string("Page", { default: "" }) }),
      output: s.object({}),
      run: async () => ({}),
    });
    const request = async (args: object, rules: readonly PolicyRule[] = []) => {
      const approver = scriptedApprover(false);
      const role = { name: "tester", permissions: ["NetworkAccess"], rules } as const;
      await createTestRuntime({ tools: [Visit], approver, role }).call("visit", args);
      return approver.requests[0] as ApprovalRequest;
    };
    const first = await request({ site: "a", page: "1" });
    const grant = broadestGrant(first) as Grant;
    expect(grant).toMatchObject({
      label: "visit may go to a",
      match: { tool: "visit", role: "tester", subject: "a" },
    });
    expect(grantCovers(grant, await request({ site: "a", page: "2" }))).toBe(true);
    expect(grantCovers(grant, await request({ site: "b" }))).toBe(false);
    expect(grantCovers({ ...grant, match: { ...grant.match, tool: "other" } }, first)).toBe(false);
    const ruled = await request({ site: "a" }, [{ tool: "visit", effect: "ask" }]);
    expect(ruled.grants.map(({ id }) => id)).toEqual(["call"]);
    expect(grantCovers(grant, ruled)).toBe(false);
    expect(grantCovers(grant, await asked([WRITE_A]))).toBe(false);
  });

  it("risk: low to create files, high to delete, medium otherwise", async () => {
    expect((await asked([WRITE_A])).risk).toBe("high");
    const Make = defineTool({
      name: "make",
      summary: "Make.",
      category: "write",
      permissions: ["CreateFiles"],
      input: s.object({}),
      output: s.object({}),
      run: async (_args, { workspace }) => {
        await workspace.createText("new.txt", "x");
        return {};
      },
    });
    const approver = scriptedApprover(false);
    await createTestRuntime({ tools: [Make], approver }).call("make", {});
    expect(approver.requests[0]?.risk).toBe("low");
  });
});
