import type { SimpleCommand } from "@haft/core/policy";
import { plainWords } from "@haft/text";
import { wordList } from "../command-policy/word-list.js";
import { commandsFromInput } from "./commands-from-input.js";
import { otherSpellings } from "./other-spellings.js";
import { aliasedText, nameOf, textsFor, textsForOpenEnded } from "./texts-for-shells.js";

type Argv = SimpleCommand["argv"];

interface StartedCommands {
  readonly commands: readonly Argv[];
  /** The same commands in other words; see `otherSpellings`. */
  readonly spellings: readonly Argv[];
  /** Texts that a shell would run; null for one that is known only at run time. */
  readonly texts: readonly (string | null)[];
}

/**
 * Returns the commands that another one starts: `xargs git push`, `sh -c 'git push'`, `npm exec -- git push`. The
 * start of the inner command depends on the options of the outer one, so it may be any word.
 */
export function startedCommands(argv: Argv): StartedCommands {
  const inner = startsOthers(argv) ? argv.slice(1).map((_, index) => argv.slice(index + 1)) : [];
  const spelled = [argv, ...inner].flatMap(otherSpellings);
  const open = [argv, ...inner].flatMap(openEnded);
  const texts = [...[argv, ...inner, ...spelled].flatMap(textsFor), ...open.flatMap(textsForOpenEnded)];
  return {
    commands: [...inner, ...open],
    spellings: [...spelled, ...open.flatMap(otherSpellings)],
    // Each start of a wrapper passes on the same text, which may hold wrappers again.
    texts: [...new Set(texts)],
  };
}

function startsOthers(argv: Argv): boolean {
  const name = nameOf(argv);
  if (STARTERS.has(name)) return true;
  const words = Object.hasOwn(STARTING_WORDS, name) ? STARTING_WORDS[name] : undefined;
  return words !== undefined && argv.some((word) => words.has(word ?? ""));
}

const STARTERS: ReadonlySet<string> = new Set(
  wordList(
    "timeout nice stdbuf env nohup ionice xargs find fd sudo doas su ssh watch time command exec builtin setsid",
    "parallel script flock chroot unshare strace ltrace busybox npx pnpx bunx entr chronic taskset chrt coproc",
    "runuser nsenter systemd-run setpriv prlimit faketime unbuffer rlwrap toybox eatmydata fakeroot proxychains",
    "corepack volta mise asdf direnv dotenv cross-env nodemon concurrently valgrind gdb rr perf setarch numactl",
    "firejail bwrap gosu su-exec tini dumb-init softlimit chpst cgexec pipx uvx nix-shell screen tmux dtach",
    "proxychains4 torsocks dbus-run-session xvfb-run caffeinate gtimeout gxargs gfind genv hyperfine",
    "pkexec run0 linux32 linux64 catchsegv ssh-agent dbus-launch mosh autossh sshpass watchexec proot fakechroot lxc",
    "cmd wsl pwsh powershell rbenv pyenv nodenv",
  ),
);

const PACKAGE_MANAGER = new Set(wordList("exec x dlx"));

/** Programs that start others if their arguments contain one of these words. */
const STARTING_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(wordList("foreach run")),
  npm: PACKAGE_MANAGER,
  pnpm: PACKAGE_MANAGER,
  yarn: PACKAGE_MANAGER,
  bun: PACKAGE_MANAGER,
  docker: new Set(wordList("run exec")),
  podman: new Set(wordList("run exec")),
  "docker-compose": new Set(wordList("run exec")),
  nerdctl: new Set(wordList("run exec")),
  kubectl: new Set(wordList("run exec")),
  conda: new Set(["run"]),
  mamba: new Set(["run"]),
  micromamba: new Set(["run"]),
  pdm: new Set(["run"]),
  hatch: new Set(["run"]),
  pixi: new Set(["run"]),
  pipenv: new Set(["run"]),
  rustup: new Set(["run"]),
  lerna: new Set(["exec"]),
  nx: new Set(["exec"]),
  poetry: new Set(["run"]),
  uv: new Set(wordList("run tool")),
  bundle: new Set(["exec"]),
};

/**
 * Returns the commands whose last words are known only at run time: those that xargs reads, and those that follow
 * another name of a program.
 */
function openEnded(argv: Argv): readonly Argv[] {
  const [, ...words] = argv;
  switch (nameOf(argv)) {
    case "xargs":
    case "gxargs":
    case "parallel":
      return commandsFromInput(argv);
    case "alias":
      return words.flatMap((word) => {
        const command = word === null ? undefined : plainWords(aliasedText(word));
        return command === undefined ? [] : [[...command, null]];
      });
    case "hash":
      return words.flatMap((word, index) => (word === "-p" ? [[words[index + 1] ?? null, null]] : []));
    default:
      return [];
  }
}
