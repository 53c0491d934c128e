import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import type { OperandHost } from "./command-directories.js";
import { commandOperands } from "./command-operands.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const files = {
  "tools/gen.sh": "echo generated > out.txt\n",
  "tools/settings.json": "{}\n",
  "package.json": '{"scripts":{"gen":"sh tools/gen.sh","constructor":"sh tools/gen.sh"}}\n',
  Makefile: "gen:\n\tsh tools/gen.sh\n",
  "top.mk": "include common.mk\n",
  "common.mk": "gen:\n\tsh tools/gen.sh\n",
  "tools/__init__.py": "",
  "with space.sh": "echo 1\n",
  "tools/Makefile": "gen:\n\tsh gen.sh\n",
  "tools/rules.mk": "gen:\n\tsh tools/gen.sh\n",
  "tools/package.json": '{"scripts":{"gen":"sh gen.sh"}}\n',
  "tools/gen.py": "print(1)\n",
  "tools/gen.js": "console.log(1)\n",
  "tools/before.mjs": "console.log(0)\n",
};

type Answering = (request: ApprovalRequest, world: ExecWorld) => ApprovalAnswer;

async function open(answering: Answering) {
  const asked: ApprovalRequest[] = [];
  const box: { world?: ExecWorld } = {};
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return answering(request, box.world as ExecWorld);
  };
  const commands = { onUnlisted: "ask", allowOnly: ["ls"] } as const;
  const world = await openExecWorld(files, { tools: [ExecuteCommand], approver, commands });
  box.world = world;
  return { world, asked };
}

const PWN = "echo pwned > pwned.txt\n";

describe("an approval covers the content of the files that a command runs", () => {
  it.each([
    ["the script", "sh tools/gen.sh", "tools/gen.sh", PWN],
    ["a script in a pipe", "cat tools/gen.sh | sh", "tools/gen.sh", PWN],
    ["a script in another directory", "cd tools && sh gen.sh", "tools/gen.sh", PWN],
    ["a script in a substitution", "echo $(sh tools/gen.sh)", "tools/gen.sh", PWN],
    ["a configuration file", "sh tools/gen.sh --config=tools/settings.json", "tools/settings.json", "[]"],
    ["a redirection", "sh < tools/gen.sh", "tools/gen.sh", PWN],
    ["the package's scripts", "npm run gen", "package.json", `{"scripts":{"gen":"${PWN.trim()}"}}`],
    ["make's rules", "make gen", "Makefile", `gen:\n\t${PWN}`],
    ["a script that was not there", "sh tools/late.sh", "tools/late.sh", PWN],
    ["a script named absolutely", "sh WORKSPACE/tools/gen.sh", "tools/gen.sh", PWN],
    ["a script that a pattern matches", "cat tools/*.sh | sh", "tools/gen.sh", PWN],
    ["a script that a pattern matches absolutely", "cat WORKSPACE/tools/g?n.sh | sh", "tools/gen.sh", PWN],
    ["another file that the pattern matches now", "cat tools/*.sh | sh", "tools/late.sh", PWN],
    ["a script among braces", "sh tools/{gen,other}.sh", "tools/gen.sh", PWN],
    ["a script in a loop", "for f in tools/*.sh; do sh $f; done", "tools/gen.sh", PWN],
    ["a script in a folder that a variable names", "D=tools; sh $D/gen.sh", "tools/gen.sh", PWN],
    ["a script below the directory it runs in", 'sh "$PWD/tools/gen.sh"', "tools/gen.sh", PWN],
    ["a script below a substitution", "sh $(pwd)/tools/gen.sh", "tools/gen.sh", PWN],
    ["a script with a name made of variables", "D=tools; N=gen; E=.sh; sh $D/$N$E", "tools/gen.sh", PWN],
    ["a script with a name that is partly unknown", "set -- gen; sh tools/$1.sh", "tools/gen.sh", PWN],
    ["a script with a name in quotes", "F='with space.sh'; sh \"$F\"", "with space.sh", PWN],
    ["a script in the directory of a subshell", "(cd tools; sh gen.sh)", "tools/gen.sh", PWN],
    ["a script in a directory that a variable names", 'D=tools; cd "$D"; ./gen.sh', "tools/gen.sh", PWN],
    ["a script in a directory of the stack", "pushd tools; sh gen.sh", "tools/gen.sh", PWN],
    ["a script on the search path", "PATH=$PWD/tools:$PATH gen.sh", "tools/gen.sh", PWN],
    ["rules that make includes", "make -f top.mk gen", "common.mk", `gen:\n\t${PWN}`],
    ["make's rules in a folder that a variable names", "D=tools; make -C $D", "tools/Makefile", PWN],
    ["a package around a Python module", "python3 -m tools.gen", "tools/__init__.py", "print(2)"],
    ["a module that Python code imports", "python3 -c 'import tools.gen'", "tools/gen.py", "print(2)"],
    ["a module that JavaScript requires", "node -e 'require(\"./tools/gen\")'", "tools/gen.js", "0"],
    ["make's rules in a folder", "make -C tools gen", "tools/Makefile", `gen:\n\t${PWN}`],
    ["make's rules in an attached folder", "make -Ctools gen", "tools/Makefile", `gen:\n\t${PWN}`],
    ["make's rules in a long option", "make --directory=tools gen", "tools/Makefile", `gen:\n\t${PWN}`],
    ["make's rules in a file", "make -f tools/rules.mk gen", "tools/rules.mk", `gen:\n\t${PWN}`],
    ["make's rules in an attached file", "make -ftools/rules.mk gen", "tools/rules.mk", `gen:\n\t${PWN}`],
    ["make's rules in a file of a folder", "make -C tools -f rules.mk", "tools/rules.mk", `gen:\n\t${PWN}`],
    ["another package's scripts", "npm --prefix tools run gen", "tools/package.json", "{}"],
    ["another package's scripts, attached", "npm --prefix=tools run gen", "tools/package.json", "{}"],
    ["another package's scripts, with pnpm", "pnpm -C tools run gen", "tools/package.json", "{}"],
    ["the file that a package script runs", "npm run gen", "tools/gen.sh", PWN],
    ["the file of a script with an inherited name", "npm run constructor", "tools/gen.sh", PWN],
    ["the file that another package's script runs", "npm --prefix tools run gen", "tools/gen.sh", PWN],
    ["a Python module", "python3 -m tools.gen", "tools/gen.py", "print(2)"],
    ["a package that Python would prefer", "python3 -m tools.gen", "tools/gen/__main__.py", "print(2)"],
    ["a module without its ending", "node tools/gen", "tools/gen.js", "console.log(2)"],
    ["a preloaded module", "node --import ./tools/before.mjs tools/gen.js", "tools/before.mjs", "0"],
    [
      "a preloaded module, attached",
      "node --import=./tools/before.mjs tools/gen.js",
      "tools/before.mjs",
      "0",
    ],
    ["a sourced file", "source tools/gen.sh", "tools/gen.sh", PWN],
    ["a file that is run", "./tools/gen.sh", "tools/gen.sh", PWN],
  ])("FE8 that change while the question stands: %s", async (_what, given, path, content) => {
    const { world, asked } = await open((_request, { write }) => {
      write(path, content);
      return { approved: true };
    });
    await using own = world;
    const command = given.replaceAll("WORKSPACE", own.workspace);
    const result = await own.call("execute_command", { command });
    expect(result).toMatchObject({ ok: false, error: { code: "PLAN_STALE" } });
    expect(result.text).toContain(path);
    expect(existsSync(join(own.workspace, "out.txt"))).toBe(false);
    expect(existsSync(join(own.workspace, "pwned.txt"))).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it("FE8 if they change after it was remembered, the person is asked again", async () => {
    const { world, asked } = await open(() => ({ approved: true, remember: "session" }));
    await using own = world;
    const command = "sh tools/gen.sh";
    expect(await own.call("execute_command", { command })).toMatchObject({ ok: true });
    expect(await own.call("execute_command", { command })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    own.write("tools/gen.sh", PWN);
    expect(await own.call("execute_command", { command })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.planDigest).not.toBe(asked[0]?.planDigest);
    expect(asked[0]?.grants[0]?.label).toBe(
      "this exact execute_command call, while tools/gen.sh is unchanged",
    );
    expect(asked[1]?.reason).toContain("asked again because tools/gen.sh has changed");
  });

  it("FE8 and the question names them", async () => {
    const { world, asked } = await open(() => ({ approved: false }));
    await using own = world;
    await own.call("execute_command", { command: "sh tools/gen.sh now" });
    expect(asked[0]?.operands).toEqual([
      { path: "tools/gen.sh", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it("FE8 and other files have no influence", async () => {
    const { world } = await open((_request, { write }) => {
      write("unrelated.txt", "x");
      return { approved: true };
    });
    await using own = world;
    expect(await own.call("execute_command", { command: "sh tools/gen.sh" })).toMatchObject({ ok: true });
  });
});

describe("the operands of a command", () => {
  const host: OperandHost = {
    placeOf: (path, cwd) => {
      const place = posix.relative("/ws", posix.resolve("/ws", cwd, path));
      return place.startsWith("..") ? undefined : place;
    },
    list: (folder) =>
      FILES.filter((path) => posix.dirname(path) === (folder || ".")).map((path) => ({
        name: posix.basename(path),
        isDirectory: false,
      })),
    scripts: () => ({}),
  };
  const FILES = [
    ...["sh", "a.sh", "x/sh", "x/a.sh", "c.json", "gen.py", "x.js", "package.json", "conftest.py"],
    ...["a/Makefile", "a/b/Makefile", "tests/unit/conftest.py", "crates/x/build.rs", "etc/passwd", "b"],
  ];

  it.each([
    ["sh a.sh", ".", ["sh", "a.sh"]],
    ["sh a.sh", "x", ["x/sh", "x/a.sh"]],
    ["sh /ws/a.sh", "x", ["a.sh"]],
    ["tool --config=../c.json -", "x", ["c.json"]],
    ["bash -c 'python3 gen.py'", ".", ["gen.py"]],
    ["timeout 5 node x.js", ".", ["x.js", "package.json"]],
    ["make -C a -C b", ".", ["a/Makefile", "a/b/Makefile"]],
    ["pytest tests/unit/test_a.py", ".", ["tests/unit/conftest.py", "conftest.py"]],
    ["cargo build --manifest-path crates/x/Cargo.toml", ".", ["crates/x/build.rs"]],
  ])("FE8 of %s in %s", async (command, cwd, expected) => {
    expect(await commandOperands({ command, cwd }, host)).toEqual(expect.arrayContaining(expected));
  });

  it("FE8 never leave the workspace", async () => {
    const command = "cat ../../etc/passwd /etc/passwd ~/x a/../../b";
    const found = await commandOperands({ command, cwd: "." }, host);
    expect(found.filter((path) => path.startsWith("..") || path.startsWith("/"))).toEqual([]);
  });
});
