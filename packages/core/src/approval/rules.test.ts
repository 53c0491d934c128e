import { describe, expect, it } from "vitest";
import { defineTool, type PolicyRequest, type PolicyRule, s } from "../index.js";
import { type CommandFacts, rulePolicy } from "../policy.js";

const Any = defineTool({
  name: "any",
  summary: "Any.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  input: s.object({}),
  output: s.object({}),
  run: async () => ({}),
});

const request = (more: Partial<PolicyRequest>): PolicyRequest => ({
  callId: "1",
  definition: Any.definition,
  args: {},
  changes: [],
  paths: [],
  role: { name: "r", permissions: [] },
  ...more,
});
const effect = (rule: PolicyRule, more: Partial<PolicyRequest>) => rulePolicy([rule])(request(more))?.effect;
const deny = (when: PolicyRule["when"]): PolicyRule => ({ effect: "deny", ...(when && { when }) });
const allow = (when: PolicyRule["when"]): PolicyRule => ({ effect: "allow", ...(when && { when }) });

describe("FE15 rules on paths", () => {
  const denies = (path: NonNullable<PolicyRule["when"]>["path"], ...paths: string[]) =>
    effect(deny({ ...(path !== undefined && { path }) }), { paths }) === "deny";
  const allows = (path: NonNullable<PolicyRule["when"]>["path"], ...paths: string[]) =>
    effect(allow({ ...(path !== undefined && { path }) }), { paths }) === "allow";

  it("only docs/** is written as a denial of everything else", () => {
    const elsewhere = { not: "docs/**" };
    expect(denies(elsewhere, "src/a.ts")).toBe(true);
    expect(denies(elsewhere, "docs/a.md")).toBe(false);
    expect(denies(elsewhere, "docs/a.md", "src/a.ts")).toBe(true);
    expect(denies(elsewhere, "docsx/a.md")).toBe(true);
  });

  it("a parent folder of an allowed path is not denied", () => {
    expect(denies({ not: "a/docs/**" }, "")).toBe(false);
    expect(denies({ not: "a/docs/**" }, "a")).toBe(false);
    expect(denies({ not: "a/docs/**" }, "b")).toBe(true);
  });

  it("only and not together are a difference", () => {
    const path = { only: ["docs/**", "*.md"], not: "docs/private/**" };
    expect([allows(path, "docs/a.txt"), allows(path, "b.md"), allows(path, "docs/private/a")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(allows(path, "docs/a.txt", "src/a.ts")).toBe(false);
  });

  it("the stricter reading counts", () => {
    expect(denies("secret", "secret/deep/key")).toBe(true);
    expect(denies("secret/**", "Secret/key")).toBe(true);
    expect(allows("src", "src/a.ts")).toBe(false);
    expect(allows({ not: "secret" }, "x/secret/key")).toBe(false);
    expect(denies({ not: "src" }, "src/a.ts")).toBe(true);
  });

  it("deleting or moving a folder touches its content too", () => {
    const before = { type: "directory", hash: "", size: 0, mode: 0, entries: ["keep", "keep/a.ts"] } as const;
    const changes = [{ kind: "delete", path: "src", before } as const];
    expect(effect(deny({ path: "src/keep/**" }), { changes })).toBe("deny");
    const move = [{ kind: "move", from: "src", path: "lib", before } as const];
    expect(effect(deny({ path: "lib/keep/**" }), { changes: move })).toBe("deny");
    expect(effect(deny({ path: "other/**" }), { changes: move })).toBeUndefined();
  });

  it("folders created on the way do not count as elsewhere", () => {
    const made = (path: string) => ({ kind: "create", path, after: { type: "directory" } }) as const;
    const file = { kind: "create", path: "a/docs/x.md", after: { type: "directory" } } as const;
    const rule = deny({ path: { not: "a/docs/**" } });
    expect(effect(rule, { changes: [made("a"), file] })).toBeUndefined();
    expect(effect(rule, { changes: [made("a")] })).toBe("deny");
  });
});

describe("FE15 rules on commands match the parsed words", () => {
  const command = (...argvs: (string | null)[][]): CommandFacts => ({
    text: "",
    commands: argvs.map((argv) => ({ argv })),
    isComplete: true,
  });

  it("a denial holds for any simple command, however it is spelled", () => {
    const rule = deny({ command: ["echo", "publish"] });
    expect(effect(rule, { command: command(["echo", "publish"]) })).toBe("deny");
    expect(effect(rule, { command: command(["ls"], ["echo", "publish", "now"]) })).toBe("deny");
    expect(effect(rule, { command: command(["/bin/echo", "publish"]) })).toBe("deny");
    expect(effect(rule, { command: command(["echo", "hello"]) })).toBeUndefined();
    expect(effect(rule, { command: command(["echo"]) })).toBeUndefined();
    expect(effect(rule, {})).toBeUndefined();
  });

  it("an unknown word may be the denied one", () => {
    const rule = deny({ command: ["npm", "publish"] });
    expect(effect(rule, { command: command(["npm", null]) })).toBe("deny");
    expect(effect(rule, { command: command([null]) })).toBe("deny");
    expect(effect(rule, { command: command(["ls", null]) })).toBeUndefined();
  });

  it("a permission must cover every simple command", () => {
    const rule = allow({
      command: [
        ["git", "status"],
        ["npm", "test"],
      ],
    });
    expect(effect(rule, { command: command(["git", "status", "-s"], ["npm", "test"]) })).toBe("allow");
    expect(effect(rule, { command: command(["git", "status"], ["rm", "x"]) })).toBeUndefined();
    expect(effect(rule, { command: command(["/tmp/git", "status"]) })).toBeUndefined();
    expect(effect(rule, { command: command(["git", null]) })).toBeUndefined();
    expect(effect(rule, { command: { ...command(["git", "status"]), isComplete: false } })).toBeUndefined();
    expect(effect(rule, { command: command() })).toBeUndefined();
  });
});

describe("FE15 rules on addresses", () => {
  const matches = (url: string, address: string, how: typeof deny = deny) =>
    effect(how({ url }), { url: address }) !== undefined;

  it.each<[string, string, boolean]>([
    ["example.com", "https://example.com/x", true],
    ["example.com", "http://EXAMPLE.com./x", true],
    ["example.com", "https://www.example.com/", false],
    ["*.example.com", "https://www.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://notexample.com/", false],
    ["example.com:8443", "https://example.com:8443/", true],
    ["example.com:443", "https://example.com/", true],
    ["example.com:8443", "https://example.com/", false],
    ["https://example.com/docs", "https://example.com/docs/a", true],
    ["https://example.com/docs", "https://example.com/docsx", false],
    ["169.254.169.254", "http://169.254.169.254/latest", true],
    ["169.254.169.254", "http://2852039166/latest", true],
    ["[::1]", "http://[::1]/", true],
  ])("%s, %s: %s", (pattern, address, expected) => {
    expect(matches(pattern, address)).toBe(expected);
    expect(matches(pattern, address, allow)).toBe(expected);
  });

  it.each([
    "https://example.com/%64ocs",
    "https://example.com/d%6Fcs/a",
    "https://example.com/DOCS/a",
    "https://example.com/x%",
    "https://example.com/%ff",
    "http://example.com/docs",
  ])("FE15 a restricting rule holds for another spelling, an allowing rule does not: %s", (address) => {
    expect(matches("https://example.com/docs", address)).toBe(true);
    expect(matches("https://example.com/docs", address, allow)).toBe(false);
  });

  it("an ambiguous command matches restricting rules and never an allow rule", () => {
    for (const address of [
      "https://example.com/docs/..%2fadmin",
      "https://example.com/x%2fdocs",
      "not an address",
    ]) {
      expect(matches("https://example.com/docs", address)).toBe(true);
      expect(matches("https://example.com/docs", address, allow)).toBe(false);
    }
  });
});

describe("FE15 a rule that cannot match is an error at start", () => {
  it.each<[object, string]>([
    [{ permission: "WriteFile" }, '"WriteFile" is not a permission; did you mean "WriteFiles"?'],
    [{ category: "wirte" }, '"wirte" is not a category; did you mean "write"?'],
    [{ when: { path: "[" } }, 'has a "[" without a "]"'],
    [{ when: { path: "!docs/**" } }, 'leave paths out with not: "docs/**"'],
    [{ when: { path: "src/{a,b" } }, 'has a "{" without a "}"'],
    [{ when: { path: "../x" } }, 'has ".."'],
    [{ when: { path: "src\\main.ts" } }, 'paths are written with "/"'],
    [{ when: { path: { not: "src\\**" } } }, 'paths are written with "/"'],
    [{ when: { path: "src\\" } }, 'paths are written with "/"'],
    [{ when: { command: ["rm", "*.js"] } }, "words have no wildcards"],
    [{ when: { path: [] } }, "when.path is empty"],
    [{ when: { path: {} } }, "needs only, not, or both"],
    [{ when: { path: { onyl: "x" } } }, 'did you mean "only"?'],
    [{ when: {} }, "when is empty"],
    [{ when: { pth: "x" } }, 'when has no key "pth"; did you mean "path"?'],
    [{ wen: { path: "x" } }, 'did you mean "when"?'],
    [{ when: { command: "git push" } }, 'a list of words such as ["git", "push"]'],
    [{ when: { command: ["git push"] } }, "not one text"],
    [{ when: { command: [] } }, "a list of words"],
    [{ when: { url: "exa mple" } }, "is not an address pattern"],
    [{ when: { url: "https://*/x" } }, "is not an address pattern"],
    [{ when: { url: "htps://example.com" } }, "is not an address pattern"],
    [{ when: { argument: { name: "x" } } }, "when.argument is { name, oneOf: [values] }"],
    [{ when: { argument: { name: "x", oneOf: [] } } }, 'when.argument.oneOf is empty for "x"'],
    [{ when: { path: { only: "docs/**", not: "docs/**" } } }, "when.path.not leaves out every path"],
    [{ when: { path: { only: ["docs/a/**", "docs/b.md"], not: "docs/**" } } }, "when.path.not leaves out"],
    [{ when: { path: { not: "**" } } }, "when.path.not leaves out every path"],
  ])("%j", (part, message) => {
    expect(() => rulePolicy([{ effect: "deny" }, { effect: "deny", ...part } as PolicyRule])).toThrow(
      message,
    );
    expect(() => rulePolicy([{ effect: "deny", ...part } as PolicyRule], "configuration")).toThrow(
      "configuration, rule 1: ",
    );
  });

  it("\\ before a special character is an escape", () => {
    for (const path of ["app/\\[id\\]/page.tsx", "\\!x", "a\\{b", "x\\ ", "a\\*b"])
      expect(() => rulePolicy([{ effect: "deny", when: { path } }])).not.toThrow();
  });

  it("x- permissions and categories belong to packages", () => {
    expect(() => rulePolicy([{ effect: "deny", permission: "x-mail", category: "x-mail" }])).not.toThrow();
  });
});

describe("examples in rules are checked at load", () => {
  const rule: PolicyRule = { effect: "deny", tool: "any", when: { command: ["git", "push"] } };

  it("rules with correct examples load", () => {
    const matches = [{ command: ["git", "push", "--force"] }, { command: [["ls"], ["git", "push"]] }];
    const doesNotMatch = [{ command: ["git", "status"] }, { command: ["git", "push"], tool: "other" }, {}];
    expect(() => rulePolicy([{ ...rule, matches, doesNotMatch }])).not.toThrow();
    const paths = { effect: "allow", when: { path: { only: "docs/**", not: "*.key" } } } as const;
    expect(() =>
      rulePolicy([
        { ...paths, matches: [{ path: "docs/a" }], doesNotMatch: [{ path: ["docs/a", "docs/b.key"] }] },
      ]),
    ).not.toThrow();
  });

  it("a failing example is an error that quotes it", () => {
    expect(() => rulePolicy([{ ...rule, matches: [{ command: ["git", "pull"] }] }])).toThrow(
      'it does not match its own example {"command":["git","pull"]}',
    );
    expect(() => rulePolicy([{ ...rule, doesNotMatch: [{ command: ["git", "push"] }] }])).toThrow(
      "which doesNotMatch says it must not",
    );
  });
});

describe("rules on roles, kinds of change and operands", () => {
  const change = (kind: string) => ({ kind, path: "a", before: {}, after: {} }) as never;

  it("a role", () => {
    expect(effect({ effect: "deny", role: "r" }, {})).toBe("deny");
    expect(effect({ effect: "deny", role: "other" }, {})).toBeUndefined();
  });

  it("to deny, one change of the kind is enough; to allow, every change must be of the kind", () => {
    const both = { changes: [change("modify"), change("delete")] };
    expect(effect(deny({ change: "delete" }), both)).toBe("deny");
    expect(effect(deny({ change: "move" }), both)).toBeUndefined();
    expect(effect(allow({ change: "modify" }), both)).toBeUndefined();
    expect(effect(allow({ change: ["modify", "delete"] }), both)).toBe("allow");
    expect(effect(allow({ change: "modify" }), {})).toBeUndefined();
  });

  it("operands: the same files with the same content, in any order; a missing file must stay missing", () => {
    const rule = allow({ operands: [{ path: "a.sh", digest: "1" }, { path: "b.sh" }] });
    expect(effect(rule, { operands: [{ path: "b.sh" }, { path: "a.sh", digest: "1" }] })).toBe("allow");
    expect(effect(rule, { operands: [{ path: "b.sh" }, { path: "a.sh", digest: "2" }] })).toBeUndefined();
    expect(
      effect(rule, {
        operands: [
          { path: "b.sh", digest: "3" },
          { path: "a.sh", digest: "1" },
        ],
      }),
    ).toBeUndefined();
    expect(effect(rule, { operands: [{ path: "a.sh", digest: "1" }] })).toBeUndefined();
    expect(effect(rule, {})).toBeUndefined();
  });

  it.each<[object, string]>([
    [
      { effect: "deny", when: { change: "modfy" } },
      '"modfy" is not a kind of change; did you mean "modify"?',
    ],
    [{ effect: "deny", when: { change: [] } }, "when.change is empty"],
    [{ effect: "allow", when: { operands: [] } }, "when.operands is empty"],
    [
      { effect: "allow", when: { operands: [{ pth: "a" }] } },
      'when.operands has no key "pth"; did you mean "path"?',
    ],
    [{ effect: "deny", when: { operands: [{ path: "a" }] } }, "when.operands is for rules that allow"],
    [{ effect: "deny", role: "" }, "role takes non-empty strings"],
  ])("FE15 an unreadable one is an error at start: %j", (rule, message) => {
    expect(() => rulePolicy([rule as PolicyRule])).toThrow(message);
  });

  it("examples may omit the fields of the rule", () => {
    const operands = [{ path: "a.sh", digest: "1" }];
    const rule = { role: "r", when: { change: "modify", operands }, matches: [{ tool: "any" }] } as const;
    expect(() => rulePolicy([{ effect: "allow", ...rule }])).not.toThrow();
  });
});
