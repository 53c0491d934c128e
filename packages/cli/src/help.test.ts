import { DIALECT_NAMES } from "@haft/core";
import { PROVIDERS } from "@haft/prompt-formatter";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "./cli-io.js";
import { DIALECT_CHOICES, PROVIDER_CHOICES } from "./options.js";
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

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    "of %s is the same where only what it needs was built",
    (name, command) => {
      const partly = createProgram(processIo(), () => {}, name);
      expect(partly.commands.length).toBeLessThan(program.commands.length);
      const same = partly.commands.find((each) => each.name() === name);
      expect(same && helpOf(same)).toBe(helpOf(command));
    },
  );

  it("names every command of this version and none of a later one", () => {
    const text = helpOf(program);
    for (const name of [
      "run",
      "tools",
      "call",
      "prompt",
      "schema",
      "mcp",
      "policy",
      "changes",
      "undo",
      "doctor",
      "new",
    ]) {
      expect(text).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    }
    expect(text).not.toMatch(/^ {2}console\b/m);
  });

  it("of what a later version brings says so", () => {
    const later = program.commands.find((command) => command.name() === "console");
    expect(helpOf(later as Command)).toMatch(/not part of this version[\s\S]*Example:\n {2}haft run/);
  });

  it("offers the dialects and providers there are", () => {
    expect(DIALECT_CHOICES).toEqual(DIALECT_NAMES);
    expect(PROVIDER_CHOICES).toEqual(PROVIDERS);
  });
});
