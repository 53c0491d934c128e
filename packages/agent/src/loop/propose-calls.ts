import { changesFiles, type ToolDescription } from "@haft/core";
import type { CallAccess, ProposedCall } from "../event/proposed-call.js";

/** A call as it came out of a model's stream. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export interface Proposing {
  readonly runId: string;
  readonly step: number;
  readonly tools: readonly ToolDescription[];
}

/** What a turn wrote as calls that can be made, also after a restart. Whether they are valid is the runtime's business. */
export function proposeCalls(
  written: readonly WrittenCall[],
  { runId, step, tools }: Proposing,
): readonly ProposedCall[] {
  const taken = new Set<string>();
  return written.map(({ id, name, args }, index) => {
    const tool = tools.find((each) => each.name === name || each.canonicalName === name);
    const ownId = `call_${step}_${index}`;
    const modelId = id === "" || taken.has(id) ? ownId : id;
    taken.add(modelId);
    return {
      callId: `${runId}:${step}:${index}`,
      id: modelId,
      index,
      tool: name,
      rawArgs: args,
      ...readArguments(args, tool),
      idempotent: tool?.idempotent ?? true,
      access: accessOf(tool),
    };
  });
}

/** Takes `terminate` out of the arguments, unless the tool has a parameter of that name. */
function readArguments(
  rawArgs: string,
  tool: ToolDescription | undefined,
): Pick<ProposedCall, "args" | "terminate"> {
  const given = parseObject(rawArgs);
  if (given === undefined) return { terminate: false };
  const parameters = tool?.input.properties ?? {};
  if (Object.hasOwn(parameters, "terminate")) return { args: given, terminate: false };
  const { terminate, ...args } = given;
  return { args, terminate: terminate === true || terminate === "true" };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    // Some models write their arguments as JSON within JSON.
    const inner: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? (inner as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function accessOf(tool: ToolDescription | undefined): CallAccess {
  if (tool === undefined) return "read";
  const { permissions } = tool;
  if (permissions.some((permission) => !HARMLESS.has(permission) && !changesFiles([permission])))
    return "exclusive";
  return changesFiles(permissions) ? "write" : "read";
}

/** Neither changes the workspace. */
const HARMLESS: ReadonlySet<string> = new Set(["ReadFiles", "NetworkAccess"]);
