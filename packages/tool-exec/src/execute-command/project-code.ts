import { argvOf, type CommandPlan, type PlannedCommand } from "../command-policy/command-plan.js";
import { runsProjectCode } from "../command-policy/program-rules.js";
import { readXargs } from "../command-policy/programs/xargs-program.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";

/** Whether a command only reads files, runs the project's code, or installs packages. */
export type ProjectCode = "none" | "runs" | "installs";

/** Classifies a plan. A command that needs a shell may run anything. */
export function projectCodeIn(plan: CommandPlan | undefined): ProjectCode {
  if (plan === undefined) return "runs";
  const found = plan.steps.flatMap(({ commands }) => commands.map((command) => codeOf(argvOf(command))));
  if (found.includes("installs")) return "installs";
  return found.includes("runs") ? "runs" : "none";
}

/**
 * Returns the first command of a line that may run the project's code. Commands that only change files do not count.
 */
export function codeCommandIn(plan: CommandPlan): PlannedCommand | undefined {
  return plan.steps.flatMap(({ commands }) => commands).find((command) => mayRunCode(argvOf(command)));
}

export function mayRunCode(argv: readonly string[]): boolean {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return mayRunCode(argv.slice(wrapped.index));
  if (argv[0] === "xargs") {
    const { read, inner } = readXargs(argv.slice(1));
    return read.unknown !== undefined || mayRunCode(inner);
  }
  return codeOf(argv) !== "none" && !isPlainProgram(argv[0] ?? "");
}

/** Whether a program starts no other one and prints no file. */
export function isPlainProgram(name: string): boolean {
  return PLAIN.has(name);
}

const PLAIN: ReadonlySet<string> = new Set([
  ...["rm", "rmdir", "mv", "cp", "ln", "touch", "mkdir", "chmod", "truncate", "tee"],
  ...["cd", "echo", "printf", "true", "false", ":", "test", "[", "sleep", "date", "pwd", "exit"],
]);

function codeOf(argv: readonly string[]): ProjectCode {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return codeOf(argv.slice(wrapped.index));
  const [name = "", subcommand = ""] = argv;
  if (MANAGERS.has(name) && (INSTALLING.has(subcommand) || (name === "yarn" && argv.length === 1)))
    return "installs";
  return runsProjectCode(name) ? "runs" : "none";
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const INSTALLING: ReadonlySet<string> = new Set([
  ...["install", "i", "ci", "clean-install", "add", "remove", "rm", "uninstall", "un", "update", "up"],
  ...["upgrade", "dedupe", "prune", "rebuild"],
]);
