export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a child process: only variables known to be harmless, no secrets of the host, and
 * settings that keep programs from waiting for input.
 */
export function scrubbedEnvironment(host: Environment, added: Environment = {}): Record<string, string> {
  const kept = Object.entries(host).filter(([name]) => ALLOWED.has(name) || name.startsWith("LC_"));
  const given = Object.entries(added).filter(([name]) => !CHANGES_WHAT_RUNS.test(name));
  // Last, so that no other setting makes a program wait for input.
  const all = [...kept, ...given, ...Object.entries(QUIET)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const ALLOWED = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TZ",
  "TERM",
  "COLUMNS",
  "CI",
  "NO_COLOR",
  "FORCE_COLOR",
  "GIT_CEILING_DIRECTORIES",
]);

/** Variables that make a program load or run something else. Callers cannot set them. */
const CHANGES_WHAT_RUNS = new RegExp(
  `^(?:${[
    "PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|PROMPT_COMMAND|IFS",
    "GIT_CONFIG.*|GIT_SSH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR|GIT_PROXY_COMMAND|GIT_DIR|GIT_WORK_TREE|GIT_.*EDITOR",
    "NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|YARN_.*|PNPM_.*",
    "PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB",
    "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|LUA_INIT.*|PHPRC|PHP_INI_SCAN_DIR",
    "RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_.*RUNNER|GOFLAGS|MAKEFLAGS|RIPGREP_CONFIG_PATH",
    "PAGER|GIT_PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|BROWSER",
  ].join("|")})$`,
  // npm reads its variables in either case.
  "i",
);

const QUIET: Environment = {
  // npx runs only installed packages: without a terminal it would fetch others unasked.
  npm_config_yes: "false",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  CI: "1",
  TERM: "dumb",
  NO_COLOR: "1",
};
