import { PARTLY_SENSITIVE_FOLDERS, SENSITIVE_FOLDERS } from "@haft/text/path-rules";
import { gitHardening, hardenGit } from "./git-hardening.js";
import { networkNeedOf } from "./network-needs.js";
import { grepOptions } from "./programs/search-programs.js";
import { type GivenOption, readOptions } from "./read-options.js";
import { sensitivePathPatterns, sensitivePatterns } from "./sensitive-patterns.js";
import { unwrapCommand } from "./unwrap-command.js";

interface HardenedArgv {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments that really run: search programs skip sensitive files and follow no links, git starts no
 * programs. All other results stay the same.
 */
export function hardenArgv(argv: readonly string[]): HardenedArgv {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined && wrapped.problem === undefined) {
    const inner = hardenArgv(argv.slice(wrapped.index));
    return { ...inner, argv: [...argv.slice(0, wrapped.index), ...inner.argv] };
  }
  const [name = "", ...args] = argv;
  if (name === "git") return { argv: [name, ...hardenGit(args)], environment: gitHardening.environment };
  const harden = Object.hasOwn(hardeners, name) ? hardeners[name] : undefined;
  return { argv: harden === undefined ? argv : harden(name, args), environment: environmentFor(argv) };
}

/** npx only runs what is installed, unless it is told to fetch. */
function environmentFor(argv: readonly string[]): Readonly<Record<string, string>> {
  const isLocal = argv[0] === "npx" && networkNeedOf(argv) === undefined;
  return isLocal ? { npm_config_offline: "true" } : {};
}

/** Contains everything ever committed. */
const REPOSITORY = ".git";

const hardeners: Readonly<Record<string, (name: string, args: readonly string[]) => string[]>> = {
  grep: hardenGrep,
  egrep: hardenGrep,
  fgrep: hardenGrep,
  rg: (name, args) => [
    name,
    ...withOptions(args, [
      "--no-config",
      ...[REPOSITORY, ...sensitivePatterns, ...sensitivePathPatterns].map(
        (pattern) => `--glob=!**/${pattern}`,
      ),
    ]),
  ],
  diff: (name, args) => [
    name,
    ...withOptions(
      args,
      sensitivePatterns.map((pattern) => `--exclude=${pattern}`),
    ),
  ],
  command: (_, args) => ["which", ...args.slice(1)],
};

// --exclude comes after the user's --include, because the last match wins and the first option sets the default.
function hardenGrep(name: string, args: readonly string[]): string[] {
  const { options } = readOptions(args, grepOptions);
  if (!options.some(isRecursive)) return [name, ...args];
  const linkless = [...args];
  for (const option of options) {
    if (followingOptions.has(option.name))
      linkless[option.index] = withoutFollowing(args[option.index] ?? "");
  }
  const exclusions = [
    ...sensitivePatterns.map((pattern) => `--exclude=${pattern}`),
    ...[REPOSITORY, ...SENSITIVE_FOLDERS, ...PARTLY_SENSITIVE_FOLDERS].map(
      (folder) => `--exclude-dir=${folder}`,
    ),
  ];
  return [name, ...withOptions(linkless, exclusions)];
}

function isRecursive({ name, value }: GivenOption): boolean {
  if (name === "-d" || name === "--directories") return value === "recurse";
  return name === "-r" || name === "--recursive" || followingOptions.has(name);
}

const followingOptions: ReadonlySet<string> = new Set(["-R", "--dereference-recursive"]);

// -R follows links out of the workspace, -r does not. In a bundle, only the letters before a value are options.
function withoutFollowing(arg: string): string {
  if (arg.startsWith("--")) return "--recursive";
  const flags = /^-[^efmABCdD]*/.exec(arg)?.[0] ?? "";
  return flags.replaceAll("R", "r") + arg.slice(flags.length);
}

function withOptions(args: readonly string[], options: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return [...args.slice(0, end), ...options, ...args.slice(end)];
}
