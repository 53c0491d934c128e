import type { CommandHost } from "@haft/core/capabilities";
import {
  argvOf,
  type CommandPlan,
  type PlannedCommand,
  type PlannedStep,
} from "../command-policy/command-plan.js";
import type { CommandPolicy } from "../command-policy/command-policy.js";
import { expandWord } from "../command-policy/expand-word.js";
import { gitCallOf } from "../command-policy/git-call.js";
import { judgeArgv } from "../command-policy/judge-argv.js";
import { deny, type Objection } from "../command-policy/objection.js";
import { hasOption } from "../command-policy/program-rule.js";
import { readXargs } from "../command-policy/programs/xargs-program.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import { listIn } from "./expand-git-words.js";
import { isPlainProgram, mayRunCode } from "./project-code.js";
import { startsGit } from "./starts-git.js";

interface GitLine {
  readonly plan: CommandPlan;
  readonly cwd: string;
  readonly policy: CommandPolicy;
  readonly host: Pick<CommandHost, "placeOf" | "list">;
}

interface ObjectedCommand {
  readonly objection: Objection;
  readonly text: string;
}

/**
 * Objects to commands on a line where git sees the whole repository, because they would see it too: commands that may run code of the project, name
 * the repository, or read or copy folders that contain it.
 */
export async function objectBesideGit(line: GitLine): Promise<ObjectedCommand | undefined> {
  const { steps } = line.plan;
  const directories = walkDirectories(steps, line.cwd) ?? [];
  const inGit = steps.flatMap((step, index) => (step.commands.some(isGit) ? (directories[index] ?? []) : []));
  for (const [index, step] of steps.entries())
    for (const command of step.commands) {
      if (isGit(command)) continue;
      const scope = { line, step, inGit, directories: directories[index] ?? [line.cwd] };
      const objection = objectToCommand(command, scope) ?? (await objectToMatches(command, scope));
      if (objection !== undefined) return { objection, text: command.text };
    }
  return undefined;
}

interface Scope {
  readonly line: GitLine;
  readonly step: PlannedStep;
  /** The directories where the command may run. */
  readonly directories: readonly string[];
  /** The directories where git may run. */
  readonly inGit: readonly string[];
}

function isGit(command: PlannedCommand): boolean {
  return startsGit(argvOf(command));
}

function objectToCommand(command: PlannedCommand, scope: Scope): Objection | undefined {
  const argv = innermost(argvOf(command));
  if (mayRunCode(argv)) return seesRepository("it may run code of the project");
  const isPlain = isPlainProgram(argv[0] ?? "");
  const { policy } = scope.line;
  const judged = { policy, scope: { check: policy.checkPath, directories: scope.directories }, depth: 0 };
  if (!isPlain && judgeArgv(argv, { ...judged, hasInput: true }) !== undefined)
    return seesRepository("it is not known to be harmless");
  if (argv.slice(1).some((word) => IN_REPOSITORY.test(word)))
    return seesRepository("it names the repository");
  return objectToContents(argv, scope);
}

const IN_REPOSITORY = /\.git(?:\/|$)/i;

/** A pattern may match the repository, or a link that leads there. */
async function objectToMatches(
  { words }: PlannedCommand,
  { line, directories }: Scope,
): Promise<Objection | undefined> {
  for (const directory of directories)
    for (const word of words.filter(({ kind }) => kind === "glob")) {
      const matches = await expandWord(word, listIn(directory, line.host)).catch(() => undefined);
      const isSafe = matches?.every(
        (match) => !IN_REPOSITORY.test(match) && line.policy.checkPath(match, directory) === "inside",
      );
      if (isSafe !== true) return seesRepository(`${word.value} may match the repository`);
    }
  return undefined;
}

function innermost(argv: readonly string[]): readonly string[] {
  const wrapped = unwrapCommand(argv);
  return wrapped === undefined ? argv : innermost(argv.slice(wrapped.index));
}

/** Some programs take whole folders, or names that were not checked. */
function objectToContents(argv: readonly string[], scope: Scope): Objection | undefined {
  const [name = "", ...args] = argv;
  if (name === "xargs" && !hasHarmlessInput(args, scope.step))
    return seesRepository("it reads files whose names are not known");
  if (name === "ln") return seesRepository("a link may lead to the repository");
  if (name === "mv" && args.some((word) => isFolder(word, scope)))
    return seesRepository("a folder may have a link to the repository in it");
  if (!FOLLOWING.has(name) || !args.some((word) => RECURSIVE.test(word))) return undefined;
  const isHolding = name === "rm" || name === "chmod" ? holdsRepository : () => true;
  return args.some((word) => isHolding(word, scope)) ? seesRepository("it enters folders") : undefined;
}

/** Git's own lists contain only names of tracked files, and filters that drop lines add none. */
function hasHarmlessInput(args: readonly string[], { commands }: PlannedStep): boolean {
  if (!READING.has(readXargs(args).inner[0] ?? "")) return true;
  const [first, ...more] = commands.map((command) => innermost(argvOf(command)));
  const call = gitCallOf(first ?? []);
  const at = more.findIndex(([name]) => name === "xargs");
  const isListing =
    call?.subcommand === "ls-files" ||
    (call?.subcommand === "diff" && hasOption(call.read, "--name-only")) ||
    (call?.subcommand === "grep" && hasOption(call.read, "-l", "--files-with-matches", "--name-only"));
  return isListing && more.slice(0, at).every(([name = ""]) => DROPPING.has(name));
}

const READING: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "head", "tail"]);
const DROPPING: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "head", "tail", "sort", "uniq"]);
const FOLLOWING: ReadonlySet<string> = new Set(["cp", "rm", "chmod", "diff"]);
const RECURSIVE = /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive|dereference)$/;

function isFolder(word: string, { line, directories }: Scope): boolean {
  return directories.some((directory) => {
    const place = line.host.placeOf(word, directory);
    if (place === undefined || place === "") return place === "";
    const above = place.slice(0, Math.max(0, place.lastIndexOf("/")));
    const name = place.slice(place.lastIndexOf("/") + 1);
    return line.host.list(above).some((entry) => entry.name === name && entry.isDirectory);
  });
}

function holdsRepository(word: string, { line, directories, inGit }: Scope): boolean {
  return directories.some((directory) => {
    const place = line.host.placeOf(word, directory);
    if (place === undefined) return false;
    return inGit.some((git) => place === "" || git === place || git.startsWith(`${place}/`));
  });
}

function seesRepository(why: string): Objection {
  return deny(
    `${why}, and on the same line as git it would see the whole repository`,
    "two calls, one with the git commands and one with the others",
  );
}
