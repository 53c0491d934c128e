import { PassThrough } from "node:stream";
import { DIALECT_NAMES } from "@haft/core/kernel";
import { PROVIDERS } from "@haft/prompt-formatter";
import { configSchema } from "@haft/runtime-node";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "./cli-io.js";
import { TOPICS } from "./help/topics.js";
import { DIALECT_CHOICES, EFFORT_CHOICES, PROVIDER_CHOICES } from "./options.js";
import { createProgram } from "./program.js";

const program = createProgram(processIo(), () => {});
const visible = (command: Command): readonly Command[] =>
  command.commands
    .filter((below) => !(below as Command & { _hidden?: boolean })._hidden)
    .flatMap((below) => [below, ...visible(below)]);

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

describe("help", () => {
  it.each([program, ...visible(program)].map((command) => [command.name(), command] as const))(
    "of %s fits on one screen and ends with an example",
    (_name, command) => {
      const lines = helpOf(command).trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(24);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(lines.at(-2)).toBe("Example:");
      expect(lines.at(-1)).toMatch(/^ {2}haft /);
    },
  );

  it.each(visible(program).map((command) => [command.name(), command] as const))(
    "of %s lists every option, or names the topic that does",
    (_name, command) => {
      const help = helpOf(command);
      const named = [...help.matchAll(/haft help ([a-z|]+)/g)].flatMap(([, topics = ""]) =>
        topics.split("|"),
      );
      const listed = [help, ...named.map((topic) => TOPICS[topic]?.text ?? "")].join("\n");
      const current = command.options.filter(({ description }) => !description.startsWith("former name of"));
      const isListed = ({ long }: { long?: string | undefined }) => new RegExp(`${long}\\b`).test(listed);
      expect(current.filter((option) => !isListed(option)).map(({ long }) => long)).toEqual([]);
    },
  );

  it("for mcp lists when results carry structured content", () => {
    const mcp = program.commands.find((command) => command.name() === "mcp") as Command;
    expect(helpOf(mcp)).toMatch(/^ {2}--structured <when> .*\(auto\|always\|never\)$/m);
  });

  it("for run fits 40 columns without breaking a word", () => {
    const io = processIo();
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
    const run = createProgram({ ...io, stdout }, () => {}, "run").commands[0] as Command;
    const lines = helpOf(run).trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(lines.join("\n")).toMatch(/[ ]openai-patch\)$/m);
    expect(lines.slice(-2)).toEqual([`  haft run "fix the failing test" \\`, "    --model gpt-5"]);
  });

  // These explain all the others, so they may be longer.
  const single = program.commands.filter(
    (command) => !["help", "completions", "__complete"].includes(command.name()),
  );
  it.each(single.map((command) => [command.name(), command] as const))(
    "of %s is the same where only what it needs was built",
    (name, command) => {
      const partly = createProgram(processIo(), () => {}, name);
      expect(partly.commands.length).toBeLessThan(program.commands.length);
      const same = partly.commands.find((each) => each.name() === name);
      expect(same && helpOf(same)).toBe(helpOf(command));
    },
  );

  it("names every command", () => {
    const text = helpOf(program);
    for (const name of [
      "runs",
      "init",
      "help",
      "completions",
      "run",
      "tools",
      "call",
      "prompt",
      "schema",
      "mcp",
      "policy",
      "changes",
      "audit",
      "undo",
      "doctor",
      "new",
      "console",
    ]) {
      expect(text).toMatch(new RegExp(`^(  |More: .*\\b)${name}\\b`, "m"));
    }
  });

  it("lists all dialects and providers", () => {
    expect(DIALECT_CHOICES).toEqual(DIALECT_NAMES);
    expect(PROVIDER_CHOICES).toEqual(PROVIDERS);
  });

  it("lists the efforts that the configuration accepts", () => {
    const { effort } = configSchema.properties as Record<string, { enum?: readonly string[] }>;
    expect(EFFORT_CHOICES).toEqual(effort?.enum);
  });
});
