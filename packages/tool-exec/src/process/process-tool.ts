import { type ContextOf, type Tool, ToolError, tool, toolDefinition } from "@haft/core";
import { renderInline } from "@haft/text";
import { cleanOutput } from "../output/clean-output.js";
import { fitOutput } from "../output/fit-output.js";
import { refusalOf } from "../run-code/refusal-of.js";
import {
  BACKGROUND_COMMANDS,
  type BackgroundCommand,
  type BackgroundCommands,
} from "./background-commands.js";
import { type ProcessArgs, type ProcessResult, processInput, processOutput } from "./process-schema.js";

const processDefinition = toolDefinition({
  name: "process",
  summary: "List, read, write to, wait for or kill commands that run in the background.",
  deferred: true,
  category: "execute",
  permissions: ["ExecuteCommands"],
  capabilities: ["processes"],
  input: processInput,
  output: processOutput,
  inject: [BACKGROUND_COMMANDS],
  errors: ["PROCESS_NOT_FOUND"],
  pack: "@haft/tool-exec",
  aliases: { id: ["process_id", "pid"], input: ["text", "stdin"], wait_ms: ["timeout_ms", "wait"] },
  examples: [
    { when: "see what runs", args: { action: "list" } },
    { when: "read new output, waiting up to 2 s", args: { action: "read", id: "p1", wait_ms: 2_000 } },
    { when: "end it", args: { action: "kill", id: "p1" } },
  ],
  guidance: [
    "Start commands with [[execute_command]] and background: true. read shows the output since the last read.",
    "All of them end when the session ends.",
  ].join("\n"),
  termination: "Kill what the task no longer needs, then stop.",
  timeoutMs: 660_000,
  inspect: async (args, { service }) => ({
    refusal: await refusalOf(() => {
      const command = commandOf(args, service(BACKGROUND_COMMANDS));
      if (args.action === "write") needed(args, "input");
      return command;
    }),
  }),
  // Input to a program has not been judged. Ending one's own command needs no permission.
  approval: ({ args }) => (args.action === "write" ? { confirm: "it types into a running program" } : "auto"),
  render: renderProcesses,
});

@tool(processDefinition)
export class Process implements Tool<typeof processDefinition> {
  static readonly definition = processDefinition;
  readonly #background: BackgroundCommands;

  constructor(background: BackgroundCommands) {
    this.#background = background;
  }

  async run(args: ProcessArgs, { signal }: ContextOf<typeof processDefinition>): Promise<ProcessResult> {
    const command = commandOf(args, this.#background);
    if (command === undefined) return { processes: this.#background.list().map(describe) };
    if (args.action === "write") type(command, needed(args, "input"));
    if (args.action === "kill") await command.stop();
    if (args.action !== "kill") await endOrTime(command, waitOf(args), signal);
    const { text, omittedChars } = command.output.take();
    return { processes: [describe(command)], output: text, omittedChars };
  }
}

/** Returns the command that a call is about; undefined for the list of all. */
function commandOf(args: ProcessArgs, background: BackgroundCommands): BackgroundCommand | undefined {
  return args.action === "list" ? undefined : background.get(needed(args, "id"));
}

function waitOf({ action, wait_ms }: ProcessArgs): number {
  return action === "wait" && wait_ms === 0 ? DEFAULT_WAIT_MS : wait_ms;
}

const DEFAULT_WAIT_MS = 60_000;

function needed(args: ProcessArgs, name: "id" | "input"): string {
  const value = args[name];
  if (value !== undefined) return value;
  throw new ToolError("INVALID_ARGUMENTS", `${args.action} needs ${name}`, {
    next: { tool: "process", args: { action: "list" } },
  });
}

function type(command: BackgroundCommand, input: string): void {
  if (command.exitCode() === undefined && command.run.write(input)) return;
  throw new ToolError("EXECUTION_ERROR", `${command.id} no longer reads input`, {
    next: { tool: "process", args: { action: "read", id: command.id } },
  });
}

/** Waits for the end, up to the requested time and the end of the call. */
async function endOrTime(command: BackgroundCommand, waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs === 0 || command.exitCode() !== undefined) return;
  let stop: (() => void) | undefined;
  const time = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
  await Promise.race([command.ended, time]);
  stop?.();
  if (stop !== undefined) signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
}

function describe(command: BackgroundCommand): ProcessResult["processes"][number] {
  const exitCode = command.exitCode();
  const { stdout, stderr, durationMs } = command.run.output();
  return {
    id: command.id,
    command: command.command,
    running: exitCode === undefined,
    ...(exitCode !== undefined && { exitCode }),
    duration: durationMs,
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
  };
}

function renderProcesses(value: ProcessResult, { args }: { readonly args: ProcessArgs }): string {
  const lines = value.processes.map(({ id, command, running, exitCode, duration }) => {
    const state = running
      ? `running for ${(duration / 1000).toFixed(1)} s`
      : `ended with exit code ${exitCode}`;
    return `${id} ${state}: ${renderInline(command, { maxChars: 200 })}`;
  });
  if (value.output === undefined) return lines.join("\n") || "No command runs in the background.";
  const shown = fitOutput(cleanOutput(value.output).trimEnd(), args.max_output_tokens - 100).text;
  const omitted = value.omittedChars ? [`[… ${value.omittedChars} earlier characters left out …]`] : [];
  return [...lines, ...omitted, shown === "" ? "(no new output)" : shown].join("\n");
}
