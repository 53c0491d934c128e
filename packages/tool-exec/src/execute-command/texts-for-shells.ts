import type { SimpleCommand } from "@haft/core/policy";
import { plainWords } from "@haft/text";
import type { EnvironmentAssignment } from "../command-policy/command-plan.js";
import { gitBuiltins } from "../command-policy/git-builtins.js";
import { wordList } from "../command-policy/word-list.js";
import { textsInOptions } from "./texts-in-options.js";

type Argv = SimpleCommand["argv"];

/** Returns the texts that a command passes to a shell; null for one that is known only at run time. */
export function textsFor(argv: Argv): readonly (string | null)[] {
  const name = nameOf(argv);
  if (SHELLS.has(name)) return shellTexts(argv);
  if (name === "eval") return [argv.includes(null) ? null : argv.slice(1).join(" ")];
  if (name === "source" || name === ".") return isUnknownFile(argv[1]) ? [null] : [];
  if (name === "trap") return [argv.slice(1).find((word) => word !== "--") ?? null];
  if (name === "at" || name === "batch")
    return argv.some((word) => AT_READS_NOTHING.test(word ?? "")) ? [] : [null];
  if (name === "alias") return argv.slice(1).map((word) => (word === null ? null : aliasedText(word)));
  if (EVALUATES_SUBSCRIPTS.has(name)) return argv.slice(1).filter((word) => SUBSCRIPT.test(word ?? ""));
  const inOptions = textsInOptions(name, argv);
  if (name === "git") return [...gitTexts(argv), ...inOptions];
  if (name === "env") return [...assignedTexts(argv), ...passedTexts(argv)];
  return TAKES_TEXT.has(name) ? [...passedTexts(argv), ...inOptions] : inOptions;
}

/** `at -l`, `-r`, `-c` and `-f FILE` do not read commands from the input. */
const AT_READS_NOTHING = /^-[ldrcfV]/;

/** Bash evaluates the subscript of an array element, even one in quotes: `declare 'a[$(command)]=1'`. */
const EVALUATES_SUBSCRIPTS: ReadonlySet<string> = new Set(
  wordList("declare export let local printf read readonly test typeset unset ["),
);
const SUBSCRIPT = /\[.*(?:\$\(|`)/s;

/** Returns the command of `NAME=COMMAND`, which the parser leaves in its quotes. */
export function aliasedText(definition: string): string {
  const value = definition.slice(definition.indexOf("=") + 1);
  const [word = value, ...more] = plainWords(value) ?? [];
  return more.length === 0 ? word : value;
}

/** Some programs pass one of their words to a shell. A word without blanks is already a command by itself. */
function passedTexts(argv: Argv): readonly (string | null)[] {
  return argv.slice(1).flatMap((word) => {
    if (word === null) return [null];
    if (!/\s/.test(word)) return [];
    return word.startsWith("-") ? [word, attachedValue(word)] : [word];
  });
}

/** The value in `--call=VALUE` or `-cVALUE`. */
function attachedValue(word: string): string {
  return word.startsWith("--") ? word.slice(word.indexOf("=") + 1) : word.slice(2);
}

function assignedTexts(argv: Argv): readonly (string | null)[] {
  return argv.flatMap((word) => {
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word ?? "") ?? [];
    return textsInVariable({ name, value });
  });
}

/** Returns the value of a variable that programs run as a command, such as `GIT_EDITOR`. */
export function textsInVariable({ name, value }: EnvironmentAssignment): readonly (string | null)[] {
  if (PROMPT.test(name)) return /\$\(|`/.test(value) ? [value] : [];
  if (!RUNS_VALUE.test(name)) return [];
  return [value === "…" ? null : value.replace(/^\|/, "")];
}

const RUNS_VALUE =
  /^(?:\w*_)?(?:EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|COMMAND)$|^(?:LESSOPEN|LESSCLOSE|GIT_SSH|GIT_EXTERNAL_DIFF)$/;

/** A shell expands its prompts, and with `-x` PS4 before every command. */
const PROMPT = /^PS[0-4]$/;

const SHELLS: ReadonlySet<string> = new Set(
  wordList(
    "sh bash dash zsh ksh mksh ash fish rbash tcsh csh yash oksh posh nu elvish xonsh pwsh powershell",
  ),
);
const TAKES_TEXT: ReadonlySet<string> = new Set(
  wordList(
    "ssh watch su runuser script flock parallel env entr npx pnpx bunx npm pnpm hyperfine nsenter tmux screen",
    "mosh autossh vagrant watchexec cmd wsl",
  ),
);

/** Returns the text of `-c`. A shell without one and without a script runs its input, which is unknown. */
function shellTexts(argv: Argv): readonly (string | null)[] {
  const option = argv.findIndex((word, index) => index > 0 && /^-[a-z]*c[a-z]*$/i.test(word ?? ""));
  if (option !== -1)
    return argv.slice(option + 1).filter((word, at) => at === 0 || word === null || /\s/.test(word));
  const words = argv.slice(1);
  const readsInput = words.some((word) => /^-[a-z]*s[a-z]*$/.test(word ?? ""));
  const script = words.find((word) => word === null || !/^[-+]/.test(word));
  return readsInput || isUnknownFile(script) ? [null] : [];
}

/** The same for a command whose last word is unknown: only a shell or git would execute such a word as a command. */
export function textsForOpenEnded(argv: Argv): readonly (string | null)[] {
  return argv.length > 2 && TAKES_TEXT.has(nameOf(argv)) ? [] : textsFor(argv);
}

/** Whether the text in a file is known only at run time: the input of the command, or a file that is not named. */
function isUnknownFile(file: string | null | undefined): boolean {
  return file === undefined || file === null || /^\/(?:dev|proc)\//.test(file);
}

/** Handles `git rebase --exec`, `git submodule foreach`, settings that name a command, and aliases, given or configured. */
function gitTexts(argv: Argv): readonly (string | null)[] {
  const configured = mayBeAlias(argv.slice(1)) ? [null] : [];
  const given = argv.flatMap((word, index) => {
    const alias = /^(?:-c)?alias\.[^=]*=(!?)(.*)$/is.exec(word ?? "");
    if (alias !== null) return [alias[1] === "!" ? (alias[2] ?? "") : `git ${alias[2]}`];
    if (/^--config-env=alias\./i.test(word ?? "")) return [null];
    const setting = SETTING.exec(word ?? "")?.[1];
    if (setting !== undefined) return [setting];
    const inner = /^(?:--exec=|-x)(.+)$/s.exec(word ?? "")?.[1];
    if (inner !== undefined) return [inner];
    if (word === "foreach") return argv.slice(index + 1).filter((each) => !isGitOption(each));
    return GIT_TEXT.has(word ?? "") ? [argv[index + 1] ?? null] : [];
  });
  return [...configured, ...given];
}

/**
 * Returns whether git may treat its subcommand as an alias, which can be any command. The repository, the command line and its variables can define
 * one, so every word counts that is not built into git.
 */
function mayBeAlias(words: Argv): boolean {
  const at = words.findIndex((word, index) => !isGitOption(word) && !TAKES_VALUE.has(words[index - 1] ?? ""));
  const subcommand = words[at];
  return subcommand === null || (subcommand !== undefined && !gitBuiltins.has(subcommand));
}

function isGitOption(word: string | null): boolean {
  return word?.startsWith("-") === true;
}

/** The options before a subcommand whose value is the next word. */
const TAKES_VALUE: ReadonlySet<string> = new Set(
  wordList("-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source"),
);

/** A setting that git runs as a command. Its section ends at the first dot, so that a long word takes linear time. */
const SETTING =
  /^(?:-c)?(?:pager\.[^=]*|[\w.-][\w-]*\.[^=]*(?:editor|pager|command|cmd|helper|driver|program|external|textconv|clean|smudge|process|fsmonitor|askpass|proxy))=!?(.*)$/is;

const GIT_TEXT: ReadonlySet<string> = new Set(wordList("--exec -x"));

/** The name of the program, as file systems that ignore case find it. */
export function nameOf([program]: Argv): string {
  const name = program?.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1) ?? "";
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
}
