import { type GitCall, readGitCall, revealsContents, walksHistory } from "./git-call.js";
import { hasOption } from "./program-rule.js";
import { gitSubcommandIndex } from "./programs/git-program.js";
import { sensitivePathPatterns, sensitivePatterns } from "./sensitive-patterns.js";
import { wordList } from "./word-list.js";

/**
 * Settings that keep git from starting the programs that a repository configures. For those that cannot be disabled,
 * a repository with a risky key makes the command ask.
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
  /** Flags, because emptying diff.external or a textconv with -c makes git fail. */
  flags: {
    diff: ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"],
    status: ["--ignore-submodules=dirty"],
    log: ["--no-ext-diff", "--no-textconv"],
    show: ["--no-ext-diff", "--no-textconv"],
    whatchanged: ["--no-ext-diff", "--no-textconv"],
    "diff-tree": ["--no-ext-diff", "--no-textconv"],
    blame: ["--no-textconv"],
    grep: ["--no-textconv"],
  } as Readonly<Record<string, readonly string[]>>,
  /** Lists the names, with the same hardening. */
  listConfiguration: ["config", "--includes", "--name-only", "--list"],
} as const;

/** Returns whether a configuration key can make git run a program or read other configuration. */
export function isRiskyGitKey(key: string): boolean {
  const lower = key.toLowerCase();
  return riskyKeys.some((pattern) => pattern.test(lower));
}

/**
 * Returns settings that disable a repository's filters, by name; git-lfs keeps its usual programs. A filter can be a
 * script of the workspace, and it would run with access to everything ever committed.
 */
export function filterOverrides(keys: readonly string[]): readonly string[] {
  const names = new Set(keys.flatMap((key) => /^filter\.(.+)\.[^.]+$/i.exec(key)?.[1] ?? []));
  return [...names].flatMap((name) => {
    const isLfs = name === "lfs";
    return [
      `filter.${name}.clean=${isLfs ? "git-lfs clean -- %f" : ""}`,
      `filter.${name}.smudge=${isLfs ? "git-lfs smudge -- %f" : ""}`,
      `filter.${name}.process=${isLfs ? "git-lfs filter-process" : ""}`,
      `filter.${name}.required=false`,
    ];
  });
}

/**
 * Returns the same git command, unable to start a pager, hook, monitor, diff driver or editor, and with secrets
 * excluded.
 */
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

/** Removes the exclusions for commands that take no pathspec because they name their files. */
export function withoutExclusions(argv: readonly string[]): readonly string[] {
  return argv.filter((arg) => !exclusions.includes(arg));
}

const exclusions: readonly string[] = [...sensitivePatterns, ...sensitivePathPatterns].map(
  (pattern) => `:(top,exclude,glob)**/${pattern}`,
);

function passesOverSecrets(call: GitCall): boolean {
  const { subcommand, read } = call;
  // Without a path, `git add` adds nothing; with only an exclusion it would add everything.
  if (subcommand === "add")
    return read.operands.length > 0 || hasOption(read, "-A", "-u", "--all", "--update");
  // These name their one file, which was checked, and take no further pathspec.
  return revealsContents(call) && !(walksHistory(call) && hasOption(read, "-L", "--follow"));
}

// Lines are followed into their original file under any name. Last, because the last such option wins.
function withoutRenames({ args, read }: GitCall): string[] {
  return [...args.slice(0, read.endIndex), "--no-renames", ...args.slice(read.endIndex)];
}

// A pathspec also hides commits without a matching file; if the user gave none, all commits must stay.
function historyFlags({ subcommand, args, read }: GitCall): string[] {
  if (subcommand === "show" && read.endIndex === args.length) return ["--sparse"];
  return subcommand === "log" && read.operands.length === 0 ? ["--full-history", "--sparse"] : [];
}

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
