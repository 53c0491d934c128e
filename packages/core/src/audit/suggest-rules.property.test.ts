import { createTestRuntime } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, defineTool, redactStrings, s, TOOL_PERMISSIONS } from "../index.js";
import { MemoryWorkspace, memoryAuditStore } from "../memory/index.js";
import { suggestRules } from "../policy.js";

const common = { summary: "Do it.", output: s.json("Anything"), approval: "confirm" } as const;
const file = s.path("A path");
const text = s.string("Text");

const tools = [
  defineTool({
    ...common,
    name: "put",
    category: "write",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
    input: s.object({ path: file, text, also: s.optional(file) }),
    run: async ({ path, text: content, also }, { workspace }) => {
      await workspace.writeText(path, content);
      if (also !== undefined) await workspace.writeText(also, content);
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "take",
    category: "manage",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
    input: s.object({ path: file, to: s.optional(file) }),
    run: async ({ path, to }, { workspace }) => {
      if (to === undefined) await workspace.remove(path, { recursive: true });
      else await workspace.move(path, to, { overwrite: true });
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "run",
    category: "execute",
    permissions: ["ExecuteCommands"],
    inspect: ({ words }) => ({
      command: { text: words.join(" "), commands: [{ argv: words }], isComplete: true },
      operands: () => words.slice(1),
    }),
    input: s.object({ words: s.array("Words", s.string("A word")) }),
    run: async () => null,
  }),
  defineTool({
    ...common,
    name: "code",
    category: "execute",
    permissions: ["RunCode"],
    alsoUses: ["ReadFiles", "WriteFiles", "CreateFiles"],
    input: s.object({ code: text, out: s.string("A path") }),
    run: async ({ code, out }, { workspace }) => {
      await workspace.writeText(out, code);
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "send",
    category: "web",
    permissions: ["NetworkAccess"],
    inspect: ({ to }) => ({ url: `https://${to}/` }),
    input: s.object({ to: text, text }),
    run: async () => null,
  }),
];

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}
const path = fc.constantFrom("a.txt", "b.txt", "new.txt", "sub/x[1].txt");
const words = fc.constantFrom(["sh", "a.txt"], ["sh", "new.txt"], ["sh", "b.txt", "-x"], ["echo", "hunter2"]);
// The redaction below turns "hunter2" into "[secret]"; the long list differs only in unrecorded parts.
const value = fc.constantFrom("x", "y", "hunter2", "[secret]", "z".repeat(1200), `${"z".repeat(1200)}!`);
const many = fc.constantFrom(["sh", ...Array(120).fill("b.txt")], ["sh", ...Array(100).fill("b.txt")]);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({ path, text: value, also: path }, { requiredKeys: ["path", "text"] })
    .map((args) => ({ tool: "put", args })),
  fc.record({ path, to: path }, { requiredKeys: ["path"] }).map((args) => ({ tool: "take", args })),
  fc.oneof(words, words, many).map((each) => ({ tool: "run", args: { words: each } })),
  fc.record({ code: value, out: path }).map((args) => ({ tool: "code", args })),
  fc.record({ to: fc.constantFrom("a.com", "b.com"), text: value }).map((args) => ({ tool: "send", args })),
);
const role = fc.constantFrom("coder", "reviewer");
const step = fc.record({ role, call, isApproved: fc.boolean(), script: fc.constantFrom("one", "two") });

/** The subject of a request: the real arguments and the real bytes. */
interface Decided {
  readonly role: string;
  readonly call: Call;
  readonly changes: readonly string[];
  readonly operands: readonly (string | undefined)[];
  readonly isApproved: boolean;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Returns whether a person approved everything that the call does. */
function wasApproved(given: Omit<Decided, "isApproved">, decided: readonly Decided[]): boolean {
  const alike = decided.filter(
    (one) => one.isApproved && one.role === given.role && one.call.tool === given.call.tool,
  );
  const isExact = (one: Decided) =>
    same(one.call.args, given.call.args) && same(one.operands, given.operands);
  if (given.changes.length === 0) return alike.some(isExact);
  const seen = given.call.tool === "code" ? alike.filter(isExact) : alike;
  return given.changes.every((change) => seen.some(({ changes }) => changes.includes(change)));
}

async function contentsOf(workspace: MemoryWorkspace, { tool, args }: Call) {
  const names = tool === "run" ? [...new Set((args.words as string[]).slice(1))] : [];
  return Promise.all(names.map((name) => workspace.readText(name).catch(() => undefined)));
}

const FILES = { "a.txt": "one", "b.txt": "b" };

/** Asks about every call and answers as configured. */
async function record(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const audit = memoryAuditStore();
  const decided: Decided[] = [];
  for (const { role: name, call: made, isApproved, script } of steps) {
    const workspace = new MemoryWorkspace({ ...FILES, "a.txt": script });
    const operands = await contentsOf(workspace, made);
    const approver = async ({ changes }: ApprovalRequest) => {
      const kinds = changes.map(({ kind, path: at }) => `${kind} ${at}`);
      decided.push({ role: name, call: made, changes: kinds, operands, isApproved });
      return { approved: isApproved };
    };
    const runtime = createTestRuntime({
      tools,
      workspace,
      audit,
      approver,
      role: { name, permissions: [...TOOL_PERMISSIONS] },
      redact: redactStrings((one) => one.replaceAll("hunter2", "[secret]")),
    });
    await runtime.call(made.tool, made.args);
  }
  return { records: await audit.list(), decided };
}

describe("suggestRules", () => {
  it("never allows calls that nobody approved, or that somebody denied", async () => {
    let allowed = 0;
    const history = fc.array(step, { minLength: 1, maxLength: 8 });
    const probe = fc.record({ role, call, script: fc.constantFrom("one", "two") });
    await fc.assert(
      fc.asyncProperty(history, fc.array(probe, { maxLength: 4 }), async (steps, probes) => {
        const { records, decided } = await record(steps);
        const { rules, roles, asked, covered } = suggestRules(records);
        expect(covered).toBeLessThanOrEqual(asked);
        for (const { role: name, call: made, script } of [...steps, ...probes]) {
          const workspace = new MemoryWorkspace({ ...FILES, "a.txt": script });
          const operands = await contentsOf(workspace, made);
          const questions: ApprovalRequest[] = [];
          const runtime = createTestRuntime({
            tools,
            workspace,
            rules,
            roles,
            role: { name, permissions: [...TOOL_PERMISSIONS] },
            approver: async (request) => {
              questions.push(request);
              return { approved: false };
            },
          });
          const result = await runtime.call(made.tool, made.args);
          if (!result.ok || questions.length > 0) continue;
          const changes = result.changes.map(({ kind, path: at }) => `${kind} ${at}`);
          // The call had no effect, so no approval was needed.
          if (changes.length === 0 && (made.tool === "put" || made.tool === "take")) continue;
          allowed += 1;
          const given = { role: name, call: made, changes, operands };
          expect(wasApproved(given, decided)).toBe(true);
          const isDenied = decided.some(
            (one) => !one.isApproved && same({ ...one, isApproved: 0 }, { ...given, isApproved: 0 }),
          );
          expect(isDenied).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
    expect(allowed).toBeGreaterThan(20);
  });
});
