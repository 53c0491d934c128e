import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { COMPLETE } from "./program/add-topics.js";
import { createProgram } from "./program.js";
import { runCli } from "./run-cli.js";

const io = () => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  cwd: "/",
});

interface Word {
  /** The words before it. */
  readonly path: readonly string[];
  readonly word: string;
}

function wordsOf(command: Command, path: readonly string[]): readonly Word[] {
  const below = command.commands.filter((each) => each.name() !== COMPLETE);
  return [
    ...below.map((each) => ({ path, word: each.name() })),
    ...command.options.flatMap(({ long }) => (long === undefined ? [] : [{ path, word: long }])),
    ...below.flatMap((each) => wordsOf(each, [...path, each.name()])),
  ];
}

/** Swaps two neighbouring letters, a common typing mistake. */
function misspelt(word: string): string {
  const start = word.startsWith("--no-") ? 5 : word.startsWith("--") ? 2 : 0;
  const at = [...word].findIndex((letter, index) => index >= start && word[index + 1] !== letter);
  return `${word.slice(0, at)}${word[at + 1] ?? ""}${word[at]}${word.slice(at + 2)}`;
}

describe("a misspelt word", () => {
  const words = wordsOf(
    createProgram(io(), () => {}),
    [],
  );

  it("is detected for every command and option", () => {
    expect(words.length).toBeGreaterThan(100);
  });

  it.each(words.map(({ path, word }) => [[...path, misspelt(word)].join(" "), word]))(
    "haft %s names %s",
    async (line, word) => {
      const streams = io();
      expect(await runCli(line.split(" "), streams)).toBe(2);
      expect(String(streams.stderr.read())).toContain(`(Did you mean ${word}?)`);
    },
  );
});

describe("the first word", () => {
  const told = async (...args: string[]) => {
    const streams = io();
    expect(await runCli(args, streams)).toBe(2);
    return String(streams.stderr.read());
  };

  it("may be an option of a session, as without a command", async () => {
    expect(await told("--model", "qwen3")).toContain("NO_TASK");
    expect(await told("--model=qwen3", "--base-url", "http://127.0.0.1:1")).toContain("NO_TASK");
  });

  it.each(["--workspace . tools", "--json doctor", "--role=reader mcp"])(
    "haft %s does not treat the command as a task",
    async (line) => {
      const words = line.split(" ");
      expect(await told(...words)).toContain(`unknown option '${words[0]}'`);
    },
  );

  it("is a task if it consists of several words", async () => {
    expect(await told("fix the bug")).toContain('(To give a model a task: haft run "TASK")');
  });
});
