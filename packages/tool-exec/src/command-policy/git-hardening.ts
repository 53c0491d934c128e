import { type GitCall, readGitCall, revealsContents, walksHistory } from "./git-call.js";
import { hasOption } from "./program-rule.js";
import { gitSubcommandIndex } from "./programs/git-program.js";
import { sensitivePathPatterns, sensitivePatterns } from "./sensitive-patterns.js";
import { wordList } from "./word-list.js";

/**
 * A repository's own configuration can make git start programs. These settings switch off what can be switched off;
 * for the rest, a repository with one of the risky keys makes the command ask.
 */
export const gitHardening = {
  environment: {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ASKPASS: "true",
  },
  overrides: wordList(
    "core.fsmonitor=false core.hooksPath=/dev/null core.pager=cat core.editor=true",
    "log.showSignature=false commit.gpgSign=false tag.gpgSign=false gc.auto=0 maintenance.auto=false",
    "submodule.recurse=false diff.submodule=short status.submoduleSummary=false",
    "core.sshCommand=false safe.bareRepository=explicit",
  ),
  /** Emptying diff.external or a textconv by -c makes git fail, so these are switched off by flags. */
  flags: {
    diff: ["--no-ext-diff", "--no-textconv"],
    log: ["--no-ext-diff", "--no-textconv"],
    show: ["--no-ext-diff", "--no-textconv"],
    whatchanged: ["--no-ext-diff", "--no-textconv"],
    "diff-tree": ["--no-ext-diff", "--no-textconv"],
    blame: ["--no-textconv"],
    grep: ["--no-textconv"],
  } as Readonly<Record<string, readonly string[]>>,
  /** Ask for the names with this command, hardened like any other. */
  listConfiguration: ["config", "--local", "--includes", "--name-only", "--list"],
} as const;

/** Whether a key of the repository's configuration can make git run a program or read other configuration. */
export function isRiskyGitKey(key: string): boolean {
  const lower = key.toLowerCase();
  return !trustedKeys.has(lower) && riskyKeys.some((pattern) => pattern.test(lower));
}

/** The same git command, unable to start a pager, hook, monitor, diff driver or editor, and blind to secrets. */
export function hardenGit(args: readonly string[]): string[] {
  const at = gitSubcommandIndex(args);
  const subcommand = args[at] ?? "";
  const flags = Object.hasOwn(gitHardening.flags, subcommand) ? (gitHardening.flags[subcommand] ?? []) : [];
  const rest = args.slice(at + 1);
  const call = readGitCall(subcommand, rest);
  const isBlinded = call !== undefined && passesOverSecrets(call);
  return [
    "--no-pager",
    ...gitHardening.overrides.flatMap((override) => ["-c", override]),
    subcommand,
    ...flags,
    ...(isBlinded ? historyFlags(call) : []),
    ...(call !== undefined && hasOption(call.read, "-L") ? withoutRenames(call) : rest),
    ...(isBlinded ? exclusions : []),
  ];
}

/** Undoes the blinding, for what takes no pathspec because it names the files it is about. */
export function withoutExclusions(argv: readonly string[]): readonly string[] {
  return argv.filter((arg) => !exclusions.includes(arg));
}

const exclusions: readonly string[] = [...sensitivePatterns, ...sensitivePathPatterns].map(
  (pattern) => `:(top,exclude,glob)**/${pattern}`,
);

function passesOverSecrets(call: GitCall): boolean {
  const { subcommand, read } = call;
  // Without a path `git add` adds nothing; with an exclusion alone it would add everything.
  if (subcommand === "add")
    return read.operands.length > 0 || hasOption(read, "-A", "-u", "--all", "--update");
  // These name their one file, which was checked, and take no further pathspec.
  return revealsContents(call) && !(walksHistory(call) && hasOption(read, "-L", "--follow"));
}

// Lines are followed into the file they came from, whatever its name was; last, because the last of such options counts.
function withoutRenames({ args, read }: GitCall): string[] {
  return [...args.slice(0, read.endIndex), "--no-renames", ...args.slice(read.endIndex)];
}

// A pathspec also hides the commits that it leaves nothing of; where the user gave none, all commits must stay.
function historyFlags({ subcommand, args, read }: GitCall): string[] {
  if (subcommand === "show" && read.endIndex === args.length) return ["--sparse"];
  return subcommand === "log" && read.operands.length === 0 ? ["--full-history", "--sparse"] : [];
}

const trustedKeys: ReadonlySet<string> = new Set(
  wordList("filter.lfs.clean filter.lfs.smudge filter.lfs.process filter.lfs.required"),
);

const riskyKeys: readonly RegExp[] = [
  /^filter\..*\.(?:clean|smudge|process)$/,
  /^diff\.(?:external|.*\.(?:textconv|command))$/,
  /^merge\..*\.driver$/,
  /^(?:gpg\.program|gpg\..*\.program|gpg\..*\.defaultkeycommand)$/,
  /^core\.(?:pager|editor|sshcommand|attributesfile|fsmonitor|hookspath|askpass|gitproxy|worktree|alternaterefscommand)$/,
  /^(?:alias|pager|browser|man|difftool|mergetool|guitool|trailer|credential|sendemail|instaweb)\./,
  /^include(?:if)?\./,
  /^(?:sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook|extensions\.partialclone)$/,
  /^remote\..*\.(?:vcs|uploadpack|receivepack|promisor|proxy)$/,
  /^submodule\..*\.update$/,
];
