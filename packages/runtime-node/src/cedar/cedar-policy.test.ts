import { defineTool, type Opinion, type PolicyRequest, s } from "@haft/core";
import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { cedarPolicy } from "./cedar-policy.js";

const Runs = defineTool({
  name: "runs",
  summary: "Run a command.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  input: s.object({ command: s.string("Command") }),
  output: s.json("Anything"),
  run: async () => ({}),
});

const POLICIES = `
  @id("work") permit (principal, action, resource);
  @id("closed") forbid (principal, action, resource in Haft::Folder::"private");
  @id("no push") forbid (principal, action, resource in Haft::Command::"git push");
  @id("one host") forbid (principal, action, resource is Haft::Url) unless { resource in Haft::Host::"example.com" };
  @id("ask first") @effect("ask")
  forbid (principal, action in Haft::Action::"category/write", resource is Haft::File)
  when { resource.path like "release/*" };
  @id("no drafts") forbid (principal, action, resource) when { context.args has draft && context.args.draft };
`;

const base: PolicyRequest = {
  callId: "c",
  definition: Runs.definition,
  args: {},
  changes: [],
  role: { name: "coder", permissions: [] },
};
const command = (...argvs: (string | null)[][]): Partial<PolicyRequest> => ({
  command: { text: "", commands: argvs.map((argv) => ({ argv })), isComplete: true },
});

async function judge(request: Partial<PolicyRequest>, policies = POLICIES): Promise<Opinion | undefined> {
  return (await cedarPolicy({ policies }))({ ...base, ...request });
}

describe("Cedar policies", () => {
  it.each<[string, Partial<PolicyRequest>, string | undefined]>([
    ["a call that is permitted leaves it to the other policies", {}, undefined],
    ["a file of an open folder", { paths: ["src/a.ts"] }, undefined],
    ["a file of a closed folder, however deep", { paths: ["src/a.ts", "private/x/y.txt"] }, "deny"],
    ["a folder whose name only starts alike", { paths: ["private2/y.txt"] }, undefined],
    ["a command", command(["git", "status"]), undefined],
    ["a forbidden prefix, second in a line", command(["ls"], ["git", "push", "--force"]), "deny"],
    ["one word with a space is not two", command(["git push"]), undefined],
    ["a word that is known only when it runs", command(["git", null]), "ask"],
    ["an address of the one host", { url: "https://docs.example.com/a" }, undefined],
    ["an address of another", { url: "https://example.com.evil.test/" }, "deny"],
    ["an address that cannot be read", { url: "::" }, "deny"],
    ["asking: only for its category", { paths: ["release/v"] }, undefined],
    ["asking", { definition: writesFile.definition, paths: ["release/v"] }, "ask"],
    ["arguments", { args: { draft: true, ratio: 0.5, none: null } }, "deny"],
    ["arguments that are no entity", { args: { draft: { __entity: { type: "A", id: "b" } } } }, "deny"],
  ])("%s", async (_name, request, effect) => {
    expect((await judge(request))?.effect).toBe(effect);
  });

  it("fails closed if nothing permits a call, or if a policy fails", async () => {
    expect(await judge({}, 'permit (principal, action == Haft::Action::"other", resource);')).toMatchObject({
      effect: "deny",
      because: "no Cedar policy permits Tool runs",
    });
    const failing = `permit (principal, action, resource);
      @id("broken") forbid (principal, action, resource) when { context.nothing == 1 };`;
    expect(await judge({}, failing)).toMatchObject({
      effect: "deny",
      because: expect.stringContaining("the Cedar policy broken failed"),
    });
  });

  it("allows calls without approval only if the host enables it", async () => {
    const policy = await cedarPolicy({ policies: POLICIES, onPermit: "allow" });
    expect(await policy(base)).toMatchObject({ effect: "allow" });
  });

  it("resolves principals and their groups", async () => {
    const policies = 'permit (principal in Team::"ops", action, resource);';
    const [ann, ops] = [
      { type: "User", id: "ann" },
      { type: "Team", id: "ops" },
    ];
    const entities = [{ uid: ann, attrs: {}, parents: [ops] }];
    const policy = await cedarPolicy({ policies, principal: ann, entities });
    expect(await policy(base)).toBeUndefined();
    const other = await cedarPolicy({ policies, principal: { type: "User", id: "bob" }, entities });
    expect(await other(base)).toMatchObject({ effect: "deny" });
  });

  it.each([
    ["text that is not Cedar", "permit ("],
    [
      "two policies of one name",
      '@id("a") permit (principal, action, resource); @id("a") forbid (principal, action, resource);',
    ],
    ["an unknown effect", '@effect("aks") forbid (principal, action, resource);'],
    ["a template", "permit (principal == ?principal, action, resource);"],
  ])("are rejected at load: %s", async (_name, policies) => {
    await expect(cedarPolicy({ policies })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("Cedar policies in a runtime", () => {
  const folder = runtimeFolder(
    { "a.txt": "old\n" },
    { tools: [readsFile, writesFile], readBeforeWrite: "off" },
  );

  it("deny by the file that a call would change, and are named in the audit log", async () => {
    await using runtime = await folder.open({
      policies: [await cedarPolicy({ policies: POLICIES })],
      approver: async () => ({ approved: true }),
    });
    expect(await runtime.call("writes_file", { path: "a.txt", text: "new\n" })).toMatchObject({ ok: true });
    const denied = await runtime.call("writes_file", { path: "private/b.txt", text: "new\n" });
    expect(denied).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(denied.text).toContain("the Cedar policy closed forbids File private/b.txt");
    expect((await runtime.audit.list()).at(-1)).toMatchObject({ verdict: "deny", rule: "cedar" });
  });
});
