import type { ToolDescription } from "@haft/core";
import { changesFiles } from "@haft/core/policy";
import type { CallAccess, CallSignature, ProposedCall } from "../event/proposed-call.js";
import type { FinishReason } from "../event/run-event.js";

/** A call as received from a model's stream. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly signature?: CallSignature | undefined;
}

interface TurnContext {
  readonly runId: string;
  readonly step: number;
  readonly tools: readonly ToolDescription[];
  readonly finish: FinishReason;
}

/** Converts the calls of a turn into executable ones, also after a restart. The runtime validates them. */
export function proposeCalls(
  written: readonly WrittenCall[],
  { runId, step, tools, finish }: TurnContext,
): readonly ProposedCall[] {
  const taken = new Set<string>();
  return written.map(({ id, name, args, signature }, index) => {
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
      ...(finish === "length" && !isComplete(args)
        ? { isCutOff: true, terminate: false }
        : readArguments(args, tool)),
      idempotent: tool?.idempotent ?? true,
      access: accessOf(tool),
      ...(signature !== undefined && { signature }),
    };
  });
}

/** Removes `terminate` from the arguments, unless the tool has such a parameter. */
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

/** Truncated JSON does not parse, and empty arguments may have been about to start. */
function isComplete(rawArgs: string): boolean {
  return rawArgs.trim() !== "" && parseObject(rawArgs) !== undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    // Some models encode their arguments as JSON twice.
    const inner: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner) && !isDeeper(inner)
      ? (inner as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** JSON parses at any depth, but cannot be written again. The runtime rejects the text long before this depth. */
function isDeeper(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

const MAX_LEVELS = 100;

function accessOf(tool: ToolDescription | undefined): CallAccess {
  if (tool === undefined) return "read";
  const { permissions } = tool;
  if (permissions.some((permission) => !HARMLESS.has(permission) && !changesFiles([permission])))
    return "exclusive";
  return changesFiles(permissions) ? "write" : "read";
}

/** Permissions that do not change the workspace. */
const HARMLESS: ReadonlySet<string> = new Set(["ReadFiles", "NetworkAccess"]);
