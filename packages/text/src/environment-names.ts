/** Returns true for names that change which code runs. Even a configuration cannot allow them. */
export function changesWhatRuns(name: string): boolean {
  return runningNames.has(name) || runningPrefixes.some((prefix) => name.toUpperCase().startsWith(prefix));
}

const runningNames: ReadonlySet<string> = new Set(
  [
    "PATH HOME SHELL ENV IFS CDPATH PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS PAGER EDITOR VISUAL BROWSER",
    "LESSOPEN LESSCLOSE MANPAGER NODE_OPTIONS NODE_PATH CLASSPATH RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS",
    "MAKEFLAGS MAKEFILES GREP_OPTIONS TAR_OPTIONS TMPDIR RIPGREP_CONFIG_PATH POSIXLY_CORRECT AWKPATH",
    "AWKLIBPATH JQ_LIBRARY_PATH XDG_CONFIG_HOME",
  ].flatMap((names) => names.split(" ")),
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
