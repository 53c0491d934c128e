import type { CommandHost } from "@haft/core/capabilities";
import { argvOf, type PlannedCommand } from "../command-policy/command-plan.js";
import { parseCommand } from "../command-policy/parse-command.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

type Placed = Pick<ExecuteCommandArgs, "command" | "cwd">;

/**
 * Returns `git -C DIR …` as the same command that runs in that folder, also if its output is piped into programs that
 * read nothing else. Other options before the subcommand can change what git runs.
 */
export function gitInFolder<T extends Placed>(args: T, host: Pick<CommandHost, "placeOf" | "list">): T {
  const rest = withoutFolder(args.command);
  if (rest === undefined) return args;
  const place = host.placeOf(rest.folder, args.cwd);
  if (place === undefined || !isFolder(place, host)) return args;
  return gitInFolder({ ...args, command: rest.command, cwd: place === "" ? "." : place }, host);
}

interface WithoutFolder extends Pick<ExecuteCommandArgs, "command"> {
  readonly folder: string;
}

function withoutFolder(command: ExecuteCommandArgs["command"]): WithoutFolder | undefined {
  if (typeof command !== "string") {
    const [program, option, folder, ...rest] = command;
    if (program !== "git" || option !== "-C" || folder === undefined) return undefined;
    return { folder, command: [program, ...rest] };
  }
  const text = GIT_IN_FOLDER.test(command)
    ? command.replace(GIT_IN_FOLDER, (_all, git: string) => git)
    : undefined;
  const parsed = text === undefined ? undefined : parseCommand(command);
  if (text === undefined || parsed?.kind !== "plan" || parsed.plan.steps.length !== 1) return undefined;
  const [first, ...more] = parsed.plan.steps[0]?.commands ?? [];
  const [program, option, folder = ""] = first === undefined ? [] : argvOf(first);
  if (program !== "git" || option !== "-C" || folder === "" || !more.every(readsInputOnly)) return undefined;
  return first !== undefined && namesNoFile(first) ? { folder, command: text } : undefined;
}

const GIT_IN_FOLDER = /^(\s*git)\s+-C\s+(?:"[^"$`\\]*"|'[^']*'|[\w@%+=:,./-]+)(?=\s)/;

/** Returns whether a program names no files: in another folder, their names would mean other files. */
function readsInputOnly(command: PlannedCommand): boolean {
  const [program = "", ...words] = argvOf(command);
  const operands = words.filter((word) => !/^(?:-|\d+$)/.test(word));
  const most = TAKES_PATTERN.has(program) ? 1 : 0;
  if (!READERS.has(program) || operands.length > most) return false;
  return namesNoFile(command) && !words.some((word) => OPENS_FILES[program]?.test(word) === true);
}

/** Returns whether no redirection of a command names a file. */
function namesNoFile({ redirections, writes = [] }: PlannedCommand): boolean {
  return writes.length === 0 && redirections.every(({ kind }) => kind !== "read");
}

const TAKES_PATTERN: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "tr"]);
const READERS: ReadonlySet<string> = new Set([
  ...TAKES_PATTERN,
  ...["head", "tail", "wc", "cat", "sort", "uniq", "nl", "tac", "cut"],
]);

const GREP_FILES = /^-(?:-(?:fil|r|d)|[^-]*[frR])/;
/** Options with which a program opens files by name or searches the folder, abbreviated ones included. */
const OPENS_FILES: Readonly<Record<string, RegExp>> = {
  grep: GREP_FILES,
  egrep: GREP_FILES,
  fgrep: GREP_FILES,
  sort: /^-(?:-(?:o|t|fil|comp)|[^-]*[oT])/,
  wc: /^--fil/,
};

export function isFolder(place: string, host: Pick<CommandHost, "list">): boolean {
  if (place === "") return true;
  const above = place.slice(0, Math.max(0, place.lastIndexOf("/")));
  const name = place.slice(place.lastIndexOf("/") + 1);
  return host.list(above).some((entry) => entry.name === name && entry.isDirectory);
}
