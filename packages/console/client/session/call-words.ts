import { between } from "../parts/duration.js";
import type { CallView } from "../state/call-view.js";

/** Returns the argument that describes a call best, in one line. */
export function mainArgument(args: Readonly<Record<string, unknown>>): string {
  const key = TELLING.find((name) => typeof args[name] === "string" && args[name] !== "");
  const first = key ?? Object.keys(args).find((name) => typeof args[name] === "string");
  const value = first === undefined ? undefined : args[first];
  if (typeof value === "string") return value.split("\n")[0] ?? "";
  const pairs = Object.entries(args).map(([name, each]) => `${name}: ${JSON.stringify(each)}`);
  return pairs.join(", ").slice(0, 200);
}

const TELLING = [
  "command",
  "pattern",
  "query",
  "path",
  "file_path",
  "source",
  "from",
  "url",
  "code",
  "patch",
];

/** Explains why a call may run, or why it did not. */
export function deciderOf({ decidedBy, look }: CallView, user: string): string | undefined {
  if (decidedBy === undefined) return undefined;
  const who = decidedBy === user ? "you" : decidedBy;
  return look === "denied" ? `denied by ${who}` : `allowed by ${who}`;
}

/** Describes how a call failed. */
export function failureWords({ code, exitCode }: CallView): string {
  if (exitCode !== undefined && exitCode !== 0) return `exit code ${exitCode}`;
  return (code ?? "failed").toLowerCase().replaceAll("_", " ");
}

/** Returns how long a call ran, without the time that it waited for a person. */
export function workOf(call: CallView, until = call.settledAt): number {
  const { startedAt, waits, ms } = call;
  if (ms !== undefined && waits.length === 0) return ms;
  if (startedAt === undefined) return Math.max(0, (ms ?? 0) - waitedFor(call));
  // A call that was continued after a restart measured only the time since then.
  const since = waits.filter(({ from }) => from >= startedAt);
  return between(startedAt, until) - waitedFor({ ...call, waits: since }, until);
}

/** Returns how long a call has waited for a person. */
export function waitedFor({ waits }: CallView, now?: string): number {
  return waits.reduce((sum, { from, to }) => sum + between(from, to ?? now), 0);
}

/** Returns when it started or asked, whichever came first. */
export function leftQueueAt({ startedAt, waits }: CallView): string | undefined {
  return [startedAt, waits[0]?.from].filter((at) => at !== undefined).sort()[0];
}

/** Returns whether a person stopped the call, or stopped the run before the call's turn. */
export function isStopped({ look, code }: CallView): boolean {
  return look === "denied" && code === "CANCELLED";
}

export const CHANGED = { create: "created", modify: "modified", delete: "deleted", move: "moved" } as const;
