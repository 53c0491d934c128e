import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { token } from "@haft/core";
import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import type { NodeRuntimeOptions } from "../node-runtime-options.js";

const runtimes = runtimeFolder({}, { tools: [readsFile, writesFile] });
const { open } = runtimes;
const role = (more: object) => ({ name: "own", permissions: ["ReadFiles"], ...more }) as const;

describe("an unknown tool name in a host's options", () => {
  it.each<[string, Partial<NodeRuntimeOptions>, RegExp]>([
    [
      "in a role",
      { role: role({ tools: ["read_file"] }) },
      /The role own names the unknown tool "read_file"/,
    ],
    [
      "in a rule of a role",
      { role: role({ rules: [{ effect: "deny", tool: "reads_fil" }] }) },
      /The role own names the unknown tool "reads_fil"/,
    ],
    [
      "in a rule of the configuration",
      { rules: [{ effect: "deny", tool: "readsFile" }] },
      /A rule names the unknown tool "readsFile"/,
    ],
    [
      "among the disabled",
      { disabledTools: ["reads_files"] },
      /list of disabled tools names the unknown tool/,
    ],
  ])("%s, misspelt, is an error that names the nearest", async (_where, options, message) => {
    await expect(open(options)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
      hint: "Did you mean reads_file?",
    });
  });

  it("FE15 in a rule, is an error for any name, unless isAddedLater accepts it", async () => {
    const rules = [{ effect: "deny", tool: "weather_forecast" }] as const;
    for (const options of [{ rules }, { role: role({ rules }) }])
      await expect(open(options)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining('names the unknown tool "weather_forecast"'),
        hint: expect.stringContaining("isAddedLater"),
      });
    await using announced = await open({ rules, isAddedLater: (name) => name.startsWith("weather_") });
    expect(announced.tools()).toHaveLength(2);
    await using lenient = await open({ rules, isComplete: false });
    expect(lenient.tools()).toHaveLength(2);
  });

  it("may be added later, unless the host declares the list complete", async () => {
    const later = { role: role({ tools: ["reads_file", "weather"] }) };
    await using runtime = await open(later);
    expect(runtime.tools().map(({ name }) => name)).toEqual(["reads_file"]);
    await expect(open({ ...later, isComplete: true })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: "The tools are reads_file, writes_file.",
    });
  });
});

describe("FE15 a misspelt name is an error at start", () => {
  it.each([
    ["polices", "policies"],
    ["Policies", "policies"],
    ["rule", "role"],
    ["aprover", "approver"],
  ])("the option %s", async (name, meant) => {
    await expect(open({ [name]: [] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `There is no option called "${name}".`,
      hint: `Did you mean ${meant}?`,
    });
  });

  it("ignores an option with a similar name", async () => {
    await using runtime = await open({ mcpServers: {}, mine: 1 } as never);
    expect(runtime.tools()).toHaveLength(2);
  });

  it.each(["codr", "gardener"])("the role %s in a rule of the configuration", async (name) => {
    const rules = [{ effect: "deny", role: name, tool: "writes_file" }] as const;
    await expect(open({ rules })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(
        `The configuration has a rule that cannot be used: rules, rule 1: there is no role "${name}"`,
      ),
    });
    await using listed = await open({ rules, roles: [name] });
    expect(listed.tools()).toHaveLength(2);
    await using own = await open({ rules, role: { ...role({}), name } });
    expect(own.tools()).toHaveLength(1);
  });

  it("an error about a role names the nearest one", async () => {
    await expect(open({ rules: [{ effect: "deny", role: "codr" }] })).rejects.toThrow(
      'Did you mean "coder"?',
    );
  });

  it.each(["matches", "doesNotMatch"])("a tool in an example that a rule has as %s", async (key) => {
    const rules = [{ effect: "deny", tool: "reads_file", [key]: [{ tool: "reads_fil" }] }] as never;
    await expect(open({ rules })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("a rule of a role that names another role", async () => {
    const rules = [{ effect: "deny", role: "coderr", tool: "writes_file" }] as const;
    await expect(open({ role: role({ rules }) })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining('rule 1 is for the role "coderr" and belongs to the role'),
    });
  });
});

describe("FE15 a rule that contradicts the tool it names", () => {
  it.each<[object, RegExp]>([
    [{ tool: "reads_file", permission: "WriteFiles" }, /reads_file does not use the permission "WriteFiles"/],
    [{ tool: "writes_file", when: { command: ["git"] } }, /writes_file cannot run commands/],
    [{ tool: "reads_file", when: { argument: { name: "pth", oneOf: ["a"] } } }, /did you mean "path"\?/],
    [{ when: { path: { only: "docs/a", not: "docs/**" } } }, /when\.path\.not leaves out every path/],
  ])("%j is CONFIG_INVALID in a configuration and in a role", async (part, message) => {
    const rules = [{ effect: "allow", ...part }] as never;
    for (const options of [{ rules }, { role: role({ rules }) }])
      await expect(open(options)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(message),
      });
  });
});

describe("FE15 an invalid path pattern is an error at start", () => {
  it.each<[string, RegExp]>([
    ["[", /has a "\[" without a "\]"/],
    ["sec[ret", /without a "\]"/],
    ["{a,b", /without a "\}"/],
    ["!docs/**", /starts with "!"; this list has no exceptions/],
    ["~/x", /starts with "~"/],
    ["/", /matches no path/],
    ["../x", /has "\.\."/],
    ["C:\\x", /is absolute/],
    ["a//b", /has "\/\/" or "\/\.\/"/],
    ["a/./b", /has "\/\/" or "\/\.\/"/],
    ["a\0b", /has a NUL character/],
    [" a", /starts or ends with a blank/],
    ["a ", /starts or ends with a blank/],
  ])("%j in paths.sensitive and paths.protected", async (pattern, message) => {
    for (const key of ["sensitive", "protected"])
      await expect(open({ paths: { [key]: [pattern] } })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(new RegExp(`^paths\\.${key}: .*${message.source}`)),
      });
  });

  it("FE15 accepts a pattern that repeats the workspace's own path if that folder exists", async () => {
    const inner = join(runtimes.root, runtimes.root);
    mkdirSync(inner, { recursive: true });
    await using runtime = await open({ paths: { sensitive: [`${runtimes.root}/**`] } });
    expect(runtime.tools()).toHaveLength(2);
    rmSync(join(runtimes.root, runtimes.root.split("/")[1] as string), { recursive: true });
  });

  it("the absolute path of a file in the workspace, with the intended pattern", async () => {
    const pattern = join(runtimes.root, "secret/*.txt");
    const when = { path: { only: "**", not: [pattern] } };
    const rules = [{ effect: "deny", when }] as const;
    for (const options of [{ paths: { sensitive: [pattern] } }, { rules }, { role: role({ rules }) }])
      await expect(open(options)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining('patterns start at the workspace; write "/secret/*.txt"'),
      });
  });
});

describe("FE15 an entry of the allow list that is not one plain command is an error at start", () => {
  it.each([" ", "git status; rm", "a | b", "a && b", "a > b", "a\nb", "echo $(x)", "echo `x`", "echo 'x"])(
    "%j",
    async (entry) => {
      for (const key of ["allow", "allowOnly"])
        await expect(open({ commands: { [key]: [entry] } })).rejects.toMatchObject({
          code: "CONFIG_INVALID",
          message: `commands.${key}: ${JSON.stringify(entry)} is not one plain command`,
        });
    },
  );

  it.each(["CI=1 ls", "--force", "git '*'"])("FE15 %j, which no command matches", async (entry) => {
    await expect(open({ commands: { allow: [entry] } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`commands.allow: ${JSON.stringify(entry)}: `),
    });
  });

  it.each(["PATH", "LD_PRELOAD", "GIT_DIR"])("FE15 a variable that runs other code: %s", async (name) => {
    await expect(open({ commands: { env: ["CI", name] } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `commands.env: ${name} cannot be allowed`,
    });
  });

  it("FE15 a search provider that does not exist, and one without its address", async () => {
    await expect(open({ web: { search: { provider: "searxgn", url: "https://x" } } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: 'web.search.provider: "searxgn" is not a search provider; did you mean searxng?',
    });
    await expect(open({ web: { search: { provider: "searxng" } } })).rejects.toMatchObject({
      message: "web.search.url is missing; searxng needs one",
    });
    const services = [[token("search-provider"), { name: "own" }]] as const;
    await using runtime = await open({ web: { search: { provider: "own" } }, services });
    expect(runtime.tools()).toHaveLength(2);
  });

  it("FE15 a command rule that no command matches", async () => {
    for (const command of [
      ["git", "*"],
      ["git", "stat*"],
      ["CI=1", "ls"],
      ["ls", "|", "cat"],
    ])
      await expect(open({ rules: [{ effect: "deny", when: { command } }] })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("when.command: "),
      });
  });

  it.each(["make", "git status", "echo 'a; b'", 'echo "a | b"', "a\\;b", "npx vitest run [x]"])(
    "accepts %j",
    async (entry) => {
      await using runtime = await open({ commands: { allow: [entry] } });
      expect(runtime.tools()).toHaveLength(2);
    },
  );
});
