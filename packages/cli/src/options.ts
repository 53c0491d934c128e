import { nearestNames } from "@haft/text";
import { InvalidArgumentError, Option } from "commander";
import { APPROVE_CHOICES } from "./open/runtime-choices.js";

// Written here so that showing help needs no kernel; a test holds it against the kernel's own list.
export const DIALECT_CHOICES = ["canonical", "claude", "camel", "openai-patch"] as const;
export const PROVIDER_CHOICES = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;

export const option = {
  workspace: () => new Option("--workspace <dir>", "folder to work in (default: the current one)"),
  role: () => new Option("--role <role>", "reader, editor, coder, researcher, admin or a file"),
  dialect: () => choice("--dialect <name>", "spelling", DIALECT_CHOICES),
  approve: () => choice("--approve <how>", "who approves", APPROVE_CHOICES),
  dryRun: () => new Option("--dry-run", "show what would change and change nothing"),
  config: () => new Option("--config <file>", "instead of the workspace's haft.config.{ts,js,json}"),
  json: () => new Option("--json", "print one JSON value on one line"),
  packs: () => new Option("--packs <list>", "packs instead of the first-party ones").argParser(names),
  noTerminate: () => new Option("--no-terminate", "for a loop that does not end on `terminate`"),
  provider: () => choice("--for <provider>", "format", PROVIDER_CHOICES).default("openai"),
};

/** An option with a few values; a misspelt one names the nearest. */
export function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, `${description} (${choices.join("|")})`).argParser((value) => {
    if (choices.includes(value)) return value;
    const [nearest] = nearestNames(value, choices, 1);
    const advice = nearest === undefined ? `Allowed are ${choices.join(", ")}.` : `Did you mean ${nearest}?`;
    throw new InvalidArgumentError(advice);
  });
}

function names(value: string): readonly string[] {
  const list = value
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  if (list.length === 0) throw new InvalidArgumentError("Name at least one package.");
  return list;
}
