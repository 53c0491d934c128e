import { readGitCall } from "../git-call.js";
import { deny, firstObjection, type Objection, unlisted } from "../objection.js";
import { namesOnly, objectToPath } from "../path-check.js";
import { hasOption, objectToOptions, type ProgramCall, type ProgramRule } from "../program-rule.js";
import type { GivenOption, ReadOptions } from "../read-options.js";

export const gitPrograms: Readonly<Record<string, ProgramRule>> = { git: objectToGit };

/** Returns the position of the subcommand. Only --no-pager may precede it. */
export function gitSubcommandIndex(args: readonly string[]): number {
  return args[0] === "--no-pager" ? 1 : 0;
}

/** Returns whether a subcommand that can list or change has a form that lists: `git branch -a`, `git stash list`. */
export function isGitListing(args: readonly string[]): boolean {
  const at = gitSubcommandIndex(args);
  const subcommand = args[at] ?? "";
  const form = Object.hasOwn(listingForms, subcommand) ? listingForms[subcommand] : undefined;
  const read = readGitCall(subcommand, args.slice(at + 1))?.read;
  return form !== undefined && read !== undefined && read.unknown === undefined && form(read) === undefined;
}

function objectToGit(call: ProgramCall): Objection | undefined {
  const at = gitSubcommandIndex(call.args);
  const subcommand = call.args[at] ?? "";
  if (at === 0 && call.args.length === 1 && subcommand === "--version") return undefined;
  if (subcommand.startsWith("-"))
    return unlisted(`git ${subcommand} before the subcommand may change what git runs`);
  const read = readGitCall(subcommand, call.args.slice(at + 1))?.read;
  if (read === undefined) return unlisted(`git ${subcommand} changes the repository or is not known`);
  if (read.incomplete !== undefined) return deny(`git ${subcommand} ${read.incomplete} lacks its value`);
  const scope = namingSubcommands.has(subcommand) ? namesOnly(call.scope) : call.scope;
  const inner = { ...call, scope, name: `git ${subcommand}` };
  return (
    // Git reads a file that an option names, regardless of the command's output.
    objectToOptions(read, { ...inner, scope: call.scope }) ??
    firstObjection(read.options, (option) => objectToValue(option, inner)) ??
    listingForms[subcommand]?.(read) ??
    objectToOperands(subcommand, read, inner)
  );
}

const namingSubcommands: ReadonlySet<string> = new Set(["status", "ls-files", "ls-tree", "check-ignore"]);

// %G placeholders verify signatures, which starts the configured gpg program.
function objectToValue(option: GivenOption, call: ProgramCall): Objection | undefined {
  const value = option.value ?? "";
  if (formatOptions.has(option.name) && /%G|%\(signature/.test(value)) {
    return unlisted(`${call.name} with a signature placeholder starts gpg`);
  }
  if (formatOptions.has(option.name) && /%\(\*?raw/.test(value)) {
    return unlisted(`${call.name} with a raw placeholder prints whole objects`);
  }
  if (option.name === "--sort" && /raw/.test(value)) {
    return unlisted(`${call.name} sorted by raw reveals the content of objects`);
  }
  if (option.name === "--submodule" && value === "diff") {
    return unlisted(`${call.name} --submodule=diff shows every file of a submodule`, "--submodule=log");
  }
  if (call.name === "git show" && refSets.has(option.name)) {
    return unlisted(`git show ${option.name} prints the object behind every reference`, "git log -p --all");
  }
  if (option.name !== "-L") return undefined;
  return objectToPath(/:([^:]+)$/.exec(value)?.[1] ?? "", call.scope);
}

const formatOptions: ReadonlySet<string> = new Set(["--format", "--pretty", "--date"]);

const refSets: ReadonlySet<string> = new Set(["--all", "--tags", "--remotes", "--glob", "--reflog"]);

// Operands are revisions or paths; REV:PATH and :STAGE:PATH name a file as well. grep's first operand is its pattern.
function objectToOperands(subcommand: string, read: ReadOptions, call: ProgramCall): Objection | undefined {
  if (subcommand === "commit") return objectToCommit(read, call);
  const skipped = subcommand === "grep" && !hasOption(read, "-e") ? 1 : 0;
  return firstObjection(read.operands.slice(skipped), (operand) => objectToOperand(operand, call));
}

function objectToOperand(operand: string, call: ProgramCall): Objection | undefined {
  // These may be relative to the top of the repository instead of the directory.
  const scope = { ...call.scope, directories: [...new Set([...call.scope.directories, "."])] };
  const objectToFile = (file: string) => objectToPath(file, file.startsWith(".") ? call.scope : scope);
  if (operand.startsWith(":(")) return objectToFile(operand.slice(operand.indexOf(")") + 1));
  if (/^:[!^/]/.test(operand)) return objectToFile(operand.replace(/^:[!^/]+/, ""));
  return objectToPath(operand, call.scope) ?? firstObjection(filesIn(operand), objectToFile);
}

// A revision may contain colons (`HEAD^{/fix: x}:PATH`), and either end of a range may name a file.
function filesIn(operand: string): readonly string[] {
  return [operand, ...operand.split("..")].flatMap((end) => {
    const pieces = end.split(":");
    return pieces.slice(1).map((_, index) => pieces.slice(index + 1).join(":"));
  });
}

function objectToCommit(read: ReadOptions, call: ProgramCall): Objection | undefined {
  if (!hasOption(read, "-m", "--message", "--no-edit", "--dry-run", "--short", "--porcelain")) {
    return unlisted("git commit without -m opens an editor", 'git commit -m "message"');
  }
  return firstObjection(read.operands, (operand) => objectToPath(operand, call.scope));
}

/** These subcommands change things unless their form lists. */
const listingForms: Readonly<Record<string, (read: ReadOptions) => Objection | undefined>> = {
  branch: (read) => needsListing("branch", read),
  tag: (read) => needsListing("tag", read),
  remote: (read) => onlyOperands("remote", read, [[], ["get-url", "*"]]),
  stash: (read) => firstOperand("stash", read, "list"),
  reflog: (read) => (read.operands.length === 0 ? undefined : firstOperand("reflog", read, "show")),
  worktree: (read) => onlyOperands("worktree", read, [["list"]]),
};

function needsListing(name: string, read: ReadOptions): Objection | undefined {
  const isListing = hasOption(
    read,
    "-l",
    "--list",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
  );
  if (read.operands.length === 0 || isListing) return undefined;
  return unlisted(`git ${name} ${read.operands[0]} changes the repository`, `git ${name} --list`);
}

function firstOperand(name: string, read: ReadOptions, expected: string): Objection | undefined {
  if (read.operands[0] === expected) return undefined;
  return unlisted(`git ${name} may only be used as git ${name} ${expected}`, `git ${name} ${expected}`);
}

function onlyOperands(name: string, read: ReadOptions, forms: readonly string[][]): Objection | undefined {
  const matches = forms.some(
    (form) =>
      form.length === read.operands.length &&
      form.every((word, at) => word === "*" || word === read.operands[at]),
  );
  return matches ? undefined : unlisted(`git ${name} ${read.operands.join(" ")} changes the repository`);
}
