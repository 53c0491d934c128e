import { nearestNames, toSnakeCase, truncateLine } from "@haft/text";
import { type NextCall, ToolError } from "../error/tool-error.js";
import { spelledExamples } from "../registry/describe-tool.js";
import type { RegisteredTool } from "../registry/registered-tool.js";
import { describeProblem } from "../schema/describe-problem.js";
import { pathParameters } from "../schema/path-arguments.js";
import type { SchemaProblem } from "../schema/validator.js";
import { cloneJson, parseJson } from "./clone-json.js";
import { coerceArguments } from "./coerce-arguments.js";

interface ParsedArguments {
  /** The validated JSON with defaults, frozen: the form that is approved, recorded and checked. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool receives: `args`, or the schema library's transformed value. */
  readonly parsed: unknown;
  /** Set if the model included `terminate` in the arguments. */
  readonly terminate: boolean | undefined;
}

/** Converts a model's arguments from the runtime's dialect to canonical, valid ones. Pure. */
export async function parseArguments(tool: RegisteredTool, raw: unknown): Promise<ParsedArguments> {
  const given = asObject(raw);
  const { terminate, ...spelled } = given;
  const ownsTerminate = Object.hasOwn(tool.parameters, "terminate");
  const canonical = canonicalNames(tool, tool.spelling.toCanonical(ownsTerminate ? given : spelled));
  const coerced = coerceArguments(canonical, tool.definition.input);
  const { defaults } = tool.spelling;
  const args = defaults === undefined ? { ...coerced } : { ...structuredClone(defaults), ...coerced };
  const { value, problems } = await tool.validateInput(args);
  if (problems.length > 0) throw await invalidArguments(tool, coerced, problems);
  if (tool.dialect.paths === "absolute") assertAbsolutePaths(tool, args);
  return {
    args: deepFreeze(args),
    parsed: deepFreeze(value),
    terminate: ownsTerminate ? undefined : asBoolean(terminate),
  };
}

function asObject(raw: unknown): Record<string, unknown> {
  const value = cloneJson(typeof raw === "string" ? parseJson(raw) : (raw ?? {}));
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ToolError("INVALID_ARGUMENTS", "The arguments must be one JSON object", {
    hint: 'Send an object such as {"path": "src"}.',
  });
}

/** Maps alternative spellings to the declared parameter names. Unknown names are left to the validator. */
function canonicalNames(tool: RegisteredTool, args: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const canonical = canonicalName(tool, name);
    const isTaken =
      canonical !== name && (Object.hasOwn(args, canonical) || Object.hasOwn(result, canonical));
    result[isTaken ? name : canonical] = value;
  }
  return result;
}

function canonicalName(tool: RegisteredTool, name: string): string {
  if (Object.hasOwn(tool.parameters, name)) return name;
  for (const [canonical, aliases] of Object.entries(tool.definition.aliases ?? {})) {
    if (aliases.includes(name) || aliases.includes(toSnakeCase(name))) return canonical;
  }
  const snake = toSnakeCase(name);
  return Object.hasOwn(tool.parameters, snake) ? snake : name;
}

async function invalidArguments(
  tool: RegisteredTool,
  args: Record<string, unknown>,
  problems: readonly SchemaProblem[],
): Promise<ToolError> {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => describeProblem(problem, args, tool.definition.input));
  const example = spelledExamples(tool)[0]?.args;
  return new ToolError("INVALID_ARGUMENTS", shown.join("\n"), {
    ...(example === undefined ? {} : { hint: `For example: ${JSON.stringify(example)}` }),
    details: {
      problems: problems
        .slice(0, MAX_PROBLEMS)
        .map(({ pointer, keyword }) => ({ pointer: truncateLine(pointer, 200), keyword })),
    },
    next: await withKnownNames(tool, args),
  });
}

const MAX_PROBLEMS = 8;

/** If unknown names are the only problem, suggests the call with the intended names. */
async function withKnownNames(tool: RegisteredTool, args: Record<string, unknown>) {
  const names = Object.keys(tool.parameters);
  const known = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
  const unknown = Object.entries(args).filter(([name]) => !names.includes(name));
  if (unknown.length === 0) return undefined;
  for (const [name, value] of unknown) {
    const [meant] = nearestNames(name, names, 1);
    if (meant !== undefined && !Object.hasOwn(known, meant)) known[meant] = value;
  }
  const { problems } = await tool.validateInput(coerceArguments(known, tool.definition.input));
  return problems.length === 0 ? readyCall(tool, known) : undefined;
}

/** Formats a call to copy. A model that just wrote a long text need not read it again to fix one word. */
function readyCall(tool: RegisteredTool, args: Record<string, unknown>): NextCall | undefined {
  return JSON.stringify(args).length > MAX_READY_CHARS ? undefined : { tool: tool.definition.name, args };
}

const MAX_READY_CHARS = 2_000;

function assertAbsolutePaths(tool: RegisteredTool, args: Record<string, unknown>): void {
  for (const name of pathParameters(tool.definition.input)) {
    const value = args[name];
    const isDefault = value === (tool.parameters[name] as { default?: unknown } | undefined)?.default;
    const absolute = toAbsolute(tool, value);
    if (isDefault || JSON.stringify(absolute) === JSON.stringify(value)) continue;
    const spelled = Object.keys(tool.spelling.fromCanonical({ [name]: value }))[0] ?? name;
    throw new ToolError("INVALID_ARGUMENTS", `${spelled} must be an absolute path`, {
      hint: `The workspace is ${tool.absolute("")}.`,
      next: readyCall(tool, { ...args, [name]: absolute }),
    });
  }
}

function toAbsolute(tool: RegisteredTool, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toAbsolute(tool, item));
  return typeof value !== "string" || value.startsWith("/") ? value : tool.absolute(value);
}

function asBoolean(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return value === true || value === "true";
}

/** Freezes plain data. A library's own objects (dates, byte arrays) are left as they are. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
