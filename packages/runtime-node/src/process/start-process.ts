import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { ToolError } from "@haft/core";
import { inheritedDescriptors } from "./inherited-descriptors.js";

interface ProcessStart extends SpawnOptions {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Starts a process; the only place that calls `spawn`. Throws EXECUTION_ERROR if Node throws or returns a child
 * without streams, which happens when file descriptors run out. The child's `error` event reports a missing program,
 * as in Node.
 */
export function startProcess({ program, args, ...options }: ProcessStart): ChildProcess {
  const child = spawned(program, args, options);
  if (child.pid !== undefined || hasStreams(child)) return child;
  // The error event follows; without a listener it would end the process.
  child.on("error", () => {});
  throw notStarted(program, Object.assign(new Error("no file descriptor is left"), { code: "EMFILE" }));
}

/** Describes a process that could not be started, however Node reported it. */
export function notStarted(program: string, cause: NodeJS.ErrnoException): ToolError {
  const isFull = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"].includes(cause.code ?? "");
  return new ToolError(
    "EXECUTION_ERROR",
    `${program} could not be started (${cause.code ?? cause.message})`,
    {
      ...(isFull && { hint: "The system is out of file descriptors or processes. Try again in a moment." }),
      cause,
    },
  );
}

function spawned(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const inherited = inheritedDescriptors();
  let nothing: number | undefined;
  try {
    if (inherited.length > 0) nothing = openSync("/dev/null", "r");
    const stdio = nothing === undefined ? options.stdio : covered(options.stdio, inherited, nothing);
    return spawn(program, [...args], { ...options, ...(stdio !== undefined && { stdio }) });
  } catch (cause) {
    throw notStarted(program, cause as NodeJS.ErrnoException);
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

type StdioList = Exclude<SpawnOptions["stdio"], string | undefined>;

/** Returns the same descriptors, with /dev/null in place of those that the program would inherit. */
function covered(
  given: SpawnOptions["stdio"] = "pipe",
  inherited: readonly number[],
  nothing: number,
): StdioList {
  const list: StdioList[number][] = typeof given === "string" ? [given, given, given] : [...given];
  while (list.length <= Math.max(...inherited)) list.push("ignore");
  for (const descriptor of inherited) if (list[descriptor] === "ignore") list[descriptor] = nothing;
  return list;
}

/** Node sets streams to null without a pipe, and leaves them undefined if it failed before creating any. */
function hasStreams({ stdin }: { readonly stdin?: unknown }): boolean {
  return stdin !== undefined;
}
