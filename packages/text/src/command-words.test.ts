import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { plainWords, problemWithWords } from "./command-words.js";

describe("plainWords", () => {
  const PLAIN = [
    "make",
    "  git   status ",
    "echo 'a; b'",
    'echo "a | b" c',
    "a\\;b",
    "npx vitest run [x]",
    "[ -f x ]",
    "find . -name '*.ts' -exec wc {} +",
    `a 'b c' "d\\"e" f\\ g ''`,
    'x"y"z',
    "a#b",
  ];

  it.each(PLAIN)("FE15 splits %j as bash does", (line) => {
    const printed = execFileSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
    expect(plainWords(line)).toEqual(printed.split("\0").slice(0, -1));
  });

  it.each([
    ...[" ", "", "git status; rm", "a | b", "a && b", "a > b", "a\nb", "echo $(x)", "echo `x`", "echo 'x"],
    ...["echo $X", 'echo "$X"', "ls *.ts", "ls a?", "ls {a,b}", "ls {1..3}", "~/x", "a # b", "(a)", "a &"],
  ])("FE15 refuses %j", (line) => {
    expect(plainWords(line)).toBeUndefined();
  });
});

describe("problemWithWords", () => {
  it.each([
    [["git", "*"], "wildcards"],
    [["git", "stat*"], "wildcards"],
    [["*"], "wildcards"],
    [["npm", "run", "test:*"], "wildcards"],
    [["rm", "*.js"], "wildcards"],
    [["eslint", "src/*.ts"], "wildcards"],
    [["eslint", "src/**/x"], "wildcards"],
    [["git", "add", "*"], "leave it out to match every command that starts with the words before it"],
    [["git", "add", "*"], "a call whose command has this very word is matched by when.argument"],
    [["CI=1", "ls"], "sets a variable"],
    [["ls", "|", "cat"], "joins or redirects"],
    [["ls", "2>&1"], "joins or redirects"],
    [["--force"], "not a program"],
    [["git", "pu\u200bsh"], '"pu\\u200bsh" has an invisible character'],
    [[""], "not a program"],
  ])("FE15 %j can never match", (words, problem) => {
    expect(problemWithWords(words)).toContain(problem);
  });

  it("FE15 a pattern in a command line was quoted, so it is a word", () => {
    const words = plainWords("eslint 'src/**/*.ts'");
    expect(problemWithWords(words ?? [], { areQuoted: true })).toBeUndefined();
  });

  it.each([
    [["git", "status"]],
    [["/usr/bin/git", "status"]],
    [["cut", "-d", "|"]],
    [["find", ".", "-name", "*.t*"]],
    [["grep", "a.*b"]],
    [["env", "CI=1", "ls"]],
    [["[", "-f"]],
  ])("FE15 %j can match", (words) => {
    expect(problemWithWords(words)).toBeUndefined();
  });
});
