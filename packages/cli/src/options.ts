import { nearestNames } from "@haft/text";
import { InvalidArgumentError, Option } from "commander";
import { APPROVE_CHOICES } from "./open/runtime-choices.js";

// Written here so that showing help needs no kernel; a test holds it against the kernel's own list.
export const DIALECT_CHOICES = ["canonical", "claude", "camel", "openai-patch"] as const;
export const PROVIDER_CHOICES = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;

export const option = {
  workspace: () =>
    new Option("--workspace <dir>", "folder to work in (default: the current one)").argParser(
      given("a folder"),
    ),
  role: () =>
    new Option("--role <role>", "reader, editor, coder, researcher, admin or a file").argParser(
      given("a role"),
    ),
  dialect: () => choice("--dialect <name>", "spelling", DIALECT_CHOICES),
  approve: () => choice("--approve <how>", "who approves", APPROVE_CHOICES),
  dryRun: () => new Option("--dry-run", "show what would change and change nothing"),
  config: () =>
    new Option("--config <file>", "instead of the workspace's haft.config.{ts,js,json}").argParser(
      given("a file"),
    ),
  model: () => new Option("--model <id>", "the model (or HAFT_MODEL)").argParser(given("a model")),
  baseUrl: () =>
    new Option("--base-url <url>", "its OpenAI-compatible server (or OPENAI_BASE_URL)").argParser(
      given("a URL"),
    ),
  maxSteps: () => new Option("--max-steps <n>", "model turns at most (default: 30)").argParser(positive),
  resume: () => new Option("--resume <run>", "go on with a run that was left").argParser(given("a run")),
  forget: () => new Option("--forget", "empty the list and the trash: none can be undone any more"),
  jsonLines: () => new Option("--json", "print one event per line"),
  json: () => new Option("--json", "print one JSON value on one line"),
  packs: () =>
    new Option("--packs <list>", "packs or their folders, not the first-party ones").argParser(
      names("package"),
    ),
  http: () =>
    new Option("--http <port>", "Streamable HTTP on 127.0.0.1 instead; 0 is any port").argParser(port),
  host: () =>
    new Option("--host <address>", "elsewhere than 127.0.0.1; needs HAFT_MCP_TOKEN").argParser(
      given("an address"),
    ),
  allowHost: () =>
    new Option("--allow-host <list>", "more names that clients reach it by").argParser(names("host")),
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

/** An empty value is a variable that was not set: it must not quietly mean the default. */
export function given(what: string): (value: string) => string {
  return (value) => {
    if (value === "") throw new InvalidArgumentError(`It is empty; name ${what}, or leave the option out.`);
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
