import type { SandboxRequest } from "@haft/core/capabilities";
import { argvOf, type CommandPlan, type PlannedCommand } from "../command-policy/command-plan.js";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { gitCallOf } from "../command-policy/git-call.js";
import { filterOverrides } from "../command-policy/git-hardening.js";
import { gitWriteOf } from "../command-policy/git-writes.js";
import { hardenArgv } from "../command-policy/harden-argv.js";
import { mayHoldDocument } from "../command-policy/literal-document.js";
import { isGitListing } from "../command-policy/programs/git-program.js";
import { quoted, type ShellCommand, shellText } from "../command-policy/shell-text.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import { emptyingPackages, removesPackages } from "./emptying-packages.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { comparedByName } from "./git-contents.js";
import { gitIdentityIn } from "./git-identity.js";
import type { Judging } from "./judge-command.js";
import { codeCommandIn, type ProjectCode, projectCodeIn } from "./project-code.js";
import { removedPlaces } from "./removed-places.js";
import { startsGit } from "./starts-git.js";

type BoxCommand = Required<
  Pick<SandboxRequest, "argv" | "env" | "repository" | "gitFolders" | "passThrough">
> &
  Pick<SandboxRequest, "network" | "reads" | "removes" | "renamesFolders">;

/** Builds the sandbox request for a decided command, including its access to the workspace. */
export async function boxCommand(
  { command, cwd, env = {} }: ExecuteCommandArgs,
  { verdict, plan, network }: CommandDecision,
  judging: Judging,
): Promise<BoxCommand> {
  const gits = plan === undefined ? [] : gitCommands(plan);
  const code = projectCodeIn(plan);
  const isMixed = plan !== undefined && codeCommandIn(plan) !== undefined;
  const repository = verdict === "box" || isMixed ? "masked" : repositoryFor(gits);
  const identity = repository === "write" ? await gitIdentityIn(cwd, judging.host) : {};
  const passThrough = verdict === "box" ? "none" : PASSING[code];
  const sharesPackages = passThrough === "packages";
  const isEmptying = sharesPackages && plan?.steps.some(removesPackages);
  const isRewritten = gits.length > 0 || isEmptying || (plan !== undefined && mayHoldDocument(plan.text));
  const text = plan && isRewritten ? await hardenedText(plan, { cwd, judging, sharesPackages }) : command;
  return {
    argv: typeof text === "string" ? ["bash", "-c", text] : (text as [string, ...string[]]),
    env: { ...identity, ...env },
    repository,
    gitFolders: plan === undefined ? [cwd] : [...new Set((walkDirectories(plan.steps, cwd) ?? []).flat())],
    passThrough,
    ...(passThrough !== "none" && { removes: await removedPlaces({ command, cwd }, judging.host) }),
    ...(gits.some((git) => movesFolders(argvOf(git))) && { renamesFolders: true }),
    reads: verdict === "allow" && code === "none" && repository !== "write",
    ...(network !== undefined && { network }),
  };
}

const PASSING: Readonly<Record<ProjectCode, BoxCommand["passThrough"]>> = {
  none: "none",
  runs: "ignored",
  installs: "packages",
};

/** Git sees the repository if the whole command is understood; other programs see names and versions. */
function repositoryFor(gits: readonly PlannedCommand[]): BoxCommand["repository"] {
  if (gits.length === 0) return "masked";
  return gits.some((command) => writesRepository(argvOf(command))) ? "write" : "read";
}

/** A listing form only needs to read, even if the subcommand could write. */
function writesRepository(argv: readonly string[]): boolean {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return writesRepository(argv.slice(wrapped.index));
  const [, ...args] = argv;
  return gitCallOf(argv) === undefined || (gitWriteOf(argv) !== undefined && !isGitListing(args));
}

/** Git renames folders itself. A command that may write to the repository is not repeated if that fails. */
function movesFolders(argv: readonly string[]): boolean {
  const wrapped = unwrapCommand(argv);
  return wrapped === undefined ? gitWriteOf(argv) === "mv" : movesFolders(argv.slice(wrapped.index));
}

function gitCommands(plan: CommandPlan): readonly PlannedCommand[] {
  return plan.steps.flatMap(({ commands }) => commands.filter((command) => startsGit(argvOf(command))));
}

interface BoxedLine {
  readonly cwd: string;
  readonly judging: Judging;
}

interface RewrittenLine extends BoxedLine {
  readonly sharesPackages: boolean;
}

async function hardenedText(plan: CommandPlan, line: RewrittenLine): Promise<string> {
  const { cwd: start, judging, sharesPackages } = line;
  const directories = walkDirectories(plan.steps, start) ?? [];
  const directoryOf = (command: PlannedCommand) =>
    directories[plan.steps.findIndex(({ commands }) => commands.includes(command))]?.[0] ?? start;
  const rewritten = new Map<PlannedCommand, HardenedCommand>();
  for (const command of gitCommands(plan))
    rewritten.set(command, await hardenedGit(argvOf(command), { cwd: directoryOf(command), judging }));
  for (const command of plan.steps.flatMap(({ commands }) => commands))
    if (!rewritten.has(command)) rewritten.set(command, hardenArgv(argvOf(command)));
  return shellText(plan, (given: ShellCommand) => {
    if (sharesPackages && removesPackages({ commands: [given.command] })) return emptyingPackages(given);
    const hardened = rewritten.get(given.command);
    if (hardened === undefined) return given;
    const patterns = patternTexts(given);
    return {
      ...given,
      words: hardened.argv.map((word) => patterns.get(word) ?? quoted(word)),
      environment: { ...given.environment, ...hardened.environment },
    };
  });
}

/** Leaves patterns to the shell, except those of git: a file named like an option could turn one into an option. */
function patternTexts({ command, words }: ShellCommand): ReadonlyMap<string, string> {
  if (startsGit(argvOf(command))) return new Map();
  return new Map(
    command.words.flatMap(({ kind, value }, index) => (kind === "glob" ? [[value, words[index] ?? ""]] : [])),
  );
}

type HardenedCommand = ReturnType<typeof hardenArgv>;

async function hardenedGit(argv: readonly string[], { cwd, judging }: BoxedLine): Promise<HardenedCommand> {
  const { host } = judging;
  const hardened = hardenArgv(argv);
  const filtered = withOverrides(hardened.argv, filterOverrides((await host.gitKeys(cwd)) ?? []));
  return { ...hardened, argv: await comparedByName(filtered, { host, cwd }) };
}

function withOverrides(argv: readonly string[], overrides: readonly string[]): readonly string[] {
  const at = argv.indexOf("--no-pager") + 1;
  return [...argv.slice(0, at), ...overrides.flatMap((each) => ["-c", each]), ...argv.slice(at)];
}
