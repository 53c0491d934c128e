import { appendFileSync } from "node:fs";
import { defineTool, s } from "@haft/core";

const input = s.object({
  log: s.string("Absolute path of the log"),
  line: s.string("Line"),
  before_ms: s.integer("Pause before the effect", { default: 0 }),
  after_ms: s.integer("Pause after the effect", { default: 0 }),
  kill: s.boolean("Kill the worker after the effect, before the call can settle", { default: false }),
});

const common = {
  category: "execute",
  permissions: ["ExecuteCommands"],
  approval: "auto",
  input,
} as const;

/** Appends a line to a file outside the workspace: a countable effect that cannot be rehearsed or undone. */
export const Appends = defineTool({
  ...common,
  name: "appends",
  summary: "Append a line to a log.",
  run: (args, { signal }) => append(args, signal),
});

/** Has the same effect, but is declared as repeatable after its worker is lost. */
export const AppendsAgain = defineTool({
  ...common,
  name: "appends_again",
  summary: "Append a line to a log, repeatably.",
  idempotent: true,
  run: (args, { signal }) => append(args, signal),
});

/** Writes a workspace file. The worker's rules must ask about it. */
export const Puts = defineTool({
  name: "puts",
  summary: "Write a file.",
  category: "write",
  permissions: ["WriteFiles", "CreateFiles"],
  input: s.object({ path: s.string("Path"), text: s.string("Content") }),
  run: async ({ path, text }, { workspace }) => {
    await workspace.writeText(path, text);
    return { path };
  },
});

interface Append {
  readonly log: string;
  readonly line: string;
  readonly before_ms: number;
  readonly after_ms: number;
  readonly kill: boolean;
}

async function append({ log, line, before_ms, after_ms, kill }: Append, signal: AbortSignal) {
  await pause(before_ms, signal);
  appendFileSync(log, `${line}\n`);
  if (kill) process.kill(process.pid, "SIGKILL");
  await pause(after_ms, signal);
  return { line };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
