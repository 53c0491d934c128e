import type { ArgvRule } from "./argv-rule.js";
import { wordList } from "./word-list.js";

/**
 * Returns everyday development commands that need no approval: listing, searching, git's read commands, tests and the
 * project's scripts.
 */
export function defaultAllowList(scripts: readonly string[] = usualScripts): readonly (string | ArgvRule)[] {
  return [
    ...readingPrograms,
    ...gitReadCommands,
    ...gitReadCommands.map((rule) => rule.replace(/^git /, "git --no-pager ")),
    ...packageManagers.flatMap((manager) => managerRules(manager, scripts)),
    ...toolCommands,
    ...versions.map((program) => `${program} --version`),
    ...wrappers,
  ];
}

const readingPrograms = [
  ...[
    "ls",
    "cat",
    "head",
    "tail",
    "wc",
    "nl",
    "tac",
    "rev",
    "stat",
    "file",
    "du",
    "tree",
    "realpath",
    "readlink",
  ],
  ...[
    "od",
    "hexdump",
    "strings",
    "base64",
    "sort",
    "uniq",
    "cut",
    "tr",
    "paste",
    "comm",
    "join",
    "fold",
    "fmt",
  ],
  ...[
    "expand",
    "unexpand",
    "column",
    "cmp",
    "diff",
    "sha256sum",
    "sha1sum",
    "sha512sum",
    "md5sum",
    "b2sum",
    "cksum",
  ],
  ...[
    "seq",
    "echo",
    "printf",
    "pwd",
    "true",
    "false",
    "test",
    "[",
    "date",
    "basename",
    "dirname",
    "sleep",
    "which",
  ],
  ...[
    "uname",
    "whoami",
    "id",
    "nproc",
    "arch",
    "cd",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "find",
    "sed",
    "awk",
    "jq",
  ],
  ...["xargs", "tar -tf", "tar tf", "tar -tvf", "tar tvf", "command -v", "hostname"],
];

const gitReadCommands = [
  ...[
    "status",
    "log",
    "diff",
    "show",
    "branch",
    "tag",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "blame",
    "shortlog",
  ],
  ...[
    "describe",
    "remote",
    "stash list",
    "reflog",
    "rev-list",
    "diff-tree",
    "grep",
    "merge-base",
    "name-rev",
  ],
  ...["cat-file", "for-each-ref", "show-ref", "count-objects", "check-ignore", "worktree list", "version"],
].map((subcommand) => `git ${subcommand}`);

const packageManagers = ["npm", "pnpm", "yarn"] as const;

const usualScripts = wordList(
  "test lint build typecheck type-check types check format:check test:unit test:e2e",
);

function managerRules(
  manager: (typeof packageManagers)[number],
  scripts: readonly string[],
): (string | ArgvRule)[] {
  const named = scripts.filter((script) => /^[\w:.@/-]+$/.test(script) && !script.startsWith("-"));
  const direct = manager === "npm" ? [] : named.filter((script) => !managerCommands.has(script));
  const runs = manager === "npm" ? ["run", "run-script"] : ["run"];
  return [
    ...managerQueries.map((word) => `${manager} ${word}`),
    ...named.flatMap((script) => runs.map((run) => ({ prefix: [manager, run, script] }))),
    ...direct.map((script) => ({ prefix: [manager, script] })),
    ...(manager === "pnpm" ? direct.map((script) => ({ prefix: [manager, "-r", script] })) : []),
    ...(manager === "yarn"
      ? [{ prefix: [manager], exact: true, match: ["yarn"], noMatch: ["yarn add x"] }]
      : []),
  ];
}

const managerQueries = wordList(
  "install i ci test t ls list outdated why explain view info audit --version -v",
);

// `pnpm exec` never means a script of that name.
const managerCommands: ReadonlySet<string> = new Set(
  wordList(
    "add remove rm uninstall un update up upgrade link ln unlink import rebuild rb prune fetch exec dlx x create",
    "init publish pack server store setup env config c set get deploy patch patch-commit node npm npx pnpm",
    "self-update cache login logout workspace workspaces global policies plugin dedupe unplug version stage owner",
    "tag team access start stop restart run run-script foreach generate-lock-entry autoclean licenses doctor help",
  ),
);

const tools = [
  "tsc --noEmit",
  "eslint",
  "vitest run",
  "prettier --check",
  "biome check",
  "biome lint",
  "jest",
];

const toolCommands = [
  ...tools,
  ...tools.map((tool) => `npx ${tool}`),
  ...tools.map((tool) => `pnpm exec ${tool}`),
  ...["tsc", "eslint", "vitest", "prettier", "biome", "jest"].flatMap((tool) => [
    `${tool} --version`,
    `npx ${tool} --version`,
  ]),
  ...["node --check", "node --test", "node -v", "make test", "make lint", "make check"],
];

const versions = wordList(
  "node npm pnpm yarn npx git python3 python rg jq make bash go cargo rustc java ruby php docker gcc",
  "deno bun",
);

const wrappers = ["timeout", "nice", "stdbuf", "env"];
