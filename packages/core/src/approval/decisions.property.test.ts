import { createTestRuntime } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalPolicy,
  type ApprovalRequest,
  defineTool,
  type Grant,
  type PolicyRule,
  s,
} from "../index.js";
import { assertRulesFit, grantCovers, rulePolicy } from "../policy.js";

const PATHS = ["a.txt", "src/a.ts", "src/b.ts", "docs/a.md", "secret/key"] as const;
const files = { "a.txt": "1", "src/a.ts": "2", "docs/a.md": "3", "secret/key": "4" };
const common = { summary: "Do it.", output: s.json("Anything") };
const path = s.string("A path");
const ran: string[] = [];

const tools = [
  defineTool({
    ...common,
    name: "show",
    category: "read",
    permissions: ["ReadFiles"],
    input: s.object({ path }),
    run: async ({ path: file }, { workspace }) => workspace.readText(file),
  }),
  defineTool({
    ...common,
    name: "put",
    category: "write",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
    approval: ({ changes }) => (changes.every(({ kind }) => kind === "create") ? "auto" : "confirm"),
    input: s.object({ path: s.path("A path"), text: s.string("Text") }),
    run: async ({ path: file, text }, { workspace }) => {
      await workspace.writeText(file, text);
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "take",
    category: "manage",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
    input: s.object({ path, to: s.optional(path) }),
    run: async ({ path: file, to }, { workspace }) => {
      if (to === undefined) await workspace.remove(file, { recursive: true });
      else await workspace.move(file, to, { overwrite: true });
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "send",
    category: "web",
    permissions: ["NetworkAccess"],
    approval: ({ args }) => ({
      confirm: "it sends",
      subject: { name: args.to, label: `send to ${args.to}` },
    }),
    inspect: ({ to }) => ({ url: `https://${to}/` }),
    input: s.object({ to: s.string("Host"), text: s.string("Text") }),
    run: async ({ to }) => {
      ran.push(to);
      return null;
    },
  }),
  defineTool({
    ...common,
    name: "run",
    category: "execute",
    permissions: ["ExecuteCommands"],
    inspect: ({ words }) => ({
      command: { text: words.join(" "), commands: [{ argv: words }], isComplete: !words.includes("$X") },
    }),
    input: s.object({ words: s.array("Words", s.string("A word")) }),
    run: async ({ words }) => {
      ran.push(words.join(" "));
      return null;
    },
  }),
];

const effect = fc.constantFrom("allow", "ask", "deny") as fc.Arbitrary<"allow" | "ask" | "deny">;
const anyPath = fc.constantFrom(...PATHS, "src", "secret", "../out", "none.txt");
const pattern = fc.constantFrom("**", "src/**", "*.ts", "secret", "docs/**", "a.txt");
const PREFIXES = [["git"], ["git", "push"], ["npm", "test"]];
const rule: fc.Arbitrary<PolicyRule> = fc
  .record(
    {
      effect,
      tool: fc.constantFrom("show", "put", "take", "send", "run"),
      permission: fc.constantFrom("ReadFiles", "WriteFiles", "NetworkAccess", "ExecuteCommands"),
      when: fc.oneof(
        pattern.map((one) => ({ path: one })),
        pattern.map((not) => ({ path: { not } })),
        fc.constantFrom("a.com", "*.b.com").map((url) => ({ url })),
        fc.constantFrom("https://a.com/", "a.com:443").map((url) => ({ url })),
        fc.subarray(PREFIXES, { minLength: 1 }).map((command) => ({ command })),
        fc.tuple(pattern, pattern).map(([only, not]) => ({ path: { only, not } })),
        anyPath.map((value) => ({ argument: { name: "path", oneOf: [value] } })),
      ),
    },
    { requiredKeys: ["effect"] },
  )
  .map((one) => one as PolicyRule)
  .filter(isUsable);
interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}
const words = fc.constantFrom(
  ["git", "push"],
  ["git", "status"],
  ["/usr/bin/git", "push"],
  ["npm", "test"],
  ["$X"],
);
const call: fc.Arbitrary<Call> = fc.oneof(
  words.map((each) => ({ tool: "run", args: { words: each } })),
  anyPath.map((file) => ({ tool: "show", args: { path: file } })),
  fc
    .tuple(anyPath, fc.constantFrom("x", "y"))
    .map(([file, text]) => ({ tool: "put", args: { path: file, text } })),
  fc
    .tuple(anyPath, fc.option(anyPath, { nil: undefined }))
    .map(([file, to]) => ({ tool: "take", args: { path: file, ...(to !== undefined && { to }) } })),
  fc
    .tuple(fc.constantFrom("a.com", "x.b.com"), fc.constantFrom("x", "y"))
    .map(([to, text]) => ({ tool: "send", args: { to, text } })),
);
const policy = fc.option(
  fc.tuple(effect, fc.boolean()).map(([given, isAsync]): ApprovalPolicy => {
    const opinion = { effect: given, because: "the host says so" };
    return isAsync ? async () => opinion : () => opinion;
  }),
  { nil: undefined },
);
/** A rule that can match nothing is an error at start. */
function isUsable(one: PolicyRule): boolean {
  try {
    rulePolicy([one]);
    assertRulesFit([one], tools);
    return true;
  } catch {
    return false;
  }
}
const setup = fc.record({ rules: fc.array(rule, { maxLength: 4 }), policy });

/** A runtime whose approver answers as configured, and whose grants are kept in a list. */
function open(
  { rules, policy: host }: { rules: PolicyRule[]; policy: ApprovalPolicy | undefined },
  answer?: ApprovalAnswer | readonly ApprovalAnswer[],
) {
  const saved: Grant[] = [];
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    const given = [answer].flat()[asked.length - 1] ?? [answer].flat().at(-1);
    if (given?.remember !== undefined) saved.push(...request.grants.slice(-1));
    return given as ApprovalAnswer;
  };
  const runtime = createTestRuntime({
    tools,
    files,
    rules,
    policies: host === undefined ? [] : [host],
    grants: { covering: async (request) => saved.find((grant) => grantCovers(grant, request)) },
    ...(answer !== undefined && { approver }),
  });
  return { runtime, saved, asked };
}

const runs = { numRuns: 400 };
const EXAMPLES = [
  // The question about a file precedes the error that it is missing.
  [
    { rules: [{ effect: "ask" as const, when: { path: { not: "a.txt" } } }], policy: undefined },
    { tool: "show", args: { path: "src/b.ts" } },
  ],
] satisfies [{ rules: PolicyRule[]; policy: undefined }, Call][];
/** No schema marks the argument as a path, so the question about a missing file comes when it is opened. */
const EDITED_TOO_LATE: [(typeof EXAMPLES)[number][0], [Call, Call], boolean][] = [
  [
    { rules: [{ effect: "ask", when: { path: { not: "*.ts" } } }], policy: undefined },
    [
      { tool: "show", args: { path: "none.txt" } },
      { tool: "show", args: { path: "a.txt" } },
    ],
    true,
  ],
];

describe("decisions", () => {
  it("FE9 explain equals outcome, and has no effect", async () => {
    await fc.assert(
      fc.asyncProperty(setup, call, async (given, { tool, args }) => {
        const { runtime } = open(given);
        ran.length = 0;
        const before = await runtime.workspaceFiles();
        const { effect: explained, steps } = await runtime.explain(tool, args);
        expect(await runtime.workspaceFiles()).toEqual(before);
        expect([runtime.events, ran]).toEqual([[], []]);
        const result = await runtime.call(tool, args);
        if (explained === "allow") {
          expect(result).toMatchObject({ ok: true });
          return;
        }
        const code = explained === "ask" ? "APPROVAL_REQUIRED" : (steps.at(-1)?.code ?? "POLICY_DENIED");
        expect(result).toMatchObject({ ok: false, error: { code } });
      }),
      { ...runs, examples: EXAMPLES },
    );
  });

  it("a denial anywhere wins, even over a person's approval", async () => {
    await fc.assert(
      fc.asyncProperty(setup, call, fc.nat({ max: 4 }), async (given, { tool, args }, at) => {
        const rules = [...given.rules];
        rules.splice(at, 0, { effect: "deny", tool });
        const denying: ApprovalPolicy = async () => ({ effect: "deny", because: "closed" });
        for (const denied of [
          { ...given, rules },
          { ...given, policy: denying },
        ]) {
          const { runtime, asked } = open(denied, { approved: true });
          ran.length = 0;
          expect(await runtime.call(tool, args)).toMatchObject({ ok: false });
          expect([await runtime.workspaceFiles(), asked, ran]).toEqual([files, [], []]);
        }
      }),
      runs,
    );
  });

  it("nothing runs after a denial", async () => {
    await fc.assert(
      fc.asyncProperty(setup, call, async (given, { tool, args }) => {
        const { runtime, asked } = open(given, { approved: false });
        ran.length = 0;
        const result = await runtime.call(tool, args);
        if (asked.length === 0) return;
        expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
        expect([await runtime.workspaceFiles(), ran, asked.length]).toEqual([files, [], 1]);
      }),
      runs,
    );
  });

  it("FE10 edited arguments are judged like any others, and rejecting their effect is final", async () => {
    const edit = fc.tuple(call, call).filter(([first, second]) => first.tool === second.tool);
    await fc.assert(
      fc.asyncProperty(setup, edit, fc.boolean(), async (given, [first, edited], showAgain) => {
        const { tool } = first;
        const verdict = await open(given).runtime.explain(tool, edited.args);
        const answers = [{ approved: true, modifiedArgs: edited.args, showAgain }, { approved: false }];
        const { runtime, asked } = open(given, answers);
        ran.length = 0;
        const result = await runtime.call(tool, first.args);
        if (asked.length === 0 || JSON.stringify(first) === JSON.stringify(edited)) return;
        if (verdict.effect === "deny" || asked.length > 1 || (showAgain && !result.ok)) {
          expect(result.ok).toBe(false);
          expect([await runtime.workspaceFiles(), ran]).toEqual([files, []]);
        }
        // The question was about a file that the tool opened: the call is running, and its arguments can no longer
        // change.
        const isRunning = !result.ok && result.error.message.includes("is already running");
        const isTooLate = asked[1]?.reason.includes("is already running") === true;
        if (isRunning) expect([asked.length, showAgain]).toEqual([1, false]);
        else if (isTooLate) expect(asked[1]?.args).toEqual(first.args);
        else if (showAgain && verdict.effect !== "deny") expect(asked[1]?.args).toEqual(edited.args);
        if (result.ok) expect(asked).toHaveLength(1);
      }),
      { ...runs, examples: EDITED_TOO_LATE },
    );
  });

  it("no grant allows a call wider than the one it was given for", async () => {
    await fc.assert(
      fc.asyncProperty(setup, fc.array(call, { minLength: 2, maxLength: 5 }), async (given, calls) => {
        const { runtime, saved, asked } = open(given, { approved: true, remember: "session" });
        for (const { tool, args } of calls) {
          const known = [...saved];
          const { effect: explained, decidedBy, changes } = await runtime.explain(tool, args);
          if (explained !== "allow" || !decidedBy.startsWith("grant")) {
            await runtime.call(tool, args);
            continue;
          }
          const granted = asked.filter((request) => request.tool === tool);
          const touched = (list: readonly { path: string }[]) => new Set(list.map((change) => change.path));
          const isCovered = granted.some((request) => {
            if (changes.length === 0)
              return ["to", "path", "words"].every((name) => `${request.args[name]}` === `${args[name]}`);
            const seen = touched(request.changes);
            return [...touched(changes)].every((one) => seen.has(one));
          });
          expect(isCovered).toBe(true);
          await runtime.call(tool, args);
          expect(saved).toEqual(known);
        }
      }),
      runs,
    );
  });
});
