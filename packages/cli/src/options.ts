import { nearestNames } from "@haft/text";
import { InvalidArgumentError, Option } from "commander";
import { APPROVE_CHOICES } from "./open/runtime-choices.js";

// Repeated here so that help does not load the kernel; a test compares it with the kernel's own list.
export const DIALECT_CHOICES = ["canonical", "claude", "camel", "openai-patch"] as const;
/** The configuration's own list; a test compares them. */
export const EFFORT_CHOICES = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const STRUCTURED_CHOICES = ["auto", "always", "never"] as const;
const CLIENT_CHOICES = ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "zed"] as const;
const EDITOR_CHOICES = ["zed", "jetbrains"] as const;
export const PROVIDER_CHOICES = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;

export const option = {
  workspace: () =>
    new Option("--workspace <dir>", "folder to work in (default: the current one)").argParser(
      required("a folder"),
    ),
  role: () =>
    new Option("--role <role>", "reader, editor, coder, researcher, admin or a file").argParser(
      required("a role"),
    ),
  dialect: () => choice("--dialect <name>", "tool names", DIALECT_CHOICES),
  approve: () => choice("--approve <how>", "approve calls", APPROVE_CHOICES),
  dryRun: () => new Option("--dry-run", "show the changes without applying them"),
  config: () =>
    new Option("--config <file>", "use this file instead of haft.config.{ts,js,json}").argParser(
      required("a file"),
    ),
  model: () => new Option("--model <id>", "model id (or HAFT_MODEL)").argParser(required("a model")),
  baseUrl: () =>
    new Option("--base-url <url>", "OpenAI-compatible server (or OPENAI_BASE_URL)").argParser(
      required("a URL"),
    ),
  maxSteps: () => new Option("--max-steps <n>", "limit on model turns (default: 30)").argParser(positive),
  continue: () =>
    new Option("--continue [id]", "continue a session (default: the newest)").argParser(
      required("a session"),
    ),
  resume: () =>
    new Option("--resume <id>", "former name of --continue").argParser(required("a session")).hideHelp(),
  once: () => new Option("--once", "exit after the task, even on a terminal"),
  effort: () => choice("--effort <level>", "how hard the model thinks", EFFORT_CHOICES).hideHelp(),
  contextTokens: () =>
    new Option("--context-tokens <n>", "the model's context window").argParser(positive).hideHelp(),
  maxMinutes: () =>
    new Option("--max-minutes <n>", "limit on minutes of work (default: 15)").argParser(amount).hideHelp(),
  maxTokens: () =>
    new Option("--max-tokens <n>", "limit on tokens of all turns").argParser(positive).hideHelp(),
  maxCost: () =>
    new Option("--max-cost <dollars>", "limit on cost; needs prices in the configuration")
      .argParser(amount)
      .hideHelp(),
  retryMinutes: () =>
    new Option("--retry-minutes <n>", "how long to retry a failing model (default: 10)")
      .argParser(amount)
      .hideHelp(),
  run: () => new Option("--run <id>", "undo all changes of a session").argParser(required("a session")),
  list: () => new Option("--list", "list trusted configurations of all workspaces"),
  revoke: () => new Option("--revoke", "stop trusting this workspace's configuration"),
  yes: () => new Option("--yes", "trust it without a question"),
  forget: () => new Option("--forget", "clear the journal: nothing listed can be undone afterwards"),
  exportLines: () => new Option("--export", "print full records, one JSON object per line"),
  verify: () =>
    new Option("--verify", "check the hash chain; exit code 1 if a record was changed or removed"),
  store: () =>
    new Option("--store <url>", "the shared database (default: HAFT_STORE)").argParser(
      required("an address"),
    ),
  tenant: () =>
    new Option("--tenant <name>", "tenant in a shared store")
      .default("default")
      .argParser(required("a name")),
  jsonLines: () => new Option("--json", "print one JSON event per line"),
  json: () => new Option("--json", "print the result as one line of JSON"),
  packs: () =>
    new Option("--packs <list>", "packs or folders to load instead of the first-party ones").argParser(
      names("package"),
    ),
  http: () =>
    new Option("--http <port>", "serve HTTP on 127.0.0.1 at this port; 0 picks one").argParser(port),
  noToken: () => new Option("--no-token", "over HTTP, let any local program call and approve"),
  host: () =>
    new Option("--host <address>", "address to listen on; needs a token").argParser(required("an address")),
  allowHost: () =>
    new Option("--allow-host <list>", "additional Host names to accept").argParser(names("host")),
  structured: () => choice("--structured <when>", "structured content", STRUCTURED_CHOICES),
  client: () => choice("--client <name>", "which client", CLIENT_CHOICES).makeOptionMandatory(),
  editor: () => choice("--client <name>", "which editor", EDITOR_CHOICES).makeOptionMandatory(),
  write: () => new Option("--write", "write the project's file instead of printing it"),
  noTerminate: () => new Option("--no-terminate", "leave out the `terminate` parameter"),
  provider: () => choice("--for <provider>", "format", PROVIDER_CHOICES).default("openai"),
};

/** Creates an option with a fixed set of values. A misspelt value suggests the nearest one. */
export function choice(flags: string, description: string, choices: readonly string[]): Option {
  const made = new Option(flags, `${description} (${choices.join("|")})`).argParser((value) => {
    if (choices.includes(value)) return value;
    const [nearest] = nearestNames(value, choices, 1);
    const advice = nearest === undefined ? `Allowed: ${choices.join(", ")}.` : `Did you mean ${nearest}?`;
    throw new InvalidArgumentError(advice);
  });
  CHOICES.set(made, choices);
  return made;
}

/** Returns the fixed values of an option, or an empty list. */
export function choicesOf(option: Option): readonly string[] {
  return CHOICES.get(option) ?? option.argChoices ?? [];
}

// Stored outside the option because commander would print them a second time.
const CHOICES = new WeakMap<Option, readonly string[]>();

/** Rejects empty values: they usually come from an unset variable and must not silently mean the default. */
function required(what: string): (value: string) => string {
  return (value) => {
    if (value === "") throw new InvalidArgumentError(`The value is empty. Name ${what}, or omit the option.`);
    return value;
  };
}

function port(value: string): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError("Give a port from 0 to 65535.");
}

function positive(value: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError("Give a whole number above 0.");
}

function amount(value: string): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new InvalidArgumentError("Give a number, 0 or above.");
}

function names(what: string): (value: string) => readonly string[] {
  return (value) => {
    const list = value
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    if (list.length === 0) throw new InvalidArgumentError(`Name at least one ${what}.`);
    return list;
  };
}
