import { wordList } from "./word-list.js";
/** Assignments that may stand before a command when the host configures nothing. */
export const defaultEnvironmentNames: readonly string[] = wordList(
  "CI NODE_ENV FORCE_COLOR NO_COLOR LANG LC_ALL TZ TERM COLUMNS",
);

/** Names that change which code runs; they cannot be allowed, not even by configuration. */
export function changesWhatRuns(name: string): boolean {
  return runningNames.has(name) || runningPrefixes.some((prefix) => name.toUpperCase().startsWith(prefix));
}

const runningNames: ReadonlySet<string> = new Set(
  wordList(
    "PATH HOME SHELL ENV IFS CDPATH PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS PAGER EDITOR VISUAL BROWSER",
    "LESSOPEN LESSCLOSE MANPAGER NODE_OPTIONS NODE_PATH CLASSPATH RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS",
    "MAKEFLAGS MAKEFILES GREP_OPTIONS TAR_OPTIONS TMPDIR RIPGREP_CONFIG_PATH POSIXLY_CORRECT AWKPATH",
    "AWKLIBPATH JQ_LIBRARY_PATH XDG_CONFIG_HOME",
  ),
);

const runningPrefixes = [
  "LD_",
  "DYLD_",
  "BASH_",
  "GIT_",
  "NPM_",
  "PNPM_",
  "YARN_",
  "PYTHON",
  "PERL",
  "PHP",
  "GCONV_",
];
