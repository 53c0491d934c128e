import type { SimpleCommand } from "@haft/core/policy";
import { wordList } from "../command-policy/word-list.js";

/** Returns the values of options that a program runs as a command: `tar -I COMMAND`, `git clone --upload-pack=COMMAND`. */
export function textsInOptions(program: string, argv: SimpleCommand["argv"]): readonly (string | null)[] {
  const options = optionsOf(program, argv);
  return options.flatMap((option) =>
    argv.flatMap((word, index) => {
      if (word === option) return commandIn(argv[index + 1] ?? null);
      const start = option.startsWith("--") ? `${option}=` : option;
      return word?.startsWith(start) === true ? commandIn(word.slice(start.length)) : [];
    }),
  );
}

function optionsOf(program: string, argv: SimpleCommand["argv"]): readonly string[] {
  const own = Object.hasOwn(OPTIONS, program) ? (OPTIONS[program] ?? []) : [];
  if (program !== "git") return own;
  return [
    ...own,
    ...Object.entries(GIT_OPTIONS).flatMap(([word, some]) => (argv.includes(word) ? some : [])),
  ];
}

/** Leaves out the name of a setting: `ProxyCommand=…`, `exec=…`. */
function commandIn(value: string | null): readonly (string | null)[] {
  return [value === null ? null : value.replace(/^(?:exec|\w*command)[= ]/i, "")];
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  tar: wordList("-I --use-compress-program --to-command --checkpoint-action -F --info-script --rsh-command"),
  sort: ["--compress-program"],
  split: ["--filter"],
  rg: ["--pre"],
  rsync: wordList("-e --rsh"),
  ssh: ["-o"],
  scp: wordList("-S -o"),
  sftp: wordList("-S -o"),
  git: wordList(
    "--upload-pack --receive-pack --extcmd --open-files-in-pager --tree-filter --index-filter --env-filter --msg-filter",
    "--commit-filter --parent-filter --tag-name-filter",
  ),
  mapfile: ["-C"],
  readarray: ["-C"],
  complete: ["-C"],
  compgen: ["-C"],
};

/** Options that mean something else beside other subcommands. */
const GIT_OPTIONS: Readonly<Record<string, readonly string[]>> = { clone: ["-u"], grep: ["-O"] };
