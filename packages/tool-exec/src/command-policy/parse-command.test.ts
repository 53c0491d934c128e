import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { commandLimits } from "./command-limits.js";
import { argvOf } from "./command-plan.js";
import { parseCommand } from "./parse-command.js";

describe("parseCommand", () => {
  it("converts pipelines and lists to steps", () => {
    const { steps } = planOf("a 1 | b 2 && ! c || d; e\nf");
    expect(steps.map(({ joiner, negated, commands }) => [joiner, negated, commands.map(argvOf)])).toEqual([
      [
        ";",
        false,
        [
          ["a", "1"],
          ["b", "2"],
        ],
      ],
      ["&&", true, [["c"]]],
      ["||", false, [["d"]]],
      [";", false, [["e"]]],
      [";", false, [["f"]]],
    ]);
  });

  it("removes quotes and joins continued lines", () => {
    expect(argvOfText(`a 'b c' "d\\"e" f\\ g $'h\\ti' j\\\nk ''`)).toEqual([
      "a",
      "b c",
      'd"e',
      "f g",
      "h\ti",
      "jk",
      "",
    ]);
  });

  it("distinguishes globs from quoted stars", () => {
    const words = planOf(`ls *.ts '*.ts' src/[ab]?`).steps[0]?.commands[0]?.words ?? [];
    expect(words.map((word) => word.kind)).toEqual(["literal", "glob", "literal", "glob"]);
  });

  it("connects descriptors in order", () => {
    const command = planOf("CI=1 a <in.txt >/dev/null 2>&1 &>/dev/null").steps[0]?.commands[0];
    expect(command?.assignments).toEqual([{ name: "CI", value: "1" }]);
    expect(command?.redirections).toEqual([
      { kind: "read", fd: 0, path: "in.txt" },
      { kind: "null", fd: 1 },
      { kind: "duplicate", fd: 2, from: 1 },
      { kind: "null", fd: 1 },
      { kind: "null", fd: 2 },
    ]);
  });

  it.each([
    ["a NUL", "ls\0"],
    ["a carriage return", "ls\r"],
    ["a bidi control", "ls \u202e"],
    ["a zero-width space", "l\u200bs"],
    ["an escape", "ls \u001b[0m"],
    ["half a surrogate pair", "ls \ud800"],
    ["an open quote", "ls 'a"],
    ["a parse error inside a substitution", 'ls "$(ls | )"'],
    ["a parenthesis that the parser drops", "ls ("],
    ["a final backslash", "ls \\"],
    ["nothing", " \n"],
    ["too much text", `ls ${"a".repeat(commandLimits.characters)}`],
    ["too many commands", Array.from({ length: commandLimits.simpleCommands + 2 }, () => "ls").join(";")],
    ["too many words", `ls ${"a ".repeat(commandLimits.words)}`],
    ["a brace bomb", "{".repeat(60_000)],
    ["an arithmetic bomb", "[$".repeat(30_000)],
    ["deep subshells", `${"(".repeat(20)}ls${")".repeat(20)}`],
    ["deep substitutions", `${"echo $(".repeat(3_000)}ls${")".repeat(3_000)}`],
    ["deep quotes", `${'"$('.repeat(3_000)}`],
  ])("refuses %s outright", (_, text) => {
    expect(parseCommand(text).kind).toBe("refused");
  });

  it.each([
    ["command substitution", "ls $(touch x)"],
    ["a variable", "ls $HOME"],
    ["process substitution", "cat <(ls)"],
    ["a subshell", "(ls)"],
    ["a group { }", "{ ls; }"],
    ["a background job (&)", "ls &"],
    ["|&", "ls |& cat"],
    ["the keyword time", "time ls"],
    ["a here-document", "cat <<E\nx\nE"],
    ["writing to a file by redirection", "ls > x"],
    ["brace expansion", "ls {a,b}"],
    ["a tilde that stands for a home directory", "ls ~/x"],
    ["a glob as the command name", "l? x"],
    ["[[ ]]", "[[ -f x ]]"],
    ["a function definition", "f() { ls; }"],
    ["an assignment or redirection without a command", "A=1"],
  ])("names %s as what needs a shell", (construct, text) => {
    expect(parseCommand(text)).toMatchObject({ kind: "unsupported", construct });
  });

  it("finds the simple commands inside anything that needs a shell", () => {
    const parsed = parseCommand('for f in *; do cat "$(head -1 .env)"; done');
    const fragments = parsed.kind === "unsupported" ? parsed.fragments.map(argvOf) : [];
    expect(fragments).toEqual([
      ["cat", "…"],
      ["head", "-1", ".env"],
    ]);
  });

  it("judges hostile text in well under a second", () => {
    const usedMs = measureProcessorTime();
    for (const unit of ["\\", "$(", "'", "a=~:", "[", "{", "`", "<(", "${", "!"])
      parseCommand(unit.repeat(20_000));
    expect(usedMs()).toBeLessThan(5_000);
  });
});

function planOf(text: string) {
  const parsed = parseCommand(text);
  if (parsed.kind !== "plan") throw new Error(JSON.stringify(parsed));
  return parsed.plan;
}

function argvOfText(text: string): string[] {
  return planOf(text).steps.flatMap((step) => step.commands.flatMap(argvOf));
}
